package resources

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// isGenerated reports whether nobody has created or changed an item, which is generated from its key.
func (q *Request) isGenerated(key string) bool {
	kept, _ := q.get(q.collection, key)
	return kept == nil && !q.set.options.RefuseUnknown
}

// withPart returns an item with the part that an action changes: an element of a list is added, changed or removed, or
// a property is set or cleared. It refuses a change of an element that is not there.
func withPart(q *Request, key string, item map[string]any) (map[string]any, error) {
	p, k := q.op.Part, q.op.runtime
	property := k.properties[p.Property]
	switch p.Change {
	case resource.SetPart:
		value := q.Values.Body()
		if p.From != "" {
			value, _ = jsonvalue.Property(value, []string{p.From})
		}
		if property != nil && spec.Conforms(property, value) {
			item = jsonvalue.WithMember(item, p.Property, value)
		} else if completed, ok := k.completeValue(q.valueKey(key), p.Property, value); ok {
			item = jsonvalue.WithMember(item, p.Property, completed)
		}
		return item, nil
	case resource.ClearPart:
		if len(p.Below) > 0 {
			return withList(item, p, []any{}), nil
		}
		item = maps.Clone(item)
		switch {
		case p.Many && property != nil && spec.Conforms(property, []any{}):
			item[p.Property] = []any{}
		case property != nil && spec.Conforms(property, nil):
			item[p.Property] = nil
		default:
			delete(item, p.Property)
		}
		return item, nil
	}
	list := listOf(item, p)
	at := q.elementAt(list)
	switch {
	case p.Change == resource.AddPart:
	case at < 0 && p.Variable != "" && q.isGenerated(key):
		return item, nil // any element of an item that nobody created may have been there
	case at < 0 && p.Variable == "" && p.Change == resource.RemovePart:
		return item, nil
	case at < 0 && p.Variable != "":
		name := q.pathText(p.Variable)
		message := "there is no element " + quote(name) + " in " + strings.Join(p.Path(), ".") + " of this item"
		return nil, refuse(respond.NoItem,
			exchange.Finding{Code: "no-such-item", Message: message, In: exchange.InPath, Name: p.Variable})
	}
	list = slices.Clone(list)
	switch {
	case p.Change == resource.RemovePart:
		list = slices.Delete(list, at, at+1)
	case at >= 0:
		list[at] = q.changedElement(list[at])
	default:
		list = append(list, q.newElements(key, list)...)
	}
	item = withList(item, p, list)
	if len(p.Below) > 0 { // beside it stand its count and its sum
		around, _ := item[p.Property].(map[string]any)
		g := generate.New(respond.Part(k.Item, property), q.set.options.Generate)
		item[p.Property] = g.Agree(0, around, map[string]any{p.Below[0]: list})
	}
	return item, nil
}

// listOf returns the list of an item whose elements an action changes.
func listOf(item map[string]any, p *resource.Part) []any {
	value, _ := jsonvalue.Property(item, p.Path())
	list, _ := value.([]any)
	return list
}

func withList(item map[string]any, p *resource.Part, list []any) map[string]any {
	return jsonvalue.WithProperty(item, p.Path(), list).(map[string]any)
}

// sentElement returns what a request says of an element.
func (q *Request) sentElement() any {
	if p := q.op.Part; p.From != "" {
		value, _ := jsonvalue.Property(q.Values.Body(), []string{p.From})
		return value
	}
	return q.Values.Body()
}

// elementAt returns the place of the element that the path names; -1 if none.
func (q *Request) elementAt(list []any) int {
	p := q.op.Part
	if p.Variable == "" {
		return -1
	}
	return slices.IndexFunc(list, func(element any) bool {
		if object, isObject := element.(map[string]any); isObject {
			element = object[p.Key]
		}
		return jsonvalue.Same(element, q.Values.Path[p.Variable])
	})
}

// changedElement returns an element with what a request says of it.
func (q *Request) changedElement(element any) any {
	sent, isObject := q.sentElement().(map[string]any)
	old, wasObject := element.(map[string]any)
	if !isObject || !wasObject {
		return element
	}
	after := jsonvalue.Merge(old, sent).(map[string]any)
	g := generate.New(respond.Part(q.op.runtime.Item, q.op.Part.Value), q.set.options.Generate)
	fixed := maps.Clone(after)
	for name := range after {
		if _, isSent := sent[name]; !isSent && g.HasSums() {
			if _, isObject := after[name].(map[string]any); isObject || isNumber(after[name]) {
				delete(fixed, name)
			}
		}
	}
	for _, name := range stableNames(old, sent) {
		fixed[name] = old[name]
	}
	return g.Sums(0, after, fixed)
}

// stableNames returns the members of an element that do not change with others: all except its total.
func stableNames(old, sent map[string]any) (names []string) {
	for name := range old {
		words := naming.Words(name)
		isTotal := slices.Contains(words, "total") || slices.Contains(words, "subtotal") || slices.Contains(words, "amount")
		if _, isSent := sent[name]; !isSent && !isTotal {
			names = append(names, name)
		}
	}
	return names
}

