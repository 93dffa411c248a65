package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/client"
)

// maxMocks is the number of mocks that an agent may run.
const maxMocks = 4

// running is a mock with its document.
type running struct {
	*document
	server *mock.Server
}

// ofMock is the argument of tools that use a mock.
type ofMock struct {
	Mock string `json:"mock,omitempty" jsonschema:"URL of the mock, if several run; default the one started last"`
}

// inMock are the arguments of tools that use a session of a mock.
type inMock struct {
	ofMock
	Session string `json:"session,omitempty" jsonschema:"session of the mock, default your own"`
}

// mock returns the mock that a tool names, and the session in it: "" is the session of requests that name none.
func (a *agent) mock(ctx context.Context, in inMock) (*running, string, error) {
	session := cmp.Or(in.Session, a.session)
	if session == "default" {
		session = ""
	}
	if a.served != nil {
		d, err := a.document(ctx, "")
		return &running{d, a.served}, session, err
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	for _, m := range slices.Backward(a.mocks) {
		if in.Mock == "" || strings.TrimSuffix(in.Mock, "/") == m.server.URL() {
			return m, session, nil
		}
	}
	if len(a.mocks) > 0 {
		return nil, "", saying("No mock has this URL; start_mock has returned the URLs.")
	}
	return nil, "", saying("No mock runs; call start_mock first.")
}

// control returns a client of the control API for a session.
func (m *running) control(session string) *client.Client {
	o := client.Options{Token: m.server.ControlToken(), HTTP: m.server.ControlClient()}
	return client.New("http://localhost", o).In(session)
}

type startIn struct {
	Document  string   `json:"document,omitempty" jsonschema:"OpenAPI document: a file, a folder with openapi.yaml, or an allowed URL"`
	Scenarios []string `json:"scenarios,omitempty" jsonschema:"scenario files or folders"`
	Data      []string `json:"data,omitempty" jsonschema:"files or folders with initial items"`
	Seed      uint64   `json:"seed,omitempty" jsonschema:"selects the generated values"`
}

func startMock(ctx context.Context, c *call, in startIn) (answer, error) {
	a := c.agent
	for _, file := range slices.Concat(in.Scenarios, in.Data) {
		if err := a.mayRead(file); err != nil {
			return answer{}, err
		}
	}
	d, err := a.document(ctx, in.Document)
	if err != nil {
		return answer{}, err
	}
	o := d.Mock
	o.Listen = mock.ListenOptions{CORS: o.Listen.CORS}
	o.Control = mock.ControlOptions{}
	if len(in.Scenarios) > 0 { // as on the command line, they replace what coldframe.yaml has
		o.Scenarios = in.Scenarios
	}
	if len(in.Data) > 0 {
		o.State.Data = in.Data
	}
	o.Values.Seed = cmp.Or(in.Seed, o.Values.Seed)
	o.Log, o.Watch = mock.LogOptions{}, true
	if o.Text != nil {
		o.Watch = false
	}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if len(a.mocks) >= maxMocks {
		return answer{}, saying(fmt.Sprintf("%d mocks run already; stop one with stop_mock.", maxMocks))
	}
	server, err := mock.New(ctx, o)
	if err != nil {
		return answer{}, err
	}
	go server.Run(context.WithoutCancel(ctx))
	a.mocks = append(a.mocks, &running{d, server})
	info := server.Info()
	return answer{
		summary: fmt.Sprintf("A mock with %s answers at %s until you stop it or disconnect.",
			exchange.Count(len(info.Operations), "operation"), server.URL()),
		next: []string{"call_operation", "fail_operation", "list_requests"},
		untrusted: map[string]any{
			"title": info.Title, "version": info.Version, "basePaths": info.BasePaths, "scenarios": info.Scenarios,
			"findings": findingsOf(d, info.Findings),
		},
	}, nil
}

func stopMock(ctx context.Context, c *call, in ofMock) (answer, error) {
	m, _, err := c.agent.mock(ctx, inMock{ofMock: in})
	if err != nil {
		return answer{}, err
	}
	a := c.agent
	a.mutex.Lock()
	a.mocks = slices.DeleteFunc(a.mocks, func(other *running) bool { return other == m })
	a.mutex.Unlock()
	return answer{summary: "The mock at " + m.server.URL() + " has stopped."}, m.server.Close()
}

type callIn struct {
	inMock
	Operation  string            `json:"operation,omitempty" jsonschema:"operationId or METHOD path of the document"`
	Parameters map[string]any    `json:"parameters,omitempty" jsonschema:"values by name; required ones that are missing are generated"`
	Method     string            `json:"method,omitempty" jsonschema:"in place of operation, with path"`
	Path       string            `json:"path,omitempty" jsonschema:"path with query, as sent"`
	Headers    map[string]string `json:"headers,omitempty" jsonschema:"header fields; Prefer: code=404 asks for a status"`
	Body       any               `json:"body,omitempty" jsonschema:"JSON value of the body; default a generated one"`
}

func callOperation(ctx context.Context, c *call, in callIn) (answer, error) {
	m, session, err := c.agent.mock(ctx, in.inMock)
	if err != nil {
		return answer{}, err
	}
	r := &exchange.Request{Method: strings.ToUpper(in.Method)}
	r.Path, r.Query, _ = strings.Cut(in.Path, "?")
	if in.Operation != "" {
		if r, err = m.request(in.Operation, in.Parameters, c.argument("body")); err != nil {
			return answer{}, err
		}
	} else if !strings.HasPrefix(in.Path, "/") || !exchange.IsToken(in.Method) {
		return answer{}, saying("Give either operation, or method and a path that begins with a slash.")
	} else if body := c.argument("body"); body != nil {
		r.Body = jsontext.Marshal(body)
		r.Header.Set("Content-Type", "application/json")
	}
	for name, value := range in.Headers {
		r.Header.Set(name, value)
	}
	sent, err := http.NewRequestWithContext(ctx, r.Method, m.server.URL()+target(r), bytes.NewReader(r.Body))
	if err != nil {
		return answer{}, err
	}
	for _, f := range r.Header {
		sent.Header.Add(f.Name, f.Value)
	}
	response, err := m.server.Session(session).Client().Do(sent)
	if err != nil {
		return answer{summary: "The connection broke, as a fault of a scenario demands.", untrusted: map[string]any{
			"sent": shown(r), "error": err.Error()}}, ctx.Err()
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxResult))
	header := map[string]string{}
	for name, values := range response.Header {
		if name != "Date" && name != "Content-Length" {
			header[name] = strings.Join(values, ", ")
		}
	}
	untrusted := map[string]any{"sent": shown(r), "headers": header,
		"body": jsontext.DecodeBody(response.Header.Get("Content-Type"), body)}
	if err != nil {
		untrusted["error"] = err.Error()
	}
	called := answer{summary: fmt.Sprintf("The mock answered %d.", response.StatusCode), untrusted: untrusted}
	if response.StatusCode >= 400 {
		called.next = []string{"explain_request"}
	}
	return called, ctx.Err()
}

