package mock

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/crud"
	"github.com/coldframe/coldframe/mock/state"
)

// planting makes what sessions begin with: the items of data, then generated
// ones.
type planting struct {
	*contract
	options     *Options
	in          *state.State
	count       int
	collections map[*resource.Resource][]grown // that have items, in order
	findings    []exchange.Finding
	warnings    []exchange.Finding
	warned      map[[2]string]bool // by resource and property
}

// grown is a collection with items.
type grown struct {
	name  string
	above []string // the keys of the items that it stands below
}

// plant makes what sessions begin with. The error is a *DataError or an
// *OptionError.
func (c *contract) plant(o *Options) error {
	p := &planting{
		contract: c, options: o, in: state.New(state.Limits{Items: o.MaxItems, Bytes: o.MaxState}),
		collections: map[*resource.Resource][]grown{}, warned: map[[2]string]bool{},
	}
	fixtures, findings, watch, err := readData(o.Data)
	if err != nil {
		return err
	}
	p.findings = findings
	p.sow(fixtures)
	if len(p.findings) == 0 {
		p.seed()
	}
	if o.World == "closed" {
		p.orphans(fixtures)
	}
	if len(p.findings) > 0 {
		return &DataError{exchange.Sort(p.findings)}
	}
	c.begins, c.data = p.in.View(), watch
	c.findings = append(c.findings, exchange.Sort(p.warnings)...)
	return nil
}

// sown is an item of data.
type sown struct {
	*plot
	node       *spec.Node
	item       map[string]any
	collection string
	key        string // "" where it is to be made
}

// sow keeps the items of data. Those that name their keys have them first.
func (p *planting) sow(fixtures []fixture) {
	var all []*sown
	for _, f := range fixtures {
		plot, wrong := p.plotOf(f)
		if wrong != nil {
			p.findings = append(p.findings, *wrong)
			continue
		}
		all = append(all, p.items(plot)...)
	}
	taken := map[[2]string]*sown{}
	highest := map[string]int64{}
	for _, s := range all {
		if s.key == "" {
			continue
		}
		name := [2]string{s.collection, s.key}
		if first := taken[name]; first != nil {
			p.find(s.node, "duplicate-key", fmt.Sprintf("there are two items %q in %s; the other one is at %s", shorten(s.key), s.resource.Name, first.node.Place()))
			continue
		}
		taken[name] = s
		if n, err := strconv.ParseInt(s.key, 10, 32); err == nil {
			highest[s.collection] = max(highest[s.collection], n)
		}
	}
	if len(all) > p.options.MaxItems {
		p.find(all[p.options.MaxItems].node, "too-many-items", fmt.Sprintf("the data has %d items, and no more than %d are kept; raise --max-items", len(all), p.options.MaxItems))
		return
	}
	for _, s := range all {
		p.sowOne(s, taken, highest)
	}
}

func (p *planting) find(at *spec.Node, code, message string) {
	p.findings = append(p.findings, exchange.Finding{Code: code, Message: message, Document: at.Place()})
}

// items gives the items of a fixture: a list, or an object of items by their
// keys; the item itself where the path names one, or there is only one.
func (p *planting) items(at *plot) []*sown {
	if at.collection != "" {
		p.in.Know(at.collection, 0) // also without items
	}
	n := at.node
	single := at.key != "" || at.resource.Singleton
	switch {
	case single && n.Kind != spec.Object:
		p.find(n, "invalid-data", at.resource.Name+" must be an object, is "+n.Kind.String())
		return nil
	case single:
		key := at.key
		if at.resource.Singleton {
			key = theOne
		}
		return p.item(nil, at, n, key)
	}
	var all []*sown
	switch n.Kind {
	case spec.Null:
	case spec.Array:
		for _, item := range n.Items {
			all = p.item(all, at, item, "")
		}
	case spec.Object:
		for _, m := range n.Members {
			all = p.item(all, at, m.Value, m.Name)
		}
	default:
		p.find(n, "invalid-data", at.resource.Name+" must be a list of items, or an object of items by their keys, is "+n.Kind.String())
	}
	return all
}

