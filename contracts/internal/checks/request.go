package checks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
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
	case !blamesRequest(status), in.Case.Uncertainty != "", in.isJSONPatch():
		return nil
	case status == 413 || status == 414 || status == 431:
		if in.operation.DocumentsExactly(status) {
			return nil // a limit that the document has
		}
	case status == 400 && in.mayBeMissing() && !in.Exists && !in.operation.DocumentsExactly(404) &&
		!in.operation.DocumentsExactly(410):
		return nil // the document has no other status for a missing item
	}
	v := in.refused()
	if v.Severity != exchange.Error && in.documented == nil && !in.isOfHTTP() && len(in.operation.Responses) > 0 &&
		in.checker.Uses("status-documented") {
		return nil // whoever is right, that status is not known
	}
	return []Violation{v}
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

// refused says in what a refused request differs from the plain one, which is accepted, or what the refusal
// names. It is certainly wrong if it contradicts what the document names. Others may follow a rule in prose:
// violations of one operation with the same answer are one.
func (in *input) refused() Violation {
	varied := ""
	if in.Plain {
		varied = in.Case.Varied
	}
	named := in.namedPlace(varied)
	v := in.violation("", "", "a conforming request was refused with %d", in.Status())[0]
	switch {
	case varied != "" && (named == "" || named == varied):
		v = in.violation(varied, varied, "%s: the request conforms, and was refused with %d", in.Case.Title, in.Status())[0]
	case named != "":
		v = in.violation(named, named, "%s%s conforms, and was refused with %d, whose body names it", named,
			in.valueAt(named), in.Status())[0]
	}
	said := ""
	if varied != "" {
		said = in.doubtOfRefused(varied)
	}
	if contradicts := in.contradictsDocument(varied, named); !contradicts || said != "" {
		v.Severity, v.Place, v.About = exchange.Warning, in.operation.Place, named
		if said = cmp.Or(in.statedRule(varied), said); said != "" && !contradicts {
			v.Severity = exchange.Info
		}
		v.Cause = "refused " + strconv.Itoa(in.Status()) + " " + in.answerText()
		if said != "" {
			v.Message += "; the document says: " + strconv.Quote(said)
		}
		return v
	}
	if v.Cause == v.About {
		v.Cause = strings.ReplaceAll(General(strings.ReplaceAll(v.Cause, ".", "/")), "/", ".")
		v.Place, v.Shared = in.placeOf(v.About), "refused"
	}
	return v
}

// contradictsDocument reports whether a refusal of a conforming request denies what the document names: its
// method, its media type, or the one value that differs from an accepted request. Sizes are a server's own matter (RFC
// 9110 sections 15.5.14 and 15.5.15, RFC 6585 section 5).
func (in *input) contradictsDocument(varied, named string) bool {
	switch status := in.Status(); status {
	case 405:
		return in.documented == nil
	case 415:
		contentType, _ := in.Request.Header.Get("Content-Type")
		return isJSONType(contentType)
	case 413, 414, 431:
		return false
	}
	return varied != "" && (named == "" || named == varied) && in.Case.Basis != cases.Own && !in.Case.Random &&
		!in.quotesAnother(varied)
}

// inCredentials is the place of violations that concern credentials.
const inCredentials = "credentials"

// credentialsRefused reports a 401 if the document requires no credentials, or if those that were sent
// suffice by the document. The credentials of a login are in its body, and its 401 concerns them.
func credentialsRefused(in *input) []Violation {
	sent := len(in.Case.Credentials) > 0
	if in.Plain && in.Case.Varied == cases.OfCredentials && sent && in.Case.Uncertainty == "" {
		return in.violation(inCredentials, in.Case.Title,
			"%s are enough by the document, and were refused with 401; with others the same is accepted", in.Case.Title)
	}
	asked := slices.ContainsFunc(in.operation.Security, func(r spec.Requirement) bool { return len(r) > 0 })
	documented, login := in.operation.DocumentsExactly(401), len(in.Request.Body) > 0
	if asked && sent || !cases.Anonymous(in.operation) || documented && login {
		return nil
	}
	return asWarning(documented || login, in.violation(inCredentials, "credentials",
		"refused with 401, though the document asks for no credentials"))
}