type failIn struct {
	inMock
	Operation string `json:"operation" jsonschema:"operationId or METHOD path of the document"`
	Status    int    `json:"status,omitempty" jsonschema:"of the response; its body is the API's own error body unless you give one"`
	Body      any    `json:"body,omitempty" jsonschema:"JSON value of the response's body"`
	Times     int    `json:"times,omitempty" jsonschema:"how often, 1 for the next request only; default until off"`
	Delay     string `json:"delay,omitempty" jsonschema:"before the response, such as 500ms or 3s"`
	Fault     string `json:"fault,omitempty" jsonschema:"of the connection: reset, truncate, malformed or hang"`
	Violates  bool   `json:"violates,omitempty" jsonschema:"the response may break the document"`
	Off       bool   `json:"off,omitempty" jsonschema:"end what an earlier call has set for the operation"`
}

// failOperation puts a scenario for one operation, in place of the one that an earlier call has put.
func failOperation(ctx context.Context, c *call, in failIn) (answer, error) {
	m, session, err := c.agent.mock(ctx, in.inMock)
	if err != nil {
		return answer{}, err
	}
	o, err := m.operation(in.Operation)
	if err != nil {
		return answer{}, err
	}
	name := fmt.Sprintf("fail-%d", 1+slices.Index(m.Operations, o))
	control := m.control(session)
	if in.Off {
		if err := control.DeleteScenario(ctx, name); err != nil {
			return answer{}, err
		}
		return answer{summary: "The operation answers as usual again."}, nil
	}
	rule := map[string]any{"on": o.Method + " " + o.Path}
	respond := map[string]any{}
	set := func(to map[string]any, name string, value any, given bool) {
		if given {
			to[name] = value
		}
	}
	set(respond, "status", in.Status, in.Status != 0)
	set(respond, "body", c.argument("body"), in.Body != nil)
	set(rule, "respond", respond, len(respond) > 0)
	set(rule, "times", in.Times, in.Times != 0)
	set(rule, "delay", in.Delay, in.Delay != "")
	set(rule, "fault", in.Fault, in.Fault != "")
	set(rule, "violates", true, in.Violates)
	warnings, err := control.PutScenario(ctx, name, string(marshal(map[string]any{"rules": []any{rule}})))
	if err != nil {
		return answer{}, err
	}
	return answer{
		summary:   "The rule is in force, before all other scenarios of the session. off: true ends it.",
		next:      []string{"call_operation", "list_requests"},
		untrusted: map[string]any{"scenario": name, "rule": rule, "findings": warnings},
	}, nil
}

