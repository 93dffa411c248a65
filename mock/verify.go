package mock

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Reset begins again: without sessions, with the items of the start, the
// scenarios that were loaded at their first answer and an empty journal.
func (s *Server) Reset() {
	for _, session := range s.sessions.List() {
		s.sessions.Delete(session.Name) // Default stays, as new
	}
	s.changeScenarios(nil, func(*scenario.Changes) *scenario.Changes { return nil })
	s.forgetCoverage("")
	s.journal.Clear()
}

// Requests gives the exchanges of the journal, oldest first. They are shared:
// read them only. Nothing is kept with a negative Options.Journal.
func (s *Server) Requests() []*journal.Entry {
	entries, _ := s.journal.Entries()
	return entries
}

// Expectation says which exchanges the journal is expected to have. Its fields
// are those of POST /__coldframe/verify; the zero value expects any exchange.
type Expectation struct {
	Operation string  `json:"operation,omitempty"` // operationId or "METHOD path"; default any
	Where     string  `json:"where,omitempty"`     // a condition, as in scenarios; default any
	Session   *string `json:"session,omitempty"`   // its name; default any
	// Count is how many there must be, AtLeast and AtMost are bounds. Default: at
	// least 1.
	Count   *int `json:"count,omitempty"`
	AtLeast *int `json:"atLeast,omitempty"`
	AtMost  *int `json:"atMost,omitempty"`
	// Sequence is exchanges that follow each other, with any others between
	// them; it stands in place of all but Session.
	Sequence []Step `json:"sequence,omitempty"`
}

// Step is one exchange of a sequence.
type Step struct {
	Operation string `json:"operation,omitempty"`
	Where     string `json:"where,omitempty"`
}

// VerifyError says how the journal is not as expected, or what is wrong with
// the expectation.
type VerifyError struct {
	Detail string
	Misses []Miss // the nearest, at most five
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

func (e *VerifyError) Error() string {
	var text strings.Builder
	text.WriteString(e.Detail)
	for _, m := range e.Misses {
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

// Verify holds the journal to an expectation. The error is a *VerifyError.
func (s *Server) Verify(e Expectation) error {
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	if string(body) == "{}" {
		body = []byte(`{"atLeast":1}`)
	}
	a := s.control.Serve(&exchange.Request{
		Method: "POST",
		Path:   control.Prefix + "verify",
		Header: exchange.Header{
			{Name: "Content-Type", Value: "application/json"},
			{Name: "Authorization", Value: "Bearer " + s.options.ControlToken},
		},
		Body: body,
	})
	if a.Status == 200 {
		return nil
	}
	var problem VerifyError
	if err := json.Unmarshal(a.Body, &problem); err != nil {
		return fmt.Errorf("verify answered %d: %w", a.Status, err)
	}
	return &problem
}
