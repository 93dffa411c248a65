package coverage

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	maxDepth  = 5   // of properties inside each other
	maxPoints = 500 // of one body, and values of one enum
)

// The kinds of points.
const (
	KindOperation        = "operation"
	KindParameter        = "parameter"
	KindValue            = "value" // of an enum
	KindMediaType        = "media type"
	KindStatus           = "status"
	KindRequestProperty  = "request property"
	KindResponseProperty = "response property"
)

// kinds is their order in reports.
var kinds = []string{KindOperation, KindParameter, KindValue, KindMediaType, KindStatus, KindRequestProperty, KindResponseProperty}

// point is one thing that can be used.
type point struct {
	kind  string
	name  string
	place exchange.Place
	node  *spec.Node // has the place, for reports to ask; nil where place has it
}

// layout is what of an operation can be used. The point 0 is the operation
// itself.
type layout struct {
	points     []point
	parameters []*field // of Operation.Parameters, in their order; nil for one that means nothing
	request    map[*spec.MediaType]*body
	responses  map[*spec.Response]*response
}

type response struct {
	status  int
	content []*body
}

// body is one media type of a request or response.
type body struct {
	*spec.MediaType
	kind        string // "application/json"
	media       int
	first, last int    // the points inside, last excluded
	root        *field // nil where nothing inside is known
}

// field is a parameter, a property or an array's item, with what is inside.
type field struct {
	point      int            // 0 for what is none itself
	texts      map[string]int // values of an enum that are strings
	others     map[string]int // numbers, booleans and null, as JSON writes them
	properties map[string]*field
	item       *field // of an array
}

// lay gives what the operation has, laid out when it is first asked for.
func (o *operation) lay() *layout {
	o.once.Do(func() {
		l := &layout{request: map[*spec.MediaType]*body{}, responses: map[*spec.Response]*response{}}
		l.add(KindOperation, o.Method+" "+o.Path, o.Place)
		for _, p := range o.Parameters {
			l.parameters = append(l.parameters, l.parameter(p))
		}
		if o.Body != nil {
			for _, media := range o.Body.Content {
				l.request[media] = l.body(KindRequestProperty, "request", media)
			}
		}
		for _, r := range o.Responses {
			at := &response{status: l.add(KindStatus, r.Status, r.Place)}
			for _, media := range r.Content {
				at.content = append(at.content, l.body(KindResponseProperty, r.Status, media))
			}
			l.responses[r] = at
		}
		o.total, o.seen = make(counters, len(l.points)), newBits(len(l.points))
		o.laid = l
	})
	return o.laid
}

func (l *layout) add(kind, name string, place exchange.Place) int {
	l.points = append(l.points, point{kind: kind, name: name, place: place})
	return len(l.points) - 1
}

func (l *layout) addNode(kind, name string, node *spec.Node) int {
	l.points = append(l.points, point{kind: kind, name: name, node: node})
	return len(l.points) - 1
}

// parameter lays out a parameter; nil for a header whose definition is to be
// ignored (OpenAPI 3.1 section 4.8.12.2.1).
func (l *layout) parameter(p *spec.Parameter) *field {
	if p.In == exchange.InHeader {
		switch strings.ToLower(p.Name) {
		case "accept", "content-type", "authorization":
			return nil
		}
	}
	name := p.In + "." + p.Name
	f := &field{point: l.add(KindParameter, name, p.Place)}
	schema := p.Schema
	if p.Content != nil {
		schema = p.Content.Schema
	}
	if schema == nil {
		return f
	}
	l.enum(f, schema, schema.Keywords, name)
	if items := itemsOf(schema.Keywords); items != nil {
		f.item = &field{}
		l.enum(f.item, schema, items, name+"[]")
	}
	return f
}

