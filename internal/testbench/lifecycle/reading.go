package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// item is a kind of item as the types and paths of a document show it. Package resource, which the mock asks, has no
// part in this reading. It reads only what leaves little doubt:
//
//   - POST /things takes an object, and GET /things/{thing} returns one that has at least half of its properties, with
//     the same names and compatible types: what is posted is read there;
//   - GET /things lists such objects;
//   - PUT and PATCH /things/{thing} take them, and DELETE /things/{thing} deletes one;
//   - GET and PUT or PATCH of a path keep one object, if the path ends with no variable and none follows it.
//
// The key is the property that has the name of the variable, or its last word.
type item struct {
	path    string          // of the list, or of the object if there is only one
	create  *spec.Operation // nil if there is only one
	read    *spec.Operation
	list    *spec.Operation   // nil if none
	change  []*spec.Operation // PUT, PATCH
	remove  *spec.Operation   // nil if none
	keys    []string          // names that the key may have, the best first
	parents map[string]*item  // by variable of path; without those that are no item's key
}

// document is a contract with the shapes of its schemas.
type document struct {
	*spec.Contract
	shapes *schema.Shapes
}

// items returns the items of a document, sorted by path.
func (d *document) items() (items []*item) {
	byPath := map[string]map[string]*spec.Operation{}
	for _, o := range d.Operations {
		path := strings.TrimSuffix(o.Template(), "/")
		if byPath[path] == nil {
			byPath[path] = map[string]*spec.Operation{}
		}
		if o.Alternatives == nil { // otherwise the request decides which one it is
			byPath[path][o.Method] = o
		}
	}
	lists := map[string]bool{} // the paths with items below them
	for path := range byPath {
		if list, variable := cut(path); variable != "" {
			lists[list] = true
		}
	}
	created := map[string]*item{} // by the path that reads them
	for _, path := range slices.Sorted(maps.Keys(byPath)) {
		methods := byPath[path]
		i := &item{path: path, read: methods["GET"], parents: map[string]*item{}}
		for _, method := range []string{"PUT", "PATCH"} {
			if o := methods[method]; o != nil && i.read != nil && d.shows(o, i.read) {
				i.change = append(i.change, o)
			}
		}
		list, variable := cut(path)
		switch {
		case i.read == nil:
			continue
		case variable == "" && len(i.change) > 0 && !lists[path]:
			items = append(items, i)
		case variable != "" && byPath[list]["POST"] != nil && d.shows(byPath[list]["POST"], i.read):
			if o := byPath[list]["GET"]; o != nil && d.shows(byPath[list]["POST"], o) {
				continue // envelopes of several items
			}
			i.path, i.create = list, byPath[list]["POST"]
			if o := methods["DELETE"]; o != nil && hasSuccess(o) {
				i.remove = o
			}
			i.keys = []string{variable, lastWord(variable)}
			if o := byPath[list]["GET"]; o != nil {
				if _, ok := d.match(i.create, o, true); ok {
					i.list = o
				}
			}
			created[path] = i
			items = append(items, i)
		}
	}
	for _, i := range items {
		for path := i.path; path != ""; {
			list, variable := cut(path)
			if parent := created[path]; parent != nil {
				i.parents[variable] = parent
			}
			path = list
		}
	}
	return items
}

// cut divides the last segment from a path. The variable is "" if the segment is none.
func cut(path string) (before, variable string) {
	at := max(strings.LastIndexByte(path, '/'), 0)
	last := strings.TrimPrefix(path[at:], "/")
	if strings.HasPrefix(last, "{") && strings.IndexByte(last, '}') == len(last)-1 {
		variable = last[1 : len(last)-1]
	}
	return path[:at], variable
}

// lastWord returns "id" for plant_id, plantId and plant-id.
func lastWord(name string) string {
	at := strings.LastIndexFunc(name, func(r rune) bool { return r == '_' || r == '-' || r >= 'A' && r <= 'Z' })
	return strings.ToLower(strings.TrimLeft(name[max(at, 0):], "_-"))
}

// place is where objects stand in a body.
type place struct {
	array  []string        // the properties that lead to the array whose elements have them; unused unless many is set
	many   bool            // the elements of an array have them
	names  []string        // the properties that lead from the element, or from the body, to the object
	owners []*schema.Shape // the objects on the way, the object itself last
	shape  *schema.Shape   // of the object
}

// depth is how many properties may lead to an object: {"data": {"attributes": {…}}}.
const depth = 2

