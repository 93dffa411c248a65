package checks

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Recorded is what is known of an exchange that others have recorded.
type Recorded struct {
	// Findings are what the contract holds against the request, Undeclared the query
	// parameters that it does not know.
	Findings, Undeclared []exchange.Finding
	// HeadUnknown and BodyUnknown say that the recording does not have the answer's
	// fields, or not the whole of its body.
	HeadUnknown, BodyUnknown bool
}

// unknown reports whether a finding is on a part of the answer that was not
// recorded.
func (d *judged) unknown(f exchange.Finding) bool {
	if d.Recorded == nil {
		return false
	}
	if f.In == exchange.InHeader {
		return d.Recorded.HeadUnknown
	}
	return d.Recorded.BodyUnknown
}

func requestConforms(d *judged) []Violation {
	if d.Recorded == nil {
		return nil
	}
	return d.ofRequest(d.Recorded.Findings)
}

func requestParameters(d *judged) []Violation {
	if d.Recorded == nil {
		return nil
	}
	return d.ofRequest(d.Recorded.Undeclared)
}

func (d *judged) ofRequest(findings []exchange.Finding) []Violation {
	var verdicts []Violation
	for _, f := range findings {
		if f.Document == (exchange.Place{}) {
			f.Document = d.operation.Place
		}
		verdicts = append(verdicts, Violation{
			Message: "the request breaks the document: " + f.Message, About: f.Where(), Place: f.Document,
			Cause: strings.Join([]string{f.In, f.Name, General(f.Pointer), f.Code}, " "),
		})
	}
	return verdicts
}
