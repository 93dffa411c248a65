package mock

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/nearest"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
)

// plot is where the items of a fixture belong.
type plot struct {
	fixture
	resource   *resource.Resource
	keeping    *keeping          // nil: nothing shows the items, as those of the Plant Store
	binding    *resource.Binding // whose path names the parents
	values     map[string]string // of the path's variables; nil where the items say what they stand below
	collection string            // as it is kept; "" where it depends on the item
	key        string            // of the one item that the path names, or ""
}

// plotOf finds where a fixture belongs by the name of a resource or by a path.
func (c *contract) plotOf(f fixture) (*plot, *exchange.Finding) {
	p := &plot{fixture: f}
	name := strings.Trim(f.name, "/")
	for _, r := range c.resources {
		if r.Name == name {
			return p, c.byName(p, r)
		}
	}
	if found := c.byPath(p, "/"+name); found {
		return p, nil
	}
	message := "there is no collection " + strconv.Quote(shorten(f.name)) + c.nearestCollection(name)
	if f.file {
		message += "; a file of a folder is named for its collection, one of several collections is given by itself"
	}
	return nil, p.finding("unknown-collection", message)
}

func (c *contract) byName(p *plot, r *resource.Resource) *exchange.Finding {
	p.resource, p.keeping = r, c.kept[r]
	for _, b := range r.Bindings {
		if p.binding == nil || p.binding.KeyIn == resource.InPath && b.KeyIn != resource.InPath {
			p.binding = b
		}
	}
	k := p.keeping
	switch {
	case k == nil:
		p.collection = p.binding.Operation.Path
	case !k.Scoped:
		p.collection = "/" + k.Name
	case !k.Singleton && slices.ContainsFunc(p.binding.Scope, func(v resource.Variable) bool { return v.Property == nil }),
		k.Singleton && len(p.binding.Scope) > 0:
		return p.finding("no-parent", k.Name+" stand below others; name them by a path with the parents' keys, as in "+strconv.Quote(examplePath(p.binding)))
	case len(p.binding.Scope) == 0:
		p.collection = "/" + k.Name
	}
	return nil
}

// byPath finds what a path leads to: a collection, a singleton or one item.
func (c *contract) byPath(p *plot, path string) bool {
	var m route.Match
	for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
		if c.router.Find(method, path, "", &m) != route.Found {
			continue
		}
		op := c.operations[m.Operation]
		b := op.binding
		if b == nil || b.Role == resource.Action || b.Role == resource.Unknown || b.Lookup != nil {
			continue
		}
		p.resource, p.keeping, p.binding, p.values = b.Resource, op.keeps, b, map[string]string{}
		for i, name := range m.Names {
			value, err := url.PathUnescape(m.Values[i])
			if err != nil {
				return false
			}
			p.values[name] = value
		}
		if b.KeyIn == resource.InPath {
			p.key = p.values[b.Variable]
		}
		p.collection = op.keeps.collection(b, func(variable string) string { return p.values[variable] })
		return true
	}
	return false
}

// collectionFor names the collection of an item, false where it does not say
// what it stands below.
func (p *plot) collectionFor(item map[string]any) (string, bool) {
	if p.collection != "" {
		return p.collection, true
	}
	values := map[string]string{}
	for _, v := range p.binding.Scope {
		value, _ := resource.Get(item, v.Property)
		text, ok := jsonvalue.Text(value)
		if !ok {
			return "", false
		}
		values[v.Name] = text
	}
	k := p.keeping
	return k.collection(p.binding, func(variable string) string { return values[variable] }), true
}

// nearestCollection ends the message on a name that is unknown.
func (c *contract) nearestCollection(name string) string {
	var names []string
	for _, r := range c.resources {
		names = append(names, r.Name)
	}
	if len(names) == 0 {
		return "; the document describes none"
	}
	if hint := nearest.Hint(name, names); hint != "" {
		return hint
	}
	if strings.Contains(name, "/") {
		if near := c.router.Nearest("GET", "/"+name); near != nil {
			return "; the nearest path is " + near.Path
		}
	}
	const most = 10
	text := strings.Join(names[:min(len(names), most)], ", ")
	if len(names) > most {
		text += ", …; see coldframe plan"
	}
	return "; there are " + text
}

// examplePath is a path of a binding's collection with numbers for keys.
func examplePath(b *resource.Binding) string {
	path := b.Operation.Path
	if b.KeyIn == resource.InPath {
		path = path[:max(0, strings.Index(path, "/{"+b.Variable))]
	}
	for _, v := range b.Scope {
		path = strings.ReplaceAll(path, "{"+v.Name+"}", "7")
	}
	return path
}

func (p *plot) finding(code, message string) *exchange.Finding {
	return &exchange.Finding{Code: code, Message: message, Document: p.place}
}
