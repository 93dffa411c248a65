package respond

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// pathValue is a property of an answer that takes the value of a path parameter:
// petId, or the id of what /pets/{petId} concerns.
type pathValue struct {
	parameter string
	property  string
	schema    *spec.Keywords
}

// pathValues finds what path parameters say about an answer: properties of exactly their names, and the id of
// an item. A parameter named id is only about the answer's id if the path ends in it: /plants/{id}/owner
// answers with somebody else.
func pathValues(o *spec.Operation, media *spec.MediaType) []pathValue {
	if media.Schema == nil || !strings.Contains(o.Path, "{") {
		return nil
	}
	properties := media.Schema.Properties()
	if values := pathValuesOf(o, properties); len(values) > 0 {
		return values
	}
	var wrapped []pathValue // of the only object of an envelope that has them
	for _, property := range properties {
		if values := pathValuesOf(o, schema.Properties(property)); len(values) > 0 {
			if wrapped != nil {
				return nil
			}
			wrapped = values
		}
	}
	return wrapped
}

func pathValuesOf(o *spec.Operation, properties map[string]*spec.Keywords) []pathValue {
	segments := strings.Split(o.Path, "/")
	last := segments[len(segments)-1]
	var values []pathValue
	taken := map[string]bool{}
	take := func(parameter, property string) bool {
		if properties[property] == nil || taken[property] {
			return false
		}
		taken[property] = true
		values = append(values, pathValue{parameter, property, properties[property]})
		return true
	}
	for _, p := range o.Parameters {
		if p.In != exchange.InPath {
			continue
		}
		ends := last == "{"+p.Name+"}"
		if (ends || !strings.EqualFold(p.Name, "id")) && take(p.Name, p.Name) {
			continue
		}
		if ends && len(segments) > 1 && identifies(p.Name, segments[len(segments)-2]) {
			take(p.Name, "id")
		}
	}
	return values
}

// identifies reports whether a variable such as petId or pet_id is the id of
// an item of a collection such as pets.
func identifies(variable, collection string) bool {
	item, ok := strings.CutSuffix(naming.Fold(variable), "id")
	if !ok || strings.Contains(collection, "{") {
		return false
	}
	if len(item) > 3 {
		item = item[:len(item)-1] // company, companies
	}
	return strings.Contains(naming.Fold(collection), item)
}

// derived returns what the request itself says about the answer: the values of path parameters and, if it
// changes something as a whole or in part, the values of its body; and the names that the answer must not have,
// unless its schema insists.
func (b *Body) derived(q *Request) (have map[string]any, unsent []string) {
	if b.media.Schema == nil {
		return nil, nil
	}
	if change, ok := q.change(); ok {
		p := b.projection(q)
		sent := b.sentItem(q, p, change)
		have = maps.Clone(p.Show(sent))
		if q.Method == "PUT" {
			unsent = p.unsent(sent)
		} else {
			for name, value := range sent {
				if _, kept := have[name]; value == nil && !kept { // removed (RFC 7396 section 2)
					unsent = append(unsent, name)
				}
			}
		}
	}
	return b.withPathValues(q, have), unsent
}

func (b *Body) withPathValues(q *Request, have map[string]any) map[string]any {
	values := b.pathValues()
	if len(values) == 0 {
		return have
	}
	if have = maps.Clone(have); have == nil {
		have = map[string]any{}
	}
	for _, v := range values {
		if value, ok := q.Values.Path[v.parameter]; ok {
			if value, ok = Typed(value, v.schema); ok {
				have[v.property] = value
			}
		}
	}
	return have
}

// numberOf returns the number that a text writes if a schema allows texts only to write numbers, else the text.
func numberOf(text string, k *spec.Keywords) any {
	decoded, err := jsontext.Decode(text)
	number, ok := decoded.(json.Number)
	if err != nil || !ok || !schema.BoundsFor([]*spec.Keywords{k}, number).WritesNumbers() || !spec.Conforms(k, number) {
		return text
	}
	return number
}

// Typed returns a value as a schema allows it: unchanged, a number for a text and a text for a number, or the only
// element of a list.
func Typed(value any, k *spec.Keywords) (any, bool) {
	if spec.Conforms(k, value) {
		if text, ok := value.(string); ok && schema.OwnTypes(schema.Resolve(k))&schema.Number != 0 {
			return numberOf(text, k), true
		}
		return value, true
	}
	switch v := value.(type) {
	case []any:
		if len(v) == 1 {
			return Typed(v[0], k)
		}
	case json.Number:
		return v.String(), spec.Conforms(k, v.String())
	case string:
		decoded, err := jsontext.Decode(v)
		if number, ok := decoded.(json.Number); err == nil && ok {
			return number, spec.Conforms(k, number)
		}
	}
	return nil, false
}
