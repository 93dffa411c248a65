package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// requestOptions says how a request is made.
type requestOptions struct {
	seed    string         // another one makes other values
	have    map[string]any // what the body keeps
	body    any            // instead of one that is made
	query   map[*spec.Parameter]any
	missing bool // the item is not there
}

// answer is what came of a request.
type answer struct {
	values   decode.Values // of the request, as the contract reads it
	response *exchange.Response
	body     any    // of a documented JSON answer
	wrong    string // why the answer is not as the document says
}

func (a *answer) text() string { return string(a.response.Body[:min(300, len(a.response.Body))]) }

var errOther = errors.New("another operation of the same method and path answers the request")

// answering returns the operation that a request fits best of those which its method and path do not tell from o.
func (s *mockServer) answering(o *operation, r *exchange.Request, path []string) *spec.Operation {
	var all []*validate.Validator
	for _, other := range o.Alternatives {
		all = append(all, s.operation(other).validator)
	}
	if all == nil {
		return o.Operation
	}
	return validate.Fitting(r, path, all)[0]
}

// impossibleRequest reports whether no conforming request can be made, or none that is not another operation's.
func impossibleRequest(err error) bool {
	var impossible *generate.Error
	return errors.As(err, &impossible) || errors.Is(err, errOther)
}

// ask sends a request in the trip's session and holds the answer to the
// contract.
func (t *lifecycle) ask(b *resource.Binding, how requestOptions) (*answer, error) {
	o := t.operation(b.Operation)
	if err := t.parents(b); err != nil {
		return nil, err
	}
	builder := o.builder(t.fill)
	r, err := builder.ValidWith(generate.NewKey(1, how.seed, b.Operation.ID), how.have)
	if err != nil {
		return nil, err
	}
	if how.body != nil {
		if err := builder.SetBody(r, how.body); err != nil {
			return nil, err
		}
	}
	path, err := t.place(b, r)
	if err != nil {
		return nil, err
	}
	for p, value := range how.query {
		text, err := decode.Encode(p, value)
		if err != nil {
			return nil, err
		}
		r.Query = withoutQuery(r.Query, p.Name)
		request.Place(r, p, text)
	}
	conditions(b, r)
	if b.Media != nil {
		r.Header.Set("Accept", b.Media.Concrete())
	}
	a := &answer{}
	var findings []exchange.Finding
	if a.values, findings = o.validator.Request(r, path); len(findings) > 0 {
		return nil, fmt.Errorf("the request does not conform: %s %s %s", r.Path, exchange.Join(findings),
			r.Body[:min(300, len(r.Body))])
	}
	if other := t.answering(o, r, path); other != b.Operation {
		return nil, errOther
	}
	if a.response, err = t.send(r); err != nil {
		return nil, err
	}
	checkAnswer(o, b, how, a, r)
	return a, nil
}

func checkAnswer(o *operation, b *resource.Binding, how requestOptions, a *answer, r *exchange.Request) {
	described := fmt.Sprintf("%s %s?%s %s → %d %s", r.Method, r.Path, r.Query, r.Body[:min(300, len(r.Body))],
		a.response.Status, a.text())
	switch {
	case how.missing && a.response.Status != missingStatus(o):
		a.wrong = fmt.Sprintf("it is still there: %s", described)
		return
	case !how.missing && a.response.Status/100 != 2 && !documentedSuccess(o.Operation, a.response.Status):
		a.wrong = described
		return
	}
	documented := o.Response(a.response.Status)
	if documented == nil {
		if !how.missing && len(o.Responses) > 0 {
			a.wrong = "undocumented status: " + described
		}
		return
	}
	if findings := o.validator.Response(r.Method, a.response); len(findings) > 0 {
		a.wrong = "the answer does not conform: " + exchange.Join(findings) + ": " + described
		return
	}
	if !how.missing && documented == b.Success && b.Media != nil && len(a.response.Body) > 0 {
		a.body, _ = jsontext.Decode(string(a.response.Body))
	}
}

// documentedSuccess reports whether a status is that of a success where the
// document has no 2xx.
func documentedSuccess(o *spec.Operation, status int) bool {
	return o.Response(status) != nil && !slices.ContainsFunc(o.Responses,
		func(r *spec.Response) bool { return r.Status[0] == '2' || r.Status == "default" })
}

