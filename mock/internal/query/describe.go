package query

import (
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/resource"
)

// Describe puts what a list's answer says of the page into its body. fits
// reports whether a body is one that the document allows.
func (l *Links) Describe(body any, p Page, fields []resource.Field, fits func(any) bool) any {
	plain := body
	for _, f := range fields {
		value, ok := l.value(p, f)
		if !ok {
			body = absent(body, f)
			continue
		}
		body = resource.Set(body, f.Path, value)
	}
	if fits(body) {
		return body
	}
	for _, f := range fields { // one by one, and what is not to be had in any way stays
		value, ok := l.value(p, f)
		candidates := []any{resource.Set(plain, f.Path, value)}
		if !ok {
			candidates = []any{resource.Set(plain, f.Path, nil), without(plain, f.Path), resource.Set(plain, f.Path, "")}
		}
		for _, candidate := range candidates {
			if fits(candidate) {
				plain = candidate
				break
			}
		}
	}
	return plain
}

// absent says that there is no such page: with null where the document allows
// it, else by leaving the field out, with the object that holds nothing but it.
func absent(body any, f resource.Field) any {
	if f.Null {
		return resource.Set(body, f.Path, nil)
	}
	rest := without(body, f.Path)
	if last := len(f.Path) - 1; f.Link && last > 0 {
		if around, ok := resource.Get(rest, f.Path[:last]); ok {
			if object, ok := around.(map[string]any); ok && len(object) == 0 && linkName(f.Path[last]) {
				return without(rest, f.Path[:last])
			}
		}
	}
	return rest
}

// linkName reports whether a member is the address of a link that is an object,
// as in {"next": {"href": "…"}}.
func linkName(name string) bool { return name == "href" || name == "url" || name == "uri" }

func without(body any, path []string) any {
	rest, _, err := jsonvalue.Remove(body, path)
	if err != nil {
		return body
	}
	return rest
}

// Header gives the field of a list's answer that says something of the page, ""
// where it has nothing to say.
func (l *Links) Header(p Page, h resource.HeaderField) string {
	if h.Role != resource.Relations {
		value, _ := l.value(p, resource.Field{Role: h.Role, Kind: resource.String, Link: true})
		text, _ := jsonvalue.Text(value)
		return text
	}
	var links []string
	add := func(relation string, at offset) { // RFC 8288
		links = append(links, "<"+l.to(p, int(at))+`>; rel="`+relation+`"`)
	}
	if p.hasNext() {
		add("next", offset(p.Offset+p.Count))
	}
	if p.hasPrevious() {
		add("prev", p.previous())
	}
	if l.has(resource.PageNumber) || l.has(resource.Skip) {
		add("first", 0)
		add("last", offset(p.lastOffset()))
	}
	return strings.Join(links, ", ")
}
