package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// model has kin-openapi load the clean tree. Schemas and examples are left out
// of what it is given: they are compiled from the tree (schema.go), and on
// GitHub's document they are nine tenths of the bytes, of kin-openapi's time
// and of its memory.
func (n *normalized) model() (*openapi3.T, error) {
	w := modelWriter{shared: n.shared, names: map[*tree.Node]string{}}
	w.fields(documentShape, n.root)
	w.components(n.root.Get("components"))
	return openapi3.NewLoader().LoadFromData(w.text)
}

// modelWriter writes a clean tree as JSON, what references led to once, under
// components.
type modelWriter struct {
	text    []byte
	shared  map[*tree.Node]*shape
	names   map[*tree.Node]string // of shared nodes that were met
	pending []*tree.Node          // those whose component is not written yet
	within  int                   // how many callbacks and webhooks are being written inside each other
}

func (w *modelWriter) key(name string) {
	w.text = append(jsontext.AppendString(w.text, name), ':')
}

// object writes the fields of n that the model needs.
func (w *modelWriter) object(s *shape, n *tree.Node) {
	if w.refer(s, n) {
		return
	}
	w.fields(s, n)
	w.end('}')
}

// fields writes an object without its end.
func (w *modelWriter) fields(s *shape, n *tree.Node) {
	w.text = append(w.text, '{')
	for _, member := range n.Members {
		f := s.field(member.Name)
		if f == nil || !f.model || strings.HasPrefix(member.Name, "x-") {
			continue
		}
		outgoing := f.shape == callbackShape || s == documentShape && f.shape == pathItemShape
		if outgoing && w.within > 0 {
			continue // callbacks of callbacks could be without number
		}
		if outgoing {
			w.within++
		}
		w.key(member.Name)
		w.value(f, member.Value)
		w.text = append(w.text, ',')
		if outgoing {
			w.within--
		}
	}
}

// components ends the document with what references led to.
func (w *modelWriter) components(n *tree.Node) {
	sections := map[string][]byte{}
	for i := 0; i < len(w.pending); i++ { // writing one may add others
		pending := w.pending[i]
		s := w.shared[pending]
		before := w.text
		w.text = sections[s.component]
		w.key(w.names[pending])
		w.within = 0
		if s == callbackShape {
			w.within = 1
		}
		w.fields(s, pending)
		w.end('}')
		sections[s.component] = append(w.text, ',')
		w.text = before
	}
	w.key("components")
	w.text = append(w.text, '{')
	if schemes := n.Get("securitySchemes"); schemes != nil {
		w.key("securitySchemes")
		w.value(componentsShape.field("securitySchemes"), schemes)
		w.text = append(w.text, ',')
	}
	for _, section := range modelComponents {
		if text := sections[section]; text != nil {
			w.key(section)
			w.text = append(append(w.text, '{'), text...)
			w.end('}')
			w.text = append(w.text, ',')
		}
	}
	w.end('}')
	w.text = append(w.text, '}')
}

// end closes an object or array over the comma of its last value.
func (w *modelWriter) end(bracket byte) {
	if last := len(w.text) - 1; w.text[last] == ',' {
		w.text[last] = bracket
		return
	}
	w.text = append(w.text, bracket)
}

// modelComponents are the sections of components that kin-openapi knows.
var modelComponents = []string{"responses", "parameters", "requestBodies", "headers", "links", "callbacks"}

// refer writes a reference for a node that others refer to as well.
func (w *modelWriter) refer(s *shape, n *tree.Node) bool {
	if w.shared[n] == nil || !slices.Contains(modelComponents, s.component) {
		return false
	}
	name, ok := w.names[n]
	if !ok {
		name = "r" + strconv.Itoa(len(w.names))
		w.names[n] = name
		w.pending = append(w.pending, n)
	}
	w.text = append(w.text, `{"$ref":"#/components/`+s.component+"/"+name+`"}`...)
	return true
}

func (w *modelWriter) value(f *field, n *tree.Node) {
	switch f.form {
	case formSchema:
		w.text = append(w.text, "{}"...)
	case formObject:
		w.object(f.shape, n)
	case formList:
		w.text = append(w.text, '[')
		for _, item := range n.Items {
			w.object(f.shape, item)
			w.text = append(w.text, ',')
		}
		w.end(']')
	case formMap:
		w.text = append(w.text, '{')
		for _, member := range n.Members {
			w.key(member.Name)
			w.object(f.shape, member.Value)
			w.text = append(w.text, ',')
		}
		w.end('}')
	default:
		w.text = jsontext.Append(w.text, n.Value())
	}
}
