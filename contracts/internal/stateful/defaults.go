package stateful

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

func defaults(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(b.Request != nil)
	if i := t.create(request{title: "create an item with its required properties only"}); i != nil {
		CheckStored(t.ctx, t.Options, i.created)
	}
	full := must(t, t.build(b, request{scope: t.parentScope(b, ""), all: true, title: "create an item"}))
	value, _ := b.Request.Item(full.Value)
	minimal, omitted := withoutDefaults(b, b.Request.Value, object(value), 0)
	t.require(omitted)
	i := must(t, t.create(request{
		body: b.Request.Wrap(minimal), title: "create an item without the properties of its objects that have defaults",
	}))
	CheckStored(t.ctx, t.Options, i.created)
}

// withoutDefaults returns an object without the properties of objects in it that are
// optional and have a default. omitted reports whether there are any.
func withoutDefaults(b *resource.Binding, k *spec.Keywords, object map[string]any, depth int,
) (minimal map[string]any, omitted bool) {
	if depth > maxNesting {
		return object, false
	}
	minimal = maps.Clone(object)
	properties, required := takenProperties(k, object), schema.Required(k)
	for name, value := range object {
		property := properties[name]
		if inner, ok := value.(map[string]any); ok && property != nil {
			inner, some := withoutDefaults(b, property, inner, depth+1)
			minimal[name], omitted = inner, omitted || some
		} else if depth > 0 && !required[name] && defaultOf(b, property) != nil {
			delete(minimal, name)
			omitted = true
		}
	}
	return minimal, omitted
}

// compareDefaults finds properties that were omitted and that a response does not
// show with their defaults: properties of an item, and of objects in it that were sent.
func compareDefaults(t *tester, by *resource.Binding, sent map[string]any, r *reading) []difference {
	shown := object(r.item)
	if shown == nil || sent == nil || by.Request.Value == nil {
		return nil
	}
	return compareOmitted(t, by, comparedObject{
		request: by.Request.Value, response: r.by.Response.Value, sent: sent, shown: shown,
		fits: newShownItem(r.by, shown).showable,
	})
}

// maxNesting is how deep the objects in an item are compared.
const maxNesting = 16

// comparedObject is an object in an item, as sent and as shown.
type comparedObject struct {
	path              []string       // in the item
	request, response *spec.Keywords // its schemas
	sent, shown       map[string]any
	fits              func(name string, value any) bool // whether the response may show a property with a value
}

// compareOmitted is compareDefaults for one object.
func compareOmitted(t *tester, by *resource.Binding, o comparedObject) (all []difference) {
	if len(o.path) > maxNesting {
		return nil
	}
	properties, showing := takenProperties(o.request, o.sent), schema.Properties(o.response)
	replaced := "" // the sentence by which a PUT keeps what it omits
	if by.Role == resource.Replace {
		replaced = t.doubtOf(doubt.Replaced, by.Operation)
	}
	for _, name := range sortedNames(properties) {
		k, path := properties[name], append(slices.Clip(o.path), name)
		if schema.ReadOnly(k) || schema.WriteOnly(k) || len(o.path) == 0 && t.serverDecides(name) {
			continue
		}
		is, has := o.shown[name]
		if value, given := o.sent[name]; given {
			if inner, innerShown := object(value), object(is); inner != nil && innerShown != nil && showing[name] != nil {
				fits := func(property string, value any) bool {
					return o.fits(name, jsonvalue.WithMember(innerShown, property, value))
				}
				all = append(all, compareOmitted(t, by, comparedObject{path, k, showing[name], inner, innerShown, fits})...)
			}
			continue
		}
		usual := defaultOf(by, k)
		var seen string
		switch {
		case usual == nil:
			continue
		case has && differs(usual, is, k):
			seen = text(is)
		case !has && len(path) == 1 && showing[name] != nil && !schema.WriteOnly(showing[name]):
			seen = "not shown" // nested objects may be stored as they were sent
		default:
			continue
		}
		if !o.fits(name, usual) {
			continue
		}
		// "what would be assumed by the consumer of the input" (OpenAPI 3.0 section 4.7.24.1)
		all = append(all, difference{
			path: path, severity: severity(has && is != nil && explain(usual, is) == ""),
			doubt:   cmp.Or(replaced, t.doubtOfProperty(doubt.Value, name, []*spec.Keywords{k}, by)),
			message: fmt.Sprintf("was omitted; its default is %s, and it is %s", text(usual), seen),
		})
	}
	return all
}

// takenProperties returns the properties of a schema, and the properties of the one branch of
// a oneOf that an object conforms to: the defaults of other branches do not apply.
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

// readOnly sends values for readOnly properties. The backend may refuse or ignore
// them; it must not take them.
func readOnly(t *tester) {
	t.step(func() { createWithReadOnly(t) })
	t.eachOperation(func(b *resource.Binding) { changeReadOnly(t, b) }, resource.Replace, resource.Update)
}

