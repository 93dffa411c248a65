package resources

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// itemView is how a response shows an item. Nil shows all of it.
type itemView struct {
	*respond.View
	of         *schema.Keywords
	runtime    *Runtime
	undeclared *schema.Keywords  // of other members; nil if the schema has none
	begun      func() []string   // properties with times that a new item has
	counters   map[string]string // properties that count the elements of lists that only the item has
}

// view returns how a part of a schema shows items; nil if there is no such part.
func (k *Runtime) view(in *spec.Schema, part *schema.Keywords, o Options) *itemView {
	if part == nil {
		return nil
	}
	v := k.views[part]
	if v == nil {
		s := respond.Part(in, part)
		v = &itemView{View: respond.NewView(s, o.Generate), of: part, runtime: k, undeclared: s.Undeclared()}
		v.begun = sync.OnceValue(func() []string { return generate.Begun(maps.Keys(v.Properties)) })
		v.counters = k.countersIn(v.Properties)
		k.views[part] = v
	}
	return v
}

// countersIn returns the properties of a view that count the elements of lists of the items, which have no such
// properties themselves: line_count of an order whose lines the view does not show.
func (k *Runtime) countersIn(shown map[string]*schema.Keywords) map[string]string {
	all := maps.Clone(k.properties)
	if all == nil {
		return nil
	}
	maps.Copy(all, shown)
	counters := generate.Counters(all)
	maps.DeleteFunc(counters, func(name, _ string) bool { return k.properties[name] != nil || shown[name] == nil })
	return counters
}

// shows reports whether the view is of what a schema describes.
func (v *itemView) shows(s *spec.Schema) bool {
	return v != nil && s != nil && schema.Resolve(v.of) == schema.Resolve(s.Keywords)
}

func (v *itemView) conforms(item any) bool { return v == nil || v.Conforms(item) }

// listed returns the part of an item that the response lists. It conforms in most cases, else project does.
func (v *itemView) listed(item map[string]any) map[string]any {
	if v == nil || len(v.Properties) == 0 {
		return item
	}
	return v.addUndeclared(v.Listed(item), item)
}

// project is listed without what does not conform to its property's schema.
func (v *itemView) project(item map[string]any) map[string]any {
	if v == nil || len(v.Properties) == 0 {
		return item
	}
	return v.addUndeclared(v.Show(item), item)
}

// fill returns an item with generated values for what the response requires or only it shows. Times of the creation of
// a new item are now; now is zero if the item is not new.
func (v *itemView) fill(key generate.Key, item map[string]any, now time.Time) (any, bool) {
	if v == nil {
		return nil, false
	}
	item = v.WithoutWriteOnly(item)
	have := v.addUndeclared(respond.Listed(item, v.Properties), item)
	value, err := v.Fill(key, have, v.runtime.unsent(item, v.Properties)...)
	if object, ok := value.(map[string]any); ok && !now.IsZero() {
		renewed := maps.Clone(object)
		maps.Copy(renewed, generate.Renew(object, have, v.begun(), now))
		if v.Conforms(renewed) {
			value = renewed
		}
	}
	return value, err == nil
}

// addUndeclared adds the undeclared members of an item if the response allows them. What requests
// declare and responses do not is left out, a password, say.
func (v *itemView) addUndeclared(have, item map[string]any) map[string]any {
	for name, counted := range v.counters {
		list, isList := item[counted].([]any)
		if n := json.Number(strconv.Itoa(len(list))); isList && item[name] == nil && spec.Conforms(v.Properties[name], n) {
			have = jsonvalue.WithMember(have, name, n)
		}
	}
	if v.undeclared == nil || len(item) == len(have) {
		return have
	}
	for name, value := range item {
		if v.Properties[name] == nil && !v.runtime.declares(name) && spec.Conforms(v.undeclared, value) {
			have[name] = value
		}
	}
	return have
}

// unsent names the properties that an item could have and lacks.
func (k *Runtime) unsent(item map[string]any, properties map[string]*schema.Keywords) []string {
	var unsent []string
	for name := range properties {
		if _, ok := item[name]; !ok && k.properties[name] != nil {
			unsent = append(unsent, name)
		}
	}
	return unsent
}

// requestItem is what a request can say of an item. Nil says nothing.
type requestItem struct {
	media    *spec.MediaType             // that this is of
	sendable map[string]*schema.Keywords // under the names of the request and of the item
	open     bool                        // the schema allows other members
	removals func() map[string]string    // see Runtime.removals

	// defaults and parts return what an item of its subtype has by default.
	defaults func(item map[string]any) defaults
	parts    func(item map[string]any) *partDefaults
}

