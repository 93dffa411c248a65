package coverage

import (
	"cmp"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

const (
	maxDepth  = 5   // of properties inside each other
	maxPoints = 500 // properties of one body, and values of its enums
)

var kinds = []string{
	KindOperation, KindParameter, KindValue, KindMediaType, KindStatus, KindRequestProperty, KindResponseProperty,
	KindConstraint,
}

// point is one part that can be used.
type point struct {
	kind   string
	name   string
	within int // index of the parent point: a point is not used if its parent is not
	place  exchange.Place
	node   *tree.Node // provides the place for reports; nil if place has it
}

// layout has the points of an operation. Point 0 is the operation itself.
type layout struct {
	points     []point
	parameters []*field // in the order of Operation.Parameters
	request    map[*spec.MediaType]*body
	responses  map[*spec.Response]*response

	constraints map[constraint]int // nil if constraints are not counted
}

type response struct {
	status  int
	content []*body
}

// body is one media type of a request or response.
type body struct {
	*spec.MediaType
	kind  string // "application/json"
	media int
	root  *field // nil if nothing inside is known
}

// field is a parameter, a property or an array's item, with its inner points.
type field struct {
	point      int            // 0 if the field itself is not a point
	first, end int            // range of the points inside, end excluded
	texts      map[string]int // enum values that are strings
	others     map[string]int // numbers, booleans and null, as JSON
	properties map[string]*field
	item       *field // of an array
	again      *field // for a recursive schema, the outer field with its properties and item; nil otherwise
	reaches    *field // the outermost field around it that is again of an inner one; nil if none
}

// inside returns the field with the properties and the item.
func (f *field) inside() *field {
	if f.again != nil {
		return f.again
	}
	return f
}

func (f *field) reach(again *field) {
	if again != nil && again != f && (f.reaches == nil || again.first < f.reaches.first) {
		f.reaches = again
	}
}

// lay returns the layout of the operation, and creates it at first use.
func (o *operationCounts) lay() *layout {
	o.once.Do(func() {
		l := &layout{request: map[*spec.MediaType]*body{}, responses: map[*spec.Response]*response{}}
		l.add(point{kind: KindOperation, name: o.Method + " " + o.Path, place: o.Place})
		for _, p := range o.Parameters {
			f := l.parameter(p)
			l.parameters = append(l.parameters, f)
			if o.constraints {
				l.parameterConstraints(p, f)
			}
		}
		if o.Body != nil {
			for _, media := range o.Body.Content {
				l.request[media] = l.body(KindRequestProperty, "request", 0, media)
			}
			if o.constraints {
				l.bodyConstraints(o.Body)
			}
		}
		for _, r := range o.Responses {
			at := &response{status: l.add(point{kind: KindStatus, name: r.Status, place: r.Place})}
			for _, media := range r.Content {
				at.content = append(at.content, l.body(KindResponseProperty, r.Status, at.status, media))
			}
			l.responses[r] = at
		}
		o.total, o.laid = make(counters, len(l.points)), l
	})
	return o.laid
}

func (l *layout) add(p point) int {
	l.points = append(l.points, p)
	return len(l.points) - 1
}

func (l *layout) parameter(p *spec.Parameter) *field {
	name := p.In + "." + p.Name
	f := &field{point: l.add(point{kind: KindParameter, name: name, place: p.Place})}
	of := p.ValueSchema()
	if of == nil {
		return f
	}
	e, shape := enum{l, of, f.point, new(maxPoints)}, of.Shape()
	e.values(f, shape, name)
	if items := shape.Items(); items != schema.Anything {
		f.item = &field{}
		e.values(f.item, items, name+"[]")
	}
	return f
}

// body lays out a media type and its properties; in responses, only of JSON.
func (l *layout) body(kind, name string, within int, media *spec.MediaType) *body {
	b := &body{MediaType: media, kind: media.Type + "/" + media.Subtype}
	b.media = l.add(point{kind: KindMediaType, name: name + " " + media.Range, within: within, place: media.Place})
	if s := media.Schema; s != nil && (kind == KindRequestProperty || media.IsJSON()) {
		t := bodyLayout{l, s, kind, maxPoints, new(maxPoints), map[*schema.Shape]*field{}}
		b.root = &field{first: len(l.points)}
		t.inside(b.root, name, b.media, s.Shape(), maxDepth)
		b.root.end = len(l.points)
	}
	return b
}

type bodyLayout struct {
	*layout
	schema *spec.Schema
	kind   string
	left   int                      // remaining properties
	values *int                     // remaining values of enums
	above  map[*schema.Shape]*field // schemas above
}

// inside lays out the properties of a shape, without those that never appear in this direction. A recursive shape is
// laid out once.
func (t *bodyLayout) inside(f *field, name string, within int, s *schema.Shape, depth int) {
	if again := t.above[s]; again != nil {
		f.again = again
		f.reach(again)
		return
	}
	if depth == 0 {
		return
	}
	t.above[s] = f
	defer delete(t.above, s)
	for _, key := range s.Names() {
		m := s.Member(key)
		if t.kind == KindRequestProperty && m.ReadOnly() || t.kind == KindResponseProperty && m.WriteOnly() {
			continue
		}
		if t.left--; t.left < 0 {
			return
		}
		path := name + "." + key
		child := &field{point: t.add(point{kind: t.kind, name: path, within: within, node: t.schema.Node(m.Schema)})}
		if f.properties == nil {
			f.properties = map[string]*field{}
		}
		f.properties[key] = child
		child.first = len(t.points)
		t.enum(child.point).values(child, m.Shape(), path)
		t.inside(child, path, child.point, m.Shape(), depth-1)
		child.end = len(t.points)
		f.reach(child.reaches)
	}
	if items := s.Items(); items != schema.Anything {
		f.item = &field{first: len(t.points)}
		t.enum(within).values(f.item, items, name+"[]")
		t.inside(f.item, name+"[]", within, items, depth-1)
		f.item.end = len(t.points)
		f.reach(f.item.reaches)
	}
}

func (t *bodyLayout) enum(within int) *enum { return &enum{t.layout, t.schema, within, t.values} }

// enum lays out the values that the schemas of a shape list, as enum or as const.
type enum struct {
	*layout
	schema *spec.Schema
	within int
	left   *int // remaining values
}

func (e *enum) values(f *field, s *schema.Shape, name string) {
	for _, k := range s.Schemas() {
		switch {
		case k.Enum != nil:
			for i, value := range k.Enum.Values {
				e.value(f, name, value, k, "/enum/"+strconv.Itoa(i))
			}
		case k.Const != nil:
			e.value(f, name, *k.Const, k, "/const")
		}
	}
}

func (e *enum) value(f *field, name string, value any, k *spec.Keywords, pointer string) {
	written := string(jsontext.Append(nil, value))
	into, text := &f.others, written
	switch v := value.(type) {
	case string:
		into, text = &f.texts, v
	case map[string]any, []any:
		return
	}
	if _, known := (*into)[text]; known || *e.left == 0 {
		return
	}
	*e.left--
	if *into == nil {
		*into = map[string]int{}
	}
	node := e.schema.Node(k)
	if node != nil {
		node = cmp.Or(node.At(pointer), node)
	}
	(*into)[text] = e.add(point{kind: KindValue, name: name + " = " + written, within: e.within, node: node})
}
