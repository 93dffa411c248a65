package checks

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
)

func one(v Violation) []Violation { return []Violation{v} }

// failed reports whether the answer is a 5xx that is a fault. It is none where
// the document has just that status for a service that cannot answer now, or
// where a method is asked for that the document does not have (RFC 9110 section
// 15.6.2).
func (d *judged) failed() bool {
	status := d.Status()
	switch {
	case status/100 != 5:
		return false
	case status == 501 && d.Case.Expected == cases.NotAllowed:
		return false
	}
	return status == 500 || !documents(d.operation, status)
}

func serverError(d *judged) []Violation {
	if !d.failed() {
		return nil
	}
	return one(Violation{Message: fmt.Sprintf("answered %d", d.Status()), Place: d.operation.Place, Cause: strconv.Itoa(d.Status())})
}

func wholeAnswer(d *judged) []Violation {
	if d.Fault == nil {
		return nil
	}
	v := Violation{Message: d.Fault.Message, Place: d.operation.Place, Cause: d.Fault.Code}
	if d.Fault.Code == wire.ExtraBytes && d.Response != nil && bodiless(d.Request.Method, d.Status()) {
		v.Message = fmt.Sprintf("%s: the answer to %s with %d has no body (RFC 9110 section 6.4.1)", v.Message, d.Request.Method, d.Status())
		v.Cause += " " + strconv.Itoa(d.Status())
	}
	return one(v)
}

// bodiless reports whether an answer never has a body (RFC 9110 section 6.4.1).
func bodiless(method string, status int) bool {
	return method == "HEAD" || status < 200 || status == 204 || status == 304
}

func statusDocumented(d *judged) []Violation {
	if d.Response == nil || d.response != nil || len(d.operation.Responses) == 0 || d.Case.Expected == cases.NotAllowed || d.unforeseen() || d.elsewhere() != "" {
		return nil
	}
	if _, on := d.judge.Has("valid-refused"); on && len(validRefused(d)) > 0 {
		return nil // which is the same fault
	}
	return one(Violation{
		Message: fmt.Sprintf("status %d is not documented%s", d.Status(), d.documented()), Place: d.operation.Place, Cause: strconv.Itoa(d.Status()),
	})
}

// documented names the statuses that are.
func (d *judged) documented() string {
	if len(d.operation.Responses) == 0 {
		return ""
	}
	var all []string
	for _, r := range d.operation.Responses {
		all = append(all, r.Status)
	}
	return "; those of the document are " + strings.Join(all, ", ")
}

// elsewhere gives the other origin that a redirect leads to which the document
// does not have; "" for none.
func (d *judged) elsewhere() string {
	if d.Response == nil || d.Status()/100 != 3 || d.response != nil || d.judge.origin == "" {
		return ""
	}
	location, _ := d.Response.Header.Get("Location")
	base, err := url.Parse(d.judge.origin)
	if err != nil {
		return ""
	}
	to, err := base.Parse(strings.TrimSpace(location))
	if err != nil || to.Host == "" || to.Scheme == base.Scheme && to.Host == base.Host {
		return ""
	}
	return to.Scheme + "://" + to.Host
}

func redirectElsewhere(d *judged) []Violation {
	to := d.elsewhere()
	if to == "" || d.Case.Expected == cases.NotAllowed {
		return nil
	}
	return one(Violation{
		Message: fmt.Sprintf("answered %d, which the document does not have, to another origin, %s; it was not followed", d.Status(), to),
		About:   "header.Location", Place: d.operation.Place, Cause: to,
	})
}

func inTime(d *judged) []Violation {
	if d.judge.limit == 0 || d.Took <= d.judge.limit || d.Fault != nil {
		return nil
	}
	return one(Violation{Message: fmt.Sprintf("took longer than %v", d.judge.limit), Place: d.operation.Place, Cause: "slow"})
}

// of gives the findings on one part of the answer.
func (d *judged) of(part string) []Violation {
	var verdicts []Violation
	for _, f := range d.findings {
		cause := d.cause(f)
		if partOf(f) != part || d.unknown(f) || slices.ContainsFunc(verdicts, func(v Violation) bool { return v.Cause == cause }) {
			continue
		}
		verdicts = append(verdicts, Violation{
			Message: f.Message, About: f.Where(), Place: f.Document, Cause: cause,
			Shared: fmt.Sprint(d.Status()/100, " ", f.Code, " ", f.Name, " ", named(f.Pointer)), Says: &f,
		})
	}
	return verdicts
}

// cause tells faults apart: the same one in several items, or under several
// statuses of one class, is one.
func (d *judged) cause(f exchange.Finding) string {
	return fmt.Sprint(d.Status()/100, " ", f.Code, " ", f.Name, " ", General(f.Pointer))
}

// partOf gives the part of the answer that a finding is on.
func partOf(f exchange.Finding) string {
	switch {
	case f.In == exchange.InHeader && strings.EqualFold(f.Name, "Content-Type"):
		return "content"
	case f.In == exchange.InHeader:
		return exchange.InHeader
	}
	return exchange.InBody
}

// General gives a pointer without the indexes of arrays and the keys of items, so
// that the same fault in two items is one.
func General(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i, t := range tokens {
		if isKey(t) {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, "/")
}

// named gives the name of what a pointer points at: of an item of a list, that of
// the list.
func named(pointer string) string {
	tokens := strings.Split(pointer, "/")
	for i := len(tokens) - 1; i > 0; i-- {
		if !isKey(tokens[i]) {
			return tokens[i]
		}
	}
	return ""
}

// isKey reports whether a token is an index, or looks like an item's key: what
// developers name has no more than two digits.
func isKey(token string) bool {
	digits := 0
	for i := range len(token) {
		if c := token[i]; c >= '0' && c <= '9' {
			digits++
		}
	}
	return digits > 0 && (digits == len(token) || digits > 2)
}

// declares reports whether the document has a header field for the status.
func (d *judged) declares(name string) bool {
	return d.response != nil && slices.ContainsFunc(d.response.Headers, func(p *parameter) bool { return strings.EqualFold(p.Name, name) })
}