// defaults are the values of properties that clients did not send: the document's defaults and, for properties that
// only the server sets, the first of the values that it lists (draft, pending, open).
type defaults struct {
	sendable map[string]any
	readOnly map[string]any
	absent   []string       // that a new item does not have yet
	past     []string       // times that a new item does not have, unless they are to come
	begins   []string       // times that a new item has to have: now, unless they are to come
	zero     map[string]any // numbers that are 0, and objects of such, unless they follow from others
	counters respond.Counters
}

func (k *Runtime) requestItem(b *resource.Binding) *requestItem {
	s := &requestItem{parts: func(map[string]any) *partDefaults { return nil }}
	var described []*spec.Schema
	var content []*spec.MediaType
	if b.Operation.Body != nil && b.Request != nil {
		content = b.Operation.Body.Content
	}
	i := slices.IndexFunc(content, func(m *spec.MediaType) bool { return m.Schema != nil })
	if i >= 0 && b.Request.Value != nil {
		sent := respond.Part(content[i].Schema, b.Request.Value)
		s.media, s.open, s.sendable = content[i], sent.Undeclared() != nil, respond.Sendable(sent, b.Rename)
		described = append(described, sent)
		s.parts = bySubtype([]*spec.Schema{sent}, func(item map[string]any) *partDefaults {
			d := partDefaultsOf(sent, slices.Values(sent.PartsOf(item)), nil, 0)
			for from, to := range b.Rename {
				if d != nil && d.members[from] != nil {
					d.members[to] = d.members[from]
				}
			}
			return d
		})
	}
	s.removals = sync.OnceValue(func() map[string]string { return k.removals(s.sendable) })
	if k.Item != nil {
		described = append(described, k.Item)
	}
	first := b.FirstState(generate.Waits)
	s.defaults = bySubtype(described, func(item map[string]any) defaults {
		return k.defaults(first, s.sendable, described, item)
	})
	return s
}

// bySubtype returns a function of an item that is computed once, unless the item's schemas have subtypes.
func bySubtype[V any](described []*spec.Schema, compute func(item map[string]any) V) func(map[string]any) V {
	once := sync.OnceValue(func() V { return compute(nil) })
	has := sync.OnceValue(func() bool {
		return slices.ContainsFunc(described, func(s *spec.Schema) bool { return len(s.Shape().Choices()) > 0 })
	})
	return func(item map[string]any) V {
		if has() {
			return compute(item)
		}
		return once()
	}
}

func (s *requestItem) sends(name string) bool { return s != nil && s.sendable[name] != nil }

// defaults returns the default values of an item's properties, from the schemas of the request and of the item. A
// property counts if all items have it, or all items of the subtype. first is the state of a new item, nil if only the
// schemas decide it.
func (k *Runtime) defaults(
	first *resource.Assignment, sendable map[string]*schema.Keywords, described []*spec.Schema, item map[string]any,
) defaults {
	d := defaults{
		sendable: map[string]any{}, readOnly: map[string]any{}, zero: map[string]any{},
		counters: generate.Counters(k.properties),
	}
	properties, required := k.properties, map[string]bool{}
	if k.Item != nil {
		properties = map[string]*schema.Keywords{}
		maps.Copy(properties, k.properties)
		for _, part := range k.Item.PartsOf(item) {
			maps.Copy(properties, part.Properties)
			for _, name := range part.Required {
				required[name] = true
			}
		}
	}
	for _, s := range described {
		for _, part := range s.PartsOf(item) {
			for name, property := range part.Properties {
				listed, known := properties[name], d.sendable[name] != nil || d.readOnly[name] != nil
				if known || k.isCounted(name) || listed == nil && sendable[name] == nil {
					continue
				}
				value, to := s.Default(property), d.sendable
				if value == nil {
					value = k.filterDefault(name)
				}
				if first != nil && first.Property == name && value == nil && sendable[name] == nil {
					value = first.Value
				}
				if value == nil && d.counters[name] == "" && (sendable[name] == nil || required[name]) {
					value = d.begin(name, property)
					if isNumber(value) && !k.counted[name] && spec.Conforms(property, nil) {
						value, d.readOnly[name] = nil, nil // a result that is not there yet
					}
				}
				if sendable[name] == nil {
					to = d.readOnly
					if _, isNull := d.readOnly[name]; value == nil && !isNull && d.counters[name] == "" {
						if !spec.Conforms(property, nil) && (required[name] || !k.isReason(name)) {
							value = orFirst(value, schema.Values(property))
						}
						if value == nil {
							value = d.neutral(k, name, property, required[name])
						}
					}
				} else if value == nil && listed != nil && required[name] {
					if spec.Conforms(listed, nil) {
						d.readOnly[name] = nil
					}
					value = emptyList(listed)
				}
				if value != nil && spec.Conforms(property, value) && (listed == nil || spec.Conforms(listed, value)) {
					to[name] = value
				}
			}
		}
	}
	return d
}

