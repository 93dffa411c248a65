// Package client talks to the control API of a running mock, for tests in another process. Each method is one
// request; errors of the mock are a *Problem.
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

const prefix = "/__coldframe/" // prefix of the control API's paths

const maxAnswer = 256 << 20 // largest response, in bytes

// SessionHeader is the field with which requests to the mock name their session.
const SessionHeader = "Coldframe-Session"

// Options configure a Client. The zero value works.
type Options struct {
	Token string       // the token of --control-token; "" if none
	HTTP  *http.Client // default http.DefaultClient
}

// Client is a client of the control API. It is safe for concurrent use.
type Client struct {
	base    string
	options Options
	session *string // nil if In was not called
}

// New returns a client of the mock at a URL such as http://localhost:4010; with --control-port use the URL of the
// control API.
func New(url string, o Options) *Client {
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	return &Client{base: strings.TrimSuffix(url, "/") + prefix, options: o}
}

// In returns a client for one session; "" is the session of requests that name none. The mock creates a session when
// a request, or a change of its scenarios, names it.
//
// A client without a session asks for requests, scenarios and coverage of all sessions. Its other methods use the
// session of requests that name none.
func (c *Client) In(session string) *Client {
	in := *c
	in.session = &session
	return &in
}

// name returns the session for methods that need one.
func (c *Client) name() string {
	if c.session == nil || *c.session == "" {
		return "default"
	}
	return *c.session
}

// query returns a query with the session, if the client has one.
func (c *Client) query() url.Values {
	q := url.Values{}
	if c.session != nil {
		q.Set("session", *c.session)
	}
	return q
}

// yaml is a body that is sent unchanged.
type yaml []byte

// get is call for requests without a body.
func get[T any](ctx context.Context, c *Client, path string, query url.Values) (answer T, err error) {
	err = c.call(ctx, http.MethodGet, path, query, nil, &answer)
	return answer, err
}

// call sends a request and reads the response into a value: into a *[]byte unchanged, into others as JSON. body is
// yaml, a json.RawMessage or a value to send as JSON. Nil means no body, and no response.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, body, into any) error {
	r, err := c.request(ctx, method, path, query, body)
	if err != nil {
		return err
	}
	response, err := c.options.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err == nil && len(answer) > maxAnswer {
		err = fmt.Errorf("the response is larger than %d MiB", maxAnswer>>20)
	}
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

// request returns a request of call.
func (c *Client) request(ctx context.Context, method, path string, query url.Values, body any) (*http.Request, error) {
	target := c.base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var text []byte
	var kind string
	switch body := body.(type) {
	case nil:
	case yaml:
		text, kind = body, "application/yaml"
	case json.RawMessage: // Marshal would escape characters
		text, kind = body, "application/json"
	default:
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
		kind = "application/json"
	}
	r, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	if c.options.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	if c.session != nil && *c.session != "" {
		r.Header.Set(SessionHeader, *c.session)
	}
	return r, nil
}

// Health returns an error if the mock is not healthy.
func (c *Client) Health(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, "health", nil, nil, nil)
}

// Session describes one session of the mock.
type Session struct {
	Items     int      `json:"items"`
	Name      string   `json:"name"`
	Snapshots []string `json:"snapshots"` // their labels
}

// Memory describes the memory that all sessions of the mock take.
type Memory struct {
	Used    int64          `json:"used"`    // bytes
	Limit   int64          `json:"limit"`   // bytes; see --memory
	Dropped map[string]int `json:"dropped"` // numbers of dropped things by kind, since the start
	// Sessions are the names of dropped sessions that were not used again since.
	Sessions []string `json:"droppedSessions"`
}

// Memory returns the memory that all sessions take.
func (c *Client) Memory(ctx context.Context) (Memory, error) {
	return get[Memory](ctx, c, "memory", nil)
}

// Source says where the responses of an operation come from.
type Source struct {
	Operation string `json:"operation"` // METHOD path
	Source    string `json:"source"`    // "forward" or "mock"
	Reason    string `json:"reason"`
}

