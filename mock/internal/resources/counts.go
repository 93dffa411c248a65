package resources

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// count is what an item says of the items that belong to it: task_count of a project, whose tasks name it. Only the
// server sets it.
type count struct {
	of       *Runtime // that says it
	link     link
	property string
	kind     countKind
	state    string // of a countState: the property with the state
	value    string // of a countState: the state, folded
	member   string // the number that is added up, of a countLatest the time that decides; "" for the last creation
}

type countKind uint8

const (
	countAll    countKind = iota // the number of items
	countState                   // the number of items in a state
	countSum                     // the sum of a number
	countMean                    // the mean of a number
	countLatest                  // the item itself that was created last
	countList                    // the items themselves
)

// link is how an item names the one that it belongs to: by a property, or by a variable of its path.
type link struct {
	property []string // nil if only the path says so
	scope    int      // place of the variable in the path; -1 if none
}

// child is a resource whose items go when the item is deleted that they belong to by their path.
type child struct {
	runtime  *Runtime
	property []string
}

// findCounts finds what items say of the items that belong to them.
func (s *Set) findCounts() {
	for _, r := range s.Resources {
		k := s.runtimes[r]
		if k == nil || k.Item == nil || r.Singleton {
			continue
		}
		s.findEmbedded(k)
		for of, l := range s.linksOf(k) {
			found := k.countsOf(of, l)
			k.counts = append(k.counts, found...)
			for _, c := range found {
				of.counted[c.property] = of.counted[c.property] || k.creates
			}
			if parent := k.Parent; parent == of.Resource && l.property != nil && !k.Scoped {
				of.children = append(of.children, child{k, l.property})
			}
			if l.property != nil && !k.Scoped && k.creates {
				of.referrers = append(of.referrers, child{k, l.property})
			}
		}
	}
}

// linksOf returns the resources that the items of a resource belong to.
func (s *Set) linksOf(k *Runtime) map[*Runtime]link {
	links := map[*Runtime]link{}
	for _, b := range k.Bindings {
		for i, v := range b.Scope {
			of := s.runtimes[v.Parent]
			if _, known := links[of]; of == nil || known || of == k || i < len(b.Scope)-1 {
				continue
			}
			links[of] = link{v.Property, i}
		}
	}
	if of := s.runtimes[k.Parent]; of != nil && of != k && k.ParentProperty != nil {
		if _, known := links[of]; !known {
			links[of] = link{k.ParentProperty, -1}
		}
	}
	for _, p := range k.Properties {
		property, to := []string{p.Name}, k.referred(p.Name)
		if p.Kind == schema.Object {
			if to = k.embeddedBy(p); to != nil {
				property = append(property, to.Key.Property[0])
			}
		}
		if of := s.runtimes[to]; of != nil && of != k {
			if _, known := links[of]; !known {
				links[of] = link{property, -1}
			}
		}
	}
	maps.DeleteFunc(links, func(of *Runtime, _ link) bool { return of.Item == nil || of.Singleton })
	return links
}

// countsOf returns what the items of another resource say of the items of this one.
func (k *Runtime) countsOf(of *Runtime, l link) (found []count) {
	name := k.Name[strings.LastIndexByte(k.Name, '/')+1:]
	singular, plural := naming.SingularName(name), naming.Fold(name)
	for _, p := range of.Properties {
		c := count{of: of, link: l, property: p.Name}
		if of.Lists[p.Name] == k.Resource && k.Resource != nil {
			c.kind = countList
			found = append(found, c)
		}
		if !of.isSetByServer(p.Name) {
			continue
		}
		w := naming.Words(p.Name)
		folded := strings.Join(w, "")
		isNumber := p.Kind == schema.Integer || p.Kind == schema.Number
		switch {
		case isNumber && (isCountOf(w, singular, plural) || folded == "itemcount" && !of.hasList("item")):
			found = append(found, c)
		case p.Kind == schema.Integer && len(w) > 1:
			if isCountOf(w[1:], singular, plural) && k.findState(&c, w[0]) {
				found = append(found, c)
			}
		}
		if isNumber && (k.findMean(&c, w) || k.findSum(&c, w, singular)) {
			found = append(found, c)
		}
		if p.Kind == schema.Object && k.isLatest(p, w) {
			c.kind, c.member = countLatest, k.eventTime()
			found = append(found, c)
		}
	}
	return found
}

