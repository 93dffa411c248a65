package contracts

import (
	"fmt"
	"net/url"
	"os"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// Setup is values that exist at the backend: texts for variables of paths, and
// values for properties of bodies that refer to something. The zero value, and
// nil, give none.
type Setup struct {
	Values     SetupValues
	Operations map[string]SetupValues // by "METHOD path" or operationId; they come before the others
}

// SetupValues are values by name.
type SetupValues struct {
	Path map[string]any // variables of paths
	Body map[string]any // properties of bodies
}

// maxSetup is the largest setup file that is read, in bytes.
const maxSetup = 1 << 20

// LoadSetup reads a setup file, in YAML or JSON:
//
//	path: {ownerId: 7}
//	body: {warehouse: "north"}
//	operations:
//	  DELETE /plants/{id}: {path: {id: 12}}
//
// The findings say where it is not of this form, and which of its names the
// contract does not know.
func LoadSetup(file string, c *spec.Contract) (*Setup, []exchange.Finding, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, nil, err
	}
	if info.Size() > maxSetup {
		return nil, nil, fmt.Errorf("%s: %d bytes; a setup file has at most %d", file, info.Size(), maxSetup)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	root, findings, err := tree.Read(file, text)
	if err != nil {
		return nil, nil, err
	}
	s := &Setup{Operations: map[string]SetupValues{}}
	bad := func(place exchange.Place, format string, args ...any) {
		findings = append(findings, exchange.Finding{Code: "setup", Message: fmt.Sprintf(format, args...), Document: place})
	}
	names := make([]string, 0, 2*len(c.Operations))
	variables := map[string]bool{}
	for _, o := range c.Operations {
		names = append(names, nameOf(o), o.ID)
		for _, p := range o.Parameters {
			if p.In == exchange.InPath {
				variables[p.Name] = true
			}
		}
	}
	values := func(n *tree.Node, known map[string]bool, what string) map[string]any {
		all := map[string]any{}
		if n.Kind != tree.Object {
			bad(n.Place(), "%s are an object of names and values", what)
			return all
		}
		for _, m := range n.Members {
			if known != nil && !known[m.Name] {
				bad(n.PlaceOf(m.Name), "no path of the document has a variable %q%s", m.Name, nearest.Hint(m.Name, keys(known)))
			}
			all[m.Name] = m.Value.Value()
		}
		return all
	}
	read := func(n *tree.Node, to *SetupValues, more func(tree.Member) bool) {
		if n.Kind != tree.Object {
			bad(n.Place(), "an object with path and body is wanted")
			return
		}
		for _, m := range n.Members {
			switch {
			case m.Name == "path":
				to.Path = values(m.Value, variables, "the values of paths")
			case m.Name == "body":
				to.Body = values(m.Value, nil, "the values of bodies")
			case !more(m):
				bad(n.PlaceOf(m.Name), "%q is unknown%s", m.Name, nearest.Hint(m.Name, []string{"path", "body", "operations"}))
			}
		}
	}
	none := func(tree.Member) bool { return false }
	read(root, &s.Values, func(m tree.Member) bool {
		if m.Name != "operations" {
			return false
		}
		if m.Value.Kind != tree.Object {
			bad(m.Value.Place(), "the operations are an object of operations and values")
		}
		for _, member := range m.Value.Members {
			o := c.Operation(member.Name)
			if o == nil {
				bad(m.Value.PlaceOf(member.Name), "the document has no operation %q%s", member.Name, nearest.Hint(member.Name, names))
				continue
			}
			var v SetupValues
			read(member.Value, &v, none)
			s.Operations[nameOf(o)] = v
		}
		return true
	})
	return s, findings, nil
}

func keys(of map[string]bool) []string {
	all := make([]string, 0, len(of))
	for name := range of {
		all = append(all, name)
	}
	return all
}

// variables gives the texts of an operation's path variables that the setup
// knows, and whether it knows all of them.
func (s *Setup) variables(o *spec.Operation) (texts map[string]string, all bool) {
	texts = map[string]string{}
	if s == nil {
		return texts, false
	}
	all = true
	for _, p := range o.Parameters {
		if p.In != exchange.InPath {
			continue
		}
		value, ok := s.Operations[nameOf(o)].Path[p.Name]
		if !ok {
			if value, ok = s.Values.Path[p.Name]; !ok {
				all = false
				continue
			}
		}
		texts[p.Name] = url.PathEscape(fmt.Sprint(value))
	}
	return texts, all && len(texts) > 0
}

// properties gives the values of body properties that the setup knows, beside
// those that were found.
func (s *Setup) properties(o *spec.Operation, found map[string]any) map[string]any {
	if s == nil {
		return found
	}
	all := map[string]any{}
	for _, from := range []map[string]any{found, s.Values.Body, s.Operations[nameOf(o)].Body} {
		for name, value := range from {
			all[name] = value
		}
	}
	return all
}
