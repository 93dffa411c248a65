package exchange

import (
	"strconv"
	"strings"
)

// Severity says what a finding means for the exchange or the document.
type Severity uint8

const (
	// Error breaks the contract: a request is refused, a document is faulty, a backend is wrong.
	Error Severity = iota
	// Warning should be fixed but does not break the contract.
	Warning
	// Info is worth knowing and never fails a run: what only words promise, or what the document excuses.
	Info
)

// Lower returns the next severity below. Nothing is below Info.
func (s Severity) Lower() Severity { return min(s+1, Info) }

// String returns "error", "warning" or "note".
func (s Severity) String() string { return [...]string{"error", "warning", "note"}[s] }

// MarshalText returns the word that String returns.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Place is a place in a document. Line and Column count from 1; 0 means unknown.
type Place struct {
	Pointer string `json:"pointer,omitempty"` // JSON Pointer (RFC 6901) from the root of File
	File    string `json:"file,omitempty"`    // the name or the URL by which the file was read
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"` // in characters
}

// String returns file:line:col without unknown parts.
func (p Place) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
	}
	return s
}

// The parts of an exchange that a finding can be about: the values of Finding.In.
const (
	InPath    = "path"
	InQuery   = "query"
	InHeader  = "header"
	InCookie  = "cookie"
	InBody    = "body"
	InRequest = "request" // the message as a whole: method, credentials, media type

	// The parts of a response, in findings on an exchange with another server.
	InResponse       = "response" // the message as a whole: status, connection
	InResponseHeader = "response.header"
	InResponseBody   = "response.body"
)

// Finding is one disagreement between an exchange, or the document itself, and the contract. Findings are values: two
// that say the same compare equal.
type Finding struct {
	Code     string   `json:"code"` // stable, kebab-case: "max-length", "additional-properties"
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`           // what is wrong, without the place
	In       string   `json:"in,omitempty"`      // the part of the exchange; "" for a finding on the document
	Name     string   `json:"name,omitempty"`    // the parameter's or header's name
	Pointer  string   `json:"pointer,omitempty"` // JSON Pointer into the body or the parameter's value
	Document Place    `json:"document"`          // what the document says about it
}

var unescaper = strings.NewReplacer("~1", "/", "~0", "~")

// Where names the part of the exchange for people: body.tags.0, query.limit.
func (f Finding) Where() string {
	where := f.In
	if f.Name != "" {
		where += "." + f.Name
	}
	if f.Pointer == "" {
		return where
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(f.Pointer, "/"), "/") {
		where += "." + unescaper.Replace(token)
	}
	return where
}

// String returns the finding in one line: where it is and what is wrong.
func (f Finding) String() string {
	if f.In == "" {
		if place := f.Document.String(); place != "" {
			return place + ": " + f.Message
		}
		return f.Message
	}
	return f.Where() + ": " + f.Message
}
