package runner

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"

	"github.com/coldframe/coldframe/contracts/internal/findings"
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
	Operations map[string]SetupValues // by "METHOD path"; they come before the others
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
// contract does not have.
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
	root, found, err := tree.Read(file, text)
	if err != nil {
		return nil, nil, err
	}
	r := setupReader{contract: c, findings: found, variables: []string{}}
	for _, o := range c.Operations {
		for _, p := range o.Parameters {
			if p.In == exchange.InPath {
				r.variables = append(r.variables, p.Name)
			}
		}
	}
	slices.Sort(r.variables)
	r.variables = slices.Compact(r.variables)
	s := &Setup{Operations: map[string]SetupValues{}}
	s.Values = r.values(root, s.Operations)
	return s, r.findings, nil
}

// setupReader reads a setup file.
type setupReader struct {
	contract  *spec.Contract
	variables []string // of all paths, sorted
	findings  []exchange.Finding
}

func (r *setupReader) report(place exchange.Place, format string, args ...any) {
	r.findings = append(r.findings, exchange.Finding{Code: "setup", Message: fmt.Sprintf(format, args...),
		Document: place})
}

func (r *setupReader) operations(n *tree.Node, to map[string]SetupValues) {
	if n.Kind != tree.Object {
		r.report(n.Place(), "the operations are an object of operations and values")
	}
	for _, m := range n.Members {
		o := r.contract.Operation(m.Name)
		if o == nil {
			var names []string
			for _, o := range r.contract.Operations {
				names = append(names, findings.OperationName(o), o.ID)
			}
			r.report(n.PlaceOf(m.Name), "the document has no operation %q%s", m.Name, nearest.Hint(m.Name, names))
			continue
		}
		to[findings.OperationName(o)] = r.values(m.Value, nil)
	}
}

// values reads an object with path and body, and operations unless that is nil.
func (r *setupReader) values(n *tree.Node, operations map[string]SetupValues) (v SetupValues) {
	if n.Kind != tree.Object {
		r.report(n.Place(), "an object with path and body is wanted")
		return v
	}
	for _, m := range n.Members {
		switch {
		case m.Name == "path":
			v.Path = r.object(m.Value, r.variables, "the values of paths")
		case m.Name == "body":
			v.Body = r.object(m.Value, nil, "the values of bodies")
		case m.Name == "operations" && operations != nil:
			r.operations(m.Value, operations)
		default:
			r.report(n.PlaceOf(m.Name), "%q is unknown%s", m.Name, nearest.Hint(m.Name, []string{"path", "body", "operations"}))
		}
	}
	return v
}

// object reads an object of names and values; known nil admits any name.
func (r *setupReader) object(n *tree.Node, known []string, what string) map[string]any {
	all := map[string]any{}
	if n.Kind != tree.Object {
		r.report(n.Place(), "%s are an object of names and values", what)
		return all
	}
	for _, m := range n.Members {
		if known != nil && !slices.Contains(known, m.Name) {
			r.report(n.PlaceOf(m.Name), "no path of the document has a variable %q%s", m.Name, nearest.Hint(m.Name, known))
		}
		all[m.Name] = m.Value.Value()
	}
	return all
}

// variables gives the texts of an operation's path variables that the setup has,
// and whether it has all of them.
func (s *Setup) variables(o *spec.Operation) (texts map[string]string, all bool) {
	texts, all = map[string]string{}, true
	for _, p := range o.Parameters {
		if p.In != exchange.InPath {
			continue
		}
		value, ok := s.Operations[findings.OperationName(o)].Path[p.Name]
		if !ok {
			value, ok = s.Values.Path[p.Name]
		}
		if ok {
			texts[p.Name] = url.PathEscape(fmt.Sprint(value))
		}
		all = all && ok
	}
	return texts, all && len(texts) > 0
}

// properties gives the values of body properties that the setup has, beside those
// that were found.
func (s *Setup) properties(o *spec.Operation, found map[string]any) map[string]any {
	all := map[string]any{}
	for _, from := range []map[string]any{found, s.Values.Body, s.Operations[findings.OperationName(o)].Body} {
		maps.Copy(all, from)
	}
	return all
}
