package respond

import (
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// respondFile answers with a file where the media type is one of files and its schema says no more than that. It
// reports false if the answer is another.
func (r *Responder) respondFile(q *Request, a *Answer, b *Body, as string) bool {
	contentType := contentTypeOf(b.media, as)
	mediaType, _, _ := strings.Cut(contentType, ";")
	kind := samplefile.OfType(strings.TrimSpace(mediaType))
	if kind == nil || !describesFile(b.media.Schema, kind) {
		return false
	}
	name := fileName(q, kind)
	content := samplefile.Content{Key: uint64(b.Key(q, a.Status)), Name: name, Table: r.table(q, a.Status, b)}
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
	if kind := samplefile.OfType(strings.TrimSpace(mediaType)); kind != nil && kind.Download {
		r.setHeader(q, a, "Content-Disposition", `attachment; filename="`+fileName(q, kind)+"."+kind.Extension+`"`)
	}
}

// describesFile reports whether any file of a kind may conform to a schema. A text is a file only where the schema
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

// generic are words of paths that say what is done with a file, not what it is.
var generic = strings.Fields("download content file files raw export data body attachment binary")

// fileName names a file after the last thing that the path names: /invoices/7/pdf is invoice-7.
func fileName(q *Request, kind *samplefile.Kind) string {
	name, variables := "", slices.Clone(q.Variables)
	for segment := range strings.SplitSeq(q.Operation.Path, "/") {
		lower := strings.ToLower(segment)
		if isGeneric := slices.Contains(generic, lower) || lower == kind.Extension; segment != "" &&
			!strings.Contains(segment, "{") && (name == "" || !isGeneric) {
			name = segment
		}
	}
	words := naming.Words(cmp.Or(name, "file"))
	if len(variables) > 0 {
		words[len(words)-1] = naming.Singular(words[len(words)-1])
		words = append(words, exchange.Shorten(variables[len(variables)-1], 40))
	}
	return strings.Map(fileCharacter, strings.Join(words, "-"))
}

// fileCharacter returns a hyphen for what may not stand in the names of files and in quoted strings.
func fileCharacter(r rune) rune {
	if r > ' ' && r <= '~' && !strings.ContainsRune(`"\/:*?<>|%`, r) {
		return r
	}
	return '-'
}

// sides returns the size in pixels that the path or the query asks for, 0 for what they do not say.
func sides(q *Request) (width, height int) {
	side := func(names ...string) int {
		for _, in := range []map[string]any{q.Values.Path, q.Values.Query} {
			for _, name := range names {
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
	size := side("size", "s", "dimensions", "resolution")
	return cmp.Or(side("width", "w"), width, size), cmp.Or(side("height", "h"), height, size)
}

// table returns what the JSON of the same answer lists, nil if there is none or it lists no objects.
func (r *Responder) table(q *Request, status int, b *Body) [][]string {
	documented := q.Operation.Response(status)
	if documented == nil {
		return nil
	}
	for _, media := range documented.Content {
		if media != b.media && media.IsJSON() && media.Schema != nil {
			value, _ := r.bodies[media].Generate(q, b.Key(q, status))
			return rowsOf(value)
		}
	}
	return nil
}

func rowsOf(value any) [][]string {
	list, ok := value.([]any)
	if object, isObject := value.(map[string]any); isObject {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if list, ok = object[name].([]any); ok {
				break
			}
		}
	}
	if !ok || len(list) == 0 {
		return nil
	}
	first, _ := list[0].(map[string]any)
	var header []string
	for _, name := range slices.Sorted(maps.Keys(first)) {
		if _, isScalar := jsonvalue.Text(first[name]); isScalar {
			header = append(header, name)
		}
	}
	if len(header) == 0 {
		return nil
	}
	rows := [][]string{header}
	for _, item := range list {
		object, _ := item.(map[string]any)
		row := make([]string, len(header))
		for i, name := range header {
			row[i], _ = jsonvalue.Text(object[name])
		}
		rows = append(rows, row)
	}
	return rows
}
