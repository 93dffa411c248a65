package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/exchange"
)

// validRefused accuses where nothing but the request can be the reason: not the
// credentials, nor the state, nor an item that may not exist.
func validRefused(d *judged) []Violation {
	if d.Case.Expected != cases.Accepted || d.Response == nil || !d.routes.succeeds {
		return nil
	}
	switch d.Status() {
	case 400, 405, 406, 411, 413, 414, 415, 416, 417, 422, 431, 501:
	case 401:
		return uninvited(d)
	default:
		return nil
	}
	if d.Case.Uncertainty != "" || d.isPatch() {
		return nil
	}
	if d.Status() == 400 && d.routes.vanishing && !d.Exists && !documents(d.operation, 404) && !documents(d.operation, 410) {
		return nil // the document has nothing else to say that an item is missing
	}
	return one(d.refused())
}

// refused says what a request that was refused differs in from the plain one,
// which is accepted, or what the refusal names. Whatever the cases are about, what
// the backend finds wrong in one place is one cause.
func (d *judged) refused() Violation {
	v := Violation{Message: fmt.Sprintf("a conforming request was refused with %d", d.Status()), Place: d.operation.Place}
	varied := ""
	if d.Plain {
		varied = d.Case.Varied
	}
	blamed := d.blamed(varied)
	switch {
	case varied != "" && (blamed == "" || blamed == varied):
		v.Message = fmt.Sprintf("%s: the request conforms, and was refused with %d", d.Case.Title, d.Status())
		v.About, v.Cause = varied, varied
		if d.Case.Random && blamed == "" {
			v.Cause = "a random value"
		}
	case blamed != "":
		v.Message = fmt.Sprintf("%s%s conforms, and was refused with %d, whose body names it", blamed, d.shownAt(blamed), d.Status())
		v.About, v.Cause = blamed, blamed
	default:
		return v
	}
	if v.Cause == v.About {
		v.Cause = strings.ReplaceAll(General(strings.ReplaceAll(v.Cause, ".", "/")), "/", ".")
		v.Place, v.Shared = d.placeOf(v.About), "refused"
	}
	return v
}

// uninvited accuses a 401 where the document asks for no credentials, or for
// those that were given while others are accepted.
func uninvited(d *judged) []Violation {
	if d.Plain && d.Case.Varied == cases.OfCredentials && len(d.Case.Credentials) > 0 && d.Case.Uncertainty == "" {
		return one(Violation{
			Message: d.Case.Title + " are enough by the document, and were refused with 401; with others the same is accepted",
			About:   "credentials", Place: d.operation.Place, Cause: d.Case.Title,
		})
	}
	for _, alternative := range d.operation.Security {
		if len(alternative) > 0 && len(d.Case.Credentials) > 0 {
			return nil
		}
	}
	if len(d.operation.Security) > 0 && !slices.ContainsFunc(d.operation.Security, func(r requirement) bool { return len(r) == 0 }) {
		return nil
	}
	return one(Violation{
		Message: "refused with 401, though the document asks for no credentials", About: "credentials", Place: d.operation.Place, Cause: "credentials",
	})
}

func invalidAccepted(d *judged) []Violation {
	if d.Case.Expected != cases.Refused || !d.accepted() || d.Case.Violation == nil {
		return nil
	}
	f := d.Case.Violation
	if f.In == exchange.InPath && d.routes.shared {
		return nil
	}
	return one(Violation{
		Message: fmt.Sprintf("accepted with %d, though %s: %s", d.Status(), f.Where(), f.Message),
		About:   f.Where(), Place: f.Document,
		Cause:  f.In + " " + f.Name + " " + General(broken(f)) + " " + f.Code,
		Shared: f.In + " " + f.Name + " " + named(broken(f)) + " " + f.Code, Says: f,
	})
}

// broken points at what has the broken constraint: of a property that is not
// known, the object, whatever its name is.
func broken(f *exchange.Finding) string {
	switch f.Code {
	case "additional-properties", "unevaluated-properties", "property-names":
		return f.Pointer[:max(0, strings.LastIndexByte(f.Pointer, '/'))]
	}
	return f.Pointer
}

// accepted reports whether the answer is what the operation gives when all is
// well: a success, or a redirect that the document has.
func (d *judged) accepted() bool {
	return d.Succeeded() || d.Status()/100 == 3 && d.Status() != 304 && documents(d.operation, d.Status())
}

func credentialsIgnored(d *judged) []Violation {
	if d.Case.Expected != cases.Unauthorized || !d.Succeeded() {
		return nil
	}
	return one(Violation{
		Message: fmt.Sprintf("a request with %s is accepted with %d", d.Case.Title, d.Status()),
		About:   "credentials", Place: d.operation.Place, Cause: d.Case.Title,
	})
}

// credentialsStatus accuses where the same request with good credentials is
// accepted, so that no other part of it can be the reason. A 404 may hide what
// exists, and a credential that is not of its form may be a bad request (RFC 6750
// section 3.1).
func credentialsStatus(d *judged) []Violation {
	if d.Case.Expected != cases.Unauthorized || !d.Plain || d.Case.Uncertainty != "" || d.response == nil || d.unforeseen() {
		return nil
	}
	if !documents(d.operation, 401) && !documents(d.operation, 403) {
		return nil
	}
	switch d.Status() {
	case 400:
		if slices.ContainsFunc(d.Case.Credentials, func(c cases.Credential) bool { return c.Form != cases.Given && c.Form != cases.Wrong }) {
			return nil
		}
	case 405, 406, 411, 413, 414, 415, 416, 417, 422, 431:
	default:
		return nil
	}
	return one(Violation{
		Message: fmt.Sprintf("a request with %s is refused with %d, and not with 401 or 403", d.Case.Title, d.Status()), About: "credentials",
		Place: d.operation.Place, Cause: fmt.Sprint(d.Status()),
	})
}
