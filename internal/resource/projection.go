package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
)

// leastShared is how many properties a list at another path shows at least of the items that it lists.
const leastShared = 3

// findProjections binds lists at paths of their own to the resource whose items they show: GET /search of recipes that
// POST /recipes creates. Every property of their elements, the key among them, is one of the items, and no other
// resource fits.
func (in *inference) findProjections(plan *Plan) {
	for _, o := range in.operations {
		b := o.binding
		isOwn := b.Role == List && b.Resource != nil && len(b.Resource.Bindings) == 1 && len(b.Scope) == 0
		isNone := b.Role == Action && b.Resource == nil && o.Method == "GET" && len(o.variables()) == 0
		if b.Declared || !isOwn && !isNone {
			continue
		}
		list, _ := findList(o.answer, nil)
		if list == nil || list.Items.Value == nil {
			continue
		}
		element := o.answer.of(list.Items.Value)
		if kinds := in.kindsOf(plan, o, list); kinds != nil && isNone {
			list.setParams(in, o, propertiesOf(in.cache.view(kinds[0].List.Resource.Item).of(kinds[0].List.Resource.Value)))
			b.List, b.Role, b.Resource, b.Kinds, b.Subset = list, List, kinds[0].List.Resource, kinds, true
			for _, kind := range kinds {
				b.Reason += "; shows " + kind.List.Resource.Name
			}
			b.Evidence = append(b.Evidence, Evidence{"projection", "the discriminator names resources", 1, kinds[0].Property})
			continue
		}
		var found *Resource
		for _, r := range plan.Resources {
			if r == b.Resource || !r.isShownBy(element) {
				continue
			}
			if found != nil {
				found = nil
				break
			}
			found = r
		}
		if found == nil {
			continue
		}
		item := in.cache.view(found.Item).of(found.Value) // filters and orders concern all that it has
		if isOwn {
			b.Resource.Bindings = nil
			list = b.List
		} else {
			list.Header = pageHeaders(b.Success)
			b.List, b.Role = list, List
		}
		list.setParams(in, o, propertiesOf(item))
		list.markAlone()
		list.Order = in.cache.orderOf(o.Operation, element, item)
		b.List.Flag = flagOf(o, element)
		b.Resource, b.Subset = found, true
		found.Bindings = append(found.Bindings, b)
		b.Reason += "; shows " + found.Name
		b.Evidence = append(b.Evidence, Evidence{"projection", "another resource has all properties", 1, found.Name})
	}
}

// Kind is one of several types of items that a list shows: items of a resource, with a value of the discriminator.
type Kind struct {
	Property, Value string
	List            *Binding
}

// kindsOf returns the types of items that a list shows, if each value of its discriminator is the name of an item that
// clients create, with its key: type task and project of GET /search; nil if not.
func (in *inference) kindsOf(plan *Plan, o *operation, list *Listing) (kinds []Kind) {
	element := o.answer.of(list.Items.Value)
	for _, choice := range element.schema.ShapeOf(element.k).Choices() {
		if choice.By == nil {
			continue
		}
		for i, branch := range choice.By.Branches {
			var found *Resource
			for _, r := range plan.Resources {
				isNamed := len(choice.By.Values[i]) > 0 && naming.SingularName(lastName(r)) == naming.Fold(choice.By.Values[i][0])
				isItem := r.Key != nil && len(r.Key.Property) == 1 && element.of(branch).member(r.Key.Property[0]).ok()
				if isNamed && isItem && r.Value != nil && (r.Has(Create) || r.Has(Upsert)) {
					found = r
				}
			}
			if found == nil {
				return nil
			}
			one := *o.binding
			one.Resource, one.Role, one.Subset = found, List, true
			one.List = &Listing{Items: *element.of(branch).shape(true, list.Items.Path...)}
			one.List.setParams(in, o, propertiesOf(in.cache.view(found.Item).of(found.Value)))
			kinds = append(kinds, Kind{choice.By.Property, choice.By.Values[i][0], &one})
		}
		return kinds
	}
	return nil
}

// isShownBy reports whether elements of a list are parts of a resource's items, which clients create.
func (r *Resource) isShownBy(element view) bool {
	members := element.members()
	if r.Singleton || r.Scoped || r.Key == nil || len(r.Key.Property) != 1 || len(members) < leastShared ||
		!r.Has(Create) && !r.Has(Upsert) || !element.member(r.Key.Property[0]).ok() {
		return false
	}
	return !slices.ContainsFunc(members, func(m member) bool {
		p := r.property(m.name)
		kind := m.view.kind()
		return p == nil || p.Kind != kind && p.Kind != schema.AnyType && kind != schema.AnyType
	})
}

// flagOf returns the flag that the path of a list names, which its items have: favourite for GET /favourites; "" for
// none.
func flagOf(o *operation, item view) string {
	own := naming.SingularName(o.at.last.text)
	for _, m := range item.members() {
		if m.view.kind() == schema.Boolean && m.folded == own {
			return m.name
		}
	}
	return ""
}
