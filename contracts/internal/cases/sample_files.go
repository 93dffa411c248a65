package cases

import (
	"cmp"
	"image"
	"image/jpeg"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// sampleFiles are whole files of media types, as small as can be: a backend may
// look into what it is sent.
var sampleFiles = map[string]string{
	"image/png": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
		"\x00\x00\x00\rIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\xa75\x81\x84\x00\x00\x00\x00IEND\xaeB`\x82",
	"image/gif":        "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;",
	"image/jpeg":       sampleJPEG(),
	"image/svg+xml":    `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`,
	"application/pdf":  "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
	"application/zip":  "PK\x05\x06\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"application/gzip": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x03\x00\x00\x00\x00\x00\x00\x00\x00\x00",
	"text/csv":         "name,count\r\nmoss,1\r\nfern,2\r\n",
	"text/html":        "<!doctype html><title>plant</title>",
	"text/markdown":    "# Plant\n",
	"application/yaml": "name: moss\n",
	"text/calendar":    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\nEND:VCALENDAR\r\n",
}

// sampleJPEG gives a JPEG of one pixel, which is longer than one would write by hand.
func sampleJPEG() string {
	var b strings.Builder
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1)), nil); err != nil {
		panic(err) // a builder takes everything
	}
	return b.String()
}

func sampleFile(mediaType string) string {
	if end := strings.IndexAny(mediaType, ",;"); end >= 0 {
		mediaType = mediaType[:end]
	}
	mediaType = strings.ToLower(strings.TrimSpace(mediaType))
	if mediaType == "image/*" {
		mediaType = "image/png"
	}
	return sampleFiles[mediaType]
}

// structured reports whether the schema says all of what a body of the media
// type holds.
func (b *body) structured() bool {
	return b.IsJSON() || b.Type == "multipart" || b.Subtype == "x-www-form-urlencoded" || b.isXML()
}

func (b *body) isXML() bool { return b.Subtype == "xml" || strings.HasSuffix(b.Subtype, "+xml") }

// rawContent gives the content of a body whose schema says nothing of its form: the
// document's example, or a file.
func (b *body) rawContent() (string, bool) {
	if b.structured() || b.Range == "*/*" {
		return "", false
	}
	for _, e := range b.Examples {
		if text, ok := e.Value.(string); ok && len(e.Broken) == 0 {
			return text, true
		}
	}
	text := sampleFile(b.Concrete())
	return text, text != ""
}

// filesOf finds the properties of a multipart body that are files, with what
// they hold; "" for anything.
func filesOf(media *spec.MediaType) map[string]string {
	if media.Type != "multipart" || media.Schema == nil {
		return nil
	}
	files := map[string]string{}
	for name, k := range media.Schema.Properties() {
		kind, file := "", false
		for _, part := range combined(k, k.Items2020) {
			raw := media.Schema.Node(part)
			said := raw.Get("contentMediaType").Str()
			kind = cmp.Or(said, kind)
			file = file || said != "" || raw.Get("format").Str() == "binary"
		}
		if e := media.Encoding[name]; e != nil && e.ContentType != "" && !strings.HasSuffix(e.ContentType, "json") {
			kind = e.ContentType
		}
		if file {
			files[name] = sampleFile(kind)
		}
	}
	return files
}

func (b *body) withFiles(value any) any {
	if text, ok := b.rawContent(); ok {
		if b.Conforms(text) {
			return text
		}
		return value
	}
	object, ok := value.(map[string]any)
	if !ok || len(b.files) == 0 {
		return value
	}
	for name, content := range b.files {
		at, has := object[name]
		if !has || content == "" {
			continue
		}
		var file any = content
		if list, ok := at.([]any); ok {
			file = slices.Repeat([]any{content}, len(list))
		}
		if changed := mergeObjects(object, map[string]any{name: file}); b.Conforms(changed) {
			object = changed.(map[string]any)
		}
	}
	return object
}