// callControl sends the request of a row of the table that is an operation of the control API.
func callControl(ctx context.Context, c *call, in map[string]any) (answer, error) {
	at := inMock{}
	at.Mock, _ = in["mock"].(string)
	at.Session, _ = in["session"].(string)
	m, session, err := c.agent.mock(ctx, at)
	if err != nil {
		return answer{}, err
	}
	status, text, err := c.operation.send(ctx, m, session, c.arguments())
	switch {
	case err != nil:
		return answer{}, err
	case c.show != nil && (status < 300 || status == http.StatusExpectationFailed):
		return c.show(text)
	case status == http.StatusNoContent:
		return answer{summary: "Done."}, nil
	case status >= 300:
		return answer{summary: "The mock refused this; the reason is in untrusted.detail.",
			untrusted: json.RawMessage(text), failed: true}, nil
	}
	return answer{summary: "Done.", untrusted: json.RawMessage(text)}, nil
}

// send sends a request of the control API, and returns the response's status and body.
func (o *controlOperation) send(
	ctx context.Context, m *running, session string, in map[string]any,
) (int, []byte, error) {
	path, query, body := o.path, url.Values{}, map[string]any{}
	for name, value := range in {
		switch o.arguments[name] {
		case inPath:
			path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(fmt.Sprint(value)))
		case inQuery:
			query.Set(name, fmt.Sprint(value))
		case inBody:
			body[name] = value
		}
	}
	path = strings.ReplaceAll(path, "{name}", url.PathEscape(cmp.Or(session, "default")))
	if o.hasSession {
		query.Set("session", session)
	}
	var text []byte
	switch {
	case o.wholeBody:
		text = marshal(body["body"])
	case o.hasBody:
		if o.sessionInBody {
			body["session"] = session
		}
		text = marshal(body)
	}
	address := "http://localhost" + path + "?" + query.Encode()
	r, err := http.NewRequestWithContext(ctx, o.method, address, bytes.NewReader(text))
	if err != nil {
		return 0, nil, err
	}
	r.Header.Set(client.SessionHeader, cmp.Or(session, "default"))
	r.Header.Set("Authorization", "Bearer "+m.server.ControlToken())
	r.Header.Set("Accept", "application/json")
	if text != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	response, err := m.server.ControlClient().Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err = io.ReadAll(io.LimitReader(response.Body, 16*maxResult))
	if len(text) == 16*maxResult {
		err = errors.New("the answer is longer than 16 MiB")
	}
	return response.StatusCode, text, err
}