// hasList reports whether items have a list of a singular name: its elements are counted then.
func (k *Runtime) hasList(singular string) bool {
	return slices.ContainsFunc(k.Properties, func(p resource.Property) bool {
		return p.Kind == schema.Array && naming.SingularName(p.Name) == singular
	})
}

// numberWords stand beside the name of things in the name of their number.
var numberWords = words.RoleOf("number-word")

// isCountOf reports whether a name is the number of some things: task_count, number_of_tasks, tasks.
func isCountOf(w []string, singular, plural string) bool {
	rest := strings.Join(slices.DeleteFunc(slices.Clone(w), numberWords.Has), "")
	return rest == plural || rest == singular && len(w) > 1
}

// findState finds the state whose items a word counts: open of open_task_count.
func (k *Runtime) findState(c *count, word string) bool {
	for _, p := range k.Properties {
		values := schema.Values(p.Schema)
		if p.Kind != schema.String || len(values) < 2 {
			continue
		}
		for _, v := range values {
			text, _ := v.(string)
			isOpen := word == "open" && words.States.Has(naming.Fold(text), "over")
			if naming.Fold(text) == word || isOpen {
				c.kind, c.state, c.value = countState, p.Name, word
				return true
			}
		}
	}
	return false
}

// isIn reports whether an item is in the counted state. An item that is not over is open.
func (c *count) isIn(item map[string]any) bool {
	text, _ := item[c.state].(string)
	folded := naming.Fold(text)
	return folded == c.value || c.value == "open" && text != "" && !words.States.Has(folded, "over")
}

// findSum finds the number that a sum adds up: bytes of total_bytes, the amounts of payments of amount_paid.
func (k *Runtime) findSum(c *count, w []string, singular string) bool {
	if len(w) < 2 {
		return false
	}
	for _, p := range k.Properties {
		if p.Kind != schema.Integer && p.Kind != schema.Number {
			continue
		}
		own := naming.Words(p.Name)
		isTotal := w[0] == "total" && slices.Equal(w[1:], own) || w[len(w)-1] == "total" && slices.Equal(w[:len(w)-1], own)
		last := w[len(w)-1]
		const stem = 2 // letters: paid of payments
		isDone := len(w) == len(own)+1 && slices.Equal(w[:len(own)], own) && len(last) > stem &&
			strings.HasPrefix(singular, last[:stem]) && strings.HasSuffix(singular, "ment")
		if isTotal || isDone {
			c.kind, c.member = countSum, p.Name
			return true
		}
	}
	return false
}

// meanWords stand beside the name of a number in the name of its mean.
var meanWords = words.RoleOf("mean-word")

// findMean finds the number whose mean another is: rating of average_rating.
func (k *Runtime) findMean(c *count, w []string) bool {
	rest := slices.DeleteFunc(slices.Clone(w), meanWords.Has)
	if len(rest) == len(w) {
		return false
	}
	for _, p := range k.Properties {
		isNumber := p.Kind == schema.Integer || p.Kind == schema.Number
		if isNumber && slices.Equal(rest, naming.Words(p.Name)) {
			c.kind, c.member = countMean, p.Name
			return true
		}
	}
	return false
}

// isLatest reports whether a property of another resource's items is the latest of these: last_message.
func (k *Runtime) isLatest(p resource.Property, w []string) bool {
	isNamed := len(w) > 1 && (w[0] == "last" || words.Orders.Has(w[0], "newest"))
	if !isNamed {
		return false
	}
	theirs := schema.Properties(p.Schema)
	shared := 0
	for name := range theirs {
		if k.properties[name] != nil {
			shared++
		}
	}
	return len(theirs) > 0 && shared*2 > len(theirs)
}