// item reads one item, with the key under which it stands, or "".
func (p *planting) item(all []*sown, at *plot, n *spec.Node, key string) []*sown {
	if n.Kind != spec.Object {
		p.find(n, "invalid-data", "an item of "+at.resource.Name+" must be an object, is "+n.Kind.String())
		return all
	}
	s := &sown{plot: at, node: n, key: key, collection: at.collection}
	s.item, _ = n.Value().(map[string]any)
	k := at.keeping
	if k == nil {
		return append(all, s)
	}
	for _, v := range at.binding.Scope {
		value, given := at.values[v.Name]
		if !given || k.Scoped && v.Property == nil {
			continue
		}
		property := scopeProperty(v)
		if have, ok := resource.Get(s.item, property); ok && !crud.Same(have, value) {
			p.find(memberOf(n, property), "wrong-parent", fmt.Sprintf("%s must be %s, as the path %q says", strings.Join(property, "."), value, at.name))
			return all
		}
		s.item = resource.Set(s.item, property, k.typedAt(v.Property, value)).(map[string]any)
	}
	var ok bool
	if s.collection, ok = at.collectionFor(s.item); !ok {
		p.find(n, "no-parent", "an item of "+k.Name+" must say what it stands below, in "+strings.Join(k.ParentProperty, ".")+"; or name them by a path, as in "+strconv.Quote(examplePath(at.binding)))
		return all
	}
	if k.Singleton || k.Key == nil || k.Key.Property == nil {
		return append(all, s)
	}
	value, ok := resource.Get(s.item, k.Key.Property)
	if !ok {
		if key != "" {
			s.item = resource.Set(s.item, k.Key.Property, k.typedAt(k.Key.Property, key)).(map[string]any)
		}
		return append(all, s)
	}
	text, ok := crud.Text(value)
	switch at := memberOf(n, k.Key.Property); {
	case !ok || text == "":
		p.find(at, "invalid-key", "the key "+strings.Join(k.Key.Property, ".")+" must be a text or a number, is "+at.Kind.String())
		return all
	case key != "" && key != text:
		p.find(at, "invalid-key", fmt.Sprintf("the key is %q here and %q where the item stands", shorten(text), shorten(key)))
		return all
	}
	s.key = text
	return append(all, s)
}

// memberOf gives the value at a way into an object, or what is there of the way.
func memberOf(n *spec.Node, way []string) *spec.Node {
	for _, name := range way {
		next := n.Get(name)
		if next == nil {
			break
		}
		n = next
	}
	return n
}

// above gives the keys of the items that a collection of its own stands below.
func (s *sown) above() []string {
	if !s.keeping.Scoped {
		return nil
	}
	var keys []string
	for _, v := range s.binding.Scope {
		key, ok := s.values[v.Name]
		if !ok {
			value, _ := resource.Get(s.item, v.Property)
			key, _ = crud.Text(value)
		}
		keys = append(keys, key)
	}
	return keys
}

// sowOne completes an item as a creation would, checks and keeps it.
func (p *planting) sowOne(s *sown, taken map[[2]string]*sown, highest map[string]int64) {
	k := s.keeping
	if k == nil {
		if r := s.resource; r.Item != nil && r.Value != nil {
			p.check(s, part(r.Item, r.Value))
		}
		if text, ok := written(s.item); ok {
			p.keep(p.in.Append(s.collection, text, state.Seeded))
		}
		return
	}
	key := s.key
	if key == "" {
		p.in.Know(s.collection, highest[s.collection])
	}
	for try := 0; key == "" && try < maxKeys; try++ {
		value, text := k.newKey(p.in, p.options.Seed, s.collection)
		name := [2]string{s.collection, text}
		if taken[name] != nil {
			continue
		}
		key, taken[name] = text, s
		if k.Key != nil && k.Key.Property != nil {
			s.item = resource.Set(s.item, k.Key.Property, value).(map[string]any)
		}
	}
	if key == "" {
		p.find(s.node, "invalid-key", "no key can be made for an item of "+k.Name+"; give it one")
		return
	}
	k.complete(s.item, p.time(k, s.item), generate.NewKey(p.options.Seed, "item", k.Name, s.collection, key))
	if k.value != nil {
		p.check(s, k.value)
	}
	text, ok := written(s.item)
	if !ok {
		return // nested deeper than any document is read
	}
	p.keep(p.in.Insert(s.collection, key, text, state.Seeded))
	p.note(s.resource, s.collection, s.above)
}

func (p *planting) keep(_ *state.Item, err error) {
	if err == nil {
		p.count++
	}
}

// note remembers that a collection has items.
func (p *planting) note(r *resource.Resource, collection string, above func() []string) {
	known := p.collections[r]
	if len(known) == 0 || known[len(known)-1].name != collection {
		p.collections[r] = append(known, grown{collection, above()})
	}
}

// time is when an item was made that does not say so: the clock that sessions go
// on with.
func (p *planting) time(k *keeping, item map[string]any) time.Time {
	made, changed := k.Created == "" || item[k.Created] != nil, k.Updated == "" || item[k.Updated] != nil
	switch {
	case made && changed:
		return time.Time{}
	case p.options.Dynamic:
		return p.options.Clock().UTC().Truncate(time.Millisecond)
	}
	return calendarBegins.Add(time.Duration(p.in.Tick()) * time.Second)
}

