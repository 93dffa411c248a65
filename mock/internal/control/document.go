package control

import (
	"bytes"
	"context"
	_ "embed" // openapi.yaml
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Document is the control API's own OpenAPI document.
//
//go:embed openapi.yaml
var Document []byte

// described is the document compiled.
type described struct {
	contract   *spec.Contract
	router     *route.Router
	operations map[*spec.Operation]*validate.Operation
}

// document compiles the document when the first request needs it.
var document = sync.OnceValues(func() (*described, error) {
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: Document})
	if err != nil {
		return nil, err
	}
	d := &described{c, route.New(c), map[*spec.Operation]*validate.Operation{}}
	for _, op := range c.Operations {
		d.operations[op] = validate.New(op)
	}
	return d, nil
})

// Contract is the compiled document of the control API.
func Contract() (*spec.Contract, error) {
	d, err := document()
	if err != nil {
		return nil, err
	}
	return d.contract, nil
}

// call is a request that the document allows.
type call struct {
	operation *spec.Operation
	request   *exchange.Request
	decode.Values
}

// text gives a parameter of the query, "" where it was not sent.
func (c *call) text(name string) string {
	text, _ := c.Query[name].(string)
	return text
}

// number gives an integer that the document has bounded.
func number(value any, otherwise int) int {
	n, ok := value.(json.Number)
	if !ok {
		return otherwise
	}
	i, err := n.Int64()
	if err != nil {
		return otherwise
	}
	return int(i)
}

// described answers a request that the document describes, and says what is
// wrong with any other.
func (h *Handler) described(r *exchange.Request) Answer {
	d, err := document()
	if err != nil {
		return problem(500, err.Error())
	}
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	var m route.Match
	switch d.router.Find(method, r.Path, r.Query, &m) {
	case route.NotFound:
		return d.unknown(r)
	case route.MethodNotAllowed:
		return d.notAllowed(r)
	}
	c := &call{operation: m.Operation, request: typedFor(m.Operation, r)}
	v := d.operations[m.Operation]
	values, findings := v.Request(c.request, m.Values)
	c.Values = values
	if findings = append(findings, v.Unknown(r)...); len(findings) > 0 {
		return invalid(400, findings)
	}
	return handlers[m.Operation.ID](h, c)
}

// typedFor takes the body of a request that does not say what it is, or says
// what curl says by itself, for what the operation asks for first.
func typedFor(o *spec.Operation, r *exchange.Request) *exchange.Request {
	if kind, ok := r.Header.Get("Content-Type"); len(r.Body) == 0 || ok && kind != "application/x-www-form-urlencoded" || o.Body == nil {
		return r
	}
	typed := *r
	typed.Header = slices.Clone(r.Header)
	typed.Header.Set("Content-Type", o.Body.Content[0].Range)
	return &typed
}

func (d *described) unknown(r *exchange.Request) Answer {
	detail := "the control API has no such path"
	if near := d.router.Nearest(r.Method, r.Path); near != nil {
		detail += "; did you mean " + near.Method + " " + near.Path + "?"
	}
	return problem(404, detail+" ("+Prefix+"openapi.yaml describes all there are)")
}

func (d *described) notAllowed(r *exchange.Request) Answer {
	methods := d.router.Allowed(r.Path)
	if slices.Contains(methods, http.MethodGet) {
		methods = append(methods, http.MethodHead)
		slices.Sort(methods)
	}
	allow := strings.Join(methods, ", ")
	a := problem(405, "the method "+r.Method+" is not for this path; use "+allow)
	a.Header.Set("Allow", allow)
	return a
}

// invalid says what is wrong with a request.
func invalid(status int, findings []exchange.Finding) Answer {
	errors := make([]any, len(findings))
	for i, f := range findings {
		details := map[string]any{"code": f.Code, "detail": f.String()}
		switch {
		case f.In == exchange.InBody:
			details["pointer"] = "#" + f.Pointer
		case f.Name != "":
			details["parameter"] = f.Name
		case f.In == "" && f.Document.Line > 0:
			details["file"], details["line"], details["column"] = f.Document.File, f.Document.Line, f.Document.Column
		}
		errors[i] = details
	}
	return problemWith(status, exchange.Join(findings), map[string]any{"errors": errors})
}

// compact writes a value as one line of JSON, without escapes that only HTML
// needs.
func compact(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
