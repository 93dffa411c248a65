package report

import (
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
)

// Schema is the JSON Schema of the JSON report.
//
//go:embed report.schema.json
var Schema []byte

// jsonForm numbers the form of the JSON report. It changes where a reader of the
// one before could no longer read it.
const jsonForm = 1

type jsonReport struct {
	Form       int             `json:"form"`
	Program    jsonProgram     `json:"program"`
	Title      string          `json:"title"`
	APIVersion string          `json:"apiVersion"`
	Document   string          `json:"document"`
	URL        string          `json:"url"`
	Seed       uint64          `json:"seed"`
	Began      time.Time       `json:"began"`
	Took       float64         `json:"tookSeconds"`
	Requests   int             `json:"requests"`
	Ended      string          `json:"ended,omitempty"`
	Totals     jsonTotals      `json:"totals"`
	Phases     []jsonPhase     `json:"phases"`
	Operations []jsonOperation `json:"operations"`
	Findings   []jsonFinding   `json:"findings"`
	Healed     []string        `json:"healed"`
	Skipped    []jsonLeftOut   `json:"leftOut"`
	Coverage   *jsonCoverage   `json:"coverage,omitempty"`
}

type jsonProgram struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

type jsonTotals struct {
	Errors   int `json:"errors"`   // new ones
	Warnings int `json:"warnings"` // new ones
	Known    int `json:"known"`
	Healed   int `json:"healed"`
}

type jsonPhase struct {
	ID       string  `json:"id"`
	Cases    int     `json:"cases"`
	Findings int     `json:"findings"`
	Took     float64 `json:"tookSeconds"`
}

type jsonOperation struct {
	Name     string         `json:"name"`
	ID       string         `json:"operationId"`
	Tags     []string       `json:"tags"`
	Document exchange.Place `json:"document"`
	Cases    int            `json:"cases"`
	Accepted bool           `json:"accepted"`
	Statuses map[string]int `json:"statuses"` // "none" for no answer
	Plain    map[string]int `json:"plain"`    // likewise
	Findings int            `json:"findings"`
	Skipped  string         `json:"skipped,omitempty"`
}

type jsonFinding struct {
	findings.Finding
	Sent []jsonSent `json:"sent"` // in place of Finding's own
}

type jsonSent struct {
	Curl     string        `json:"curl"`
	Request  jsonMessage   `json:"request"`
	Response *jsonResponse `json:"response,omitempty"`
	Fault    string        `json:"fault,omitempty"`
}

type jsonMessage struct {
	Method string `json:"method"`
	Target string `json:"target"`
	jsonContent
}

type jsonResponse struct {
	Status int `json:"status"`
	jsonContent
}

// jsonContent is the header and the body of a message: as text where it is
// UTF-8, else in base64.
type jsonContent struct {
	Header    []jsonField `json:"header"`
	Body      *string     `json:"body,omitempty"`
	BodyBytes string      `json:"bodyBase64,omitempty"`
	Size      int         `json:"size"` // of the body, in bytes; what is shown may be its beginning
}

type jsonField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type jsonLeftOut struct {
	Operation string `json:"operation,omitempty"`
	Phase     string `json:"phase,omitempty"`
	Cases     int    `json:"cases"`
	Reason    string `json:"reason"`
}

type jsonCoverage struct {
	coverage.Summary
	Kinds      []coverage.KindReport `json:"kinds"`
	Operations []jsonCovered         `json:"operations"`
}

type jsonCovered struct {
	Operation string `json:"operation"`
	coverage.Summary
	Missing []string `json:"missing"`
	Untried []string `json:"untried"`
}