func isNumber(value any) bool {
	_, ok := value.(json.Number)
	return ok
}

// newElements returns the elements that a request adds to a list, with what their schema requires.
func (q *Request) newElements(key string, list []any) (added []any) {
	p, k := q.op.Part, q.op.runtime
	bodies := []any{q.sentElement()}
	if many, ok := bodies[0].([]any); ok {
		bodies = many
	}
	members := schema.Properties(p.Value)
	for _, body := range bodies {
		if len(members) == 0 {
			if p.Variable != "" {
				body = q.Values.Path[p.Variable]
			} else if object, ok := body.(map[string]any); ok && len(object) == 1 {
				for _, value := range object {
					body = value
				}
			}
			if !slices.ContainsFunc(list, func(v any) bool { return jsonvalue.Same(v, body) }) {
				added = append(added, body)
			}
			continue
		}
		sent, _ := body.(map[string]any)
		have := maps.Clone(sent)
		if have == nil {
			have = map[string]any{}
		}
		if p.Key != "" {
			value := q.Values.Path[p.Variable]
			if typed, ok := respond.Typed(value, members[p.Key]); ok {
				value = typed
			}
			have[p.Key] = value
		}
		if with, lacked := q.elementDefaults().apply(have); lacked {
			have = with.(map[string]any)
		}
		with, _ := partDefaultsOf(k.Item, schema.All(p.Value), nil, 1).apply(have)
		have = with.(map[string]any)
		added = append(added, q.newElement(key, slices.Concat(list, added), have, k, members))
	}
	return added
}

// elementDefaults returns the defaults of what a request sends for one element of a list; nil if none.
func (q *Request) elementDefaults() *partDefaults {
	media := q.Values.MediaType
	if media == nil || media.Schema == nil {
		return nil
	}
	k := media.Schema.Keywords
	if element := schema.Items(k); element != nil {
		k = element
	}
	return partDefaultsOf(media.Schema, schema.All(k), nil, 1)
}

func (q *Request) newElement(
	key string, list []any, have map[string]any, k *Runtime, members map[string]*schema.Keywords,
) any {
	element := respond.Part(k.Item, q.op.Part.Value)
	sends := func(name string) bool { _, sent := have[name]; return sent }
	have = copyReferred(q, k.referencesOf(members, sends), members, have, nil)
	if len(q.Body) == 0 { // the caller is the first
		for name, property := range members {
			value, _ := generate.Beginning(name, property)
			if isNumber(value) && !sends(name) && spec.Conforms(property, json.Number("1")) {
				have[name] = json.Number("1")
			}
		}
	}
	id := k.elementKey(list, members)
	if id != "" && !sends(id) {
		if n, ok := nextNumber(list, id, members[id]); ok {
			have = jsonvalue.WithMember(have, id, n)
		}
	}
	at := q.valueKey(key).Child(q.op.Part.Property)
	g := generate.New(element, q.set.options.Generate)
	for try := range KeyAttempts {
		made, err := g.Fill(at.Child(strconv.Itoa(len(list)+try)), have, unsentMembers(members, q.Values.MediaType)...)
		object, ok := made.(map[string]any)
		if !ok || err != nil {
			break
		}
		isTaken := func(v any) bool {
			other, _ := v.(map[string]any)
			return id != "" && jsonvalue.Same(other[id], object[id])
		}
		if !slices.ContainsFunc(list, isTaken) {
			return object
		}
	}
	return have
}

// elementKey returns the property that identifies elements of a list; "" if none.
func (k *Runtime) elementKey(list []any, members map[string]*schema.Keywords) string {
	if members["id"] != nil {
		return "id"
	}
	for name := range members {
		if resource.HasIdentity(map[string]*spec.Keywords{name: members[name]}) {
			return name
		}
	}
	return ""
}

// nextNumber returns the number behind those that elements of a list have as a property; false if it holds no integer.
func nextNumber(list []any, property string, allowed *schema.Keywords) (any, bool) {
	most := int64(0)
	for _, element := range list {
		object, _ := element.(map[string]any)
		text, _ := jsonvalue.Text(object[property])
		n, err := strconv.ParseInt(text, 10, 64)
		if err == nil {
			most = max(most, n)
		}
	}
	n := json.Number(strconv.FormatInt(most+1, 10))
	return n, schema.CertainTypes(allowed)&^schema.Null == schema.Integer && spec.Conforms(allowed, n)
}

// unsentMembers names the members of an element that clients can send: what they leave out is left out.
func unsentMembers(members map[string]*schema.Keywords, media *spec.MediaType) (names []string) {
	if media == nil || media.Schema == nil {
		return nil
	}
	sendable := media.Schema.Members()
	for name := range members {
		if sendable[name] != nil {
			names = append(names, name)
		}
	}
	return names
}
