package stateful

import (
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// difference says how a value that is shown differs from what was sent.
type difference struct {
	path    []string
	message string
}

// about names the place of a difference in a body.
func (d difference) about() string {
	about := "body"
	for _, name := range d.path {
		about += "." + exchange.EscapePointer(name)
	}
	return about
}

func (t *tester) reportEach(check string, found []difference, sent ...*checks.Exchange) {
	for _, d := range found {
		t.reportIf(true, check, d.about(), sent, "%s", d.message)
	}
}

// maxText is how many characters of a value messages show.
const maxText = 60

func text(value any) string {
	b := []rune(string(jsontext.Append(nil, value)))
	if len(b) > maxText {
		return string(b[:maxText]) + "…"
	}
	return string(b)
}

// compare finds what a response shows otherwise than it was sent. Only what the
// client decides counts: properties that are readOnly or writeOnly, the key, and
// what the response's schema does not have are left out.
func (t *tester) compare(by *resource.Binding, sent map[string]any, r *reading) (all []difference) {
	shown, ok := r.item.(map[string]any)
	if !ok {
		return nil
	}
	request, response := properties(by.Request), properties(r.by.Response)
	for _, name := range sortedNames(sent) {
		as, k := name, request[name]
		if other, ok := by.Rename[name]; ok {
			as = other
		}
		if schema.ReadOnly(k) || schema.WriteOnly(k) || t.serverDecides(as) || t.pathDerived(by, []string{as}) ||
			sent[name] == "" && t.isKey(as) { // a backend may choose a key that was sent empty
			continue
		}
		var found []difference
		if is, has := shown[as]; has {
			found = slices.DeleteFunc(differences(sent[name], is, k, as), func(d difference) bool {
				return t.pathDerived(by, d.path)
			})
		} else if response[as] != nil && !schema.WriteOnly(response[as]) &&
			sent[name] != nil && !isDefault(by, k, sent[name]) {
			found = []difference{{[]string{as}, "was sent, and is not shown"}}
		}
		if len(found) > 0 && showable(r.by, shown, as, sent[name]) {
			all = append(all, found...)
		}
	}
	return all
}

// showable reports whether a response may show a property as it was sent: its
// schema may ask for more than the request's.
func showable(in *resource.Binding, shown map[string]any, name string, value any) bool {
	if in.Success == nil || in.Response == nil {
		return true
	}
	with := withMember(shown, name, value)
	for _, media := range in.Success.Content {
		if media.IsJSON() && media.Schema != nil {
			violations := func(item any) int { return len(media.Schema.Check(in.Response.Wrap(item), "", "")) }
			return violations(with) <= violations(shown)
		}
	}
	return true
}

// withMember gives a copy of an object with another value of a member.
func withMember(object map[string]any, name string, value any) map[string]any {
	object = maps.Clone(object)
	object[name] = value
	return object
}

// serverDecides reports whether a property is one that backends set by themselves.
func (t *tester) serverDecides(name string) bool {
	r := t.resource
	return name == r.Created || name == r.Updated || name == r.Version ||
		t.isKey(name) && r.Key.ChosenBy != resource.Client
}

// clientDecides reports whether a property of a schema is the client's to set and to see.
func (t *tester) clientDecides(name string, k *spec.Keywords) bool {
	return k != nil && !schema.ReadOnly(k) && !schema.WriteOnly(k) && !t.serverDecides(name)
}

func (t *tester) isKey(name string) bool { return slices.Equal(t.key(), []string{name}) }

// pathDerived reports whether the path of a request, or a list beside the item,
// says what a property of its item is: its key, or that of a parent.
func (t *tester) pathDerived(by *resource.Binding, property []string) bool {
	return (by.KeyIn == resource.InPath || by.Keys != nil) && t.key() != nil && slices.Equal(t.key(), property) ||
		namesParent(by, property)
}

// namesParent reports whether a property has the value of a path variable before the key.
func namesParent(b *resource.Binding, property []string) bool {
	return slices.ContainsFunc(b.Scope, func(v resource.Variable) bool {
		return v.Property != nil && slices.Equal(v.Property, property)
	})
}

func properties(shape *resource.Shape) map[string]*spec.Keywords {
	if shape == nil {
		return nil
	}
	return schema.Properties(shape.Value)
}

// defaultOf gives the default of a property that an operation's body has, nil where it has none.
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

func isDefault(b *resource.Binding, k *spec.Keywords, value any) bool {
	usual := defaultOf(b, k)
	return usual != nil && !differs(usual, value, nil)
}

// compareDefaults finds properties that were omitted and that a response does not
// show with their defaults: those of an item, and of objects in it that were sent.
func compareDefaults(t *tester, by *resource.Binding, sent map[string]any, r *reading) []difference {
	shown := object(r.item)
	if shown == nil || sent == nil || by.Request.Value == nil {
		return nil
	}
	fits := func(name string, value any) bool { return showable(r.by, shown, name, value) }
	return compareOmitted(t, by, by.Request.Value, r.by.Response.Value, sent, shown, fits)
}

// maxNesting is how deep the objects in an item are compared.
const maxNesting = 16

// compareOmitted is compareDefaults for one object. fits reports whether the response
// may show a property with another value.
func compareOmitted(t *tester, by *resource.Binding, request, response *spec.Keywords, sent, shown map[string]any,
	fits func(name string, value any) bool, path ...string,
) (all []difference) {
	if len(path) > maxNesting {
		return nil
	}
	properties, showing := takenProperties(request, sent), schema.Properties(response)
	for _, name := range sortedNames(properties) {
		k, at := properties[name], append(slices.Clip(path), name)
		if schema.ReadOnly(k) || schema.WriteOnly(k) || len(path) == 0 && t.serverDecides(name) {
			continue
		}
		is, has := shown[name]
		if value, given := sent[name]; given {
			if inner, innerShown := object(value), object(is); inner != nil && innerShown != nil && showing[name] != nil {
				fitsWithin := func(property string, value any) bool {
					return fits(name, withMember(innerShown, property, value))
				}
				all = append(all, compareOmitted(t, by, k, showing[name], inner, innerShown, fitsWithin, at...)...)
			}
			continue
		}
		usual := defaultOf(by, k)
		if usual == nil || !fits(name, usual) {
			continue
		}
		message := fmt.Sprintf("was omitted; its default is %s, and it is ", text(usual))
		if has && differs(usual, is, k) {
			all = append(all, difference{at, message + text(is)})
		} else if !has && len(path) == 0 && showing[name] != nil && !schema.WriteOnly(showing[name]) {
			all = append(all, difference{at, message + "not shown"}) // nested objects may be stored as they were sent
		}
	}
	return all
}

// takenProperties gives the properties of a schema, and those of the one branch of
// a oneOf that an object conforms to: other branches give no defaults.
func takenProperties(k *spec.Keywords, object map[string]any) map[string]*spec.Keywords {
	all := schema.CommonProperties(k)
	for _, branches := range schema.OneOfs(k) {
		isOther := func(branch *spec.Keywords) bool { return !schema.Conforms(branch, object) }
		taken := slices.DeleteFunc(slices.Clone(branches), isOther)
		if len(taken) != 1 {
			continue
		}
		for name, property := range schema.CommonProperties(taken[0]) {
			if all[name] == nil {
				all[name] = property
			}
		}
	}
	return all
}

// clientDifferences finds how an item differs from what it was in what clients decide.
func clientDifferences(t *tester, by *resource.Binding, was, is any) []difference {
	properties := properties(by.Request)
	return slices.DeleteFunc(differences(was, is, nil), func(d difference) bool {
		return len(d.path) == 0 || !t.clientDecides(d.path[0], properties[d.path[0]])
	})
}

// sideEffects finds properties of the client that are not what they were, but for
// the one that was changed.
func sideEffects(t *tester, before, after *reading, changed string, properties map[string]*spec.Keywords,
) (all []difference) {
	was, is := object(before.item), object(after.item)
	for _, name := range sortedNames(was) {
		value, has := is[name]
		k := properties[name]
		if name == changed || k == nil || schema.ReadOnly(k) || t.serverDecides(name) || !differs(was[name], value, nil) {
			continue
		}
		message := fmt.Sprintf("was %s, and is %s", text(was[name]), text(value))
		if !has {
			message = "disappeared"
		}
		all = append(all, difference{[]string{name}, message})
	}
	return all
}
