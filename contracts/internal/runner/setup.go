package runner

import (
	"fmt"
	"net/url"
	"os"
	"slices"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// Setup is values that exist at the backend: texts for variables of paths, and values for properties of
// bodies that refer to something. The zero value and nil have none.
type Setup struct {
	Values     SetupValues
	Operations map[string]SetupValues // by "METHOD path"; they come before the others
}

// SetupValues are values by name. Values of a file may have templates, except in paths: cases.ParseTemplate.
type SetupValues struct {
	Path map[string]any // variables of paths
	// Body has properties of bodies, by name, or by path: items.0.sku, items.*.sku.
	Body map[string]any
	// Query, Header and Cookie have parameters. Requests have them even if they are optional.
	Query, Header, Cookie map[string]any
}

// maxSetup is the largest setup file that is read, in bytes.
const maxSetup = 1 << 20

// LoadSetup reads a setup file, in YAML or JSON:
//
//	path: {ownerId: 7}
//	query: {tenant: acme}
//	body: {warehouse: "north", items.*.sku: "A-1", email: "user-${unique}@example.com"}
//	operations:
//	  DELETE /plants/{id}: {path: {id: 12}}
//
// What is empty counts as absent. now is the time of ${now}. The findings say where the file is not of this form, and
// which of its names the contract does not have.
func LoadSetup(file string, c *spec.Contract, now time.Time) (*Setup, []exchange.Finding, error) {
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
	r := setupReader{contract: c, now: now, findings: found}
	s := &Setup{Operations: map[string]SetupValues{}}
	s.Values = r.values(root, s.Operations)
	return s, r.findings, nil
}

// setupReader reads a setup file.
type setupReader struct {
	contract *spec.Contract
	now      time.Time
	findings []exchange.Finding
}

func (r *setupReader) report(place exchange.Place, format string, args ...any) {
	r.findings = append(r.findings, exchange.Finding{Code: "setup", Message: fmt.Sprintf(format, args...),
		Document: place})
}

func (r *setupReader) operations(n *tree.Node, to map[string]SetupValues) {
	if n.Kind != tree.Object && n.Kind != tree.Null {
		r.report(n.Place(), "the operations are an object of operations and values")
	}
	for _, m := range n.Fields() {
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

// namesIn returns the names of all parameters in a part of requests.
func (r *setupReader) namesIn(part string) []string {
	names := []string{}
	for _, o := range r.contract.Operations {
		for _, p := range o.Parameters {
			if p.In == part {
				names = append(names, p.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// values reads an object with the values of parts of requests, and operations unless that is nil.
func (r *setupReader) values(n *tree.Node, operations map[string]SetupValues) (v SetupValues) {
	known := []string{"path", "query", "header", "cookie", "body", "operations"}
	if n.Kind != tree.Object && n.Kind != tree.Null {
		r.report(n.Place(), "an object with path, query, header, cookie or body is wanted")
		return v
	}
	for _, m := range n.Fields() {
		switch {
		case m.Name == "path":
			v.Path = r.object(m.Value, r.namesIn(exchange.InPath), pathValues)
		case m.Name == "query":
			v.Query = r.object(m.Value, r.namesIn(exchange.InQuery), "the values of queries")
		case m.Name == "header":
			v.Header = r.object(m.Value, r.namesIn(exchange.InHeader), "the values of header fields")
		case m.Name == "cookie":
			v.Cookie = r.object(m.Value, r.namesIn(exchange.InCookie), "the values of cookies")
		case m.Name == "body":
			v.Body = r.object(m.Value, nil, "the values of bodies")
		case m.Name == "operations" && operations != nil:
			r.operations(m.Value, operations)
		default:
			r.report(n.PlaceOf(m.Name), "%q is unknown%s", m.Name, nearest.Hint(m.Name, known))
		}
	}
	return v
}

// object reads an object of names and values; known nil admits any name.
func (r *setupReader) object(n *tree.Node, known []string, what string) map[string]any {
	all := map[string]any{}
	if n.Kind != tree.Object && n.Kind != tree.Null {
		r.report(n.Place(), "%s are an object of names and values", what)
		return all
	}
	for _, m := range n.Fields() {
		if known != nil && !slices.Contains(known, m.Name) {
			r.report(n.PlaceOf(m.Name), "the document has no parameter %q there%s", m.Name, nearest.Hint(m.Name, known))
		}
		all[m.Name] = r.value(m.Value)
		if _, isText := all[m.Name].(string); what == pathValues && !isText && m.Value.Kind == tree.String {
			r.report(m.Value.Place(), "%s name what exists, so that they are the same in every request: ${now} and ${today} "+
				"are the only templates there", what)
		}
	}
	return all
}

// value returns a value with its templates.
func (r *setupReader) value(n *tree.Node) any {
	switch n.Kind {
	case tree.String:
		value, err := cases.ParseTemplate(n.Text, r.now)
		if err != nil {
			r.report(n.Place(), "%v", err)
		}
		return value
	case tree.Array:
		list := []any{}
		for _, item := range n.List() {
			list = append(list, r.value(item))
		}
		return list
	case tree.Object:
		object := map[string]any{}
		for _, m := range n.Fields() {
			object[m.Name] = r.value(m.Value)
		}
		return object
	}
	return n.Value()
}

// pathValues names what cannot have templates.
const pathValues = "the values of paths"

// variables returns the texts of an operation's path variables that the setup has,
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
		if ok = ok && value != nil; ok {
			texts[p.Name] = url.PathEscape(fmt.Sprint(value))
		}
		all = all && ok
	}
	return texts, all && len(texts) > 0
}

// namesFor reports whether the setup has a variable for this very operation.
func (s *Setup) namesFor(o *spec.Operation, variable string) bool {
	_, names := s.Operations[findings.OperationName(o)].Path[variable]
	return names
}

// give sets the parameters and the properties of bodies that a builder's requests send.
func (s *Setup) give(b *cases.Builder, o *spec.Operation) {
	for _, v := range []SetupValues{s.Values, s.Operations[findings.OperationName(o)]} {
		b.SetValues(exchange.InQuery, v.Query)
		b.SetValues(exchange.InHeader, v.Header)
		b.SetValues(exchange.InCookie, v.Cookie)
		b.SetValues(exchange.InBody, v.Body)
	}
}
