package cases

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Needs returns the places that plain requests fill though the document does not require them, as query.limit and
// body.owner.name; "body" is all of the body.
func (m *Builder) Needs() []string {
	if all := m.source.needs.Load(); all != nil {
		return *all
	}
	return nil
}

// SetNeeds sets what Needs returns. A backend may refuse requests without them.
func (m *Builder) SetNeeds(places []string) { m.source.needs.Store(&places) }

// LeftOut returns the optional places that a request does not fill, as Needs writes them: parameters that are no
// path variables, properties of the body, and properties of objects in it.
func (m *Builder) LeftOut(c *Case) (places []string) {
	d := c.made.draft
	if d == nil {
		return nil
	}
	for _, p := range m.parameters {
		if _, sent := d.values[p]; !sent && p.In != exchange.InPath {
			places = append(places, p.In+"."+p.Name)
		}
	}
	if d.body == nil || d.body.Schema == nil {
		return places
	}
	at, properties := exchange.InBody, schema.Properties(d.body.Schema.Keywords)
	object, isObject := d.value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		inner, has := object[name]
		switch {
		case !isObject || schema.ReadOnly(properties[name]):
		case !has:
			places = append(places, at+"."+name)
		default:
			members, isObject := inner.(map[string]any)
			within := schema.Properties(properties[name])
			for _, member := range slices.Sorted(maps.Keys(within)) {
				if _, has := members[member]; isObject && !has && !schema.ReadOnly(within[member]) {
					places = append(places, at+"."+name+"."+member)
				}
			}
		}
	}
	return places
}

// textForms are values of texts that backends often want without a document that says so, plain ones first: a token, a
// name of a host, a future time. They are written as in a setup (see ParseTemplate).
var textForms = []string{"x${unique}", "${unique}.example.com", "${unique}.example.com.", "${number}", "${uuid}",
	"user-${unique}@example.com", "https://example.com/${unique}", "${now + 1d}", "${now - 1d}", "${today + 1d}",
	"192.0.2.7", "${unique}${unique}${unique}A1!"}

// quoted matches a literal in a description: (e.g. "example.com.").
var quoted = lazyregexp.New("[\"“`']([^\"“”`'\\s]{1,60})[\"”`']")

// TextForms returns values for a text that a request has at a place, as query.from and body.items.0.sku: the literals
// that its own description quotes, and common forms. It is nil for texts that the document lists, and for other values.
func (m *Builder) TextForms(c *Case, place string, now time.Time) (forms []any) {
	in, path, _ := strings.Cut(place, ".")
	var k *spec.Keywords
	switch d := c.made.draft; {
	case d == nil:
	case in == exchange.InBody && d.body != nil && d.body.Schema != nil:
		k = schema.At(d.body.Schema.Keywords, strings.Split(path, "."))
	default:
		for _, p := range m.parameters {
			if p.In == in && p.Name == path && p.schema != nil {
				k = p.schema.Keywords
			}
		}
	}
	if k == nil || !slices.Contains(schema.AllowedTypes(k), "string") || schema.Values(k) != nil {
		return nil
	}
	for _, form := range textForms {
		value, err := ParseTemplate(form, now)
		if err == nil && schema.Conforms(k, expanded(value, m.key)) {
			forms = append(forms, value)
		}
	}
	for _, found := range quoted.Get().FindAllStringSubmatch(k.Description, maxQuoted) {
		if schema.Conforms(k, found[1]) {
			forms = append(forms, found[1])
		}
	}
	return forms
}

// maxQuoted is how many literals of a description are tried.
const maxQuoted = 3

// withNeeds adds to a body with what is required what else the backend needs.
func (b *body) withNeeds(value any, from generators, key generate.Key, have map[string]any) any {
	needs := b.source.needs.Load()
	if needs == nil || len(*needs) == 0 {
		return value
	}
	full, err := from.all.Fill(key, have)
	if err != nil {
		return value
	}
	for _, place := range *needs {
		changed := full
		if tokens := strings.Split(place, "."); len(tokens) > 1 {
			if _, has := jsonvalue.At(full, tokens[1:]); tokens[0] != exchange.InBody || !has {
				continue
			}
			changed = graft(value, full, tokens[1:])
		} else if place != exchange.InBody {
			continue
		}
		if b.Conforms(changed) {
			value = changed
		}
	}
	return value
}