func writeJSON(w io.Writer, r *findings.Report, o Options) error {
	c := count(r)
	out := jsonReport{
		Form: jsonForm, Program: jsonProgram{"coldframe", o.Version},
		Title: r.Title, APIVersion: r.Version, Document: r.Document, URL: r.URL, Seed: r.Seed,
		Began: r.Began.UTC(), Took: r.Took.Seconds(), Requests: r.Requests, Ended: r.Ended,
		Totals: jsonTotals{c.errors, c.warnings, c.known, len(r.Resolved)},
		Phases: []jsonPhase{}, Operations: []jsonOperation{}, Findings: []jsonFinding{}, Skipped: []jsonLeftOut{},
		Healed: append([]string{}, r.Resolved...), Coverage: covered(r.Coverage),
	}
	for _, p := range r.Phases {
		out.Phases = append(out.Phases, jsonPhase{p.ID, p.Cases, p.Findings, p.Took.Seconds()})
	}
	for _, op := range r.Operations {
		out.Operations = append(out.Operations, jsonOperation{
			op.Name, op.ID, append([]string{}, op.Tags...), op.Place, op.Cases, op.Accepted, byStatus(op.Statuses), byStatus(op.Plain), op.Findings, op.Skipped,
		})
	}
	for _, f := range r.Findings {
		sent := []jsonSent{}
		for i := range f.Sent {
			sent = append(sent, jsonExchange(&f.Sent[i]))
		}
		if len(f.Operations) == 0 {
			f.Operations = []string{f.Operation}
		}
		out.Findings = append(out.Findings, jsonFinding{f, sent})
	}
	for _, l := range r.Skipped {
		out.Skipped = append(out.Skipped, jsonLeftOut(l))
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func byStatus(counts map[int]int) map[string]int {
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

func jsonExchange(s *findings.Sent) jsonSent {
	out := jsonSent{Curl: s.Curl, Fault: s.Fault}
	if r := s.Request; r != nil {
		target := r.Path
		if r.Query != "" {
			target += "?" + r.Query
		}
		out.Request = jsonMessage{r.Method, target, content(r.Header, r.Body, s.RequestSize)}
	}
	if r := s.Response; r != nil {
		out.Response = &jsonResponse{r.Status, content(r.Header, r.Body, s.ResponseSize)}
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

func covered(r *coverage.Report) *jsonCoverage {
	if r == nil {
		return nil
	}
	out := &jsonCoverage{Summary: r.Summary, Kinds: append([]coverage.KindReport{}, r.Kinds...), Operations: []jsonCovered{}}
	for i := range r.Operations {
		o := &r.Operations[i]
		out.Operations = append(out.Operations, jsonCovered{o.Method + " " + o.Path, o.Summary, missing(o), untried(o)})
	}
	return out
}

// untried names the constraints of an operation that no request broke. Several of
// one name are those of branches, which their schemas tell apart.
func untried(o *coverage.OperationReport) []string {
	all := []string{}
	named := map[string]int{}
	for _, p := range o.Points {
		named[p.Name]++
	}
	for _, p := range o.Untried() {
		if named[p.Name] > 1 {
			if branch := branchOf(p.Place.Pointer); branch != "" {
				p.Name += " in " + branch
			}
		}
		all = append(all, p.Label())
	}
	return all
}

// branchOf names the schema or the branch that a place in the document is in:
// Ebook, oneOf/2.
func branchOf(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i := len(tokens) - 2; i > 0; i-- {
		switch tokens[i] {
		case "oneOf", "anyOf", "allOf":
			return tokens[i] + "/" + tokens[i+1]
		case "schemas":
			return tokens[i+1]
		}
	}
	return ""
}

// missing names what of an operation was not exercised.
func missing(o *coverage.OperationReport) []string {
	all := []string{}
	if o.Hits == 0 {
		whole := coverage.Missing{Point: coverage.Point{Kind: coverage.KindOperation, Name: o.Method + " " + o.Path, Place: o.Place}, Inside: len(o.Points)}
		return append(all, whole.String())
	}
	for _, m := range o.Missing() {
		all = append(all, m.String())
	}
	return all
}
