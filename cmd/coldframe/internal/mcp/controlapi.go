package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/client"
)

// controlOperation is an operation of the control API that is also a tool. The control API's document has its
// description and the schemas of its arguments.
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

// controlOperations are the operations of the control API, by operationId.
var controlOperations = sync.OnceValues(func() (map[string]*controlOperation, error) {
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: mock.ControlDocument()})
	if err != nil {
		return nil, err
	}
	all := map[string]*controlOperation{}
	for _, o := range c.Operations {
		if all[o.ID], err = newControlOperation(o); err != nil {
			return nil, err
		}
	}
	return all, nil
})

func newControlOperation(described *spec.Operation) (*controlOperation, error) {
	o := &controlOperation{method: described.Method, path: described.Path, arguments: map[string]int{},
		description: strings.TrimSpace(described.Summary + ". " + described.Description)}
	type text struct {
		Type        string `json:"type"`
		Description string `json:"description"`
	}
	properties, required := map[string]any{
		"mock":    text{"string", "URL of the mock, if several run"},
		"session": text{"string", "session of the mock, default your own"},
	}, []string{}
	for _, p := range described.Parameters {
		if p.Name == "session" {
			o.hasSession = true
		}
		if slices.Contains(notArguments, p.Name) || p.In == "header" {
			continue
		}
		schema := map[string]any{}
		if err := json.Unmarshal(p.Schema.Inline(), &schema); err != nil {
			return nil, err
		}
		if p.Description != "" {
			schema["description"] = p.Description
		}
		properties[p.Name], o.arguments[p.Name] = schema, inQuery
		if p.In == "path" {
			o.arguments[p.Name] = inPath
			required = append(required, p.Name)
		}
	}
	if body := described.Body; body != nil {
		o.hasBody = true
		i := slices.IndexFunc(body.Content, (*spec.MediaType).IsJSON)
		schema := body.Content[i].Schema.Inline()
		var members struct {
			Properties map[string]json.RawMessage
			Required   []string
		}
		if err := json.Unmarshal(schema, &members); err != nil {
			return nil, err
		}
		if o.wholeBody = members.Properties == nil; o.wholeBody {
			members.Properties = map[string]json.RawMessage{"body": schema}
			members.Required = []string{"body"}
		}
		_, o.sessionInBody = members.Properties["session"]
		for name, member := range members.Properties {
			if !slices.Contains(notArguments, name) {
				properties[name], o.arguments[name] = member, inBody
			}
		}
		required = append(required, members.Required...)
	}
	o.input = marshal(map[string]any{"type": "object", "additionalProperties": false, "properties": properties,
		"required": required})
	return o, nil
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
