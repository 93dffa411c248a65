package report

import (
	_ "embed"
	"encoding/base64"
	"io"
	"strconv"
	"time"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

// jsonForm numbers the form of the JSON report. It changes if readers of the
// former one could no longer read it.
const jsonForm = 1

// These types add to the values of package report what JSON writes differently.
type (
	jsonReport struct {
		Form    int         `json:"form"`
		Program jsonProgram `json:"program"`
		*report.Report
		Began      time.Time     `json:"began"`
		Took       float64       `json:"tookSeconds"`
		Totals     jsonTotals    `json:"totals"`
		Phases     []jsonPhase   `json:"phases"`
		Operations []any         `json:"operations"`
		Findings   []any         `json:"findings"`
		Flaky      []any         `json:"flaky"`
		Waived     []any         `json:"waived"`
		Coverage   *jsonCoverage `json:"coverage,omitempty"`
	}
	jsonProgram struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
	}
	jsonTotals struct {
		Errors   int `json:"errors"`   // new ones
		Warnings int `json:"warnings"` // new ones
		Known    int `json:"known"`
		Waived   int `json:"waived"`
		Resolved int `json:"resolved"`
	}
	jsonPhase struct {
		report.Phase
		Took float64 `json:"tookSeconds"`
	}
	jsonOperation struct {
		*report.Operation
		Tags     []string       `json:"tags"`
		Statuses map[string]int `json:"statuses"` // "none" for no answer
		Plain    map[string]int `json:"plain"`    // likewise
	}
	jsonFinding struct {
		*report.Finding
		Operations []string   `json:"operations"`
		Sent       []jsonSent `json:"sent"`
	}
	jsonSent struct {
		Curl     string        `json:"curl"`
		Request  jsonRequest   `json:"request"`
		Response *jsonResponse `json:"response,omitempty"`
		Fault    string        `json:"fault,omitempty"`
	}
	jsonRequest struct {
		Method string `json:"method"`
		Target string `json:"target"`
		jsonContent
	}
	jsonResponse struct {
		Status int `json:"status"`
		jsonContent
	}
	// jsonContent is the header and the body of a message: as text if it is UTF-8, else in base64.
	jsonContent struct {
		Header    []jsonField `json:"header"`
		Body      *string     `json:"body,omitempty"`
		BodyBytes string      `json:"bodyBase64,omitempty"`
		Size      int         `json:"size"` // of the body, in bytes; what is shown may be its beginning
		// Of the header, if it is too large to be shown whole.
		FieldsLeftOut     int `json:"fieldsLeftOut,omitempty"`
		FieldBytesLeftOut int `json:"fieldBytesLeftOut,omitempty"`
	}
	jsonField struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	jsonCoverage struct {
		coverage.Summary
		Kinds      []coverage.KindReport `json:"kinds"`
		Operations []jsonCovered         `json:"operations"`
	}
	jsonCovered struct {
		Operation string `json:"operation"`
		coverage.Summary
		Missing []string `json:"missing"`
		Untried []string `json:"untried"`
	}
)

func writeJSON(w io.Writer, m *model) error {
	r := *m.Report
	r.Resolved, r.Skipped = append([]string{}, r.Resolved...), append([]report.Skipped{}, r.Skipped...)
	r.Stale = append([]string{}, r.Stale...)
	out := jsonReport{
		Form: jsonForm, Program: jsonProgram{"coldframe", m.Options.Version}, Report: &r, Began: r.Began.UTC(),
		Took:   r.Took.Seconds(),
		Totals: jsonTotals{m.Errors, m.Warnings, m.Known, len(r.Waived), len(r.Resolved)},
		Phases: []jsonPhase{}, Operations: []any{}, Coverage: jsonCoverageOf(r.Coverage),
		Findings: jsonFindingsOf(r.Findings), Flaky: jsonFindingsOf(r.Flaky), Waived: jsonFindingsOf(r.Waived),
	}
	for _, p := range r.Phases {
		out.Phases = append(out.Phases, jsonPhase{p, p.Took.Seconds()})
	}
	for _, o := range r.Operations {
		out.Operations = append(out.Operations, JSONOperation(o))
	}
	return encodeJSON(w, out)
}

func jsonFindingsOf(all []report.Finding) []any {
	out := []any{}
	for i := range all {
		out = append(out, JSONFinding(&all[i]))
	}
	return out
}

// JSONOperation returns an operation as the JSON report has it.
func JSONOperation(o *report.Operation) any {
	return jsonOperation{o, append([]string{}, o.Tags...), byName(o.Statuses), byName(o.Plain)}
}

// JSONFinding returns a finding as the JSON report has it.
func JSONFinding(f *report.Finding) any {
	out := jsonFinding{Finding: f, Operations: f.Operations, Sent: []jsonSent{}}
	if len(out.Operations) == 0 {
		out.Operations = []string{f.Operation}
	}
	for i := range f.Sent {
		out.Sent = append(out.Sent, jsonSentOf(&f.Sent[i]))
	}
	return out
}

func byName(counts map[int]int) map[string]int {
	named := make(map[string]int, len(counts))
	for status, n := range counts {
		name := "none"
		if status != 0 {
			name = strconv.Itoa(status)
		}
		named[name] = n
	}
	return named
}

func jsonSentOf(s *report.Sent) jsonSent {
	out := jsonSent{Curl: s.Curl, Fault: s.Fault}
	if r := s.Request; r != nil {
		target := r.Path
		if r.Query != "" {
			target += "?" + r.Query
		}
		out.Request = jsonRequest{r.Method, target, content(r.Header, r.Body, s.RequestSize)}
	}
	if r := s.Response; r != nil {
		out.Response = &jsonResponse{r.Status, content(r.Header, r.Body, s.ResponseSize)}
		out.Response.FieldsLeftOut, out.Response.FieldBytesLeftOut = s.FieldsLeftOut, s.FieldBytesLeftOut
	}
	return out
}

func content(h exchange.Header, body []byte, size int) jsonContent {
	c := jsonContent{Header: []jsonField{}, Size: max(size, len(body))}
	for _, f := range h {
		c.Header = append(c.Header, jsonField(f))
	}
	if len(body) == 0 {
		return c
	}
	if text, ok := readable(body, c.Size); ok {
		c.Body = &text
	} else {
		c.BodyBytes = base64.StdEncoding.EncodeToString(body)
	}
	return c
}

func jsonCoverageOf(r *coverage.Report) *jsonCoverage {
	if r == nil {
		return nil
	}
	out := &jsonCoverage{Summary: r.Summary, Kinds: append([]coverage.KindReport{}, r.Kinds...),
		Operations: []jsonCovered{}}
	for i := range r.Operations {
		o := &r.Operations[i]
		out.Operations = append(out.Operations, jsonCovered{o.Method + " " + o.Path, o.Summary, missing(o), untried(o)})
	}
	return out
}
