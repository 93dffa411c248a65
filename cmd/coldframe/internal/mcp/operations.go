package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/internal/values"
	"github.com/coldframe/coldframe/mock"
)

// ofDocument is the argument of tools that use a document.
type ofDocument struct {
	Document string `json:"document,omitempty" jsonschema:"OpenAPI document: a file, a folder with openapi.yaml, or an allowed URL"`
}

// finding is a finding as tools return it.
type finding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	Where    string `json:"where,omitempty"` // in a request: body.name
	Message  string `json:"message"`
	Document string `json:"document,omitempty"` // openapi.yaml:49:17
	Line     string `json:"line,omitempty"`     // of the document
}

func findingsOf(d *document, all []exchange.Finding) []finding {
	shown := make([]finding, len(all))
	for i, f := range all {
		shown[i] = finding{f.Severity.String(), f.Code, f.Where(), f.Message, f.Document.String(), d.Excerpt(f.Document)}
	}
	return shown
}

func lintDocument(ctx context.Context, c *call, in ofDocument) (answer, error) {
	d, err := c.agent.document(ctx, in.Document)
	if err != nil {
		return answer{}, err
	}
	findings := lint.Document(d.Contract, d.overrides(), values.Overrides(d.Mock.Values.Overrides))
	c.agent.addDocument(d)
	return answer{
		summary: fmt.Sprintf("The document has %s and %s.", exchange.Count(len(d.Operations), "operation"),
			exchange.Count(len(findings), "finding")),
		next: []string{"list_operations", "plan_resources", "start_mock"},
		untrusted: map[string]any{"title": d.Title, "version": d.Version, "openapi": d.OpenAPI, "file": d.File,
			"findings": findingsOf(d, findings)},
	}, nil
}

type listIn struct {
	ofDocument
	Search string `json:"search,omitempty" jsonschema:"words of which each is in the operationId, method, path, summary or tags"`
}

func listOperations(ctx context.Context, c *call, in listIn) (answer, error) {
	d, err := c.agent.document(ctx, in.Document)
	if err != nil {
		return answer{}, err
	}
	type listed struct {
		Request   string   `json:"request"`
		Operation string   `json:"operation,omitempty"`
		Summary   string   `json:"summary,omitempty"`
		Statuses  []string `json:"statuses"`
		Does      string   `json:"does,omitempty"`
	}
	var all []listed
	for _, o := range d.Operations {
		text := strings.ToLower(strings.Join(append([]string{o.ID, o.Method, o.Path, o.Summary}, o.Tags...), " "))
		lacks := func(word string) bool { return !strings.Contains(text, word) }
		if slices.ContainsFunc(strings.Fields(strings.ToLower(in.Search)), lacks) {
			continue
		}
		one := listed{Request: o.Method + " " + o.Path, Summary: o.Summary, Does: does(d, o)}
		if o.ID != one.Request {
			one.Operation = o.ID
		}
		for _, r := range o.Responses {
			one.Statuses = append(one.Statuses, r.Status)
		}
		all = append(all, one)
	}
	return answer{
		summary:   fmt.Sprintf("%d of %s match.", len(all), exchange.Count(len(d.Operations), "operation")),
		next:      []string{"show_operation", "call_operation"},
		untrusted: map[string]any{"operations": all},
	}, nil
}

// does says what an operation does to which resource: "create plants".
func does(d *document, o *spec.Operation) string {
	b := d.plan().Of(o)
	if b == nil || b.Resource == nil {
		return ""
	}
	return fmt.Sprintf("%s %s", b.Role, b.Resource.Name)
}

// operation finds an operation by operationId or METHOD path.
func (d *document) operation(name string) (*spec.Operation, error) {
	if o := d.Operation(name); o != nil {
		return o, nil
	}
	return nil, saying("The document has no such operation; list_operations lists them, with operationIds.")
}

type showIn struct {
	ofDocument
	Operation string `json:"operation" jsonschema:"operationId or METHOD path of the document"`
}

func showOperation(ctx context.Context, c *call, in showIn) (answer, error) {
	d, err := c.agent.document(ctx, in.Document)
	if err != nil {
		return answer{}, err
	}
	o, err := d.operation(in.Operation)
	if err != nil {
		return answer{}, err
	}
	return answer{
		summary:   "The operation, its schemas with references resolved, and a valid request.",
		next:      []string{"call_operation"},
		untrusted: d.describe(o),
	}, nil
}

