package journal

import (
	"time"
	"unsafe"

	"github.com/coldframe/coldframe/internal/exchange"
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
	// RequestSize and ResponseSize are the bytes of the bodies, of which the first
	// MaxBody are kept.
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

// cut keeps no more of the bodies than MaxBody.
func (e *Entry) cut() {
	e.RequestSize, e.ResponseSize = len(e.Request.Body), len(e.Response.Body)
	e.Request.Body, e.Response.Body = head(e.Request.Body), head(e.Response.Body)
}

// head gives the first MaxBody bytes, as a copy where that is not all of them.
func head(body []byte) []byte {
	if len(body) <= MaxBody {
		return body
	}
	return append(make([]byte, 0, MaxBody), body[:MaxBody]...)
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

// size is about how many bytes the entry takes. Text of the document is not
// counted: it is there anyway.
func (e *Entry) size() int {
	n := entryBytes + len(e.Session) + len(e.Request.Method) + len(e.Request.Path) + len(e.Request.Query) +
		len(e.Request.Body) + len(e.Response.Body) + findingBytes*len(e.Findings) +
		fieldBytes*(cap(e.Request.Header)+cap(e.Response.Header))
	for _, f := range e.Request.Header {
		n += len(f.Name) + len(f.Value)
	}
	for _, f := range e.Response.Header {
		n += len(f.Name) + len(f.Value)
	}
	for _, f := range e.Findings {
		n += len(f.Message) + len(f.Name) + len(f.Pointer)
	}
	return n
}
