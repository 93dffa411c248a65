// Package client talks to the control API of a running mock, for tests in another process than the mock's.
// Each method is one request; errors of the mock are a *Problem.
//
//	c := client.New("http://localhost:4010", client.Options{})
//	mine := c.In("suite-1")
//	err := mine.Reset(ctx)
//	…
//	err = mine.Verify(ctx, client.Expectation{Operation: "POST /plants"})
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const prefix = "/__coldframe/" // of the paths of the control API

const maxAnswer = 256 << 20 // bytes of an answer that are read

// SessionHeader is the field in which requests to the mock name their session.
const SessionHeader = "Coldframe-Session"

// Options of a Client. The zero value works.
type Options struct {
	Token string       // of --control-token; "" for none
	HTTP  *http.Client // default http.DefaultClient
}

// Client is safe for concurrent use.
type Client struct {
	base    string
	options Options
	session *string // nil: see In
}

// New makes a client of the mock at a URL such as http://localhost:4010; with
// --control-port that of the control API.
func New(url string, o Options) *Client {
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	return &Client{base: strings.TrimSuffix(url, "/") + prefix, options: o}
}

// In returns a client of one session; "" is that of requests that name none. The mock makes the session when a
// request to it, or a change of its scenarios, names it.
//
// A client that is in no session is about all of them where it asks for requests, scenarios and coverage, and
// about that of requests that name none elsewhere.
func (c *Client) In(session string) *Client {
	in := *c
	in.session = &session
	return &in
}

// name is the session of what has one session.
func (c *Client) name() string {
	if c.session == nil || *c.session == "" {
		return "default"
	}
	return *c.session
}

// query is a query with the session, where the client is in one.
func (c *Client) query() url.Values {
	q := url.Values{}
	if c.session != nil {
		q.Set("session", *c.session)
	}
	return q
}

// yaml is a body that is sent as it is.
type yaml []byte

// get is call where only the answer matters.
func get[T any](ctx context.Context, c *Client, path string, query url.Values) (answer T, err error) {
	err = c.call(ctx, http.MethodGet, path, query, nil, &answer)
	return answer, err
}

// call sends a request and reads the answer into a value: a *[]byte as it is,
// others as JSON. body is yaml or written as JSON. Nil is for no body, and no answer.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, body, into any) error {
	target := c.base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	text, isYAML := body.(yaml)
	if !isYAML && body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	r, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(text))
	if err != nil {
		return err
	}
	switch {
	case isYAML:
		r.Header.Set("Content-Type", "application/yaml")
	case body != nil:
		r.Header.Set("Content-Type", "application/json")
	}
	if c.options.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	if c.session != nil && *c.session != "" {
		r.Header.Set(SessionHeader, *c.session)
	}
	response, err := c.options.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if response.StatusCode >= 300 {
		return problemOf(response.StatusCode, answer)
	}
	switch into := into.(type) {
	case nil:
		return nil
	case *[]byte:
		*into = answer
		return nil
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// Health asks whether the mock is well.
func (c *Client) Health(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, "health", nil, nil, nil)
}

// Session is one client's data in the mock.
type Session struct {
	Items     int      `json:"items"`
	Name      string   `json:"name"`
	Snapshots []string `json:"snapshots"` // their labels
}

// Memory is what all sessions of the mock take.
type Memory struct {
	Used    int64          `json:"used"`    // bytes
	Limit   int64          `json:"limit"`   // bytes; see --memory
	Dropped map[string]int `json:"dropped"` // how many of what have given way since the start
	// Sessions names those that were dropped and not asked for since.
	Sessions []string `json:"droppedSessions"`
}

// Memory returns what all sessions take.
func (c *Client) Memory(ctx context.Context) (Memory, error) {
	return get[Memory](ctx, c, "memory", nil)
}

// Sessions returns all sessions, that of requests that name none first.
func (c *Client) Sessions(ctx context.Context) ([]Session, error) {
	list, err := get[struct{ Sessions []Session }](ctx, c, "sessions", nil)
	return list.Sessions, err
}

// State is what a session keeps, by the path that it was created under.
type State struct {
	Items       int                          `json:"items"`
	Collections map[string][]json.RawMessage `json:"collections"`
}

// State returns what the session keeps.
func (c *Client) State(ctx context.Context) (State, error) {
	return get[State](ctx, c, "state", nil)
}

// PutState replaces what the session keeps by the items of the text of a data file, YAML or JSON, and gives the
// warnings. What is wrong with it is a *Problem, and nothing is changed.
func (c *Client) PutState(ctx context.Context, text []byte) ([]Finding, error) {
	var answer struct{ Findings []Finding }
	err := c.call(ctx, http.MethodPut, "state", nil, yaml(text), &answer)
	return answer.Findings, err
}

// ClearState forgets what the session keeps, the items of the start among it.
func (c *Client) ClearState(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "state", nil, nil, nil)
}

// Clock is the time in a session.
type Clock struct {
	Time  time.Time `json:"time"`
	Ahead string    `json:"ahead"` // how far it was moved: "1h30m0s"
	Clock string    `json:"clock"` // of --clock: session, real or fixed
}