// place writes the path. It returns the values of its variables, in order.
func (t *lifecycle) place(b *resource.Binding, r *exchange.Request) ([]string, error) {
	r.Path = b.Operation.Template()
	byName := map[string]string{}
	for _, p := range b.Operation.Parameters {
		if p.In == exchange.InQuery && b.KeyIn == resource.InQuery && p.Name == b.Variable {
			text, err := decode.Encode(p, convert(t.keys[t.resource], p))
			if err != nil {
				return nil, err
			}
			r.Query = withoutQuery(r.Query, p.Name)
			request.Place(r, p, text)
		}
		if p.In != exchange.InPath {
			continue
		}
		value, err := t.variable(b, p)
		if err != nil {
			return nil, err
		}
		text, err := decode.Encode(p, convert(value, p))
		if err != nil {
			return nil, err
		}
		byName[p.Name] = text
		r.Path = strings.ReplaceAll(r.Path, "{"+p.Name+"}", text)
	}
	var path []string
	for _, name := range b.Operation.Variables() {
		path = append(path, byName[name])
	}
	return path, nil
}

// variable returns the value of a path's variable.
func (t *lifecycle) variable(b *resource.Binding, p *spec.Parameter) (any, error) {
	if b.KeyIn == resource.InPath && p.Name == b.Variable {
		if b.Lookup != nil && b.Resource == t.resource {
			if value := t.lookup(b); value != nil {
				return value, nil
			}
		}
		if key := t.keys[b.Resource]; key != nil {
			return key, nil
		}
		value, err := generateValue(p)
		t.keys[b.Resource] = value
		return value, err
	}
	for i, v := range b.Scope {
		if v.Name != p.Name {
			continue
		}
		if t.resource.Scoped && t.sameScope(b) && t.scope[i] != nil {
			return t.scope[i], nil
		}
		if value := t.itemValue(v); value != nil && b.Resource == t.resource && !t.namedVariables[v.Name] &&
			!t.nestedParents[v.Parent] {
			return value, nil
		}
		if v.Parent == nil {
			continue
		}
		if key := t.keys[v.Parent]; key != nil {
			return key, nil
		}
		value, err := generateValue(p)
		t.keys[v.Parent] = value
		return value, err
	}
	if value, ok := t.variables[p.Name]; ok {
		return value, nil
	}
	value, err := generateValue(p)
	t.variables[p.Name] = value
	return value, err
}

// generateValue makes a value of a parameter that can be written.
func generateValue(p *spec.Parameter) (any, error) {
	schema := p.Schema
	if schema == nil && p.Content != nil {
		schema = p.Content.Schema
	}
	if schema == nil {
		return "text", nil
	}
	const attempts = 20
	var failed error
	for i := range attempts {
		value, err := generate.New(schema, generate.Options{}).Value(generate.NewKey(uint64(i), p.In, p.Name))
		if err != nil {
			return nil, err
		}
		if text, err := decode.Encode(p, value); err == nil && text != "" {
			return value, nil
		} else {
			failed = err
		}
	}
	return nil, failed
}

// convert returns a value as a parameter takes it: a number may be a text, a text a
// number.
func convert(value any, p *spec.Parameter) any {
	if p.Schema == nil || spec.Conforms(p.Schema.Keywords, value) {
		return value
	}
	text, ok := jsonvalue.Text(value)
	if !ok {
		return value
	}
	if spec.Conforms(p.Schema.Keywords, text) {
		return text
	}
	if typed, err := jsontext.Decode(text); err == nil && spec.Conforms(p.Schema.Keywords, typed) {
		return typed
	}
	return value
}

// conditions lets a request that must have a precondition name any version, and
// leaves out that the item may be known already.
func conditions(b *resource.Binding, r *exchange.Request) {
	if h := b.Headers; h.IfMatch != "" {
		if _, ok := r.Header.Get(h.IfMatch); ok {
			r.Header.Set(h.IfMatch, "*")
		}
	}
}

// withoutQuery takes a parameter's pairs out of a query.
func withoutQuery(query, name string) string {
	if query == "" {
		return ""
	}
	return strings.Join(slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		key, _, _ := strings.Cut(pair, "=")
		return key == name || strings.HasPrefix(key, name+"[") || strings.HasPrefix(key, name+"%5B")
	}), "&")
}