// Sources returns which operations a proxy forwards, and which it mocks.
func (c *Client) Sources(ctx context.Context) ([]Source, error) {
	list, err := get[struct{ Sources []Source }](ctx, c, "sources", nil)
	return list.Sources, err
}

// Learned says how the upstream of a proxy differs from the mock.
type Learned struct {
	Operations []Compared `json:"operations"` // those that were compared, by path
	Settings   string     `json:"settings"`   // lines of coldframe.yaml that remove differences; "" if there are none
	Overlay    string     `json:"overlay"`    // an OpenAPI Overlay 1.0 that corrects the document; "" if nothing is to correct
}

// Compared is an operation whose responses of the upstream and the mock were compared.
type Compared struct {
	Operation   string   `json:"operation"` // METHOD path
	Exchanges   int      `json:"exchanges"`
	Differing   int      `json:"differing"`
	Differences []string `json:"differences"`
}

// Learned returns how the upstream of a proxy that learns (Options.Proxy.Learn) differs from the mock.
func (c *Client) Learned(ctx context.Context) (Learned, error) {
	return get[Learned](ctx, c, "learned", nil)
}

// SetSource forwards ("forward") or mocks ("mock") the operations that a pattern matches, as in --mock, or restores the
// choice of the start ("default").
func (c *Client) SetSource(ctx context.Context, pattern, source string) error {
	order := map[string]string{"operation": pattern, "source": source}
	return c.call(ctx, http.MethodPatch, "sources", nil, order, nil)
}

// Sessions returns all sessions. The session of requests that name none is the first.
func (c *Client) Sessions(ctx context.Context) ([]Session, error) {
	list, err := get[struct{ Sessions []Session }](ctx, c, "sessions", nil)
	return list.Sessions, err
}

// State has the items of a session, by collection path.
type State struct {
	Items       int                          `json:"items"`
	Collections map[string][]json.RawMessage `json:"collections"`
}

// State returns the items of the session.
func (c *Client) State(ctx context.Context) (State, error) {
	return get[State](ctx, c, "state", nil)
}

// PutState replaces the items of the session by the items in the text of a data file, YAML or JSON, and returns the
// warnings. Errors in the text are a *Problem, and nothing is changed.
func (c *Client) PutState(ctx context.Context, text []byte) ([]Warning, error) {
	var answer struct{ Findings []Warning }
	err := c.call(ctx, http.MethodPut, "state", nil, yaml(text), &answer)
	return answer.Findings, err
}

// ClearState deletes all items of the session, including the initial ones.
func (c *Client) ClearState(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "state", nil, nil, nil)
}

// Clock is the time in a session.
type Clock struct {
	Time  time.Time `json:"time"`
	Ahead string    `json:"ahead"` // how far it was moved: "1h30m0s"
	Clock string    `json:"clock"` // value of --clock: session, real or fixed
}

// Clock returns the time in the session.
func (c *Client) Clock(ctx context.Context) (Clock, error) {
	return get[Clock](ctx, c, "clock", nil)
}

// Advance moves the time in the session, forward or back.
func (c *Client) Advance(ctx context.Context, by time.Duration) (Clock, error) {
	return c.moveClock(ctx, map[string]string{"advance": by.String()})
}

// SetTime sets the time in the session. It fails with --clock session.
func (c *Client) SetTime(ctx context.Context, at time.Time) (Clock, error) {
	return c.moveClock(ctx, map[string]string{"time": at.Format(time.RFC3339Nano)})
}

func (c *Client) moveClock(ctx context.Context, by map[string]string) (now Clock, err error) {
	err = c.call(ctx, http.MethodPut, "clock", nil, by, &now)
	return now, err
}

// ResetClock undoes all moves of the clock.
func (c *Client) ResetClock(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "clock", nil, nil, nil)
}

func (c *Client) change(ctx context.Context, action string, with any) error {
	return c.call(ctx, http.MethodPost, "sessions/"+url.PathEscape(c.name())+"/"+action, nil, with, nil)
}

