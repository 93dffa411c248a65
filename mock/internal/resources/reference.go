package resources

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// copiedNames are properties that what refers to an item repeats from it: the name and the price of the product that a
// line of an order concerns. Others are copied where their name says whose they are, as productWeight does.
var copiedNames = words.RoleOf("copied-name")

// reference is a property of an object that holds the key of an item elsewhere.
type reference struct {
	property string
	singular string // of what it refers to: product
	to       *resource.Resource
	copies   map[string]string // property of the object → property of the item
	whole    []string          // properties that are the item itself
	embedded []string          // path to it in the resources that HAL embeds; nil if none
}

// embedded is the property with the resources that a resource embeds (draft-kelly-json-hal-11 section 4.1.2).
const embedded = "_embedded"

// references are the references of an item.
type references struct {
	own    []reference
	nested map[string][]reference // of a property that is an object or a list of objects
}

// referencesOf finds which properties of an object refer to items, and which others repeat something of those: such as
// clients cannot send.
func (k *Runtime) referencesOf(properties map[string]*schema.Keywords, sends func(name string) bool) []reference {
	var found []reference
	for name := range properties {
		to := k.referred(name)
		isTyped := k.Refers[name] != nil
		if to == nil || to == k.Resource || to.Scoped && !isTyped || to.Value == nil || k.isCounted(name) {
			continue
		}
		words := naming.Words(name)
		r := reference{property: name, singular: strings.Join(words[:len(words)-1], ""), to: to,
			copies: map[string]string{}}
		theirs := respond.Part(to.Item, to.Value).Members()
		for own := range properties {
			folded := strings.Join(naming.Words(own), "")
			switch rest, isPrefixed := strings.CutPrefix(folded, r.singular); {
			case own == name || sends(own):
			case folded == r.singular:
				r.whole = append(r.whole, own)
			case isPrefixed:
				for _, other := range slices.Sorted(maps.Keys(theirs)) {
					if strings.Join(naming.Words(other), "") == rest {
						r.copies[own] = other
					}
				}
			case k.sendsLater(name, own): // a file's name is not the name of its folder
			case copiedNames.Has(folded) && theirs[own] != nil:
				r.copies[own] = own
			case onlyPrice(properties) == own && onlyPrice(theirs) != "":
				r.copies[own] = onlyPrice(theirs)
			}
		}
		for name := range schema.Properties(properties[embedded]) {
			if naming.Fold(name) == r.singular {
				r.embedded = []string{embedded, name}
			}
		}
		if len(r.copies) > 0 || len(r.whole) > 0 || r.embedded != nil {
			slices.Sort(r.whole)
			found = append(found, r)
		}
	}
	slices.SortFunc(found, func(a, b reference) int { return strings.Compare(a.property, b.property) })
	return found
}

// sendsLater reports whether clients can set a property of items, though not by each request, and whether the items are
// below the item that another property refers to.
func (k *Runtime) sendsLater(reference, own string) bool {
	isBelow := func(b *resource.Binding) bool {
		return slices.ContainsFunc(b.Scope, func(v resource.Variable) bool {
			return len(v.Property) == 1 && v.Property[0] == reference
		})
	}
	if k.properties[own] == nil || !slices.ContainsFunc(k.Bindings, isBelow) {
		return false
	}
	for _, op := range k.operations {
		if op.request.sends(own) {
			return true
		}
	}
	return false
}

// onlyPrice returns the property that is the price of one, by its name; "" if none or several are.
func onlyPrice(properties map[string]*schema.Keywords) (found string) {
	for name := range properties {
		if sums.IsPrice(name) {
			if found != "" {
				return ""
			}
			found = name
		}
	}
	return found
}

// referred returns the resource whose keys a property holds, by the types if they decide, else by the name, or nil.
func (k *Runtime) referred(name string) *resource.Resource {
	if to := k.Refers[name]; to != nil {
		return to
	}
	return k.plan.Referred(name)
}

// findReferences finds the references of an operation's items, and of the objects in them.
func (op *Operation) findReferences() (found references) {
	k := op.runtime
	if op.request == nil { // of an action
		found.own = k.referencesOf(k.properties, func(name string) bool { return !k.isSetByServer(name) })
		return found
	}
	found.own = k.referencesOf(k.properties, op.request.sends)
	found.nested = map[string][]reference{}
	for name, property := range k.properties {
		sent, element := op.request.sendable[name], property
		if sent == nil {
			continue
		}
		if items := schema.Items(property); items != nil {
			sent, element = schema.Items(sent), items
		}
		sendable := map[string]*schema.Keywords{}
		if sent != nil {
			sendable = schema.Properties(sent)
		}
		sends := func(name string) bool { return sendable[name] != nil && !sendable[name].ReadOnly }
		members, required := schema.Properties(element), schema.Required(element)
		maps.DeleteFunc(members, func(name string, _ *schema.Keywords) bool { // other sent values stay
			return !required[name] && k.plan.Referred(name) == nil
		})
		if nested := k.referencesOf(members, sends); len(nested) > 0 {
			found.nested[name] = nested
		}
	}
	return found
}

