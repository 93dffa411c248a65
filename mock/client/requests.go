package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Filter chooses exchanges of the journal. Its zero value chooses all.
type Filter struct {
	Operation string // operationId or "METHOD path"
	Status    string // 404 or 4XX
	Finding   string // code of one
	Method    string
	Path      string // as sent or as the document writes it
	Limit     int    // the newest so many; default 100
}

// Requests are exchanges, newest last.
type Requests struct {
	Matched  int        `json:"matched"` // how many there are without Limit
	Lost     uint64     `json:"lost"`    // older ones that made room
	Requests []Exchange `json:"requests"`
}

// Exchange is a request to the mock and its answer, without credentials.
type Exchange struct {
	Number       uint64    `json:"number"`
	Time         time.Time `json:"time"`
	Microseconds int64     `json:"microseconds"` // without the delay
	Delay        int64     `json:"delay"`        // milliseconds
	Session      string    `json:"session"`
	Operation    string    `json:"operation"` // operationId or "METHOD path"; "" for none
	Request      Message   `json:"request"`
	Response     Message   `json:"response"`
	Rule         *struct {
		Scenario string `json:"scenario"`
		Number   int    `json:"number"`
	} `json:"rule"` // of a scenario; nil for none
	Fault    string `json:"fault"`
	Findings []struct {
		Code     string `json:"code"`
		Severity string `json:"severity"`
		Message  string `json:"message"`
		In       string `json:"in"`
		Name     string `json:"name"`
		Pointer  string `json:"pointer"`
	} `json:"findings"`
}

// Message is a request or a response.
type Message struct {
	Method    string            `json:"method"`
	Path      string            `json:"path"`
	Query     string            `json:"query"`
	Status    int               `json:"status"`
	Headers   map[string]string `json:"headers"` // names in lower case
	Body      json.RawMessage   `json:"body"`    // a string where it is no JSON
	Base64    []byte            `json:"base64"`  // a body that is no text
	Size      int               `json:"size"`    // bytes of the body
	Truncated bool              `json:"truncated"`
}

// Requests gives exchanges of the journal.
func (c *Client) Requests(ctx context.Context, f Filter) (Requests, error) {
	q := c.query()
	for name, value := range map[string]string{
		"operation": f.Operation, "status": f.Status, "finding": f.Finding, "method": f.Method, "path": f.Path,
	} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Limit > 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	var list Requests
	err := c.call(ctx, http.MethodGet, "requests", q, nil, &list)
	return list, err
}

// ClearRequests empties the journal, of all sessions or of that one.
func (c *Client) ClearRequests(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "requests", c.query(), nil, nil)
}

// Expectation says which exchanges the journal is expected to have. The zero
// value expects at least one, of any operation.
type Expectation struct {
	Operation string `json:"operation,omitempty"` // operationId or "METHOD path"; default any
	Where     string `json:"where,omitempty"`     // a condition, as in scenarios; default none
	// Session is the name of one, "" that of requests that name none. Default any;
	// a Client that is in a session sets it.
	Session *string `json:"session,omitempty"`
	// Count is how many there must be, AtLeast and AtMost are bounds. Default: at
	// least 1.
	Count   *int `json:"count,omitempty"`
	AtLeast *int `json:"atLeast,omitempty"`
	AtMost  *int `json:"atMost,omitempty"`
	// Sequence is exchanges that follow each other, with any others between
	// them. It excludes all other fields but Session.
	Sequence []Step `json:"sequence,omitempty"`
}

// Step is one exchange of a sequence.
type Step struct {
	Operation string `json:"operation,omitempty"`
	Where     string `json:"where,omitempty"`
}

// Verify compares the journal with an expectation. Where it is not as expected,
// the error is a *Problem with Status 417 and the nearest misses.
func (c *Client) Verify(ctx context.Context, e Expectation) error {
	if c.session != nil {
		e.Session = c.session
	}
	if e.Count == nil && e.AtLeast == nil && e.AtMost == nil && e.Sequence == nil {
		e.AtLeast = new(1)
	}
	return c.send(ctx, http.MethodPost, "verify", nil, e, nil)
}

// Coverage reports what of the document was used, as "json", "text" or "lcov".
func (c *Client) Coverage(ctx context.Context, format string) ([]byte, error) {
	q := c.query()
	q.Set("format", format)
	var text []byte
	err := c.call(ctx, http.MethodGet, "coverage", q, nil, &text)
	return text, err
}

// Webhooks gives the names of the document's webhooks.
func (c *Client) Webhooks(ctx context.Context) ([]string, error) {
	var list struct{ Webhooks []string }
	err := c.call(ctx, http.MethodGet, "webhooks", nil, nil, &list)
	return list.Webhooks, err
}

// Order is a webhook to be sent.
type Order struct {
	URL    string `json:"url"`
	Method string `json:"method,omitempty"` // default the first that is documented
	Body   any    `json:"body,omitempty"`   // in place of a generated one
}

// Delivery is what was sent and what came back.
type Delivery struct {
	Sent     Message   `json:"sent"`
	Received Message   `json:"received"`
	Findings []Finding `json:"findings"` // on what came back
}

// SendWebhook sends a webhook where the option callbacks allows it.
func (c *Client) SendWebhook(ctx context.Context, name string, o Order) (Delivery, error) {
	var d Delivery
	err := c.send(ctx, http.MethodPost, "webhooks/"+url.PathEscape(name), nil, o, &d)
	return d, err
}
