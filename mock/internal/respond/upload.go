package respond

import (
	"cmp"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"maps"
	"mime"
	"path"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Upload returns the file that a request sends; nil if it sends none.
func (q *Request) Upload() *decode.File {
	m := q.Values.MediaType
	if m != nil && m.IsJSON() && m.Schema != nil {
		return q.encodedFile(m.Schema)
	}
	if m == nil || !m.CarriesFile() {
		return nil
	}
	contentType, _ := q.Header.Get("Content-Type")
	file := decode.FileOf(contentType, q.Body)
	if file != nil && file.Name == "" {
		disposition, _ := q.Header.Get("Content-Disposition")
		_, params, _ := mime.ParseMediaType(disposition)
		file.Name = cmp.Or(params["filename"], q.Replaces)
	}
	return file
}

// encodedFile returns the file that a JSON body has as Base64 in its only property that is so encoded; nil if none.
// Its media type is the documented one.
func (q *Request) encodedFile(s *spec.Schema) *decode.File {
	body, _ := q.Values.Body().(map[string]any)
	var file *decode.File
	for _, name := range EncodedFiles(s) {
		text, isSent := body[name].(string)
		if !isSent {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(text)
		if err != nil || file != nil {
			return nil
		}
		declared := s.Node(s.Members()[name]).Get("contentMediaType").Str()
		file = &decode.File{Type: cmp.Or(declared, "application/octet-stream"), Data: data}
	}
	return file
}

// EncodedFiles returns the names of the properties that hold bytes as Base64.
func EncodedFiles(s *spec.Schema) (names []string) {
	for name, property := range s.Members() {
		if format := formatOf(Part(s, property)); format == "byte" || format == "base64" {
			names = append(names, name)
		}
	}
	return names
}

// uploadRules have the names of properties, folded, that describe a file, and what they say of it; nil for nothing.
var uploadRules = []struct {
	names    string
	describe func(*decode.File) any
}{
	{"name filename originalname originalfilename", func(f *decode.File) any { return textOrNil(f.Name) }},
	{"extension fileextension ext", func(f *decode.File) any { return textOrNil(strings.TrimPrefix(path.Ext(f.Name), ".")) }},
	{"size filesize bytes length contentlength sizeinbytes", func(f *decode.File) any { return number(len(f.Data)) }},
	{"contenttype mimetype mediatype filetype", func(f *decode.File) any { return f.Type }},
	{"md5 md5hash contentmd5 etag", func(f *decode.File) any { sum := md5.Sum(f.Data); return hex.EncodeToString(sum[:]) }},
	{"sha1 sha1hash", func(f *decode.File) any { sum := sha1.Sum(f.Data); return hex.EncodeToString(sum[:]) }},
	{"sha256 sha256hash checksum hash digest", func(f *decode.File) any {
		sum := sha256.Sum256(f.Data)
		return hex.EncodeToString(sum[:])
	}},
	{"width imagewidth", func(f *decode.File) any { width, _ := samplefile.Dimensions(f.Data); return positive(width) }},
	{"height imageheight", func(f *decode.File) any { _, height := samplefile.Dimensions(f.Data); return positive(height) }},
}

func number(n int) any { return json.Number(strconv.Itoa(n)) }

func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func positive(n int) any {
	if n <= 0 {
		return nil
	}
	return number(n)
}

var uploadProperties = func() map[string]func(*decode.File) any {
	m := map[string]func(*decode.File) any{}
	for _, rule := range uploadRules {
		for name := range strings.FieldsSeq(rule.names) {
			m[name] = rule.describe
		}
	}
	return m
}()

// isPart reports whether a property of a form is more than a text, which a client may leave out: the file itself.
func isPart(sendable *spec.Keywords) bool {
	return sendable != nil && (schema.CertainTypes(sendable) != schema.String || sendable.Format != nil ||
		sendable.ContentEncoding != nil || sendable.ContentMediaType != nil)
}

// WithUpload returns an object whose properties describe the file that a request sends, except for those that the
// client says itself.
func (q *Request) WithUpload(object map[string]any, properties map[string]*spec.Keywords) map[string]any {
	file := q.Upload()
	if file == nil {
		return object
	}
	var sendable map[string]*spec.Keywords
	if s := q.Values.MediaType.Schema; s != nil {
		sendable = s.Members()
	}
	object = maps.Clone(object)
	if object == nil {
		object = map[string]any{}
	}
	for name, property := range properties {
		describe := uploadProperties[strings.Join(naming.Words(name), "")]
		if _, isSent := object[name]; isSent || describe == nil || isPart(sendable[name]) {
			continue
		}
		if value := describe(file); value != nil {
			if typed, ok := Typed(value, property); ok {
				object[name] = typed
			}
		}
	}
	return object
}
