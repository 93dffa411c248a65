package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Filter selects exchanges of the journal. The zero value selects all.
type Filter struct {
	Operation string // operationId or "METHOD path"
	Status    string // 404 or 4XX
	Finding   string // code of a finding
	Method    string
	Path      string // as sent or as in the document
	Text      string // in the target or a body, in upper or lower case
	Before    uint64 // only exchanges with smaller numbers; 0 for all
	Limit     int    // the newest ones; default 100
}

// Requests are exchanges, newest last.
type Requests struct {
	Matched  int        `json:"matched"` // their number without Limit
	Lost     uint64     `json:"lost"`    // older ones that were dropped
	Requests []Exchange `json:"requests"`
}

// Exchange is a request to the mock and its response, without credentials.
type Exchange struct {
	Number       uint64    `json:"number"`
	Time         time.Time `json:"time"`
	Microseconds int64     `json:"microseconds"` // without the delay
	Delay        int64     `json:"delay"`        // in milliseconds
	Session      string    `json:"session"`
	Consumer     string    `json:"consumer"`  // who sent a forwarded request; "" if that is not known
	Mocked       string    `json:"mocked"`    // why a proxy did not forward the request; "" if it did
	Merged       string    `json:"merged"`    // how a proxy's response differs from the upstream's; "" if it does not
	Replayed     string    `json:"replayed"`  // the recorded exchange that answered; "" if none did
	Operation    string    `json:"operation"` // operationId or "METHOD path"; "" if none
	Request      Message   `json:"request"`
	Response     Message   `json:"response"`
	Rule         *struct {
		Scenario string `json:"scenario"`
		Number   int    `json:"number"`
	} `json:"rule"` // of a scenario; nil if none
	Fault    string  `json:"fault"`
	Why      Why     `json:"why"`
	Writes   []Write `json:"writes"` // what the request did to items, the first 100
	Notes    []Note  `json:"notes"`  // what of the request is not simulated
	Findings []struct {
		Code     string `json:"code"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		In       string `json:"in"`
		Name     string `json:"name"`
		Pointer  string `json:"pointer"`
		Document Place  `json:"document"` // what it violates
	} `json:"findings"`
}

// Note says what of a request is not simulated.
type Note struct {
	Code    string `json:"code"` // unbound-parameter, unbound-property, unbound-value or unbound-action
	Message string `json:"message"`
	In      string `json:"in"`      // query, body or request
	Name    string `json:"name"`    // of the parameter or the property
	Setting string `json:"setting"` // the line below "resources" in coldframe.yaml that binds it
}

// Why says what made a response.
type Why struct {
	// Source is state, example, generated, scenario, upstream, recording, refused or control, which is the mock itself.
	Source     string `json:"source"`
	Collection string `json:"collection"` // of the items that the request concerns; "" if none
	Key        string `json:"key"`        // of the item; "" for several
	Text       string `json:"text"`       // for people
}

// Write is what a request did to an item.
type Write struct {
	Did        string `json:"did"` // created, changed or deleted
	Collection string `json:"collection"`
	Key        string `json:"key"`
}

// Message is a request or a response.
type Message struct {
	Method    string            `json:"method"`
	Path      string            `json:"path"`
	Query     string            `json:"query"`
	Status    int               `json:"status"`
	Headers   map[string]string `json:"headers"` // names in lower case
	Body      json.RawMessage   `json:"body"`    // a string if it is not JSON
	Base64    []byte            `json:"base64"`  // a body that is not text
	Size      int               `json:"size"`    // bytes of the body
	Truncated bool              `json:"truncated"`
}

// Requests returns exchanges of the journal.
func (c *Client) Requests(ctx context.Context, f Filter) (Requests, error) {
	return get[Requests](ctx, c, "requests", c.filtered(f))
}

// filtered returns the query that selects exchanges.
func (c *Client) filtered(f Filter) url.Values {
	q := c.query()
	for name, value := range map[string]string{
		"operation": f.Operation, "status": f.Status, "finding": f.Finding, "method": f.Method,
		"path": f.Path, "text": f.Text,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Before > 0 {
		q.Set("before", strconv.FormatUint(f.Before, 10))
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	return q
}

// Follow calls with for each exchange in the journal whose number is greater than after, and then for each new
// exchange. lost is the number of exchanges dropped before this one because the calls took too long. Follow ignores
// Text, Before and Limit of the filter. It returns nil when the mock stops.
func (c *Client) Follow(ctx context.Context, f Filter, after uint64, with func(e Exchange, lost int)) error {
	f.Text, f.Before, f.Limit = "", 0, 0
	r, err := c.request(ctx, http.MethodGet, "events", c.filtered(f), nil)
	if err != nil {
		return err
	}
	r.Header.Set("Last-Event-ID", strconv.FormatUint(after, 10))
	response, err := c.options.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		text, _ := io.ReadAll(io.LimitReader(response.Body, maxEvent))
		return problemOf(response.StatusCode, text)
	}
	var event struct {
		Exchange
		Lost int `json:"lost"`
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, maxEvent)
	for lines.Scan() {
		data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !ok {
			continue
		}
		lost := event.Lost
		event.Exchange, event.Lost = Exchange{}, 0
		if err := json.Unmarshal(data, &event); err != nil {
			return err
		}
		if event.Number > 0 {
			with(event.Exchange, lost)
		}
	}
	return lines.Err()
}

const maxEvent = 16 << 20 // largest exchange of Follow, in bytes

// HAR returns exchanges of the journal as HAR 1.2.
func (c *Client) HAR(ctx context.Context, f Filter) ([]byte, error) {
	q := c.filtered(f)
	q.Set("format", "har")
	return get[[]byte](ctx, c, "requests", q)
}

// ClearRequests clears the journal, or the session's exchanges if the client has one.
func (c *Client) ClearRequests(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "requests", c.query(), nil, nil)
}

// Expectation describes the exchanges that the journal must have. The zero value expects at least one, of any
// operation.
type Expectation struct {
	Operation string `json:"operation,omitempty"` // operationId or "METHOD path"; default any
	Where     string `json:"where,omitempty"`     // a condition, as in scenarios; default none
	// Session is the name of a session, "" for the session of requests that name none. Default any; a Client with a
	// session sets it.
	Session *string `json:"session,omitempty"`
	// Count is the exact number, AtLeast and AtMost are limits. Default: at least 1.
	Count   *int `json:"count,omitempty"`
	AtLeast *int `json:"atLeast,omitempty"`
	AtMost  *int `json:"atMost,omitempty"`
	// Sequence is a list of exchanges in this order, with any others between them. It excludes all other fields
	// except Session.
	Sequence []Step `json:"sequence,omitempty"`
}

// Step is one exchange of a sequence.
type Step struct {
	Operation string `json:"operation,omitempty"`
	Where     string `json:"where,omitempty"`
}

// Verify compares the journal with an expectation. If it is not met, the error is a *Problem with Status 417 and the
// nearest misses.
func (c *Client) Verify(ctx context.Context, e Expectation) error {
	if c.session != nil {
		e.Session = c.session
	}
	if e.Count == nil && e.AtLeast == nil && e.AtMost == nil && e.Sequence == nil {
		e.AtLeast = new(1)
	}
	return c.call(ctx, http.MethodPost, "verify", nil, e, nil)
}

// Coverage returns the report on the used parts of the document, as "json", "text" or "lcov".
func (c *Client) Coverage(ctx context.Context, format string) ([]byte, error) {
	q := c.query()
	q.Set("format", format)
	return get[[]byte](ctx, c, "coverage", q)
}

// Webhooks returns the names of the document's webhooks.
func (c *Client) Webhooks(ctx context.Context) ([]string, error) {
	list, err := get[struct{ Webhooks []string }](ctx, c, "webhooks", nil)
	return list.Webhooks, err
}

// Order describes a webhook to send.
type Order struct {
	URL    string `json:"url"`
	Method string `json:"method,omitempty"` // default: the first documented one
	Body   any    `json:"body,omitempty"`   // in place of a generated one
}

// Delivery has the sent request and its response.
type Delivery struct {
	Sent     Message   `json:"sent"`
	Received Message   `json:"received"`
	Findings []Finding `json:"findings"` // about the response
}

// SendWebhook sends a webhook if the option callbacks allows it.
func (c *Client) SendWebhook(ctx context.Context, name string, o Order) (Delivery, error) {
	var d Delivery
	err := c.call(ctx, http.MethodPost, "webhooks/"+url.PathEscape(name), nil, o, &d)
	return d, err
}

// Scenario is a scenario of a file, or one that was put.
type Scenario struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	File        string   `json:"file"`
	Active      bool     `json:"active"` // applies to requests that choose no scenario
	States      []string `json:"states,omitempty"`
	State       string   `json:"state,omitempty"` // in the client's session
	Rules       []Rule   `json:"rules"`
	// ResetAt is the time when a reload last reset its state and counts because its content had changed; zero for
	// never.
	ResetAt time.Time `json:"resetAt,omitzero"`
	Text    string    `json:"text,omitempty"` // set by Client.Scenario only
}

// Rule is one rule of a scenario.
type Rule struct {
	Number      int      `json:"number"`
	Line        int      `json:"line"`
	On          []string `json:"on"`
	Description string   `json:"description,omitempty"`
	Matched     uint64   `json:"matched"` // number of requests that it applied to, in the session or in all
}

// Warning is a finding on the document, a scenario or data, which are used nevertheless.
type Warning struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Document Place  `json:"document"`
}

func (c *Client) scenario(name string) string { return "scenarios/" + url.PathEscape(name) }

// Scenarios returns the scenarios in the order of their rules.
func (c *Client) Scenarios(ctx context.Context) ([]Scenario, error) {
	list, err := get[struct{ Scenarios []Scenario }](ctx, c, "scenarios", c.query())
	return list.Scenarios, err
}

// Scenario returns a scenario with the text of its file.
func (c *Client) Scenario(ctx context.Context, name string) (Scenario, error) {
	return get[Scenario](ctx, c, c.scenario(name), c.query())
}

// PutScenario adds a scenario, or replaces the one with its name. text is a scenario file, YAML or JSON; if it has
// errors, the error is a *Problem whose Errors have the lines.
func (c *Client) PutScenario(ctx context.Context, name, text string) ([]Warning, error) {
	var found struct{ Findings []Warning }
	err := c.call(ctx, http.MethodPut, c.scenario(name), c.query(), yaml(text), &found)
	return found.Findings, err
}

// Text is a scenario to put.
type Text struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ReplaceScenarios replaces all scenarios.
func (c *Client) ReplaceScenarios(ctx context.Context, texts ...Text) ([]Warning, error) {
	var found struct{ Findings []Warning }
	body := map[string][]Text{"scenarios": append([]Text{}, texts...)}
	err := c.call(ctx, http.MethodPut, "scenarios", c.query(), body, &found)
	return found.Findings, err
}

// SaveScenario writes the scenario to its file, or to a new one, and returns the file's name. It needs --allow-edit.
func (c *Client) SaveScenario(ctx context.Context, name string) (string, error) {
	var answer struct{ File string }
	err := c.call(ctx, http.MethodPost, "scenarios/"+url.PathEscape(name)+"/save", c.query(), nil, &answer)
	return answer.File, err
}

// SwitchScenario activates or deactivates a scenario.
func (c *Client) SwitchScenario(ctx context.Context, name string, active bool) error {
	return c.call(ctx, http.MethodPatch, c.scenario(name), c.query(), map[string]bool{"active": active}, nil)
}

// DeleteScenario deletes a scenario.
func (c *Client) DeleteScenario(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, c.scenario(name), c.query(), nil, nil)
}

// RestoreScenarios undoes all changes of scenarios.
func (c *Client) RestoreScenarios(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "scenarios", c.query(), nil, nil)
}

// ScenarioState returns the session's named state in a scenario, "" if the scenario has no states.
func (c *Client) ScenarioState(ctx context.Context, name string) (string, error) {
	s, err := get[struct{ State string }](ctx, c, c.scenario(name)+"/state", c.query())
	return s.State, err
}

// SetScenarioState sets the session's named state in a scenario.
func (c *Client) SetScenarioState(ctx context.Context, name, state string) error {
	return c.call(ctx, http.MethodPut, c.scenario(name)+"/state", c.query(), map[string]string{"state": state}, nil)
}

// RewindScenario resets the session's state in a scenario, and the counts of its rules.
func (c *Client) RewindScenario(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, c.scenario(name)+"/state", c.query(), nil, nil)
}
