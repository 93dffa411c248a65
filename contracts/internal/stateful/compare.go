package stateful

import (
	"cmp"
	"encoding/json"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// difference says how a value that is shown differs from what was sent.
type difference struct{ pointer, message string }

// compare finds what an answer shows otherwise than it was sent. Only what the
// client decides counts: properties that are readOnly or writeOnly, the key, and
// what the answer's schema does not have are left out.
func (t *tester) compare(by *resource.Binding, sent, shown any, in *resource.Binding) []difference {
	mine, ok := sent.(map[string]any)
	theirs, also := shown.(map[string]any)
	if !ok || !also {
		return nil
	}
	request, response := propertiesOf(by.Request), propertiesOf(in.Response)
	var all []difference
	for _, name := range sortedNames(mine) {
		said := name
		if other, ok := by.Rename[name]; ok {
			said = other
		}
		k := request[name]
		if k != nil && (k.ReadOnly || k.WriteOnly) || t.madeByServer(said) || t.inPath(by, said) || mine[name] == "" && t.isKey(said) {
			continue
		}
		value, has := theirs[said]
		if !has {
			if listed := response[said]; listed != nil && !listed.WriteOnly && mine[name] != nil && !isDefault(by, k, mine[name]) && showable(in, theirs, said, mine[name]) {
				all = append(all, difference{"/" + exchange.EscapePointer(said), "was sent, and is not shown"})
			}
			continue
		}
		found := slices.DeleteFunc(differ(mine[name], value, k, "/"+exchange.EscapePointer(said)), func(d difference) bool { return t.namedInPath(by, d.pointer) })
		if len(found) > 0 && showable(in, theirs, said, mine[name]) {
			all = append(all, found...)
		}
	}
	return all
}

// showable reports whether an answer may show a property as it was sent: its
// schema may ask for more than the request's.
func showable(in *resource.Binding, shown map[string]any, name string, value any) bool {
	if in.Success == nil || in.Response == nil {
		return true
	}
	as := maps.Clone(shown)
	as[name] = value
	for _, media := range in.Success.Content {
		if media.IsJSON() && media.Schema != nil {
			return len(media.Schema.Check(in.Response.Wrap(as), "", "")) <= len(media.Schema.Check(in.Response.Wrap(shown), "", ""))
		}
	}
	return true
}

// madeByServer reports whether a property is one that backends set by
// themselves.
func (t *tester) madeByServer(name string) bool {
	r := t.resource
	return name == r.Created || name == r.Updated || name == r.Version ||
		t.isKey(name) && r.Key.ChosenBy != resource.Client
}

// isKey reports whether a property is the item's key. A backend may make the one
// that was sent empty.
func (t *tester) isKey(name string) bool {
	return t.resource.Key != nil && slices.Equal(t.resource.Key.Property, []string{name})
}

// inPath reports whether the path of a request, or a list beside the item, says
// what a property of its item is: its key, or that of what it stands below.
func (t *tester) inPath(by *resource.Binding, name string) bool {
	if (by.KeyIn == resource.InPath || by.Keys != nil) && t.isKey(name) {
		return true
	}
	return slices.ContainsFunc(by.Scope, func(v resource.Variable) bool { return slices.Equal(v.Property, []string{name}) })
}

// namedInPath is inPath for a place in an item: metadata.name.
func (t *tester) namedInPath(by *resource.Binding, pointer string) bool {
	is := func(property []string) bool {
		at := ""
		for _, name := range property {
			at += "/" + exchange.EscapePointer(name)
		}
		return len(property) > 0 && at == pointer
	}
	return by.KeyIn == resource.InPath && t.resource.Key != nil && is(t.resource.Key.Property) ||
		slices.ContainsFunc(by.Scope, func(v resource.Variable) bool { return is(v.Property) })
}

func propertiesOf(shape *resource.Shape) map[string]*spec.Keywords {
	all := map[string]*spec.Keywords{}
	if shape == nil || shape.Value == nil {
		return all
	}
	collect(shape.Value, all, 0, true)
	return all
}

// maxNesting bounds how deep compositions of schemas are followed.
const maxNesting = 16

// collect gives the properties that a schema lists, through references and
// compositions; with alternatives also those of anyOf and oneOf.
func collect(k *spec.Keywords, to map[string]*spec.Keywords, depth int, alternatives bool) {
	if k == nil || depth > maxNesting {
		return
	}
	for name, property := range k.Properties {
		if to[name] == nil {
			to[name] = resolved(property)
		}
	}
	collect(k.Ref, to, depth+1, alternatives)
	groups := [][]*spec.Keywords{k.AllOf}
	if alternatives {
		groups = append(groups, k.AnyOf, k.OneOf)
	}
	for _, group := range groups {
		for _, sub := range group {
			collect(sub, to, depth+1, alternatives)
		}
	}
}

// resolved follows references as long as a schema is nothing else.
func resolved(k *spec.Keywords) *spec.Keywords {
	for range maxNesting {
		if k.Ref == nil || k.ReadOnly || k.WriteOnly {
			break
		}
		k = k.Ref
	}
	return k
}

// defaultOf gives the default of a property that an operation's body has, nil
// where it has none.
func defaultOf(b *resource.Binding, k *spec.Keywords) any {
	if k == nil || b.Operation.Body == nil {
		return nil
	}
	for _, media := range b.Operation.Body.Content {
		if media.IsJSON() && media.Schema != nil {
			return media.Schema.Default(k)
		}
	}
	return nil
}

// listed gives a property as the schema lists it, with what stands beside a
// reference: its default may be there.
func listed(k *spec.Keywords, name string, depth int) *spec.Keywords {
	if k == nil || depth > maxNesting {
		return nil
	}
	if property := k.Properties[name]; property != nil {
		return property
	}
	if found := listed(k.Ref, name, depth+1); found != nil {
		return found
	}
	for _, parts := range [...][]*spec.Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, part := range parts {
			if found := listed(part, name, depth+1); found != nil {
				return found
			}
		}
	}
	return nil
}

