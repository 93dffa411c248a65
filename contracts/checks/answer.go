package checks

import (
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/contracts/cases"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/validate"
)

func one(v Verdict) []Verdict { return []Verdict{v} }

func serverError(d *judged) []Verdict {
	if d.Status()/100 != 5 {
		return nil
	}
	return one(Verdict{Message: fmt.Sprintf("answered %d", d.Status()), Place: d.operation.Place, Cause: fmt.Sprint(d.Status())})
}

func wholeAnswer(d *judged) []Verdict {
	if d.Fault == nil {
		return nil
	}
	return one(Verdict{Message: d.Fault.Message, Place: d.operation.Place, Cause: d.Fault.Code})
}

func statusDocumented(d *judged) []Verdict {
	if d.Response == nil || d.response != nil || d.Case.Want == cases.NotAllowed || d.unforeseen() {
		return nil
	}
	return one(Verdict{Message: fmt.Sprintf("status %d is not documented", d.Status()), Place: d.operation.Place, Cause: fmt.Sprint(d.Status())})
}

func mediaType(d *judged) []Verdict    { return d.of("content") }
func bodyValid(d *judged) []Verdict    { return d.of(exchange.InBody) }
func headersValid(d *judged) []Verdict { return d.of(exchange.InHeader) }

// of gives the findings on one part of the answer.
func (d *judged) of(part string) []Verdict {
	var verdicts []Verdict
	for _, f := range d.findings {
		if f.Code == validate.CodeUndocumentedStatus || partOf(f) != part {
			continue
		}
		verdicts = append(verdicts, Verdict{
			Message: f.Message, About: f.Where(), Place: f.Document,
			Cause: fmt.Sprint(d.Status(), " ", f.Code, " ", f.Name, " ", general(f.Pointer)),
		})
	}
	return verdicts
}

// partOf gives the part of the answer that a finding is on.
func partOf(f exchange.Finding) string {
	switch f.Code {
	case "unsupported-media-type", "malformed-content-type":
		return "content"
	}
	if f.In == exchange.InHeader {
		return exchange.InHeader
	}
	return exchange.InBody
}

// general gives a pointer without the indexes of arrays, so that the same fault
// in two items is one.
func general(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		if t != "" && strings.Trim(t, "0123456789") == "" {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, "/")
}

func inTime(d *judged) []Verdict {
	if d.limit == 0 || d.Took <= d.limit || d.Fault != nil {
		return nil
	}
	return one(Verdict{Message: fmt.Sprintf("took longer than %v", d.limit), Place: d.operation.Place, Cause: "slow"})
}