// places returns the objects that a shape of a body has, the outermost first.
func places(s *schema.Shape) []place {
	all := nested(s, place{}, depth)
	var arrays func(s *schema.Shape, names []string)
	arrays = func(s *schema.Shape, names []string) {
		if s.Types()&schema.Array != 0 && s.Items() != nil {
			all = append(all, nested(s.Items(), place{array: names, many: true}, depth)...)
		}
		if s.Types()&schema.Object == 0 || len(names) == depth {
			return
		}
		for _, m := range s.Members() {
			arrays(m.Shape(), append(slices.Clone(names), m.Name))
		}
	}
	arrays(s, nil)
	return all
}

// nested returns the objects in s, which stands at p.
func nested(s *schema.Shape, p place, depth int) (all []place) {
	if s.Types()&schema.Object == 0 || len(s.Names()) == 0 {
		return nil
	}
	p.shape, p.owners = s, append(slices.Clone(p.owners), s)
	all = append(all, p)
	for _, m := range s.Members() {
		if depth == 0 {
			break
		}
		inner := p
		inner.names = append(slices.Clone(p.names), m.Name)
		all = append(all, nested(m.Shape(), inner, depth-1)...)
	}
	return all
}

// match is an object that a request takes, and where a response shows it.
type match struct{ sent, shown place }

// match returns the objects in the request to o and in the response to read that share most properties: at least half
// of those that are sent. With many set the response lists them. ok is false if none.
func (d *document) match(o, read *spec.Operation, many bool) (best match, ok bool) {
	request, response := jsonOf(o.Body), responseOf(read)
	if request == nil || response == nil || request.Subtype == "json-patch+json" {
		return best, false // RFC 6902: it says what to do instead of what is wanted
	}
	most := 0
	shown := places(d.shapes.Of(response.Schema.Keywords))
	for _, sent := range places(d.shapes.Of(request.Schema.Keywords)) {
		if !sent.isWrapped() {
			continue
		}
		for _, p := range shown {
			if n := shared(sent.shape, p.shape); p.many == many && n > most && 2*n >= len(sent.shape.Names()) {
				best, most = match{sent, p}, n
			}
		}
	}
	return best, most > 0
}

// isWrapped reports whether only single values stand beside the properties that lead to the object.
func (p place) isWrapped() bool {
	for at, name := range p.names {
		for _, m := range p.owners[at].Members() {
			if m.Name != name && m.Shape().Types()&(schema.Object|schema.Array) != 0 {
				return false
			}
		}
	}
	return !p.many
}

// shows reports whether the response to read shows what o takes.
func (d *document) shows(o, read *spec.Operation) bool {
	_, ok := d.match(o, read, false)
	return ok
}

// shared counts the properties of the same name and with a type in common.
func shared(a, b *schema.Shape) (n int) {
	for _, m := range a.Members() {
		if other := b.Member(m.Name); other != nil && m.Shape().Types()&other.Shape().Types()&^schema.Null != 0 {
			n++
		}
	}
	return n
}

// keyAt returns the properties that lead to the key of an item from the element or the body; nil if none. The object
// itself has it, or the next one around it that has a property of the name.
func (i *item) keyAt(p place) []string {
	for at := len(p.owners) - 1; at >= 0; at-- {
		for _, name := range i.keys {
			if m := p.owners[at].Member(name); m != nil && m.Shape().Types()&(schema.String|schema.Integer) != 0 {
				return append(slices.Clone(p.names[:at]), name)
			}
		}
	}
	return nil
}

// hasSuccess reports whether a response of an operation says that it has been done.
func hasSuccess(o *spec.Operation) bool {
	return slices.ContainsFunc(o.Responses, func(r *spec.Response) bool {
		return r.Status[0] == '2' || r.Status == "default"
	})
}

// responseOf returns the JSON media type of the lowest documented 2xx, nil if none.
func responseOf(o *spec.Operation) *spec.MediaType {
	for _, r := range o.Responses {
		if r.Status[0] == '2' {
			return firstJSON(r.Content)
		}
	}
	return nil
}

func jsonOf(body *spec.RequestBody) *spec.MediaType {
	if body == nil {
		return nil
	}
	return firstJSON(body.Content)
}

func firstJSON(content []*spec.MediaType) *spec.MediaType {
	at := slices.IndexFunc(content, func(m *spec.MediaType) bool { return m.IsJSON() && m.Schema != nil })
	if at < 0 {
		return nil
	}
	return content[at]
}

// hasQuery reports whether an operation has parameters in the query that must be sent, or that may divide a list.
func hasQuery(o *spec.Operation, required bool) bool {
	return slices.ContainsFunc(o.Parameters, func(p *spec.Parameter) bool {
		return p.In == exchange.InQuery && (p.Required || !required)
	})
}