// eventTime returns the only time that clients say of an item; "" if none.
func (k *Runtime) eventTime() (found string) {
	for _, p := range k.Properties {
		if p.Format != "date-time" || p.Name == k.Created || p.Name == k.Updated || k.isSetByServer(p.Name) {
			continue
		}
		if found != "" {
			return ""
		}
		found = p.Name
	}
	return found
}

// isAfter reports whether an item is later than another by the time that decides.
func (c *count) isAfter(item, other map[string]any) bool {
	at, _, ok := generate.ReadTime(item[c.member])
	than, _, also := generate.ReadTime(other[c.member])
	return ok && also && at.After(than)
}

// countBelow brings what other items say of the items of the request's resource up to date, after one was created (old
// is nil), changed, or deleted (item is nil).
func (q *Request) countBelow(collection string, old, item map[string]any) {
	for i := range q.op.runtime.counts {
		c := &q.op.runtime.counts[i]
		before, after := q.keyOf(c, old), q.keyOf(c, item)
		if before == after {
			q.recount(c, collection, after, old, item)
			continue
		}
		q.recount(c, collection, before, old, nil)
		q.recount(c, collection, after, nil, item)
	}
	if old != nil && item != nil {
		q.renewEmbedded(old, item)
	}
}

// keyOf returns the key of the item to which another belongs; "" if none.
func (q *Request) keyOf(c *count, item map[string]any) string {
	if item == nil {
		return ""
	}
	if c.link.property != nil {
		value, _ := jsonvalue.Property(item, c.link.property)
		if text, _ := jsonvalue.Text(value); text != "" {
			return text
		}
	}
	if c.link.scope >= 0 && c.link.scope < len(q.op.Scope) && q.op.Scope[c.link.scope].Parent == c.of.Resource {
		return q.pathText(q.op.Scope[c.link.scope].Name)
	}
	return ""
}

// recount changes what an item of a key says, if the item is kept.
func (q *Request) recount(c *count, collection, key string, old, item map[string]any) {
	if key == "" || old == nil && item == nil {
		return
	}
	in := "/" + c.of.Name
	if c.of.Scoped && c.link.scope >= 0 {
		in = q.op.runtime.collectionBelow(q.op.Binding, c.link.scope, c.of.Name, q.pathText)
	}
	kept, _ := q.get(in, key)
	if kept == nil && c.of.Scoped && c.of.named != nil {
		if kept = q.keptBelowAny(c.of, key); kept != nil { // the path does not say below which parent
			in = kept.Collection
		}
	}
	if kept == nil {
		return
	}
	said := DecodeItem(kept)
	value, ok := q.counted(c, collection, key, said, old, item)
	property := c.of.properties[c.property]
	if !ok || jsonvalue.Equals(said[c.property], value) || property == nil || !spec.Conforms(property, value) {
		return
	}
	after := maps.Clone(said)
	after[c.property] = value
	after = c.of.recalculated(after)
	if text, ok := EncodeItem(after); ok {
		if _, _, err := q.put(in, key, text, kept.Flags, state.Any); err != nil {
			q.set.options.StoreFull()
		}
	}
}

// keptBelowAny returns the only item of a key that is kept below any parent; nil if none, or several.
func (q *Request) keptBelowAny(of *Runtime, key string) (found *state.Item) {
	for item := range kept(of, q.view(), "") {
		if q.Work.Step() {
			return nil
		}
		if item.Key != key {
			continue
		}
		if found != nil {
			return nil
		}
		found = item
	}
	return found
}

// counted returns what an item says of those that belong to it; false if that does not change.
func (q *Request) counted(c *count, collection, key string, said, old, item map[string]any) (any, bool) {
	change := 0.0
	amount := func(of map[string]any) float64 {
		switch {
		case of == nil:
			return 0
		case c.kind == countSum:
			text, _ := jsonvalue.Text(of[c.member])
			n, _ := strconv.ParseFloat(text, 64)
			return n
		case c.kind == countState && !c.isIn(of):
			return 0
		}
		return 1
	}
	switch c.kind {
	case countList:
		return q.listWith(c, said, old, item), true
	case countLatest:
		return q.latest(c, collection, key, said, old, item)
	case countMean:
		return q.mean(c, collection, key), true
	}
	if change = amount(item) - amount(old); change == 0 {
		return nil, false
	}
	text, _ := jsonvalue.Text(said[c.property])
	n, _ := strconv.ParseFloat(text, 64)
	return json.Number(strconv.FormatFloat(max(0, n+change), 'f', -1, 64)), true
}