// neutral returns the value of a property that only the server sets if nothing says what a new item has. It notes
// nulls, numbers and what there is not yet.
func (d *defaults) neutral(k *Runtime, name string, property *schema.Keywords, required bool) any {
	isReferred := k.referred(name) != nil && !spec.Conforms(property, nil)
	if k.leads(name, property) || slices.Contains(k.begun, name) || isReferred {
		return nil
	}
	if k.Item == nil || k.generator().Says(name) {
		return nil
	}
	if k.counted[name] && schema.CertainTypes(property) == schema.Object && !required {
		d.absent = append(d.absent, name) // the latest of others
		return nil
	}
	isFlag := schema.CertainTypes(property) == schema.Boolean
	if !required && !isFlag && k.isSaidLater(name) && !spec.Conforms(property, nil) {
		d.absent = append(d.absent, name)
		return nil
	}
	if number := amountIn(property); number != "" {
		d.zero[name] = map[string]any{number: json.Number("0")}
		return nil
	}
	if begun := begunMembers(property); len(begun) > 0 {
		d.zero[name] = begun
		return nil
	}
	value, ok, absent := generate.Neutral(name, property, required)
	switch {
	case absent:
		d.past = append(d.past, name)
	case required && value == nil && !ok && k.isTime(name):
		d.begins = append(d.begins, name)
	case !ok:
	case value == nil:
		d.readOnly[name] = nil
	case isNumber(value):
		d.zero[name] = value
	default:
		return value
	}
	return nil
}

// isReason reports whether clients send a property of items, other than the state, by an action.
func (k *Runtime) isReason(name string) bool {
	state, _ := k.States()
	return name != state && slices.ContainsFunc(k.Bindings, func(b *resource.Binding) bool {
		for _, taken := range b.Takes {
			if taken == name {
				return true
			}
		}
		return false
	})
}

// isSaidLater reports whether clients send a property of items when they change them.
func (k *Runtime) isSaidLater(name string) bool {
	return k.isReason(name) || slices.ContainsFunc(k.Bindings, func(b *resource.Binding) bool {
		return (b.Role == resource.Update || b.Role == resource.Replace) && k.operations[b].request.sends(name)
	})
}

// amountIn returns the only number of an object of texts that is not an item, as the amount beside a currency; "" if
// none.
func amountIn(property *schema.Keywords) (found string) {
	members := schema.Properties(property)
	if schema.CertainTypes(property) != schema.Object || resource.HasIdentity(members) {
		return ""
	}
	for name, member := range members {
		switch types := schema.CertainTypes(member); {
		case types == schema.String && member.Format == nil:
		case found == "" && types != 0 && types&^schema.Number == 0:
			found = name
		default:
			return ""
		}
	}
	return found
}

// begunMembers returns the initial members of an object that is not an item: {status: created, finished: false}.
// Numbers beside a list that cannot be empty may count it, and are generated with it.
func begunMembers(property *schema.Keywords) map[string]any {
	members := schema.Properties(property)
	if schema.CertainTypes(property) != schema.Object || resource.HasIdentity(members) {
		return nil
	}
	begun, hasList := map[string]any{}, false
	for name, member := range members {
		types := schema.CertainTypes(member)
		value, _ := generate.Beginning(name, member)
		if value == nil && types != 0 && types&^(schema.Number|schema.Boolean|schema.Array) == 0 {
			value, _, _ = generate.Neutral(name, member, true)
		}
		if value != nil {
			begun[name] = value
		}
		hasList = hasList || types == schema.Array && value == nil
	}
	maps.DeleteFunc(begun, func(_ string, value any) bool { return isNumber(value) && hasList })
	return begun
}

// leads reports whether a property has a link of a new item: to itself, or to another that it names. Other links that
// may be null, to a result, say, are not there yet.
func (k *Runtime) leads(name string, property *schema.Keywords) bool {
	if !slices.Contains(k.linkable, name) || !spec.Conforms(property, nil) {
		return slices.Contains(k.linkable, name)
	}
	words := naming.Words(name)
	_, isRelated := k.related[strings.Join(words[:max(0, len(words)-1)], "")]
	return isRelated || selfNames.Has(naming.Fold(name))
}

