package mock

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/tree"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/mock/internal/state"
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
	if o.UnknownItems == "refuse" {
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
	node       *tree.Node
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

func (p *planting) find(at *tree.Node, code, message string) {
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
	case single && n.Kind != tree.Object:
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
	case tree.Null:
	case tree.Array:
		for _, item := range n.Items {
			all = p.item(all, at, item, "")
		}
	case tree.Object:
		for _, m := range n.Members {
			all = p.item(all, at, m.Value, m.Name)
		}
	default:
		p.find(n, "invalid-data", at.resource.Name+" must be a list of items, or an object of items by their keys, is "+n.Kind.String())
	}
	return all
}

// item reads one item, with the key under which it stands, or "".
func (p *planting) item(all []*sown, at *plot, n *tree.Node, key string) []*sown {
	if n.Kind != tree.Object {
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
		if have, ok := resource.Get(s.item, property); ok && !jsonvalue.Same(have, value) {
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
	text, ok := jsonvalue.Text(value)
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
func memberOf(n *tree.Node, way []string) *tree.Node {
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
			key, _ = jsonvalue.Text(value)
		}
		keys = append(keys, key)
	}
	return keys
}
