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
	Errors []Finding `json:"errors"` // what is wrong with the request, or a scenario

	// Of Verify: how many exchanges match, and those that nearly do.
	Matched int    `json:"matched"`
	Misses  []Miss `json:"misses"`
}

// Finding is one thing that is wrong.
type Finding struct {
	Code      string `json:"code"`
	Detail    string `json:"detail"`
	Pointer   string `json:"pointer"`   // into the request's body
	Parameter string `json:"parameter"` // of the request
	File      string `json:"file"`      // of a scenario
	Line      int    `json:"line"`
	Column    int    `json:"column"`
}

// Miss is an exchange that does not match and why.
type Miss struct {
	Number  uint64 `json:"number"`
	Request string `json:"request"` // method and path
	Status  int    `json:"status"`
	Failed  []struct {
		Condition string `json:"condition"`
		Value     any    `json:"value"`   // what was compared, nil for none
		Failure   string `json:"failure"` // why the condition has no value
	} `json:"failed"`
}

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
			if f.Value != nil {
				value, _ := json.Marshal(f.Value) // decoded JSON
				fmt.Fprintf(&text, ", is %s", value)
			}
			if f.Failure != "" {
				text.WriteString(", " + f.Failure)
			}
		}
	}
	return text.String()
}

// problemOf reads a problem, or makes one of what is none.
func problemOf(status int, text []byte) *Problem {
	p := &Problem{}
	if err := json.Unmarshal(text, p); err != nil || p.Detail == "" {
		p = &Problem{Title: http.StatusText(status), Detail: fmt.Sprintf("the mock answered %d %s", status, http.StatusText(status))}
	}
	p.Status = status
	return p
}
