package spec

import (
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
)

// model has kin-openapi load the clean tree. Schemas and examples are left out of what it is given: they are compiled
// from the tree (schema.go), and on GitHub's document they are nine tenths of the bytes, of kin-openapi's time and of
// its memory.
func (n *normalized) model() (*openapi3.T, error) {
	w := modelWriter{shared: n.shared, names: map[*tree.Node]string{}}
	document := w.fields(documentShape, n.root)
	document["components"] = w.components(n.root.Get("components").Get("securitySchemes"))
	return openapi3.NewLoader().LoadFromData(jsontext.Append(nil, document))
}

// modelWriter gives a clean tree as JSON values, what references led to once, under components.
type modelWriter struct {
	shared  map[*tree.Node]*shape
	names   map[*tree.Node]string // of shared nodes that were met
	pending []*tree.Node          // those whose component is not written yet
	within  int                   // how many callbacks and webhooks are being written inside each other
}

// modelComponents are the sections of components that kin-openapi knows.
var modelComponents = []string{"responses", "parameters", "requestBodies", "headers", "links", "callbacks"}

func (w *modelWriter) components(schemes *tree.Node) map[string]any {
	sections := map[string]any{}
	if schemes != nil {
		sections["securitySchemes"] = w.value(componentsShape.field("securitySchemes"), schemes)
	}
	for ; len(w.pending) > 0; w.pending = w.pending[1:] { // writing one may add others
		n := w.pending[0]
		s := w.shared[n]
		section, ok := sections[s.component].(map[string]any)
		if !ok {
			section = map[string]any{}
			sections[s.component] = section
		}
		w.within = 0
		if s == callbackShape {
			w.within = 1
		}
		section[w.names[n]] = w.fields(s, n)
	}
	return sections
}

func (w *modelWriter) fields(s *shape, n *tree.Node) map[string]any {
	fields := map[string]any{}
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
		fields[member.Name] = w.value(f, member.Value)
		if outgoing {
			w.within--
		}
	}
	return fields
}

func (w *modelWriter) value(f *field, n *tree.Node) any {
	switch f.form {
	case formObject:
		return w.object(f.shape, n)
	case formList:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = w.object(f.shape, item)
		}
		return items
	case formMap:
		values := make(map[string]any, len(n.Members))
		for _, member := range n.Members {
			values[member.Name] = w.object(f.shape, member.Value)
		}
		return values
	}
	return n.Value()
}

// object gives n as the model needs it: nothing of a schema, and a reference to what others refer to as well.
func (w *modelWriter) object(s *shape, n *tree.Node) any {
	if s == schemaShape {
		return map[string]any{}
	}
	if w.shared[n] == nil || !slices.Contains(modelComponents, s.component) {
		return w.fields(s, n)
	}
	name, ok := w.names[n]
	if !ok {
		name = "r" + strconv.Itoa(len(w.names))
		w.names[n] = name
		w.pending = append(w.pending, n)
	}
	return map[string]any{"$ref": "#/components/" + s.component + "/" + name}
}