func isDefault(b *resource.Binding, k *spec.Keywords, value any) bool {
	usual := defaultOf(b, k)
	return usual != nil && len(differ(usual, value, nil, "")) == 0
}

// differ compares two values. Numbers are equal by value, times by instant,
// and identifiers whatever their case; an element or member is compared where
// both have it.
func differ(sent, shown any, k *spec.Keywords, pointer string) []difference {
	switch a := sent.(type) {
	case map[string]any:
		b, ok := shown.(map[string]any)
		if !ok {
			return []difference{{pointer, "was sent as an object, and is shown as " + text(shown)}}
		}
		var all []difference
		for _, name := range sortedNames(a) {
			var sub *spec.Keywords
			if k != nil {
				properties := map[string]*spec.Keywords{}
				collect(k, properties, 0, true)
				if sub = properties[name]; sub != nil && (sub.ReadOnly || sub.WriteOnly) {
					continue
				}
			}
			value, has := b[name]
			if !has {
				if a[name] != nil {
					all = append(all, difference{pointer + "/" + exchange.EscapePointer(name), "was sent, and is not shown"})
				}
				continue
			}
			all = append(all, differ(a[name], value, sub, pointer+"/"+exchange.EscapePointer(name))...)
		}
		return all
	case []any:
		b, ok := shown.([]any)
		if !ok || len(a) != len(b) {
			return []difference{{pointer, "was sent as " + text(sent) + ", and is shown as " + text(shown)}}
		}
		for i := range a {
			if len(differ(a[i], b[i], nil, pointer)) > 0 && (k == nil || !k.UniqueItems || !among(a[i], b)) {
				return []difference{{pointer, "was sent as " + text(sent) + ", and is shown as " + text(shown)}}
			}
		}
		return nil
	}
	if same(sent, shown, k) {
		return nil
	}
	return []difference{{pointer, "was sent as " + text(sent) + ", and is shown as " + text(shown)}}
}

// among reports whether a set has an element.
func among(element any, set []any) bool {
	return slices.ContainsFunc(set, func(other any) bool { return len(differ(element, other, nil, "")) == 0 })
}

// same compares two scalars.
func same(sent, shown any, k *spec.Keywords) bool {
	switch a := sent.(type) {
	case json.Number:
		b, ok := shown.(json.Number)
		if !ok {
			return false
		}
		if k != nil && k.Format != nil && k.Format.Name == "float" {
			x, _ := a.Float64()
			y, _ := b.Float64()
			return float32(x) == float32(y)
		}
		return a == b || compareNumbers(a, b) == 0
	case string:
		b, ok := shown.(string)
		if !ok {
			return false
		}
		if a == b {
			return true
		}
		if at, err := time.Parse(time.RFC3339, a); err == nil {
			other, err := time.Parse(time.RFC3339, b)
			return err == nil && at.Sub(other).Abs() < time.Second
		}
		if k != nil && k.Format != nil {
			switch k.Format.Name {
			case "uuid", "hostname", "date-time", "duration":
				return strings.EqualFold(a, b)
			case "email", "idn-email":
				return foldedAfter(a, b, strings.LastIndexByte(a, '@'))
			case "uri":
				return sameURL(a, b)
			case "password", "byte", "binary":
				return true
			}
		}
		return false
	}
	return sent == shown
}

// foldedAfter compares two texts whose ends after a place may differ in case: the
// domain of an address may, and what is before it may not (RFC 5321 section 2.4).
func foldedAfter(a, b string, at int) bool {
	return at >= 0 && len(a) == len(b) && a[:at] == b[:at] && strings.EqualFold(a[at:], b[at:])
}

// sameURL compares two URLs: their schemes and hosts may differ in case, and the
// rest may not (RFC 3986 section 6.2.2.1). A path may be empty or a slash.
func sameURL(a, b string) bool {
	x, err := url.Parse(a)
	y, other := url.Parse(b)
	if err != nil || other != nil {
		return strings.EqualFold(a, b)
	}
	for _, u := range []*url.URL{x, y} {
		u.Host = strings.ToLower(u.Host) // the parser has the scheme so
		if u.Path == "" && u.Host != "" {
			u.Path = "/"
		}
	}
	return x.String() == y.String()
}

// compareNumbers compares integers by value, and numbers with a fraction or an
// exponent as most programs do, in floating point.
func compareNumbers(a, b json.Number) int {
	if !strings.ContainsAny(string(a)+string(b), ".eE") {
		x, ok := new(big.Int).SetString(string(a), 10)
		y, also := new(big.Int).SetString(string(b), 10)
		if ok && also {
			return x.Cmp(y)
		}
	}
	x, _ := a.Float64()
	y, _ := b.Float64()
	return cmp.Compare(x, y)
}

func sortedNames(of map[string]any) []string {
	names := make([]string, 0, len(of))
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
