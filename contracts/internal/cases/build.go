package cases

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// Making says what a made request is like; the rest is as in a plain one.
type Making struct {
	N      int            // each gives other values
	Have   map[string]any // of the body's properties, by name
	All    bool           // with all properties that are optional
	Body   any            // in place of one that is made; nil for none
	Media  string         // of the body, as the document writes it; "" for that of plain requests
	Values map[string]any // of parameters, by name; those of paths are texts
	Title  string
}

// Make makes a conforming request. The error says why there can be none.
func (m *Builder) Make(g Making) (*Case, error) {
	key := m.key.Child("made").Child(fmt.Sprint(g.N))
	d, err := m.draft(key, g.Have)
	if err != nil {
		return nil, err
	}
	d = d.clone()
	for _, b := range m.bodies {
		if b.Range == g.Media {
			d.body = b
		}
	}
	if d.body != nil && g.All {
		if value, err := d.body.make(key.Child("body"), g.Have, "all"); err == nil && d.body.Conforms(value) {
			d.value = value
		}
	}
	if d.body != nil && g.Body != nil {
		d.value = g.Body
	}
	texts := map[string]string{}
	for _, p := range m.parameters {
		value, ok := g.Values[p.Name]
		switch {
		case !ok:
		case p.In == exchange.InPath:
			texts[p.Name], _ = value.(string)
			if !m.Fits(p.Name, texts[p.Name]) {
				return nil, fmt.Errorf("path parameter %q: %q does not fit its schema", p.Name, texts[p.Name])
			}
		default:
			d.values[p] = value
		}
	}
	r, err := m.write(d)
	if err != nil {
		return nil, err
	}
	c := m.accepted(d, r, g.Title, "")
	if c == nil {
		return nil, fmt.Errorf("the request does not conform: %s", exchange.Join(m.findings(d, r)))
	}
	for name := range g.Values {
		c.Literal = append(c.Literal, name)
	}
	for name, text := range texts {
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", url.PathEscape(text))
	}
	return c, nil
}

// Takes reports whether a parameter takes a value.
func (m *Builder) Takes(name string, value any) bool {
	for _, p := range m.parameters {
		if p.Name == name {
			return p.schema == nil || p.schema.Check(value, "", "") == nil
		}
	}
	return false
}

// Fits reports whether a text can stand for a variable of the path: an item's
// key may be of another type than the variable, where a document contradicts
// itself.
func (m *Builder) Fits(variable, text string) bool {
	for _, p := range m.parameters {
		if p.In != exchange.InPath || p.Name != variable || p.schema == nil {
			continue
		}
		if p.schema.Check(text, "", "") == nil {
			return true
		}
		value, err := jsontext.Decode(text)
		return err == nil && p.schema.Check(value, "", "") == nil
	}
	return true
}
