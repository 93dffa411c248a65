package runner

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
)

// complete fills in what a case leaves open: keys of items that exist, references to them, versions, and the
// user's header fields. It gives the request without credentials. versioned adds the version of its item also
// where the case has none. exists says that all of the path's variables name items that exist; reason says why the
// request must not be sent.
func (t *Tester) complete(ctx context.Context, c *cases.Case, versioned bool) (r exchange.Request, exists bool,
	reason string) {
	r = *c.Request
	r.Header = append(make(exchange.Header, 0, len(c.Request.Header)+2), c.Request.Header...)
	if exists, reason = t.fillPath(ctx, c, &r); reason == "" {
		reason = ownBody(ctx, t, c, &r)
	}
	if reason != "" {
		return r, false, reason
	}
	t.replaceReferences(ctx, c, &r)
	t.setVersion(ctx, c, &r, versioned)
	for name, values := range t.Headers {
		if _, has := r.Header.Get(name); !has {
			for _, value := range values {
				r.Header = append(r.Header, exchange.Field{Name: name, Value: value})
			}
		}
	}
	return r, exists, ""
}

// fillPath fills the path's variables that the case leaves open. It reports whether all of them name items that
// exist, and why the request must not be sent. What changes an item names one that the run created, or none:
// values of the setup are for it where they are given for its operation.
func (t *Tester) fillPath(ctx context.Context, c *cases.Case, r *exchange.Request) (exists bool, reason string) {
	own, variable := t.needsOwn(c), itemVariable(c.Operation)
	open := strings.Contains(r.Path, "{")
	if !open && !own {
		return len(c.Path) == 0, ""
	}
	found := map[string]string{}
	given, exists := t.Setup.variables(c.Operation)
	if own && !t.Setup.namesFor(c.Operation, variable) && variable != "" {
		delete(given, variable)
		exists = false
	}
	if !exists && open {
		var items map[string]string
		items, exists = t.pool.Variables(ctx, c, own)
		maps.Copy(found, items)
	}
	maps.Copy(found, given)
	if own {
		missing := variable != "" && found[variable] == ""
		if reason = ownKey(t, c, found); reason != "" {
			return false, reason
		}
		exists = exists && !missing
	}
	for _, from := range []map[string]string{found, c.Path} {
		for name, text := range from {
			r.Path = strings.ReplaceAll(r.Path, "{"+name+"}", text)
		}
	}
	return exists || !open && len(c.Path) == 0, ""
}

// replaceReferences puts references to other items into a body whose operation
// uses up what it refers to. Items of the pool have their own already.
func (t *Tester) replaceReferences(ctx context.Context, c *cases.Case, r *exchange.Request) {
	target := t.of[c.Operation]
	value, ok := c.Value.(map[string]any)
	if c.Phase == itempool.Phase || target == nil || !ok || !t.pool.Consumes(c.Operation) {
		return
	}
	used := maps.Clone(target.references)
	maps.DeleteFunc(used, func(name string, reference any) bool { return !reflect.DeepEqual(value[name], reference) })
	if len(used) == 0 {
		return
	}
	member := func(name string, value any) []byte {
		return jsontext.Append(append(jsontext.AppendString(nil, name), ':'), value)
	}
	found, _ := t.pool.References(ctx, c.Operation)
	for name, reference := range found {
		if former, ok := used[name]; ok {
			r.Body = bytes.Replace(r.Body, member(name, former), member(name, reference), 1)
		}
	}
}

