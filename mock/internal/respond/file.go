package respond

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// respondFile answers with a file if the media type is one of files and its schema says no more than that. It
// reports false if the answer is another.
func (r *Responder) respondFile(q *Request, a *Answer, b *Body, as string) bool {
	contentType := contentTypeOf(b.media, as)
	mediaType, _, _ := strings.Cut(contentType, ";")
	kind := samplefile.OfType(strings.TrimSpace(mediaType))
	if kind == nil || !describesFile(b.media.Schema, kind) {
		return false
	}
	content := samplefile.Content{
		Key: uint64(b.Key(q, a.Status)), Name: titleOf(q, kind), Table: r.generatedTable(q, a.Status, b),
	}
	content.Width, content.Height = sides(q)
	data := kind.Make(content)
	isBase64 := false
	if format := formatOf(b.media.Schema); format == "byte" || format == "base64" {
		isBase64 = kind.Type() == "text/plain" // other files are their bytes, as generators of documents mean it
		if encoded := base64.StdEncoding.EncodeToString(data); isBase64 {
			data = []byte(encoded)
		} else if !b.media.Conforms(encoded) {
			return false
		}
	} else if b.media.Schema != nil && !b.media.Conforms(string(data)) && !isOpaque(b.media.Schema, kind) {
		return false
	}
	r.SetFile(q, a, contentType, data)
	return true
}

// SetFile answers with a file of a media type, which browsers save if they do not show it.
func (r *Responder) SetFile(q *Request, a *Answer, contentType string, data []byte) {
	a.SetBytes(contentType, data)
	mediaType, _, _ := strings.Cut(contentType, ";")
	documented := q.Operation.Response(a.Status)
	kind := samplefile.OfType(strings.TrimSpace(mediaType))
	if kind != nil && (kind.Download || dispositionOf(documented) != nil) {
		r.setHeader(q, a, "Content-Disposition", `attachment; filename="`+fileName(q, documented, kind)+`"`)
	}
}

// SetTable answers with the rows of a table as a file of a kind. The file is named after the list.
func (r *Responder) SetTable(q *Request, a *Answer, contentType, list string, rows [][]string) {
	mediaType, _, _ := strings.Cut(contentType, ";")
	kind := samplefile.OfType(strings.TrimSpace(mediaType))
	if kind == nil {
		return
	}
	a.SetBytes(contentType, kind.Make(samplefile.Content{Name: list, Table: rows}))
	name := documentedName(q, q.Operation.Response(a.Status), kind)
	if name == "" {
		name = strings.Map(fileCharacter, strings.Join(naming.Words(list), "-")) + "." + kind.Extension
	}
	r.setHeader(q, a, "Content-Disposition", `attachment; filename="`+name+`"`)
}

// describesFile reports whether any file of a kind may conform to a schema. A text is a file only if the schema
// describes no other one.
func describesFile(s *spec.Schema, kind *samplefile.Kind) bool {
	if s == nil {
		return true
	}
	if isOpaque(s, kind) {
		return true
	}
	isText := strings.HasPrefix(kind.Type(), "text/")
	for k := range schema.All(s.Keywords) {
		if types := schema.Types(k); len(types) > 0 && !slices.Contains(types, "string") ||
			k.Enum != nil || k.Const != nil || k.Pattern != nil || isText && s.Node(k).Get("example") != nil {
			return false
		}
	}
	switch formatOf(s) {
	case "":
		return kind.Type() != "text/plain"
	case "binary", "byte", "base64", "file":
		return true
	}
	return false
}

// isOpaque reports whether a schema calls a picture, a sound, a film or a font an object without saying more, as
// generators do for streams: such bytes are no JSON.
func isOpaque(s *spec.Schema, kind *samplefile.Kind) bool {
	family, _, _ := strings.Cut(kind.Type(), "/")
	if !slices.Contains([]string{"image", "audio", "video", "font"}, family) {
		return false
	}
	isObject := false
	for k := range schema.All(s.Keywords) {
		isObject = isObject || slices.Equal(schema.Types(k), []string{"object"})
		if len(k.Properties) > 0 || k.Enum != nil || k.Const != nil || len(k.Required) > 0 {
			return false
		}
	}
	return isObject
}

func formatOf(s *spec.Schema) string {
	if s == nil {
		return ""
	}
	for k := range schema.All(s.Keywords) {
		if format := cmp.Or(s.Node(k).Get("format").Str(), s.Node(k).Get("contentEncoding").Str()); format != "" {
			return format
		}
	}
	return ""
}

// setHeader sets a field of the answer, unless the document has its example or does not allow the value.
func (r *Responder) setHeader(q *Request, a *Answer, name, value string) {
	if documented := q.Operation.Response(a.Status); documented != nil {
		for _, h := range documented.Headers {
			breaks := h.Schema != nil && !spec.Conforms(h.Schema.Keywords, value)
			if strings.EqualFold(h.Name, name) && (len(h.Examples) > 0 || breaks) {
				return
			}
		}
	}
	a.Header.Set(name, value)
}

// sides returns the size in pixels that the path or the query asks for, 0 for what they do not say.
func sides(q *Request) (width, height int) {
	side := func(role string) int {
		for _, in := range []map[string]any{q.Values.Path, q.Values.Query} {
			for _, name := range words.Ranked(role) {
				text, _ := jsonvalue.Text(in[name])
				if n, err := strconv.Atoi(text); err == nil && n > 0 {
					return n
				}
				if w, h, ok := strings.Cut(text, "x"); ok { // 640x480
					width, _ = strconv.Atoi(w)
					height, _ = strconv.Atoi(h)
				}
			}
		}
		return 0
	}
	size := side("side-parameter")
	return cmp.Or(side("width-parameter"), width, size), cmp.Or(side("height-parameter"), height, size)
}
