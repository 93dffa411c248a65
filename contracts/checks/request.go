package checks

import (
	"fmt"

	"github.com/coldframe/coldframe/contracts/cases"
)

// validRefused accuses where nothing but the request can be the reason: not the
// credentials, nor the state, nor an item that may not exist.
func validRefused(d *judged) []Verdict {
	if d.Case.Want != cases.Accepted || d.Response == nil {
		return nil
	}
	switch d.Status() {
	case 400, 405, 406, 411, 413, 414, 415, 416, 417, 422, 431, 501:
	default:
		return nil
	}
	if d.Case.Doubt != "" {
		return nil
	}
	v := Verdict{Message: fmt.Sprintf("a conforming request was refused with %d", d.Status()), Place: d.operation.Place}
	if d.Plain && d.Case.Varies != "" {
		v.Message = fmt.Sprintf("%s conforms, and was refused with %d", d.Case.Title, d.Status())
		v.About, v.Cause = d.Case.Varies, d.Case.Varies
	}
	return one(v)
}

func invalidAccepted(d *judged) []Verdict {
	if d.Case.Want != cases.Refused || !d.Succeeded() || d.Case.Broken == nil {
		return nil
	}
	f := d.Case.Broken
	return one(Verdict{
		Message: fmt.Sprintf("accepted with %d, though %s: %s", d.Status(), f.Where(), f.Message),
		About:   f.Where(), Place: f.Document,
		Cause: f.In + " " + f.Name + " " + general(f.Pointer) + " " + f.Code,
	})
}

func credentialsIgnored(d *judged) []Verdict {
	if d.Case.Want != cases.Unauthorized || !d.Succeeded() {
		return nil
	}
	return one(Verdict{
		Message: fmt.Sprintf("accepted with %d: %s", d.Status(), d.Case.Title),
		About:   "credentials", Place: d.operation.Place, Cause: d.Case.Title,
	})
}

// methodRefused leaves a 404 alone: a server that looks for the item first is in
// its right.
func methodRefused(d *judged) []Verdict {
	if d.Case.Want != cases.NotAllowed || d.Response == nil {
		return nil
	}
	method := d.Case.Request.Method
	if d.Succeeded() {
		return one(Verdict{Message: fmt.Sprintf("%s is not documented, and was answered %d", method, d.Status()), About: "method", Place: d.operation.Place, Cause: method})
	}
	if _, ok := d.Response.Header.Get("Allow"); d.Status() == 405 && !ok {
		return one(Verdict{Message: "a 405 must have Allow", About: "header.Allow", Place: d.operation.Place, Cause: "allow"})
	}
	return nil
}