// describe returns everything about an operation.
func (d *document) describe(o *spec.Operation) any {
	type parameter struct {
		In          string          `json:"in"`
		Name        string          `json:"name"`
		Required    bool            `json:"required,omitempty"`
		Description string          `json:"description,omitempty"`
		Schema      json.RawMessage `json:"schema,omitempty"`
	}
	type body struct {
		MediaType string          `json:"mediaType"`
		Schema    json.RawMessage `json:"schema,omitempty"`
	}
	type response struct {
		Status      string   `json:"status"`
		Description string   `json:"description,omitempty"`
		Bodies      []body   `json:"bodies,omitempty"`
		Headers     []string `json:"headers,omitempty"`
	}
	bodies := func(content []*spec.MediaType) (all []body) {
		for _, m := range content {
			all = append(all, body{m.Range, schemaOf(m.Schema)})
		}
		return all
	}
	all := struct {
		Request     string      `json:"request"`
		Operation   string      `json:"operation"`
		Summary     string      `json:"summary,omitempty"`
		Description string      `json:"description,omitempty"`
		Document    string      `json:"document"`
		Does        string      `json:"does,omitempty"`
		Security    []string    `json:"security,omitempty"`
		Sample      any         `json:"sample,omitempty"`
		Parameters  []parameter `json:"parameters,omitempty"`
		Body        []body      `json:"body,omitempty"`
		Required    bool        `json:"bodyRequired,omitempty"`
		Responses   []response  `json:"responses"`
	}{
		Request: o.Method + " " + o.Path, Operation: o.ID, Summary: o.Summary, Description: o.Description,
		Document: o.Place.String(), Does: does(d, o),
	}
	for _, requirement := range o.Security {
		var schemes []string
		for _, need := range requirement {
			schemes = append(schemes, strings.Join(append([]string{need.Scheme.Key}, need.Scopes...), " "))
		}
		all.Security = append(all.Security, cmp.Or(strings.Join(schemes, " and "), "none"))
	}
	for _, p := range o.Parameters {
		all.Parameters = append(all.Parameters, parameter{p.In, p.Name, p.Required, p.Description, schemaOf(p.ValueSchema())})
	}
	if o.Body != nil {
		all.Body, all.Required = bodies(o.Body.Content), o.Body.Required
	}
	for _, r := range o.Responses {
		one := response{Status: r.Status, Description: r.Description, Bodies: bodies(r.Content)}
		for _, h := range r.Headers {
			one.Headers = append(one.Headers, h.Name)
		}
		all.Responses = append(all.Responses, one)
	}
	if sample, err := build(o, nil, nil); err == nil {
		all.Sample = shown(sample)
	}
	return all
}

// schemaOf returns a schema with its references resolved; nil for none.
func schemaOf(s *spec.Schema) json.RawMessage {
	if s == nil {
		return nil
	}
	return s.Inline()
}

// transportFields are fields that say nothing of what a request means.
var transportFields = []string{"accept-encoding", "coldframe-session", "content-length", "host", "user-agent"}

// sent is a request as tools return it.
type sent struct {
	Method  string            `json:"method"`
	Target  string            `json:"target"` // path and query
	Headers map[string]string `json:"headers,omitempty"`
	Body    any               `json:"body,omitempty"`
}

func target(r *exchange.Request) string {
	if r.Query == "" {
		return r.Path
	}
	return r.Path + "?" + r.Query
}

func shown(r *exchange.Request) sent {
	contentType, _ := r.Header.Get("Content-Type")
	headers := r.Header.Joined()
	maps.DeleteFunc(headers, func(name, _ string) bool {
		return slices.Contains(transportFields, name)
	})
	return sent{r.Method, target(r), headers, jsontext.DecodeBody(contentType, r.Body)}
}

// request returns a request to an operation with some parameters and a body; what is missing is generated.
func (d *document) request(name string, parameters map[string]any, body any) (*exchange.Request, error) {
	o, err := d.operation(name)
	if err != nil {
		return nil, err
	}
	given := map[*spec.Parameter]any{}
	for name, value := range parameters {
		i := slices.IndexFunc(o.Parameters, func(p *spec.Parameter) bool { return p.Name == name })
		if i < 0 {
			return nil, saying("The operation has no parameter of one of these names; show_operation lists them.")
		}
		given[o.Parameters[i]] = value
	}
	return build(o, given, func(b *request.Builder, r *exchange.Request) error {
		if body == nil || b.Media() == nil {
			return nil
		}
		return b.SetBody(r, body)
	})
}

// build returns a request with the given values of parameters. change, if any, changes its generated body.
func build(
	o *spec.Operation, given map[*spec.Parameter]any, change func(*request.Builder, *exchange.Request) error,
) (*exchange.Request, error) {
	rest := *o
	rest.Parameters = slices.DeleteFunc(slices.Clone(o.Parameters), func(p *spec.Parameter) bool {
		_, ok := given[p]
		return ok
	})
	b := request.New(&rest, generate.Options{Fill: "required", Examples: true})
	r, err := b.Valid(generate.NewKey(0, "sample", o.ID))
	if err != nil {
		return nil, err
	}
	for _, p := range o.Parameters {
		if value, ok := given[p]; ok {
			text, err := decode.Encode(p, value)
			if err != nil {
				return nil, fmt.Errorf("%s parameter %s: %w", p.In, p.Name, err)
			}
			request.Place(r, p, text)
		}
	}
	if change != nil {
		err = change(b, r)
	}
	return r, err
}