// body lays out a media type and, of a response only where it is JSON, the
// properties.
func (l *layout) body(kind, name string, media *spec.MediaType) *body {
	b := &body{MediaType: media, kind: media.Type + "/" + media.Subtype}
	b.media = l.add(KindMediaType, name+" "+media.Range, media.Place)
	b.first = len(l.points)
	if s := media.Schema; s != nil && (kind == KindRequestProperty || media.IsJSON()) {
		b.root = &field{}
		left := maxPoints
		l.inside(b.root, kind, name, s, s.Keywords, maxDepth, &left)
	}
	b.last = len(l.points)
	return b
}

// inside lays out the properties of a schema, without those that never travel
// this way.
func (l *layout) inside(f *field, kind, name string, s *spec.Schema, k *spec.Keywords, depth int, left *int) {
	if depth == 0 {
		return
	}
	inner := &spec.Schema{Keywords: k}
	properties := inner.Properties()
	for _, key := range slices.Sorted(maps.Keys(properties)) {
		property := properties[key]
		if kind == KindRequestProperty && oneWay(property, readOnly) || kind == KindResponseProperty && oneWay(property, writeOnly) {
			continue
		}
		if *left--; *left < 0 {
			return
		}
		path := name + "." + key
		child := &field{point: l.addNode(kind, path, s.Node(property))}
		l.enum(child, s, property, path)
		if f.properties == nil {
			f.properties = map[string]*field{}
		}
		f.properties[key] = child
		l.inside(child, kind, path, s, property, depth-1, left)
	}
	if items := itemsOf(k); items != nil {
		f.item = &field{}
		l.enum(f.item, s, items, name+"[]")
		l.inside(f.item, kind, name+"[]", s, items, depth-1, left)
	}
}

func readOnly(k *spec.Keywords) bool  { return k.ReadOnly }
func writeOnly(k *spec.Keywords) bool { return k.WriteOnly }

// oneWay reports whether a schema says so, through references.
func oneWay(k *spec.Keywords, says func(*spec.Keywords) bool) bool {
	for range maxDepth {
		if k == nil {
			return false
		}
		if says(k) {
			return true
		}
		k = k.Ref
	}
	return false
}

// itemsOf gives the schema of an array's items, through references.
func itemsOf(k *spec.Keywords) *spec.Keywords {
	for range maxDepth {
		switch {
		case k == nil:
			return nil
		case k.Items2020 != nil:
			return k.Items2020
		}
		k = k.Ref
	}
	return nil
}

// enum lays out the values of an enum and those that alternatives give as const
// or enum.
func (l *layout) enum(f *field, s *spec.Schema, k *spec.Keywords, name string) {
	left := maxPoints
	l.values(f, s, k, name, maxDepth, &left)
}

func (l *layout) values(f *field, s *spec.Schema, k *spec.Keywords, name string, depth int, left *int) {
	if k == nil || depth == 0 {
		return
	}
	if k.Enum != nil {
		node := s.Node(k)
		for i, value := range k.Enum.Values {
			at := node
			if node != nil && node.At("/enum/"+strconv.Itoa(i)) != nil {
				at = node.At("/enum/" + strconv.Itoa(i))
			}
			l.oneValue(f, name, value, at, left)
		}
		return
	}
	if k.Const != nil {
		at := s.Node(k)
		if at != nil && at.Get("const") != nil {
			at = at.Get("const")
		}
		l.oneValue(f, name, *k.Const, at, left)
		return
	}
	l.values(f, s, k.Ref, name, depth-1, left)
	for _, parts := range [][]*spec.Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, part := range parts {
			l.values(f, s, part, name, depth-1, left)
		}
	}
}

func (l *layout) oneValue(f *field, name string, value any, at *spec.Node, left *int) {
	into, text := &f.others, ""
	switch v := value.(type) {
	case string:
		into, text = &f.texts, v
	case map[string]any, []any:
		return
	default:
		text = string(jsontext.Append(nil, v))
	}
	if _, known := (*into)[text]; known || *left == 0 {
		return
	}
	*left--
	if *into == nil {
		*into = map[string]int{}
	}
	(*into)[text] = l.addNode(KindValue, name+" = "+string(jsontext.Append(nil, value)), at)
}
