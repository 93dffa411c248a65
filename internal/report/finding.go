package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

// finding is one finding.
type finding struct {
	report.Finding
	Number   int
	Outcome  string   // error, warning, known, waived or flaky
	Also     []string // the other operations in which it was seen
	Location string   // the place in the document
	Meaning  string   // of the check
	Seen     string   // how often, and in which case it is shown
	Steps    []*step
}

type step struct {
	Curl     string // may have several lines
	Answer   string
	Header   []string
	response *exchange.Response
	size     int // of the answer's body
}

func newFinding(n int, f *report.Finding, checks []report.Check) *finding {
	out := &finding{Finding: *f, Number: n, Outcome: f.Severity.String(), Location: place(f.Place),
		Seen: plural(f.Count, "time") + "; here in the phase " + line(f.Phase)}
	for _, text := range []*string{&out.Check, &out.Operation, &out.About, &out.Message, &out.Excerpt, &out.Source,
		&out.Kind, &out.Reason, &out.Fingerprint} {
		*text = line(*text)
	}
	if f.Known {
		out.Outcome = "known"
	}
	if f.Reason != "" {
		out.Outcome = "waived"
	}
	if f.About != "" && !strings.Contains(f.Message, f.About) {
		out.Message = out.About + ": " + out.Message
	}
	switch p := f.Place; {
	case p.Pointer == "" || p.File == "":
	case p.Line == 0: // there is no line to go to
		out.Location += "#" + line(p.Pointer)
	case p.Column > maxColumn: // nobody counts that far
		out.Location, out.Excerpt = line(p.File)+"#"+line(p.Pointer), cut(scalar(out.Excerpt), maxExcerpt, "…")
	}
	if f.Title != "" && !strings.Contains(out.Message, line(f.Title)) {
		out.Seen += ": " + line(f.Title)
	}
	for _, check := range checks {
		if check.ID == f.Check {
			out.Meaning = check.Meaning
		}
	}
	for _, o := range f.Operations {
		if o != f.Operation {
			out.Also = append(out.Also, line(o))
		}
	}
	for i := range f.Sent {
		out.Steps = append(out.Steps, newStep(&f.Sent[i]))
	}
	return out
}

// scalar returns the text, number or word that a text of JSON begins with; "" if none.
func scalar(text string) string {
	decoder := json.NewDecoder(strings.NewReader(text))
	if token, err := decoder.Token(); err != nil || token == json.Delim('{') || token == json.Delim('[') {
		return ""
	}
	return text[:decoder.InputOffset()]
}

// said returns what the backend said of its error or refusal, in one line; "" for nothing.
func (f *finding) said() string { return cut(line(f.Said), maxSaid, "…") }

// Headline is the message, with what the backend said.
func (f *finding) Headline() string { return strings.TrimSuffix(f.Message+": "+f.said(), ": ") }

// Brief is the shortest text that distinguishes the finding from others of its check.
func (f *finding) Brief() string {
	if said := f.said(); said != "" {
		return fmt.Sprintf("%d: %s", f.Steps[len(f.Steps)-1].response.Status, said)
	}
	return f.Message
}

func (f *finding) of(o *operationRow) bool {
	return f.Operation == o.Name || slices.Contains(f.Also, o.Name)
}

// In names the finding's operations in a few words.
func (f *finding) In() string {
	if n := len(f.Also); n > 0 {
		return fmt.Sprintf("%s (and %s)", f.Operation, plural(n, "more operation"))
	}
	return f.Operation
}

// Short names the finding's operations in fewer words.
func (f *finding) Short() string {
	if n := len(f.Also); n > 0 {
		return fmt.Sprintf("%s +%d", f.Operation, n)
	}
	return f.Operation
}

// NewIn names the operations and places of the faults that the baseline does not have, if it has others of the finding.
func (f *finding) NewIn() (places []string) {
	for _, fault := range f.Faults {
		if !fault.Known {
			places = append(places, line(strings.TrimSpace(fault.Operation+" "+fault.About)))
		}
	}
	if len(places) == len(f.Faults) {
		return nil
	}
	return places
}

// Consequences describes what the finding leads to, in at most so many lines and one that counts the rest.
func (f *finding) Consequences(limit int) []string {
	var all []string
	for _, c := range f.Finding.Consequences {
		in := someOf(lineAll(c.Operations), maxNamed)
		all = append(all, fmt.Sprintf("%s in %s: %s (%s)", line(c.Check), in, line(c.Message), plural(c.Count, "time")))
	}
	if len(all) > limit+1 {
		all = append(all[:limit], "and "+number(len(all)-limit)+" more")
	}
	return all
}

func newStep(s *report.Sent) *step {
	out := &step{Curl: lines(s.Curl), Answer: line(s.Fault), response: s.Response}
	if s.Response == nil {
		return out
	}
	out.size = max(s.ResponseSize, len(s.Response.Body))
	out.Answer = fmt.Sprint(s.Response.Status)
	if contentType, ok := s.Response.Header.Get("Content-Type"); ok {
		out.Answer += " " + line(contentType)
	}
	if s.Fault != "" {
		out.Answer += " (" + line(s.Fault) + ")"
	}
	for _, f := range s.Response.Header {
		out.Header = append(out.Header, line(f.Name)+": "+line(f.Value))
	}
	if s.FieldBytesLeftOut > 0 {
		out.Header = append(out.Header, fmt.Sprintf("… %s and %s bytes of fields are left out",
			plural(s.FieldsLeftOut, "field"), number(s.FieldBytesLeftOut)))
	}
	return out
}

// Body returns the answer's body in one line of at most so many characters; 0 means no limit.
func (s *step) Body(limit int) string {
	if s.response == nil {
		return ""
	}
	return shown(s.response.Body, s.size, limit, false)
}