// complete adds what the server makes of an item: its times, its version, and
// properties that clients cannot send.
func (k *keeping) complete(item map[string]any, now time.Time, key generate.Key) {
	if k.Created != "" && item[k.Created] == nil {
		k.setTime(item, k.Created, now)
	}
	if k.Updated != "" && item[k.Updated] == nil {
		k.setTime(item, k.Updated, now)
		if made, ok := item[k.Created]; ok && spec.Conforms(k.listed[k.Updated], made) {
			item[k.Updated] = made
		}
	}
	if k.Version != "" && item[k.Version] == nil {
		if first, ok := asTyped("1", k.listed[k.Version]); ok {
			item[k.Version] = first
		}
	}
	var wanted, unsent []string
	for name := range k.listed {
		if _, ok := item[name]; ok {
			continue
		}
		if k.madeByServer(name) {
			wanted = append(wanted, name)
		} else {
			unsent = append(unsent, name)
		}
	}
	if len(wanted) == 0 || k.value == nil {
		return
	}
	have, _ := k.taken(item, k.listed, nil)
	value, err := k.maker().Fill(key, have, unsent...)
	made, ok := value.(map[string]any)
	if err != nil || !ok {
		return
	}
	for _, name := range wanted {
		if value, ok := made[name]; ok {
			item[name] = value
		}
	}
}

// madeByServer reports whether a property is no client's to say: it is
// readOnly, or no creation takes it.
func (k *keeping) madeByServer(name string) bool {
	if k.servers(name) {
		return true
	}
	for _, b := range k.Bindings {
		if s := k.sent[b]; s != nil && b.Role == resource.Create && len(s.sendable) > 0 {
			return s.sendable[name] == nil
		}
	}
	return false
}

// check holds an item to its schema.
func (p *planting) check(s *sown, schema *spec.Schema) {
	for _, f := range schema.Check(withoutHidden(s.item), exchange.InBody, "") {
		at, rest := s.node, f.Pointer
		for rest != "" {
			token, more, _ := strings.Cut(rest[1:], "/")
			next := at.At("/" + token)
			if next == nil {
				break
			}
			if at, rest = next, more; more != "" {
				rest = "/" + more
			}
		}
		message := f.Message
		if place := f.Document.String(); place != "" {
			message += " (" + place + ")"
		}
		p.find(at, f.Code, message)
		p.findings[len(p.findings)-1].Document.Pointer += rest // of what is not there
	}
	listed := schema.Properties()
	for _, m := range s.node.Members {
		name := [2]string{s.resource.Name, m.Name}
		if len(listed) == 0 || listed[m.Name] != nil || strings.HasPrefix(m.Name, hidden) || p.warned[name] {
			continue
		}
		p.warned[name] = true
		p.warnings = append(p.warnings, exchange.Finding{
			Code: "unknown-property", Severity: exchange.Warning, Document: s.node.PlaceOf(m.Name),
			Message: fmt.Sprintf("%s have no property %q, so no answer shows it%s", s.resource.Name, m.Name, spec.Suggest(m.Name, slices.Collect(maps.Keys(listed)))),
		})
	}
}

// orphans finds what stands below items that a closed world does not have.
func (p *planting) orphans(fixtures []fixture) {
	for _, f := range fixtures {
		at, wrong := p.plotOf(f)
		if wrong != nil || at.keeping == nil || at.values == nil {
			continue
		}
		for i, v := range at.binding.Scope {
			parent := p.kept[v.Parent]
			if v.Parent == nil || parent == nil || !parent.creates || v.Parent == at.resource && !at.resource.Singleton {
				continue
			}
			name := "/" + parent.Name
			if parent.Scoped {
				name = at.keeping.below(at.binding, i, parent.Name, func(variable string) string { return at.values[variable] })
			}
			if item, _ := p.in.Get(name, at.values[v.Name]); item == nil {
				p.findings = append(p.findings, *at.finding("no-such-parent", fmt.Sprintf("there is no item %q in %s, below which this stands; add it to the data%s",
					shorten(at.values[v.Name]), parent.Name, someKeys(p.in.View(), name))))
				break
			}
		}
	}
}

// someKeys names the first items of a collection, in parentheses.
func someKeys(v *state.View, collection string) string {
	var keys []string
	for _, item := range v.List(collection, 0, 5) {
		keys = append(keys, strconv.Quote(shorten(item.Key)))
	}
	if len(keys) == 0 {
		return ""
	}
	if v.Len(collection) > len(keys) {
		keys = append(keys, "…")
	}
	return " (it has " + strings.Join(keys, ", ") + ")"
}
