package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/exchange"
)

// methodRefused leaves a 404 alone: a server that looks for the item first is in
// its right. So is one that asks for credentials first, or that answers 501 as it
// has the method nowhere (RFC 9110 section 15.6.2).
func methodRefused(d *judged) []Violation {
	if d.Case.Expected != cases.NotAllowed || d.Response == nil {
		return nil
	}
	method := d.Case.Request.Method
	if d.Succeeded() {
		return one(Violation{Message: fmt.Sprintf("%s is not documented, and was answered %d", method, d.Status()), About: "method", Place: d.operation.Place, Cause: method})
	}
	if d.Status() == 400 && d.wellAsked() {
		return one(Violation{Message: method + " is not documented, and was answered 400, though nothing but the method is wrong: want 405", About: "method", Place: d.operation.Place, Cause: "400"})
	}
	if d.Status() != 405 {
		return nil
	}
	allow := d.Response.Header.Values("Allow")
	if len(allow) == 0 {
		return one(Violation{Message: "a 405 must have Allow", About: "header.Allow", Place: d.operation.Place, Cause: "allow"})
	}
	var named []string
	for name := range strings.SplitSeq(strings.Join(allow, ","), ",") {
		named = append(named, strings.TrimSpace(name))
	}
	if slices.Contains(named, method) {
		return one(Violation{Message: fmt.Sprintf("%s was refused with 405, and Allow names it: %s", method, strings.Join(named, ", ")), About: "header.Allow", Place: d.operation.Place, Cause: "allow refused"})
	}
	for _, o := range d.judge.contract.Operations {
		if o.Path == d.operation.Path && !slices.Contains(named, o.Method) {
			return one(Violation{Message: fmt.Sprintf("Allow does not name %s, which the document has: %s", o.Method, strings.Join(named, ", ")), About: "header.Allow", Place: o.Place, Cause: "allow lacks " + o.Method})
		}
	}
	return nil
}

// wellAsked reports whether nothing but its method can be wrong with a request: the
// item is there, and no parameter of the query is missed, which requests of
// undocumented methods do not have. TRACE is often refused by what stands before
// a backend.
func (d *judged) wellAsked() bool {
	if d.Case.Request.Method == "TRACE" || d.routes.vanishing && !d.Exists {
		return false
	}
	return !slices.ContainsFunc(d.operation.Parameters, func(p *parameter) bool { return p.Required && p.In == exchange.InQuery })
}

// methodKnown accuses a 501 for a method that the document has on another path.
func methodKnown(d *judged) []Violation {
	if d.Case.Expected != cases.NotAllowed || d.Status() != 501 {
		return nil
	}
	method := d.Case.Request.Method
	for _, o := range d.judge.contract.Operations {
		if o.Method == method {
			return one(Violation{
				Message: fmt.Sprintf("%s was answered 501, which is for methods that a server does not know: want 405, as the document has %s %s", method, method, o.Path),
				About:   "method", Place: d.operation.Place, Cause: "501",
			})
		}
	}
	return nil
}
