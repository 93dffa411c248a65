package checks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// blamesRequest reports whether a status refuses a request for its form, rather
// than for its credentials, its item or the backend's state.
func blamesRequest(status int) bool {
	return slices.Contains([]int{400, 405, 406, 411, 413, 414, 415, 416, 417, 422, 431}, status)
}

// validAccepted reports refusals for which only the request can be the reason:
// not the credentials, the state, or an item that may be missing.
func validAccepted(in *input) []Violation {
	if in.Case.Expected != cases.Accepted || !in.canSucceed() {
		return nil
	}
	status := in.Status()
	switch {
	case status == 401:
		return credentialsRefused(in)
	case !blamesRequest(status) && status != 501, in.Case.Uncertainty != "", in.isJSONPatch():
		return nil
	case status == 400 && in.mayBeMissing() && !in.Exists && !documents(in.operation, 404) &&
		!documents(in.operation, 410):
		return nil // the document has no other status for a missing item
	}
	return []Violation{in.refused()}
}

// isJSONPatch reports whether the request's body is a JSON Patch (RFC 6902), whose
// steps may be impossible for an item although the schema admits them.
func (in *input) isJSONPatch() bool {
	steps, _ := in.requestValue().([]any)
	return len(steps) > 0 && !slices.ContainsFunc(steps, func(step any) bool {
		members, _ := step.(map[string]any)
		_, op := members["op"].(string)
		_, path := members["path"].(string)
		return !op || !path
	})
}

// refused says in what a refused request differs from the plain one, which is
// accepted, or what the refusal names. Faults in one place are one cause.
func (in *input) refused() Violation {
	v := in.violation("", "", "a conforming request was refused with %d", in.Status())[0]
	varied := ""
	if in.Plain {
		varied = in.Case.Varied
	}
	named := in.namedPlace(varied)
	switch {
	case varied != "" && (named == "" || named == varied):
		v = in.violation(varied, varied, "%s: the request conforms, and was refused with %d", in.Case.Title, in.Status())[0]
		if in.Case.Random && named == "" {
			v.Cause = "a random value"
		}
	case named != "":
		v = in.violation(named, named, "%s%s conforms, and was refused with %d, whose body names it", named,
			in.valueAt(named), in.Status())[0]
	default:
		return v
	}
	if v.Cause == v.About {
		v.Cause = strings.ReplaceAll(General(strings.ReplaceAll(v.Cause, ".", "/")), "/", ".")
		v.Place, v.Shared = in.placeOf(v.About), "refused"
	}
	return v
}

// credentialsRefused reports a 401 where the document requires no credentials, or
// where those that were sent suffice by the document.
func credentialsRefused(in *input) []Violation {
	sent := len(in.Case.Credentials) > 0
	if in.Plain && in.Case.Varied == cases.OfCredentials && sent && in.Case.Uncertainty == "" {
		return in.violation("credentials", in.Case.Title,
			"%s are enough by the document, and were refused with 401; with others the same is accepted", in.Case.Title)
	}
	asked := slices.ContainsFunc(in.operation.Security, func(r spec.Requirement) bool { return len(r) > 0 })
	if asked && sent || !cases.Anonymous(in.operation) {
		return nil
	}
	return in.violation("credentials", "credentials", "refused with 401, though the document asks for no credentials")
}

func invalidRefused(in *input) []Violation {
	f := in.Case.Violation
	if in.Case.Expected != cases.Refused || !in.accepted() || f.In == exchange.InPath && in.isAmbiguous() {
		return nil
	}
	pointer := f.Pointer
	switch f.Code {
	case "additional-properties", "unevaluated-properties", "property-names":
		// the object is at fault, whatever the property's name
		pointer = pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
	}
	all := at(f.Document, f.Where(), f.In+" "+f.Name+" "+General(pointer)+" "+f.Code, "accepted with %d, though %s: %s",
		in.Status(), f.Where(), f.Message)
	all[0].Shared, all[0].Finding = f.In+" "+f.Name+" "+lastName(pointer)+" "+f.Code, f
	return all
}

// accepted reports whether the answer is a success, or a documented redirect.
func (in *input) accepted() bool {
	return in.Succeeded() || in.Status()/100 == 3 && in.Status() != 304 && documents(in.operation, in.Status())
}

func badCredentialsRefused(in *input) []Violation {
	if in.Case.Expected != cases.Unauthorized || !in.Succeeded() {
		return nil
	}
	return asWarning(slices.ContainsFunc(in.Case.Credentials, isGoodOtherwise),
		in.violation("credentials", in.Case.Title, "a request with %s is accepted with %d", in.Case.Title, in.Status()))
}

// isGoodOtherwise reports whether a credential is a good one in another form, place or case, or for another
// scheme: a server may take it there as well.
func isGoodOtherwise(c cases.Credential) bool {
	forms := []cases.Form{cases.OtherScheme, cases.Misplaced, cases.OtherCase, cases.Bare, cases.Foreign}
	return slices.Contains(forms, c.Form)
}

// badCredentialsStatus reports other refusals than 401 and 403 where the same
// request with good credentials is accepted. A 404 may hide what exists, and an
// unreadable credential may be a bad request (RFC 6750 section 3.1).
func badCredentialsStatus(in *input) []Violation {
	status := in.Status()
	if in.Case.Expected != cases.Unauthorized || !in.Plain || in.Case.Uncertainty != "" || in.documented == nil ||
		in.isUndocumentedRefusal() || !documents(in.operation, 401) && !documents(in.operation, 403) ||
		!blamesRequest(status) {
		return nil
	}
	unreadable := func(c cases.Credential) bool { return c.Form != cases.Given && c.Form != cases.Wrong }
	if status == 400 && slices.ContainsFunc(in.Case.Credentials, unreadable) {
		return nil
	}
	return in.violation("credentials", strconv.Itoa(status),
		"a request with %s is refused with %d, and not with 401 or 403", in.Case.Title, status)
}

func requestValid(in *input) []Violation { return in.ofRequest(in.recorded.Findings) }

func requestParametersDocumented(in *input) []Violation { return in.ofRequest(in.recorded.Undeclared) }

func (in *input) ofRequest(findings []exchange.Finding) []Violation {
	var all []Violation
	for _, f := range findings {
		all = append(all, at(cmp.Or(f.Document, in.operation.Place), f.Where(),
			strings.Join([]string{f.In, f.Name, General(f.Pointer), f.Code}, " "),
			"the request breaks the document: %s", f.Message)...)
	}
	return all
}

// placeOf gives the place in the document of a parameter or a property of the
// body; that of the operation where it is not known.
func (in *input) placeOf(where string) exchange.Place {
	part, name, _ := strings.Cut(where, ".")
	for _, p := range in.operation.Parameters {
		if p.In == part && p.Name == name {
			return p.Place
		}
	}
	if part != exchange.InBody || in.operation.Body == nil || name == "" {
		return in.operation.Place
	}
	contentType, _ := in.Request.Header.Get("Content-Type")
	for _, media := range in.operation.Body.Content {
		if media.Schema != nil && strings.EqualFold(media.Range, withoutParameters(contentType)) {
			if k := schema.At(media.Schema.Keywords, strings.Split(name, ".")); k != nil {
				return media.Schema.Node(k).Place()
			}
		}
	}
	return in.operation.Place
}