// setVersion gives a request that names a version of its item, or must name one,
// the current version, unless the case is about that.
func (t *Tester) setVersion(ctx context.Context, c *cases.Case, r *exchange.Request, always bool) {
	b := t.Plan.Of(c.Operation)
	if b == nil || b.Resource == nil || b.Headers.IfMatch == "" || isAbout(c, b.Headers.IfMatch) ||
		!strings.Contains(c.Request.Path, "{") {
		return
	}
	if _, sent := r.Header.Get(b.Headers.IfMatch); !sent && !always {
		return
	}
	at := slices.IndexFunc(b.Resource.Bindings, func(read *resource.Binding) bool {
		return read.Role == resource.Read && read.KeyIn == b.KeyIn && len(read.Scope) == len(b.Scope) &&
			read.Headers.ETag != ""
	})
	if at < 0 {
		return
	}
	read := b.Resource.Bindings[at]
	plain, err := t.builder(read.Operation).Plain(0, nil)
	if err != nil {
		return
	}
	plain.Phase, plain.Title = c.Phase, "the current version"
	plain.Request.Path = r.Path
	if x := t.exchange(ctx, plain, true); x.Succeeded() {
		if tag, ok := x.Response.Header.Get(read.Headers.ETag); ok {
			r.Header.Set(b.Headers.IfMatch, tag)
		}
	}
}

// isAbout reports whether a case is about a header field.
func isAbout(c *cases.Case, field string) bool {
	return slices.Contains(c.Literal, field) || strings.Contains(c.Varied, field) ||
		c.Violation != nil && c.Violation.In == exchange.InHeader && strings.EqualFold(c.Violation.Name, field)
}

// Setup is values that exist at the backend: texts for variables of paths, and values for properties of
// bodies that refer to something. The zero value, and nil, give none.
type Setup struct {
	Values     SetupValues
	Operations map[string]SetupValues // by "METHOD path"; they come before the others
}

// SetupValues are values by name.
type SetupValues struct {
	Path map[string]any // variables of paths
	// Body has properties of bodies, by name, or by path: items.0.sku, items.*.sku.
	Body map[string]any
	// Query, Header and Cookie have parameters. Requests have them also where they are optional.
	Query, Header, Cookie map[string]any
}

// maxSetup is the largest setup file that is read, in bytes.
const maxSetup = 1 << 20

// LoadSetup reads a setup file, in YAML or JSON:
//
//	path: {ownerId: 7}
//	query: {tenant: acme}
//	body: {warehouse: "north", items.*.sku: "A-1"}
//	operations:
//	  DELETE /plants/{id}: {path: {id: 12}}
//
// The findings say where it is not of this form, and which of its names the contract does not have.
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
	r := setupReader{contract: c, findings: found}
	s := &Setup{Operations: map[string]SetupValues{}}
	s.Values = r.values(root, s.Operations)
	return s, r.findings, nil
}

// setupReader reads a setup file.
type setupReader struct {
	contract *spec.Contract
	findings []exchange.Finding
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

// namesIn gives the names of all parameters in a part of requests.
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
	if n.Kind != tree.Object {
		r.report(n.Place(), "an object with path, query, header, cookie or body is wanted")
		return v
	}
	for _, m := range n.Members {
		switch {
		case m.Name == "path":
			v.Path = r.object(m.Value, r.namesIn(exchange.InPath), "the values of paths")
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
	if n.Kind != tree.Object {
		r.report(n.Place(), "%s are an object of names and values", what)
		return all
	}
	for _, m := range n.Members {
		if known != nil && !slices.Contains(known, m.Name) {
			r.report(n.PlaceOf(m.Name), "the document has no parameter %q there%s", m.Name, nearest.Hint(m.Name, known))
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

// namesFor reports whether the setup has a variable for this very operation.
func (s *Setup) namesFor(o *spec.Operation, variable string) bool {
	_, names := s.Operations[findings.OperationName(o)].Path[variable]
	return names
}

// give has a builder's requests send the parameters that the setup has.
func (s *Setup) give(b *cases.Builder, o *spec.Operation) {
	for _, v := range []SetupValues{s.Values, s.Operations[findings.OperationName(o)]} {
		b.Give(exchange.InQuery, v.Query)
		b.Give(exchange.InHeader, v.Header)
		b.Give(exchange.InCookie, v.Cookie)
	}
}

// properties gives the values of body properties that the setup has, beside those that were found.
func (s *Setup) properties(o *spec.Operation, found map[string]any) map[string]any {
	all := map[string]any{}
	for _, from := range []map[string]any{found, s.Values.Body, s.Operations[findings.OperationName(o)].Body} {
		maps.Copy(all, from)
	}
	return all
}
