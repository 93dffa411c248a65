package journal

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// MarshalJSON writes the entry as the control API gives it: one object, in one
// line.
func (e *Entry) MarshalJSON() ([]byte, error) {
	requestCut, responseCut := e.Cut()
	object := entryObject{
		Number:       e.Number,
		Time:         e.Time.UTC().Format(time.RFC3339Nano),
		Microseconds: e.Duration.Microseconds(),
		Delay:        e.Delay.Milliseconds(),
		Session:      e.Session,
		Request: messageObject{Method: e.Request.Method, Path: e.Request.Path, Query: e.Request.Query,
			Headers: e.Request.Header.Joined()},
		Response: messageObject{Status: e.Response.Status, Headers: e.Response.Header.Joined()},
		Fault:    e.Fault,
		Findings: e.Findings,
	}
	if e.Operation.Path != "" {
		object.Operation = e.Operation.ID
	}
	if e.Scenario != "" {
		object.Rule = &ruleObject{e.Scenario, e.Rule}
	}
	object.Request.body(e.Request.Header, e.Request.Body, e.RequestSize, requestCut)
	object.Response.body(e.Response.Header, e.Response.Body, e.ResponseSize, responseCut)
	if object.Findings == nil {
		object.Findings = []exchange.Finding{}
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(object)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

type entryObject struct {
	Number       uint64             `json:"number"`
	Time         string             `json:"time"`
	Microseconds int64              `json:"microseconds"`
	Delay        int64              `json:"delay,omitempty"` // milliseconds
	Session      string             `json:"session,omitempty"`
	Operation    string             `json:"operation,omitempty"`
	Request      messageObject      `json:"request"`
	Response     messageObject      `json:"response"`
	Rule         *ruleObject        `json:"rule,omitempty"`
	Fault        string             `json:"fault,omitempty"`
	Findings     []exchange.Finding `json:"findings"`
}

type messageObject struct {
	Method    string            `json:"method,omitempty"`
	Path      string            `json:"path,omitempty"`
	Query     string            `json:"query,omitempty"`
	Status    int               `json:"status,omitempty"`
	Headers   map[string]string `json:"headers"`
	Body      any               `json:"body,omitempty"`
	Base64    string            `json:"base64,omitempty"`
	Size      int               `json:"size"` // bytes of the body
	Truncated bool              `json:"truncated,omitempty"`
}

type ruleObject struct {
	Scenario string `json:"scenario"`
	Number   int    `json:"number"`
}

// body gives a body as JSON where it is that, else as text, else as base64.
func (m *messageObject) body(h exchange.Header, body []byte, size int, cut bool) {
	m.Size, m.Truncated = size, cut
	kind, _ := h.Get("Content-Type")
	switch {
	case len(body) == 0:
	case !cut && jsontext.IsMediaType(kind) && utf8.Valid(body) && json.Valid(body):
		m.Body = json.RawMessage(body)
	case utf8.Valid(body) || cut && utf8.Valid(body[:len(body)-tail(body)]):
		m.Body = strings.ToValidUTF8(string(body), "")
	default:
		m.Base64 = base64.StdEncoding.EncodeToString(body)
	}
}

// tail gives the length of the character at the end that was cut.
func tail(body []byte) int {
	for n := 1; n < utf8.UTFMax && n < len(body); n++ {
		if utf8.RuneStart(body[len(body)-n]) {
			return n
		}
	}
	return 0
}