func createWithReadOnly(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(b.Request != nil && b.Request.Value != nil)
	var usual any // what the backend sets by itself
	if i := t.create(request{title: "create an item"}); i != nil {
		if r := t.shown(i.created); r != nil {
			usual = r.item
		}
	}
	properties := properties(b.Request)
	for _, name := range readOnlyNames(properties) {
		value := clientValue(t, name, usual)
		if value == nil {
			continue
		}
		plain := must(t, t.build(b, request{scope: t.parentScope(b, ""), title: "create an item"}))
		plainItem, _ := b.Request.Item(plain.Value)
		t.require(object(plainItem) != nil)
		body := b.Request.Wrap(jsonvalue.WithMember(object(plainItem), name, value))
		i := t.create(request{body: body, title: "create an item with a value for " + name + ", which is readOnly"})
		if i == nil {
			continue
		}
		shown, isRead := t.readItem(i, "read the created item"), true
		if shown == nil {
			shown, isRead = t.shown(i.created), false // which may only repeat what was sent
		}
		if shown != nil && !(t.isKey(name) && isRead && !isCreated(t, i, shown)) {
			t.report(shown.shows(name, value, properties[name]),
				violation{severity: severity(isRead), check: "read-only", about: "body." + name, sent: i.after(shown.Exchange)},
				"is readOnly, and was taken from the client: %s", text(value))
		}
	}
}

// isCreated reports whether what was read by a key that a client has chosen is the created item: the response to the
// creation has the key, or what was read shows the other values that were sent. Some backends have an item of any key.
func isCreated(t *tester, i *item, read *reading) bool {
	rest := maps.Clone(i.sent)
	maps.DeleteFunc(rest, func(name string, _ any) bool { return t.isKey(name) })
	isSaid := t.key() != nil && itempool.Text(valueAt(itempool.Body(i.created), t.key())) == i.Key
	return isSaid || isCopy(t, &item{by: i.by, sent: rest}, read)
}

// maxReadOnly is how many readOnly properties a change is sent with, one after the other.
const maxReadOnly = 8

// changeReadOnly changes an item with values for readOnly properties, which a read must not show then.
func changeReadOnly(t *tester, b *resource.Binding) {
	t.require(b.Request != nil && (b.Role != resource.Update || patchOperation(t) != nil))
	properties := properties(b.Request)
	names := readOnlyNames(properties)
	t.require(len(names) > 0)
	i := must(t, t.create(request{title: "create an item"}))
	plain := sentItem(b, t.mustSend(b, request{item: i, title: "change it"}))
	usual := must(t, t.readItem(i, "read the changed item")) // what the backend makes of a change by itself
	for _, name := range names[:min(len(names), maxReadOnly)] {
		value := clientValue(t, name, usual.item)
		if _, has := object(usual.item)[name]; value == nil || plain == nil || !has || usual.shows(name, value, nil) {
			continue
		}
		x := t.send(b, request{
			item: i, body: b.Request.Wrap(jsonvalue.WithMember(plain, name, value)), mayFail: true,
			title: "change it with a value for " + name + ", which is readOnly",
		})
		if !x.Succeeded() {
			continue
		}
		about, read := b.Role.String()+" body."+name, t.tryRead(i, "read the changed item")
		t.require(!t.reportIf(notFound(read), "read-only", about, i.after(x, read),
			"is readOnly; the item is answered with %d after a change with the value %s", read.Status(), text(value)))
		t.reportIf(t.shown(read).shows(name, value, properties[name]), "read-only", about, i.after(x, read),
			"is readOnly, and was taken from the client: %s", text(value))
	}
}

func readOnlyNames(properties map[string]*spec.Keywords) []string {
	return slices.DeleteFunc(sortedNames(properties), func(name string) bool { return !schema.ReadOnly(properties[name]) })
}

// clientValues are values that no backend sets by itself.
var clientValues = []any{
	"c01df4a3-0000-4000-8000-00c01df4a3e0", "1969-07-20T20:17:40Z", "1969-07-20", "coldframe@example.com",
	"https://example.com/coldframe", "coldframe-was-here",
	json.Number("987654321"), json.Number("98765"), json.Number("97"), json.Number("0.97"),
}

// clientValue returns a value for a property that no backend would set by itself and
// that responses may show; nil if none.
func clientValue(t *tester, name string, usual any) any {
	if !slices.ContainsFunc(t.resource.Properties, func(p resource.Property) bool { return p.Name == name }) {
		return nil
	}
	k := schema.Property(t.resource.Value, name)
	is := object(usual)[name]
	if b, ok := is.(bool); ok {
		return !b
	}
	candidates := clientValues
	if is != nil {
		candidates = append(slices.Clone(schema.Values(k)), clientValues...)
	}
	for _, value := range candidates {
		if k != nil && differs(value, is, nil) && schema.Conforms(k, value) {
			return value
		}
	}
	return nil
}
