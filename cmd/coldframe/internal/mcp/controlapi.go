package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/client"
)

// controlOperation is an operation of the control API that is also a tool: its texts and schemas are those of the
// control API's document.
type controlOperation struct {
	method, path  string
	description   string
	input         json.RawMessage
	arguments     map[string]int // where an argument is in the request: inPath, inQuery, inBody
	hasSession    bool           // the query names the session
	sessionInBody bool
	hasBody       bool
	wholeBody     bool // the argument body is the whole body
}

const (
	inPath = 1 + iota
	inQuery
	inBody
)

// notArguments are parameters of the control API that tools set themselves.
var notArguments = []string{"session", "name", "consumer", "format"}

// controlOperations reads the operations of the control API's document, by operationId.
func controlOperations() (map[string]*controlOperation, error) {
	root, _, err := tree.Read("openapi.yaml", mock.ControlDocument())
	if err != nil {
		return nil, err
	}
	all := map[string]*controlOperation{}
	for _, item := range root.Get("paths").Fields() {
		for _, m := range item.Value.Fields() {
			if id := m.Value.Get("operationId").Str(); id != "" {
				all[id] = newControlOperation(root, item, m)
			}
		}
	}
	return all, nil
}

func newControlOperation(root *tree.Node, item, m tree.Member) *controlOperation {
	o := &controlOperation{method: strings.ToUpper(m.Name), path: item.Name, arguments: map[string]int{}}
	o.description = strings.TrimSpace(m.Value.Get("summary").Str() + ". " + m.Value.Get("description").Str())
	properties, required := map[string]any{}, []string{}
	for _, p := range slices.Concat(item.Value.Get("parameters").List(), m.Value.Get("parameters").List()) {
		p = deref(root, p)
		name := p.Get("name").Str()
		if name == "session" {
			o.hasSession = true
		}
		if slices.Contains(notArguments, name) || p.Get("in").Str() == "header" {
			continue
		}
		schema := inline(root, p.Get("schema")).(map[string]any)
		if text := p.Get("description").Str(); text != "" {
			schema["description"] = text
		}
		properties[name], o.arguments[name] = schema, inQuery
		if p.Get("in").Str() == "path" {
			o.arguments[name] = inPath
			required = append(required, name)
		}
	}
	if body := m.Value.Get("requestBody"); body != nil {
		o.hasBody = true
		schema := inline(root, body.Get("content").Get("application/json").Get("schema")).(map[string]any)
		members, _ := schema["properties"].(map[string]any)
		if o.wholeBody = members == nil; o.wholeBody {
			members = map[string]any{"body": schema}
			required = append(required, "body")
		}
		_, o.sessionInBody = members["session"]
		for name, member := range members {
			if !slices.Contains(notArguments, name) {
				properties[name], o.arguments[name] = member, inBody
			}
		}
		for _, name := range asList(schema["required"]) {
			required = append(required, fmt.Sprint(name))
		}
	}
	maps.Copy(properties, map[string]any{"mock": described("string", "URL of the mock, if several run"),
		"session": described("string", "session of the mock, default your own")})
	o.input = marshal(map[string]any{"type": "object", "additionalProperties": false, "properties": properties,
		"required": required})
	return o
}

func described(kind, text string) map[string]any {
	return map[string]any{"type": kind, "description": text}
}

func asList(value any) []any {
	list, _ := value.([]any)
	return list
}

// deref follows a reference within the document.
func deref(root, n *tree.Node) *tree.Node {
	if ref := n.Get("$ref").Str(); ref != "" {
		return root.At(strings.TrimPrefix(ref, "#"))
	}
	return n
}

// inline returns a schema without references.
func inline(root, n *tree.Node) any {
	n = deref(root, n)
	switch n.Kind {
	case tree.Object:
		all := map[string]any{}
		for _, m := range n.Fields() {
			all[m.Name] = inline(root, m.Value)
		}
		return all
	case tree.Array:
		all := []any{}
		for _, item := range n.List() {
			all = append(all, inline(root, item))
		}
		return all
	}
	return n.Value()
}

// The functions that reshape responses of the control API. Their parameter is the response's body.

// showRequests returns a line for each exchange.
func showRequests(text []byte) (answer, error) {
	type listed struct {
		Number    uint64   `json:"number"`
		Request   string   `json:"request"`
		Operation string   `json:"operation,omitempty"`
		Status    int      `json:"status"`
		Scenario  string   `json:"scenario,omitempty"`
		Findings  []string `json:"findings,omitempty"`
	}
	var body struct {
		Matched  int
		Requests []struct {
			Number            uint64
			Operation         string
			Request, Response struct {
				Method, Path, Query string
				Status              int
			}
			Rule     struct{ Scenario string }
			Findings []struct{ In, Name, Pointer, Message string }
		}
	}
	if err := json.Unmarshal(text, &body); err != nil {
		return answer{}, err
	}
	all := []listed{}
	for _, r := range slices.Backward(body.Requests) {
		one := listed{Number: r.Number, Request: r.Request.Method + " " + r.Request.Path, Operation: r.Operation,
			Status: r.Response.Status, Scenario: r.Rule.Scenario}
		if r.Request.Query != "" {
			one.Request += "?" + r.Request.Query
		}
		for _, f := range r.Findings {
			found := exchange.Finding{In: f.In, Name: f.Name, Pointer: f.Pointer, Message: f.Message}
			one.Findings = append(one.Findings, found.String())
		}
		all = append(all, one)
	}
	return answer{summary: exchange.Count(body.Matched, "request") + ", the newest first.",
		next: []string{"explain_request", "verify_requests"}, untrusted: map[string]any{"requests": all}}, nil
}

// showCoverage returns the sums, and what was not used of each operation.
func showCoverage(text []byte) (answer, error) {
	type unused struct {
		Operation string   `json:"operation"`
		Hits      int      `json:"hits"`
		Missing   []string `json:"missing,omitempty"`
	}
	var body struct {
		Percent        float64
		Covered, Total int
		Operations     []struct {
			Operation string
			Hits      int
			Points    []struct {
				Kind, Name string
				Hits       int
			}
		}
	}
	if err := json.Unmarshal(text, &body); err != nil {
		return answer{}, err
	}
	all := []unused{}
	for _, o := range body.Operations {
		one := unused{Operation: o.Operation, Hits: o.Hits}
		for _, p := range o.Points {
			if p.Hits == 0 && o.Hits > 0 {
				one.Missing = append(one.Missing, p.Kind+" "+p.Name)
			}
		}
		all = append(all, one)
	}
	sums := fmt.Sprintf("%v %% of the document was used: %d of %d parts.", body.Percent, body.Covered, body.Total)
	return answer{summary: sums, untrusted: map[string]any{"operations": all}}, nil
}

// showVerified says whether the journal is as expected.
func showVerified(text []byte) (answer, error) {
	var problem client.Problem
	if err := json.Unmarshal(text, &problem); err != nil {
		return answer{}, err
	}
	verified := answer{summary: "The mock was called as expected.", untrusted: json.RawMessage(text)}
	if problem.Status != 0 {
		verified.summary = "The mock was not called as expected; untrusted has what matches, and the nearest misses."
		verified.next = []string{"list_requests"}
	}
	return verified, nil
}