// unreferred names what an item has of other items whose keys it does not have.
func (op *Operation) unreferred(item map[string]any) (names []string) {
	if op.references == nil {
		return nil
	}
	for _, r := range op.references().own {
		if item[r.property] == nil {
			names = append(names, r.whole...)
		}
	}
	return names
}

// withReferred returns an item with what it repeats of the items that it refers to. old is the item before, whose
// references that stay have been followed; nil for a new one.
func withReferred(q *Request, item, old map[string]any) map[string]any {
	if q.op.references == nil {
		return item
	}
	found, properties := q.op.references(), q.op.runtime.properties
	item = copyReferred(q, found.own, properties, item, old)
	for name, nested := range found.nested {
		switch value := item[name].(type) {
		case map[string]any:
			before, _ := old[name].(map[string]any)
			item = jsonvalue.WithMember(item, name, copyReferred(q, nested, schema.Properties(properties[name]), value, before))
		case []any:
			list, members := slices.Clone(value), schema.Properties(schema.Items(properties[name]))
			for i := range list {
				if object, ok := list[i].(map[string]any); ok && !q.Work.Step() {
					list[i] = copyReferred(q, nested, members, object, nil)
				}
			}
			item = jsonvalue.WithMember(item, name, list)
		}
	}
	return item
}

// withObjects returns an item with the objects that were sent as their keys. old is the item before; nil for a new one.
func withObjects(q *Request, item, old map[string]any) map[string]any {
	if q.op.objects == nil {
		return item
	}
	known := func(property, by, key string) map[string]any {
		to := cmp.Or(q.op.runtime.Lists[property], q.op.runtime.plan.Referred(property+"Id"))
		if to != nil && !to.Scoped && (by == "" || slices.Equal(to.Key.Property, []string{by})) {
			return q.set.itemOf(q, to, key)
		}
		return nil
	}
	return q.op.objects().Put(generate.NewKey(q.set.options.Seed, "object"), item, old, known)
}

func copyReferred(q *Request, references []reference, properties map[string]*schema.Keywords, object,
	old map[string]any) map[string]any {
	for i := range references {
		r := &references[i]
		if value, has := object[r.property]; has && value == nil && (old == nil || old[r.property] != nil) {
			object = withoutReferred(object, r.whole, properties)
			continue
		}
		key, ok := jsonvalue.Text(object[r.property])
		if !ok || key == "" || old != nil && jsonvalue.Same(old[r.property], object[r.property]) {
			continue
		}
		theirs := q.set.itemOf(q, r.to, key)
		if theirs == nil {
			continue
		}
		object = maps.Clone(object)
		for own, other := range r.copies {
			if value, ok := theirs[other]; ok && spec.Conforms(properties[own], value) {
				object[own] = value
			}
		}
		for _, own := range r.whole {
			if shown := respond.Listed(theirs, schema.Properties(properties[own])); spec.Conforms(properties[own], shown) {
				object[own] = shown
			}
		}
		if r.embedded != nil {
			property := schema.At(properties[embedded], r.embedded[1:])
			if shown := respond.Listed(theirs, schema.Properties(property)); spec.Conforms(property, shown) {
				object = jsonvalue.WithProperty(object, r.embedded, shown).(map[string]any)
			}
		}
	}
	return object
}

// withoutReferred returns an object without the items that a key which is null named.
func withoutReferred(object map[string]any, whole []string, properties map[string]*schema.Keywords) map[string]any {
	object = maps.Clone(object)
	for _, own := range whole {
		if spec.Conforms(properties[own], nil) {
			object[own] = nil
		} else {
			delete(object, own)
		}
	}
	return object
}

// itemOf returns the item of a key as a read shows it, kept or generated; nil if none.
func (s *Set) itemOf(q *Request, r *resource.Resource, key string) map[string]any {
	k := s.runtimes[r]
	if k == nil {
		return nil
	}
	item, deleted := q.get("/"+k.Name, key)
	if k.Scoped && k.named != nil && len(k.named.Scope) > 0 {
		for other := range kept(k, q.view(), "") {
			if q.Work.Step() {
				break
			}
			if other.Key == key {
				item = other
				break
			}
		}
	}
	switch {
	case item != nil:
		return WithoutHidden(DecodeItem(item))
	case deleted || s.options.RefuseUnknown || k.reader == nil || len(k.reader.Scope) > 0 ||
		s.operations[k.reader.Operation] == nil:
		return nil
	}
	read := getRequest(q, k.reader.Operation, []string{key}, map[string]any{k.reader.Variable: numberOrText(key)})
	return generatedItem(&Request{
		Request: read, Session: q.Session, Base: q.Base,
		set: s, op: s.operations[k.reader.Operation], collection: "/" + k.Name,
	}, key)
}
