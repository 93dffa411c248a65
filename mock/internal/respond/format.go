package respond

import (
	"path"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Negotiate picks a documented media type for the answer: the one that the request names as a format, or else the one
// that Accept prefers. best and as are as in Negotiate.
func (q *Request) Negotiate(content []*spec.MediaType) (best *spec.MediaType, as string) {
	if len(content) > 1 {
		if named := q.format(content); named != nil {
			return named, ""
		}
	}
	return Negotiate(q.Header, content)
}

// format returns the only media type that the request names: by the value of a parameter whose enum, default or example
// names formats (?format=pdf, /invoices/{id}.{format}) or by the extension of the path (/invoices/{id}.pdf). It is nil
// if the request names none.
func (q *Request) format(content []*spec.MediaType) *spec.MediaType {
	for _, p := range q.Operation.Parameters {
		if p.In != "path" && p.In != "query" || p.Schema == nil {
			continue
		}
		value := q.Values.Path[p.Name]
		if p.In == "query" {
			value = q.Values.Query[p.Name]
		}
		if value == nil {
			value = p.Schema.Node(p.Schema.Keywords).Get("default").Str()
		}
		if media := ofFormat(content, value); media != nil && namesFormats(p, content) {
			return media
		}
	}
	if extension := path.Ext(q.Operation.Path); len(extension) > 1 && !strings.Contains(extension, "{") {
		return ofFormat(content, extension[1:])
	}
	return nil
}

// namesFormats reports whether the document says that the values of a parameter are formats of the content.
func namesFormats(p *spec.Parameter, content []*spec.MediaType) bool {
	for _, e := range p.Examples {
		if ofFormat(content, e.Value) != nil {
			return true
		}
	}
	for k := range schema.All(p.Schema.Keywords) {
		n := p.Schema.Node(k)
		if k.Enum != nil || ofFormat(content, n.Get("default").Str()) != nil ||
			ofFormat(content, n.Get("example").Str()) != nil {
			return true
		}
	}
	return false
}

// ofFormat returns the only media type whose subtype or usual extension is a value; nil if none or several.
func ofFormat(content []*spec.MediaType, value any) *spec.MediaType {
	name, _ := jsonvalue.Text(value)
	name = strings.ToLower(name)
	kind := samplefile.OfExtension(name)
	isNamed := func(m *spec.MediaType) bool {
		return name != "" && (m.Subtype == name || strings.HasSuffix(m.Subtype, "+"+name) ||
			strings.HasSuffix(m.Subtype, "-"+name) || kind != nil && samplefile.OfType(m.Type+"/"+m.Subtype) == kind)
	}
	i := slices.IndexFunc(content, isNamed)
	if i < 0 || slices.ContainsFunc(content[i+1:], isNamed) {
		return nil
	}
	return content[i]
}