// mean returns the mean of a number of the items that belong to another; nil if none.
func (q *Request) mean(c *count, collection, key string) any {
	sum, n := 0.0, 0
	for other := range q.view().Items(collection, 0) {
		if q.Work.Step() {
			break
		}
		value := DecodeItem(other)
		text, _ := jsonvalue.Text(value[c.member])
		if number, err := strconv.ParseFloat(text, 64); err == nil && q.keyOf(c, value) == key {
			sum, n = sum+number, n+1
		}
	}
	return mean(sum, n)
}

// listWith returns the list in which another item shows those that belong to it.
func (q *Request) listWith(c *count, said, old, item map[string]any) []any {
	list, _ := said[c.property].([]any)
	k := q.op.runtime
	shown := respond.Listed(WithoutHidden(item), schema.Properties(schema.Items(c.of.properties[c.property])))
	after := []any{}
	for _, element := range list {
		object, _ := element.(map[string]any)
		isOld := old != nil && k.keyOf(object) == k.keyOf(old)
		switch {
		case !isOld:
			after = append(after, element)
		case item != nil:
			after = append(after, shown)
			item = nil
		}
	}
	if item != nil {
		after = append(after, shown)
	}
	return after
}

// latest returns the item that was created last, as another says it; nil if none is left.
func (q *Request) latest(c *count, collection, key string, said, old, item map[string]any) (any, bool) {
	if old != nil && item != nil && q.op.runtime.keyOf(old) != q.op.runtime.keyOf(said[c.property]) {
		return nil, false
	}
	if before, _ := said[c.property].(map[string]any); item != nil && old == nil && c.isAfter(before, item) {
		return nil, false
	}
	if item == nil || old != nil {
		item = nil
		for other := range q.view().Newest(collection, 0) {
			value := DecodeItem(other)
			if q.Work.Step() {
				break
			}
			if q.keyOf(c, value) == key && (item == nil || c.isAfter(value, item)) {
				item = value
				if c.member == "" {
					break
				}
			}
		}
	}
	if item == nil {
		return nil, true
	}
	return respond.Listed(WithoutHidden(item), schema.Properties(c.of.properties[c.property])), true
}

// namedBy returns the kept items of another resource that name an item.
func (q *Request) namedBy(c child, key string) (items []*state.Item) {
	for item := range q.view().Items("/"+c.runtime.Name, 0) {
		if q.Work.Step() {
			return nil
		}
		value, _ := jsonvalue.Property(DecodeItem(item), c.property)
		if text, _ := jsonvalue.Text(value); text == key {
			items = append(items, item)
		}
	}
	return items
}

// removeChildren deletes the items that belong to an item by their paths and are kept beside it.
func (q *Request) removeChildren(key string) {
	for _, c := range q.op.runtime.children {
		for _, child := range q.namedBy(c, key) {
			if _, deleted, _ := q.delete(child.Collection, child.Key, state.Any); !deleted {
				q.Session.ClearBelow(child.Collection, child.Key)
				below := *q
				below.op = &Operation{Binding: q.op.Binding, runtime: c.runtime}
				below.removeChildren(child.Key)
			}
		}
	}
}

// isBelowCreated reports whether the request's path names an item that a client created before its collection: such a
// collection begins empty.
func (q *Request) isBelowCreated() bool {
	for i, v := range q.op.Scope {
		parent := q.set.runtimes[v.Parent]
		if v.Parent == nil || parent == nil || v.Parent == q.op.runtime.Resource {
			continue
		}
		name := "/" + parent.Name
		if parent.Scoped {
			name = q.op.runtime.collectionBelow(q.op.Binding, i, parent.Name, q.pathText)
		}
		if item, _ := q.get(name, q.pathText(v.Name)); item != nil && item.Flags&state.ByClient != 0 {
			return true
		}
	}
	return false
}
