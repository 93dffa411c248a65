package journal

import (
	"bytes"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// Entry is one exchange. It is never changed once it has been recorded.
type Entry struct {
	Number    uint64    // from 1, in the order in which exchanges ended
	Time      time.Time // when the request was there
	Duration  time.Duration
	Delay     time.Duration // that comes on top, before the answer is sent
	Session   string        // "" for the base state
	Operation Operation     // zero where the request led to none
	Request   exchange.Request
	Response  exchange.Response
	// RequestSize and ResponseSize are the bytes of the bodies, of which the first MaxBody are kept.
	RequestSize, ResponseSize int
	Scenario                  string // that had a say; "" for none
	Rule                      int    // its number in the scenario
	Fault                     string // that broke the answer; "" for none
	Findings                  []exchange.Finding

	weight int // size, once it is recorded
}

// Operation names the operation of an exchange.
type Operation struct {
	ID     string // operationId, or "METHOD path" where there is none
	Method string
	Path   string // the template
}

// Is reports whether name is the operation's: its operationId or "METHOD path".
func (o Operation) Is(name string) bool {
	if name == "" {
		return false
	}
	n := len(o.Method)
	return o.ID == name || len(name) == n+1+len(o.Path) && name[:n] == o.Method && name[n] == ' ' && name[n+1:] == o.Path
}

func (o Operation) String() string {
	if o.Path == "" {
		return "no operation"
	}
	return o.Method + " " + o.Path
}

// Head returns the first MaxBody bytes, as a copy where the array has much more.
func Head(body []byte) []byte {
	kept := body[:min(len(body), MaxBody)]
	if cap(body) > 2*len(kept)+1024 {
		return bytes.Clone(kept)
	}
	return kept
}

// Cut reports whether only the first part of a body is kept.
func (e *Entry) Cut() (request, response bool) {
	return e.RequestSize > len(e.Request.Body), e.ResponseSize > len(e.Response.Body)
}

const (
	entryBytes   = int(unsafe.Sizeof(Entry{}))
	fieldBytes   = int(unsafe.Sizeof(exchange.Field{}))
	findingBytes = int(unsafe.Sizeof(exchange.Finding{}))
)

// size is about how many bytes the entry takes. Text of the document is not counted: it is there anyway.
func (e *Entry) size() int {
	n := entryBytes + len(e.Session) + len(e.Request.Method) + len(e.Request.Path) + len(e.Request.Query) +
		len(e.Request.Body) + len(e.Response.Body) + findingBytes*len(e.Findings) +
		fieldBytes*(cap(e.Request.Header)+cap(e.Response.Header))
	for _, header := range []exchange.Header{e.Request.Header, e.Response.Header} {
		for _, f := range header {
			n += len(f.Name) + len(f.Value)
		}
	}
	for _, f := range e.Findings {
		n += len(f.Message) + len(f.Name) + len(f.Pointer)
	}
	return n
}

// MarshalJSON writes the entry as the control API gives it: one object, in one line.
func (e *Entry) MarshalJSON() ([]byte, error) {
	object := entryObject{
		Number:       e.Number,
		Time:         e.Time.UTC().Format(time.RFC3339Nano),
		Microseconds: e.Duration.Microseconds(),
		Delay:        e.Delay.Milliseconds(),
		Session:      e.Session,
		Request:      newMessage(e.Request.Header, e.Request.Body, e.RequestSize),
		Response:     newMessage(e.Response.Header, e.Response.Body, e.ResponseSize),
		Fault:        e.Fault,
		Findings:     append([]exchange.Finding{}, e.Findings...),
	}
	object.Request.Method, object.Request.Path, object.Request.Query = e.Request.Method, e.Request.Path, e.Request.Query
	object.Response.Status = e.Response.Status
	if e.Operation.Path != "" {
		object.Operation = e.Operation.ID
	}
	if e.Scenario != "" {
		object.Rule = &ruleObject{e.Scenario, e.Rule}
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
	Base64    []byte            `json:"base64,omitempty"`
	Size      int               `json:"size"` // bytes of the body
	Truncated bool              `json:"truncated,omitempty"`
}

type ruleObject struct {
	Scenario string `json:"scenario"`
	Number   int    `json:"number"`
}

// maxDepth is how deep JSON may nest that is shown as JSON. encoding/json writes no more than 10,000 levels, those of
// the lists and objects around an entry included.
const maxDepth = 9_000

// newMessage has a body as JSON where it is that, else as text, else as base64. JSON that is nested too deep is text.
func newMessage(h exchange.Header, body []byte, size int) messageObject {
	m := messageObject{Headers: h.Joined(), Size: size, Truncated: size > len(body)}
	kind, _ := h.Get("Content-Type")
	switch {
	case len(body) == 0:
	case !m.Truncated && jsontext.IsMediaType(kind) && utf8.Valid(body) && json.Valid(body) &&
		jsontext.NestsAtMost(body, maxDepth):
		m.Body = json.RawMessage(body)
	case utf8.Valid(body) || m.Truncated && utf8.Valid(body[:len(body)-tail(body)]):
		m.Body = strings.ToValidUTF8(string(body), "")
	default:
		m.Base64 = body
	}
	return m
}

// tail returns the length of the character at the end that was cut.
func tail(body []byte) int {
	for n := 1; n < utf8.UTFMax && n < len(body); n++ {
		if utf8.RuneStart(body[len(body)-n]) {
			return n
		}
	}
	return 0
}
