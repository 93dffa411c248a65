package mock

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// ownValue is a property of an answer that a path parameter of the request
// decides: petId, or the id of what /pets/{petId} is about.
type ownValue struct {
	parameter string
	property  string
	schema    *spec.Keywords
}

// ownValues finds what path parameters say about an answer: properties of
// exactly their names, and the id of an item. A parameter named id is only
// about the answer's id where the path ends in it: /plants/{id}/owner answers
// with somebody else.
func ownValues(o *spec.Operation, media *spec.MediaType) []ownValue {
	if media.Schema == nil || !strings.Contains(o.Path, "{") {
		return nil
	}
	listed := media.Schema.Properties()
	segments := strings.Split(o.Path, "/")
	last := segments[len(segments)-1]
	var own []ownValue
	taken := map[string]bool{}
	take := func(parameter, property string) bool {
		schema := listed[property]
		if schema == nil || taken[property] {
			return false
		}
		taken[property] = true
		own = append(own, ownValue{parameter, property, schema})
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
	return own
}

// identifies reports whether a variable such as petId or pet_id is the id of
// an item of a collection such as pets.
func identifies(variable, collection string) bool {
	thing := plainWord(variable)
	thing, ok := strings.CutSuffix(thing, "id")
	if !ok || strings.Contains(collection, "{") {
		return false
	}
	if len(thing) > 3 {
		thing = thing[:len(thing)-1] // company, companies
	}
	return strings.Contains(plainWord(collection), thing)
}

// plainWord gives a name in lower case, without what joins its words.
func plainWord(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
}

// own gives what the request itself says about the answer: the values of path
// parameters and, where it changes something as a whole or in part, those of
// its body; and the names that the answer must not have, unless its schema
// insists.
func (x *visit) own(p *producer) (have map[string]any, unsent []string) {
	if p.media.Schema == nil {
		return nil, nil
	}
	if sent, ok := x.changes(); ok {
		s := p.shape(x.values.MediaType, x.operation.says)
		sent = s.said(sent)
		have = maps.Clone(s.project(sent))
		if x.request.Method == "PUT" {
			unsent = s.unsent(sent)
		} else {
			for name, value := range sent {
				if _, kept := have[name]; value == nil && !kept { // removed (RFC 7396 section 2)
					unsent = append(unsent, name)
				}
			}
		}
	}
	return x.withPath(p, have), unsent
}

// changes gives what a PUT or a PATCH sent.
func (x *visit) changes() (map[string]any, bool) {
	if x.request.Method != "PUT" && x.request.Method != "PATCH" || !x.values.HasBody {
		return nil, false
	}
	sent, ok := x.values.Body.(map[string]any)
	return sent, ok
}

// withPath adds the values of path parameters to what is known of an answer.
func (x *visit) withPath(p *producer, have map[string]any) map[string]any {
	cloned := false
	for _, o := range p.own() {
		value, ok := x.values.Path[o.parameter]
		if !ok {
			continue
		}
		if value, ok = asTyped(value, o.schema); !ok {
			continue
		}
		if !cloned {
			if have, cloned = maps.Clone(have), true; have == nil {
				have = map[string]any{}
			}
		}
		have[o.property] = value
	}
	return have
}

// asTyped gives a value as the schema takes it: as it is, or a number for a
// text and a text for a number.
func asTyped(value any, schema *spec.Keywords) (any, bool) {
	if spec.Conforms(schema, value) {
		return value, true
	}
	switch v := value.(type) {
	case json.Number:
		return v.String(), spec.Conforms(schema, v.String())
	case string:
		decoded, err := jsontext.Decode(v)
		if number, ok := decoded.(json.Number); err == nil && ok {
			return number, spec.Conforms(schema, number)
		}
	}
	return nil, false
}
