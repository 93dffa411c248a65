package journal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
	"unsafe"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Entry is one exchange. It does not change after it has been recorded.
type Entry struct {
	Number    uint64    // from 1, in the order in which exchanges ended
	Time      time.Time // when the request arrived
	Duration  time.Duration
	Delay     time.Duration // added before the response is sent
	Session   string        // "" for the base state
	Consumer  string        // who sent a forwarded request; "" if that is not known
	Mocked    string        // why a proxy did not forward the request; "" if it did, and for a mock
	Merged    string        // how a proxy's response differs from the upstream's; "" if it does not
	Replayed  string        // the recorded exchange that answered; "" if none did
	Operation Operation     // zero if no operation matched
	Request   exchange.Request
	Response  exchange.Response
	// RequestSize and ResponseSize are the sizes of the bodies in bytes. The first MaxBody bytes are kept.
	RequestSize, ResponseSize int
	Scenario                  string // the scenario that applied; "" if none
	Rule                      int    // its number in the scenario
	Fault                     string // the fault of the response; "" if none
	Findings                  []exchange.Finding
	Notes                     []exchange.Note // shared with other entries
	Why                       Why
	Writes                    []state.Write // of items

	weight int // size, once recorded
}

// Why says what made a response.
type Why struct {
	Source     Source
	Collection string // of the items that the request concerns; "" if none
	Key        string // of the item; "" for several, or if it is not known
	Role       *Role  // of the operation; nil without items
}

// Role is what an operation does to items by the inference, and why.
type Role struct{ Does, Reason string }

// Source is what made a response.
type Source uint8

// The sources of responses.
const (
	Unknown   Source = iota
	State            // items of the session
	Example          // of the document
	Generated        // from the schema
	Scenario         // a rule
	Upstream         // of a proxy
	Recording        // a recorded exchange
	Refused          // the request is not served
	Control          // the mock itself: a preflight, OPTIONS
)

func (s Source) String() string {
	return [...]string{
		"", "state", "example", "generated", "scenario", "upstream", "recording", "refused", "control",
	}[s]
}

// text says what made the response of an entry.
func (e *Entry) text() string {
	switch w := &e.Why; w.Source {
	case State:
		if w.Role == nil {
			return "create: the body of the request"
		}
		return w.Role.Does + ": " + w.Role.Reason
	case Example:
		return "an example of the document"
	case Generated:
		if w.Key != "" {
			return "generated from the schema and the key; the session has no such item"
		}
		return "generated from the schema"
	case Scenario:
		return "scenario " + e.Scenario + ", rule " + strconv.Itoa(e.Rule)
	case Upstream:
		return cmp.Or(e.Merged, "as the upstream sent it")
	case Recording:
		return e.Replayed
	case Refused:
		for _, f := range e.Findings {
			if f.Severity == exchange.Error {
				return f.String()
			}
		}
		return "the request cannot be served"
	}
	return "a preflight request, or one for the methods of a path"
}

// Operation names the operation of an exchange.
type Operation struct {
	ID     string // operationId, or "METHOD path" if there is none
	Method string
	Path   string // the template
}

// Is reports whether name is the operation's operationId or "METHOD path".
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

// Head returns the first MaxBody bytes. It copies them if the array is much larger.
func Head(body []byte) []byte {
	kept := body[:min(len(body), MaxBody)]
	if cap(body) > 2*len(kept)+1024 {
		return bytes.Clone(kept)
	}
	return kept
}

// Cut reports whether the bodies were truncated.
func (e *Entry) Cut() (request, response bool) {
	return e.RequestSize > len(e.Request.Body), e.ResponseSize > len(e.Response.Body)
}

const (
	entryBytes   = int(unsafe.Sizeof(Entry{}))
	fieldBytes   = int(unsafe.Sizeof(exchange.Field{}))
	findingBytes = int(unsafe.Sizeof(exchange.Finding{}))
	writeBytes   = int(unsafe.Sizeof(state.Write{}))
	noteBytes    = int(unsafe.Sizeof(exchange.Note{}))
)