// Reset resets the session to the initial items and scenarios.
func (c *Client) Reset(ctx context.Context) error { return c.change(ctx, "reset", label{}) }

// Rewind resets the rules and states of the session's scenarios, but not its items.
func (c *Client) Rewind(ctx context.Context) error { return c.change(ctx, "rewind", label{}) }

type label struct {
	Label string `json:"label,omitempty"`
}

// Snapshot saves the session under a label; "" is the default label.
func (c *Client) Snapshot(ctx context.Context, name string) error {
	return c.change(ctx, "snapshot", label{name})
}

// Restore restores a snapshot.
func (c *Client) Restore(ctx context.Context, name string) error {
	return c.change(ctx, "restore", label{name})
}

// DeleteSnapshot deletes a snapshot; "" is the default label.
func (c *Client) DeleteSnapshot(ctx context.Context, name string) error {
	if name == "" {
		name = "default"
	}
	path := "sessions/" + url.PathEscape(c.name()) + "/snapshots/" + url.PathEscape(name)
	return c.call(ctx, http.MethodDelete, path, nil, nil, nil)
}

// Fork copies the session and returns a client of the copy.
func (c *Client) Fork(ctx context.Context, to string) (*Client, error) {
	return c.In(to), c.change(ctx, "fork", map[string]string{"to": to})
}

// UseURL returns a URL that makes the browser that opens it use the session, and redirects it to a path of the mock.
func (c *Client) UseURL(path string) string {
	return c.base + "sessions/" + url.PathEscape(c.name()) + "/use?to=" + url.QueryEscape(path)
}

// Delete drops the session.
func (c *Client) Delete(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "sessions/"+url.PathEscape(c.name()), nil, nil, nil)
}

// Export returns the session as a file: Import and "coldframe open" continue it in another mock.
func (c *Client) Export(ctx context.Context) ([]byte, error) {
	return get[[]byte](ctx, c, c.file(), nil)
}

// Import replaces the session by the one in a file of Export. The findings list differences between the document
// and the options in the file and in the mock. If there is an error, nothing is changed.
func (c *Client) Import(ctx context.Context, file []byte) ([]Warning, error) {
	var answer struct{ Findings []Warning }
	err := c.call(ctx, http.MethodPut, c.file(), nil, json.RawMessage(file), &answer)
	return answer.Findings, err
}

func (c *Client) file() string { return "sessions/" + url.PathEscape(c.name()) + "/file" }

// Problem is an error of the mock (RFC 9457).
type Problem struct {
	Status int       `json:"status"`
	Title  string    `json:"title"`
	Detail string    `json:"detail"`
	Errors []Finding `json:"errors,omitempty"` // about the request, or a scenario

	// For Verify: the number of matching exchanges, the newest of them, and the nearest of the others, at most five
	// each.
	Matched int     `json:"matched"`
	Matches []Match `json:"matches"`
	Misses  []Miss  `json:"misses"`
}

// Finding is one error in a request or a scenario.
type Finding struct {
	Code      string `json:"code"`
	Column    int    `json:"column,omitempty"` // in a scenario's text
	Detail    string `json:"detail"`
	File      string `json:"file,omitempty"` // name of a scenario
	Line      int    `json:"line,omitempty"`
	Parameter string `json:"parameter,omitempty"` // parameter of the request
	Pointer   string `json:"pointer,omitempty"`   // into the request's body
}

// Match identifies an exchange.
type Match struct {
	Number    uint64 `json:"number"`
	Operation string `json:"operation,omitempty"` // operationId or "METHOD path"; "" if none
	Request   string `json:"request"`             // method and path
	Status    int    `json:"status"`
}

// Miss is an exchange that does not match, with the conditions that fail.
type Miss struct {
	Failed []Failed `json:"failed"`
	Match
}

// Failed is a condition that fails for an exchange.
type Failed struct {
	Condition string          `json:"condition"`
	Failure   string          `json:"failure,omitempty"` // why the condition could not be evaluated
	Value     json.RawMessage `json:"value,omitempty"`   // the value compared; empty if none
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
