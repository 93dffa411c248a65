package respond

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Objects are what requests send as a scalar and answers show as an object, by the names that are sent: {"tenant": 7}
// or {"tenant_id": 7} for {"tenant": {"id": 7, "name": …}}. Lists of scalars are lists of objects.
type Objects map[string]*objectOf

type objectOf struct {
	property string // of the answer
	whole    *schema.Keywords
	view     *View // of the object, or of each in a list
	many     bool
	by       string // the member that is sent: slug of tool_slug; "" if the most telling is
}

// scalarMembers are those by which a scalar may name an object, the most telling first.
var scalarMembers = words.Ranked("scalar-member")

// NewObjects finds them among the properties of an item and those that can be sent.
func NewObjects(item *spec.Schema, properties, sendable map[string]*spec.Keywords, o generate.Options) Objects {
	found := Objects{}
	folded, plurals := map[string]string{}, map[string]string{}
	for name := range properties {
		folded[naming.Fold(name)] = name
		plurals[naming.SingularName(name)] = name
	}
	for name, sent := range sendable {
		own, by, many := name, "", false
		if stem, isKeys := strings.CutSuffix(strings.Join(naming.Words(name), ""), "ids"); isKeys {
			if of := plurals[stem]; schema.Items(properties[of]) != nil {
				own, many = of, true
			}
		} else if stem, isKey := strings.CutSuffix(strings.Join(naming.Words(name), ""), "id"); isKey {
			own = folded[stem]
		} else if w := naming.Words(name); len(w) > 1 && properties[name] == nil {
			at := folded[strings.Join(w[:len(w)-1], "")]
			if last := w[len(w)-1]; schema.Properties(properties[at])[last] != nil {
				own, by = at, last
			}
		}
		property := properties[own]
		if property == nil || len(schema.Properties(sent)) > 0 || len(schema.Properties(schema.Items(sent))) > 0 {
			continue
		}
		object := &objectOf{property: own, whole: property, by: by}
		if items := schema.Items(property); items != nil && (own == name || many) {
			property, object.many = items, true
		}
		if by != "" || len(namingMembers(schema.Properties(property))) > 0 {
			object.view = NewView(Part(item, property), o)
			found[name] = object
		}
	}
	return found
}

// namingMembers returns the properties of an object by which a scalar may name it, the most telling first: id, or the
// only short name that ends in it (gid, oid), before the others of scalarMembers.
func namingMembers(members map[string]*schema.Keywords) (names []string) {
	short := ""
	for name := range members {
		if naming.IsShortID(naming.Fold(name)) {
			if short != "" {
				short = ""
				break
			}
			short = name
		}
	}
	for i, name := range scalarMembers {
		if members[name] != nil {
			names = append(names, name)
		}
		if i == 0 && short != "" && len(names) == 0 {
			names = append(names, short)
		}
	}
	return names
}

// Put returns an item with objects for the scalars that were sent of them. old is the item before, nil for a new one.
// known returns the object that a property names by its key or by another member, nil if none; known may be nil.
func (o Objects) Put(
	key generate.Key, item, old map[string]any, known func(property, by, key string) map[string]any,
) map[string]any {
	changed, isCopy := item, false
	for name, object := range o {
		value, isSent := item[name]
		shown, has := item[object.property]
		isNamed := old != nil && !jsonvalue.Equals(old[name], value) && jsonvalue.Equals(old[object.property], shown)
		switch {
		case !isSent, value == nil && (name == object.property || !isNamed || !has):
			continue
		case name != object.property && has && !isNamed, name == object.property && spec.Conforms(object.whole, value):
			continue
		}
		if value == nil { // it names no object any more
			if changed = maps.Clone(changed); spec.Conforms(object.whole, nil) {
				changed[object.property] = nil
			} else {
				delete(changed, object.property)
			}
			isCopy = true
			continue
		}
		var ok bool
		shown, ok = object.shown(key.Child(object.property), value, known)
		if !ok || !spec.Conforms(object.whole, shown) {
			if shown, ok = old[object.property]; !ok { // which stays if it cannot be what was sent
				continue
			}
		}
		if !isCopy {
			changed, isCopy = maps.Clone(item), true
		}
		changed[object.property] = shown
	}
	return changed
}

func (o *objectOf) shown(key generate.Key, value any, known func(property, by, key string) map[string]any) (any, bool) {
	if !o.many {
		return o.object(key, value, known)
	}
	list, isList := value.([]any)
	shown := make([]any, len(list))
	for i := range list {
		var ok bool
		if shown[i], ok = o.object(key, list[i], known); !ok {
			return nil, false
		}
	}
	return shown, isList
}

// object returns the object that a scalar names, the same for the same scalar.
func (o *objectOf) object(
	key generate.Key, value any, known func(property, by, key string) map[string]any,
) (any, bool) {
	switch value.(type) {
	case string, json.Number:
	default:
		return nil, false
	}
	text, _ := jsonvalue.Text(value)
	if known != nil {
		if theirs := known(o.property, o.by, text); theirs != nil {
			if shown := o.view.Listed(theirs); o.view.Conforms(shown) {
				return shown, true
			}
		}
	}
	members := namingMembers(o.view.Properties)
	if o.by != "" {
		members = []string{o.by}
	}
	for _, member := range members {
		if typed, ok := Typed(value, o.view.Properties[member]); ok {
			shown, err := o.view.Fill(key.Child(text), map[string]any{member: typed})
			return shown, err == nil
		}
	}
	return nil, false
}