// emptyList returns an empty list if a property allows one, else nil.
func emptyList(property *schema.Keywords) any {
	if schema.CertainTypes(property)&^schema.Null == schema.Array && spec.Conforms(property, []any{}) {
		return []any{}
	}
	return nil
}

// topRoles are the values of an enum of roles that no user has at first unless the client sends it.
var topRoles = words.RoleOf("top-role")

// orFirst returns a value, or if it is nil the first listed value that is not a privileged role.
func orFirst(value any, listed []any) any {
	if value != nil || len(listed) == 0 {
		return value
	}
	isTop := func(v any) bool { text, _ := v.(string); return topRoles.Has(naming.Fold(text)) }
	if i := slices.IndexFunc(listed, func(v any) bool { return !isTop(v) }); i >= 0 {
		return listed[i]
	}
	return listed[0]
}

// begin returns the value of a property of a new item, nil if the item has none. It notes what does not exist yet.
func (d *defaults) begin(name string, property *schema.Keywords) any {
	value, absent := generate.Beginning(name, property)
	switch {
	case absent && spec.Conforms(property, nil):
		d.readOnly[name] = nil
	case absent:
		d.absent = append(d.absent, name)
	}
	return value
}

// filterDefault returns the value of a property that a list shows if its filter is not sent, nil if it shows all:
// an item is listed once it is created.
func (k *Runtime) filterDefault(property string) any {
	for _, b := range k.Bindings {
		if b.List == nil || b.Role != resource.List {
			continue
		}
		for _, p := range b.List.Params {
			if p.Role == resource.Filter && slices.Equal(p.Property, []string{property}) && p.Default != nil {
				return p.Default
			}
		}
	}
	return nil
}

func (k *Runtime) isCounted(name string) bool {
	return k.Key != nil && slices.Equal(k.Key.Property, []string{name}) ||
		name == k.Created || name == k.Updated || name == k.Version
}

// sentItem returns what a request says of the item, under the item's names. Nothing, or
// a file, creates one that says nothing of itself.
func sentItem(q *Request) (map[string]any, bool) {
	if q.op.Request != nil && q.Values.HasBody {
		if sent, ok := q.op.Request.Item(q.Values.Body()); ok {
			if object, ok := sent.(map[string]any); ok {
				return q.renamed(q.withBeside(object)), true
			}
		}
	}
	return map[string]any{}, q.op.Role == resource.Upsert
}

// renamed returns what was sent under the names that the item has for it, with what the query says of the item.
func (q *Request) renamed(sent map[string]any) map[string]any {
	for name := range q.op.Rename {
		if value, inQuery := q.Values.Query[name]; inQuery && sent[name] == nil {
			sent = jsonvalue.WithMember(sent, name, value)
		}
	}
	return respond.Rename(q.op.Binding, sent)
}

// withBeside returns an item that was sent in a wrapper with the properties of the item that stand beside the wrapper:
// {house_id: 5, plant: {…}}.
func (q *Request) withBeside(item map[string]any) map[string]any {
	k, r := q.op.runtime, q.op.Request
	around, _ := q.Values.Body().(map[string]any)
	if len(r.Path) != 1 || r.Many {
		return item
	}
	for name, value := range around {
		_, has := item[name]
		property := k.properties[name]
		if name != r.Path[0] && !has && property != nil && !k.readOnly(name) && spec.Conforms(property, value) {
			item = jsonvalue.WithMember(item, name, value)
		}
	}
	return item
}

// isDescribed reports whether the request's schema has all properties that were
// sent. It has allowed them then, whatever the schema of answers says.
func isDescribed(q *Request, sent map[string]any) bool {
	var properties map[string]*schema.Keywords
	switch s, media := q.op.request, q.Values.MediaType; {
	case s != nil && s.media == media:
		properties = s.sendable
	case media != nil && media.Schema != nil && len(q.op.Request.Path) == 0:
		properties = media.Schema.Properties()
	}
	for name := range sent {
		if properties[name] == nil {
			return false
		}
	}
	return len(properties) > 0
}

// withoutReadOnly returns what was sent without what only the server sets.
func (op *Operation) withoutReadOnly(sent map[string]any) map[string]any {
	sent = maps.Clone(sent)
	for _, p := range op.runtime.Properties {
		if p.ReadOnly && !op.request.sends(p.Name) {
			delete(sent, p.Name)
		}
	}
	return sent
}