func invalidRefused(in *input) []Violation {
	f := in.Case.Violation
	isAmbiguous := in.operation.Alternatives != nil // another path may lead to another operation
	if in.Case.Expected != cases.Refused || !in.accepted() || f.In == exchange.InPath && isAmbiguous {
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
	all = asWarning(in.Case.Lenient || slices.Contains(readersMayTake, f.Code) || in.isDocumentedType(f), all)
	if f.In == exchange.InBody && slices.Contains([]string{decode.CodeMediaType, decode.CodeContentType}, f.Code) {
		all[0].Severity = exchange.Info // of a part, which needs no Content-Type (RFC 7578 section 4.4)
	}
	return excused(in.doubtOfAccepted(f), all)
}

// isDocumentedType reports whether a body that is wrong for its Content-Type alone conforms as a documented type: "In
// practice, resource owners do not always properly configure their origin server", so that recipients examine the
// data (RFC 9110 section 8.3).
func (in *input) isDocumentedType(f *exchange.Finding) bool {
	v := in.checker.validators[in.operation]
	if f.Code != decode.CodeMediaType && f.Code != decode.CodeContentType || f.In != exchange.InHeader || v == nil ||
		in.operation.Body == nil {
		return false
	}
	var path []string
	for _, name := range in.operation.Variables() {
		path = append(path, in.Case.Path[name])
	}
	_, err := jsontext.Decode(string(in.Request.Body))
	return slices.ContainsFunc(in.operation.Body.Content, func(m *spec.MediaType) bool {
		if strings.Contains(m.Range, "*") || err == nil && m.Range == "application/x-www-form-urlencoded" {
			return false // its type is unknown, or it is JSON
		}
		as := *in.Request
		as.Header = slices.Clone(as.Header)
		as.Header.Set("Content-Type", m.Range)
		_, found := v.Request(&as, path)
		return !slices.ContainsFunc(found, func(other exchange.Finding) bool {
			return other.In == exchange.InBody || other.In == f.In && other.Name == f.Name
		})
	})
}

// readersMayTake are violations that a reader may overlook: "a JSON parser MAY accept non-JSON forms or
// extensions" (RFC 8259 section 9), a server may "disregard" Accept (RFC 9110 section 12.5.1), and format is an
// annotation (JSON Schema Validation section 7.2.1), "an open-valued property" (OpenAPI 3.0 section 4.4).
var readersMayTake = []string{jsontext.CodeTrailing, jsontext.CodeUTF8, jsontext.CodeDuplicate, jsontext.CodeDepth,
	jsontext.CodeNumberTooBig, jsontext.CodeSurrogate, decode.CodePercentEncoding, decode.CodeRepeatedParameter,
	"not-acceptable", codeFormat}

// accepted reports whether the answer is a success, or a documented redirect to what the request asked for or
// led to. Others ask to send it again elsewhere (RFC 9110 sections 15.4.2, 15.4.8 and 15.4.9).
func (in *input) accepted() bool {
	found := in.Status() == 302 || in.Status() == 303 || in.Status() == 300
	return in.Succeeded() || found && in.operation.DocumentsExactly(in.Status())
}

func badCredentialsRefused(in *input) []Violation {
	if in.Case.Expected != cases.Unauthorized || !in.Succeeded() {
		return nil
	}
	return asWarning(slices.ContainsFunc(in.Case.Credentials, isGoodOtherwise),
		in.violation(inCredentials, in.Case.Title, "a request with %s is accepted with %d", in.Case.Title, in.Status()))
}

// isGoodOtherwise reports whether a credential is a good one in another form, place or case, or for another
// scheme: a server may take it there as well.
func isGoodOtherwise(c cases.Credential) bool {
	forms := []cases.Form{cases.OtherScheme, cases.Misplaced, cases.OtherCase, cases.Bare, cases.Foreign}
	return slices.Contains(forms, c.Form)
}

// badCredentialsStatus reports other refusals than 401 and 403 if the same
// request with good credentials is accepted. A 404 may hide what exists, and an
// unreadable credential may be a bad request (RFC 6750 section 3.1).
func badCredentialsStatus(in *input) []Violation {
	status := in.Status()
	if in.Case.Expected != cases.Unauthorized || !in.Plain || in.Case.Uncertainty != "" || in.documented == nil ||
		in.isUndocumentedRefusal() || !in.operation.DocumentsExactly(401) && !in.operation.DocumentsExactly(403) ||
		!blamesRequest(status) {
		return nil
	}
	unreadable := func(c cases.Credential) bool { return c.Form != cases.Given && c.Form != cases.Wrong }
	if status == 400 && slices.ContainsFunc(in.Case.Credentials, unreadable) {
		return nil
	}
	return in.violation(inCredentials, strconv.Itoa(status),
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

// placeOf returns the place in the document of a parameter or a property of the
// body; the place of the operation if it is not known.
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