// size returns roughly the bytes that the entry takes. It does not count text of the document, which exists anyway.
func (e *Entry) size() int {
	n := entryBytes + len(e.Session) + len(e.Consumer) + len(e.Request.Method) + len(e.Request.Path) +
		len(e.Request.Query) + len(e.Request.Body) + len(e.Response.Body) + findingBytes*len(e.Findings) +
		fieldBytes*(cap(e.Request.Header)+cap(e.Response.Header))
	for _, header := range []exchange.Header{e.Request.Header, e.Response.Header} {
		for _, f := range header {
			n += len(f.Name) + len(f.Value)
		}
	}
	for _, note := range e.Notes {
		n += noteBytes + len(note.Message) + len(note.Name) + len(note.Setting)
	}
	n += len(e.Why.Collection) + len(e.Why.Key) + writeBytes*len(e.Writes)
	for _, w := range e.Writes {
		n += len(w.Collection) + len(w.Key)
	}
	for _, f := range e.Findings {
		n += len(f.Message) + len(f.Name) + len(f.Pointer)
	}
	return n
}

// MarshalJSON returns the entry in the format of the control API: one object, in one line.
func (e *Entry) MarshalJSON() ([]byte, error) {
	object := entryObject{
		Number:       e.Number,
		Time:         e.Time.UTC().Format(time.RFC3339Nano),
		Microseconds: e.Duration.Microseconds(),
		Delay:        e.Delay.Milliseconds(),
		Session:      e.Session,
		Consumer:     e.Consumer,
		Mocked:       e.Mocked,
		Merged:       e.Merged,
		Replayed:     e.Replayed,
		Request:      newMessage(e.Request.Header, e.Request.Body, e.RequestSize),
		Response:     newMessage(e.Response.Header, e.Response.Body, e.ResponseSize),
		Fault:        e.Fault,
		Findings:     append([]exchange.Finding{}, e.Findings...),
		Notes:        e.Notes,
	}
	if e.Why.Source != Unknown {
		object.Why = &whyObject{e.Why.Source.String(), e.Why.Collection, e.Why.Key, e.text()}
	}
	for _, w := range e.Writes {
		object.Writes = append(object.Writes, writeObject{w.Kind.String(), w.Collection, w.Key})
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
	Consumer     string             `json:"consumer,omitempty"`
	Mocked       string             `json:"mocked,omitempty"`
	Merged       string             `json:"merged,omitempty"`
	Replayed     string             `json:"replayed,omitempty"`
	Operation    string             `json:"operation,omitempty"`
	Request      messageObject      `json:"request"`
	Response     messageObject      `json:"response"`
	Rule         *ruleObject        `json:"rule,omitempty"`
	Fault        string             `json:"fault,omitempty"`
	Findings     []exchange.Finding `json:"findings"`
	Notes        []exchange.Note    `json:"notes,omitempty"`
	Why          *whyObject         `json:"why,omitempty"`
	Writes       []writeObject      `json:"writes,omitempty"`
}

type whyObject struct {
	Source     string `json:"source"`
	Collection string `json:"collection,omitempty"`
	Key        string `json:"key,omitempty"`
	Text       string `json:"text"`
}

type writeObject struct {
	Did        string `json:"did"`
	Collection string `json:"collection"`
	Key        string `json:"key"`
}

type messageObject struct {
	Method    string            `json:"method,omitempty"`
	Path      string            `json:"path,omitempty"`
	Query     string            `json:"query,omitempty"`
	Status    int               `json:"status,omitempty"`
	Headers   map[string]string `json:"headers"`
	Body      any               `json:"body,omitempty"`
	Base64    []byte            `json:"base64,omitempty"`
	Size      int               `json:"size"` // size of the body in bytes
	Truncated bool              `json:"truncated,omitempty"`
}

type ruleObject struct {
	Scenario string `json:"scenario"`
	Number   int    `json:"number"`
}

// maxDepth limits the nesting of JSON that is shown as JSON. encoding/json writes at most 10,000 levels, including
// the lists and objects around an entry.
const maxDepth = 9_000

// newMessage shows a JSON body as JSON, other text as text, else as base64. JSON with too much nesting is shown as
// text.
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

// tail returns the length of a truncated character at the end.
func tail(body []byte) int {
	for n := 1; n < utf8.UTFMax && n < len(body); n++ {
		if utf8.RuneStart(body[len(body)-n]) {
			return n
		}
	}
	return 0
}