// Clock returns the time in the session.
func (c *Client) Clock(ctx context.Context) (Clock, error) {
	return get[Clock](ctx, c, "clock", nil)
}

// Advance moves the time in the session, on or back.
func (c *Client) Advance(ctx context.Context, by time.Duration) (Clock, error) {
	return c.moveClock(ctx, map[string]string{"advance": by.String()})
}

// SetTime moves the time in the session to another. It needs --clock fixed or real.
func (c *Client) SetTime(ctx context.Context, at time.Time) (Clock, error) {
	return c.moveClock(ctx, map[string]string{"time": at.Format(time.RFC3339Nano)})
}

func (c *Client) moveClock(ctx context.Context, by map[string]string) (now Clock, err error) {
	err = c.call(ctx, http.MethodPut, "clock", nil, by, &now)
	return now, err
}

// ResetClock takes back all moves of the clock.
func (c *Client) ResetClock(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "clock", nil, nil, nil)
}

func (c *Client) change(ctx context.Context, action string, with any) error {
	return c.call(ctx, http.MethodPost, "sessions/"+url.PathEscape(c.name())+"/"+action, nil, with, nil)
}

// Reset takes the session back to the items and scenarios of the start.
func (c *Client) Reset(ctx context.Context) error { return c.change(ctx, "reset", label{}) }

// Rewind takes the rules and states of the session's scenarios back to the start, and leaves its items.
func (c *Client) Rewind(ctx context.Context) error { return c.change(ctx, "rewind", label{}) }

type label struct {
	Label string `json:"label,omitempty"`
}

// Snapshot remembers the session under a label, "" for the usual one.
func (c *Client) Snapshot(ctx context.Context, name string) error {
	return c.change(ctx, "snapshot", label{name})
}

// Restore goes back to a snapshot.
func (c *Client) Restore(ctx context.Context, name string) error {
	return c.change(ctx, "restore", label{name})
}

// DeleteSnapshot deletes a snapshot; "" is the one that Snapshot saves as "".
func (c *Client) DeleteSnapshot(ctx context.Context, name string) error {
	if name == "" {
		name = "default"
	}
	path := "sessions/" + url.PathEscape(c.name()) + "/snapshots/" + url.PathEscape(name)
	return c.call(ctx, http.MethodDelete, path, nil, nil, nil)
}

// Fork copies the session and gives a client of the copy.
func (c *Client) Fork(ctx context.Context, to string) (*Client, error) {
	return c.In(to), c.change(ctx, "fork", map[string]string{"to": to})
}

// Delete drops the session.
func (c *Client) Delete(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "sessions/"+url.PathEscape(c.name()), nil, nil, nil)
}

// Problem is why the mock did not do what it was asked (RFC 9457).
type Problem struct {
	Status int       `json:"status"`
	Title  string    `json:"title"`
	Detail string    `json:"detail"`
	Errors []Finding `json:"errors,omitempty"` // on the request, or on a scenario

	// Of Verify: how many exchanges match, the newest of them and the nearest of
	// the others, at most five of each.
	Matched int     `json:"matched"`
	Matches []Match `json:"matches"`
	Misses  []Miss  `json:"misses"`
}

// Finding is one error in a request or a scenario.
type Finding struct {
	Code      string `json:"code"`
	Column    int    `json:"column,omitempty"` // of a scenario's text
	Detail    string `json:"detail"`
	File      string `json:"file,omitempty"` // of a scenario
	Line      int    `json:"line,omitempty"`
	Parameter string `json:"parameter,omitempty"` // of the request
	Pointer   string `json:"pointer,omitempty"`   // into the request's body
}

// Match names an exchange.
type Match struct {
	Number    uint64 `json:"number"`
	Operation string `json:"operation,omitempty"` // operationId or "METHOD path"; "" for none
	Request   string `json:"request"`             // method and path
	Status    int    `json:"status"`
}

// Miss is an exchange that does not match, with the conditions that it fails.
type Miss struct {
	Failed []Failed `json:"failed"`
	Match
}

// Failed is a condition that an exchange fails.
type Failed struct {
	Condition string          `json:"condition"`
	Failure   string          `json:"failure,omitempty"` // why the condition has no value
	Value     json.RawMessage `json:"value,omitempty"`   // the value compared; empty for none
}

// Error returns the detail, and a line for each miss.
func (p *Problem) Error() string {
	var text strings.Builder
	text.WriteString(p.Detail)
	for _, m := range p.Misses {
		fmt.Fprintf(&text, "\n  %d %s %d:", m.Number, m.Request, m.Status)
		for i, f := range m.Failed {
			if i > 0 {
				text.WriteByte(';')
			}
			text.WriteString(" not " + f.Condition)
			if len(f.Value) > 0 && string(f.Value) != "null" {
				text.WriteString(", is " + string(f.Value))
			}
			if f.Failure != "" {
				text.WriteString(", " + f.Failure)
			}
		}
	}
	return text.String()
}

func problemOf(status int, text []byte) *Problem {
	p := &Problem{}
	if err := json.Unmarshal(text, p); err != nil || p.Detail == "" {
		title := http.StatusText(status)
		p = &Problem{Title: title, Detail: fmt.Sprintf("the mock answered %d %s", status, title)}
	}
	p.Status = status
	return p
}