type explainIn struct {
	inMock
	Number uint64 `json:"number,omitempty" jsonschema:"of the request in list_requests; default the last one that was refused"`
}

// explainRequest says why a request was refused, and shows a request that is not.
func explainRequest(ctx context.Context, c *call, in explainIn) (answer, error) {
	m, session, err := c.agent.mock(ctx, in.inMock)
	if err != nil {
		return answer{}, err
	}
	var e *mock.Entry
	for _, one := range m.server.Session(session).Requests() {
		if one.Number == in.Number || in.Number == 0 && one.Response.Status >= 400 {
			e = one
		}
	}
	if e == nil {
		return answer{summary: "The session has no such request in its journal, and none that was refused.",
			next: []string{"list_requests"}}, nil
	}
	asked := exchange.Request{Method: e.Request.Method, Path: e.Request.Path, Query: e.Request.Query,
		Header: e.Request.Header, Body: e.Request.Body}
	type why struct {
		Number    uint64    `json:"number"`
		Operation string    `json:"operation,omitempty"`
		Request   sent      `json:"request"`
		Status    int       `json:"status"`
		Scenario  string    `json:"scenario,omitempty"`
		Rule      int       `json:"rule,omitempty"`
		Findings  []finding `json:"findings"`
		Corrected *sent     `json:"corrected,omitempty"`
		Response  any       `json:"response,omitempty"`
	}
	contentType, _ := e.Response.Header.Get("Content-Type")
	data := why{
		Number: e.Number, Operation: e.Operation, Request: shown(&asked), Status: e.Response.Status, Scenario: e.Scenario,
		Rule: e.Rule, Findings: findingsOf(m.document, e.Findings),
		Response: jsontext.DecodeBody(contentType, e.Response.Body),
	}
	explained := answer{next: []string{"show_operation", "call_operation"}}
	switch {
	case e.Scenario != "":
		explained.summary = "A rule of a scenario answered this request."
		explained.next = []string{"fail_operation"}
	case e.Response.Status < 400:
		explained.summary = "This request was accepted."
	case len(e.Findings) == 0:
		explained.summary = "The request fits the document; the state of the mock decided the response."
		explained.next = []string{"read_state"}
	default:
		explained.summary = fmt.Sprintf("The mock refused request %d for %s.", e.Number,
			exchange.Count(len(e.Findings), "reason"))
		if corrected := m.correct(&asked); corrected != nil {
			explained.summary += " untrusted.corrected is a request that fits the document."
			request := shown(corrected)
			data.Corrected = &request
		}
	}
	explained.untrusted = data
	return explained, nil
}

// correct returns a request like r that fits the document: what is wrong with it is generated, and so are credentials.
// It returns nil if it knows none.
func (d *document) correct(r *exchange.Request) *exchange.Request {
	var match route.Match
	if d.router.Find(r.Method, r.Path, &match) != route.Found {
		if match.Operation = d.router.Nearest(r.Method, r.Path); match.Operation == nil {
			return nil
		}
		match.Values = nil
	}
	o := match.Operation
	v := validate.New(o)
	given, have := map[*spec.Parameter]any{}, map[string]any(nil)
	var body any
	if match.Values != nil || len(o.Variables()) == 0 {
		read, findings := v.Request(r, match.Values)
		wrong := map[string]bool{}
		for _, f := range findings {
			wrong[f.In+" "+f.Name] = true
		}
		for _, p := range o.Parameters {
			if value, ok := read.In(p.In)[p.Name]; ok && !wrong[p.In+" "+p.Name] {
				given[p] = value
			}
		}
		if body = read.Body(); wrong[exchange.InBody+" "] {
			have, _ = body.(map[string]any)
			body = nil
		}
	}
	corrected, err := build(o, given, func(b *request.Builder, made *exchange.Request) error {
		switch {
		case body != nil && b.Media() != nil:
			return b.SetBody(made, body)
		case have != nil:
			filled, err := b.ValidWith(generate.NewKey(0, "sample", o.ID), have)
			if err == nil {
				made.Body = filled.Body
			}
			return err
		}
		return nil
	})
	if err != nil || d.isWrong(corrected) {
		if corrected, err = build(o, nil, nil); err != nil || d.isWrong(corrected) {
			return nil
		}
	}
	corrected.Path = cmp.Or(d.router.Base(r.Path), "") + corrected.Path
	return corrected
}

// isWrong reports whether a request violates the document.
func (d *document) isWrong(r *exchange.Request) bool {
	var match route.Match
	if d.router.Find(r.Method, r.Path, &match) != route.Found {
		return true
	}
	_, findings := validate.New(match.Operation).Request(r, match.Values)
	return len(findings) > 0
}
