package client

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

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

// Error gives the detail, and a line for each miss.
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

// problemOf reads a problem, or makes one from the status of any other answer.
func problemOf(status int, text []byte) *Problem {
	p := &Problem{}
	if err := json.Unmarshal(text, p); err != nil || p.Detail == "" {
		title := http.StatusText(status)
		p = &Problem{Title: title, Detail: fmt.Sprintf("the mock answered %d %s", status, title)}
	}
	p.Status = status
	return p
}
