package checks

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// maxShown bounds how deep values are looked into.
const maxShown = 64

// secretsOf finds the responses that have anything to hide, properties of their
// schemas that are writeOnly, with what reads their bodies.
func secretsOf(c *spec.Contract) map[*spec.Response]*decode.Content {
	all := map[*spec.Response]*decode.Content{}
	for _, o := range c.Operations {
		for _, r := range o.Responses {
			for _, media := range r.Content {
				if media.Schema != nil && hides(media.Schema.Keywords, map[*spec.Keywords]bool{}) {
					all[r] = decode.NewContent(r.Content)
				}
			}
		}
	}
	return all
}

// hides reports whether anything that a schema describes is writeOnly.
func hides(k *spec.Keywords, seen map[*spec.Keywords]bool) bool {
	if k == nil || seen[k] {
		return false
	}
	seen[k] = true
	for _, property := range k.Properties {
		if property.WriteOnly || hides(property, seen) {
			return true
		}
	}
	additional, _ := k.AdditionalProperties.(*spec.Keywords)
	for _, parts := range [][]*spec.Keywords{{k.Ref, k.Items2020, additional, k.Then, k.Else}, k.PrefixItems, k.AllOf, k.AnyOf, k.OneOf} {
		for _, part := range parts {
			if hides(part, seen) {
				return true
			}
		}
	}
	return k.WriteOnly
}

func writeOnlyShown(d *judged) []Violation {
	content := d.judge.secrets[d.response]
	if content == nil || d.encoding != nil || len(d.content) == 0 || d.Recorded != nil && d.Recorded.BodyUnknown {
		return nil
	}
	value, media, findings := content.Decode(d.Response.Header, d.content)
	if media == nil || media.Schema == nil || len(findings) > 0 {
		return nil
	}
	var verdicts []Violation
	told := map[string]bool{}
	shown(media.Schema.Keywords, value, "", 0, func(pointer string, k *spec.Keywords) {
		f := exchange.Finding{In: exchange.InBody, Pointer: pointer}
		cause := fmt.Sprint(d.Status()/100, " ", General(pointer))
		if told[cause] {
			return
		}
		told[cause] = true
		verdicts = append(verdicts, Violation{Message: "is writeOnly, and is shown", About: f.Where(), Place: media.Schema.Node(k).Place(), Cause: cause, Shared: named(pointer)})
	})
	return verdicts
}

// shown calls tell for each property of a value that is writeOnly. Of branches
// only those count that the value conforms to. Null shows nothing.
func shown(k *spec.Keywords, value any, pointer string, depth int, tell func(string, *spec.Keywords)) {
	if k == nil || depth > maxShown {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			at := pointer + "/" + exchange.EscapePointer(name)
			property := k.Properties[name]
			if property == nil {
				property, _ = k.AdditionalProperties.(*spec.Keywords)
			}
			switch {
			case property == nil || v[name] == nil:
			case writeOnly(property, 0):
				tell(at, property)
			default:
				shown(property, v[name], at, depth+1, tell)
			}
		}
	case []any:
		for i, item := range v {
			items := k.Items2020
			if i < len(k.PrefixItems) {
				items = k.PrefixItems[i]
			}
			shown(items, item, pointer+"/"+strconv.Itoa(i), depth+1, tell)
		}
	default:
		return
	}
	shown(k.Ref, value, pointer, depth+1, tell)
	for _, part := range k.AllOf {
		shown(part, value, pointer, depth+1, tell)
	}
	for _, parts := range [][]*spec.Keywords{k.AnyOf, k.OneOf} {
		for _, part := range parts {
			if spec.Conforms(part, value) {
				shown(part, value, pointer, depth+1, tell)
			}
		}
	}
}

// writeOnly reports whether a property is the client's alone to say, by itself
// or through $ref and allOf.
func writeOnly(k *spec.Keywords, depth int) bool {
	if k == nil || depth > maxShown {
		return false
	}
	if k.WriteOnly || writeOnly(k.Ref, depth+1) {
		return true
	}
	for _, part := range k.AllOf {
		if writeOnly(part, depth+1) {
			return true
		}
	}
	return false
}
