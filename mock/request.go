package mock

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/logins"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// find returns the operation of a request; nil if none. HEAD follows GET.
func (c *contract) find(r *exchange.Request, match *route.Match) (*operation, route.Result) {
	result := c.router.Find(r.Method, r.Path, match)
	if result == route.MethodNotAllowed && r.Method == "HEAD" {
		result = c.router.Find("GET", r.Path, match)
	}
	if result != route.Found {
		return nil, result
	}
	if match.Alternatives != nil {
		all := make([]*validate.Validator, len(match.Alternatives))
		for i, alternative := range match.Alternatives {
			all[i] = c.operations[alternative].validator
		}
		match.Alternatives = validate.Fitting(r, match.Values, all)
		match.Operation = match.Alternatives[0]
	}
	return c.operations[match.Operation], result
}

// methods answers OPTIONS for every known path. It returns nil for other requests.
func (c *contract) methods(r *exchange.Request, found route.Result) *exchange.Response {
	switch {
	case r.Method != "OPTIONS":
		return nil
	case r.Path == "*": // the server as a whole (RFC 9110 section 9.3.7)
		return &exchange.Response{Status: 204}
	case found == route.MethodNotAllowed:
		return &exchange.Response{Status: 204, Header: exchange.Header{{Name: "Allow", Value: c.allowed(r.Path)}}}
	}
	return nil
}

// allowed lists the methods that a path answers to (RFC 9110 section 10.2.1), "" if none.
func (c *contract) allowed(path string) string { return strings.Join(c.router.Allowed(path), ", ") }

// unrouted refuses a request without an operation.
func (c *contract) unrouted(r *exchange.Request, found route.Result) *respond.Refusal {
	if found == route.MethodNotAllowed {
		allowed := c.allowed(r.Path)
		return &respond.Refusal{
			Problem: respond.UnknownMethod,
			Header:  exchange.Header{{Name: "Allow", Value: allowed}},
			Findings: []exchange.Finding{{
				Code:    "method-not-allowed",
				Message: "method " + r.Method + " is not documented for this path; documented: " + allowed,
				In:      exchange.InRequest,
			}},
		}
	}
	message := "no operation has the path " + exchange.Shorten(r.Path, 200)
	if near := c.router.Nearest(r.Method, r.Path); near != nil {
		message += "; did you mean " + near.Method + " " + near.Path + "?"
	}
	return &respond.Refusal{
		Problem:  respond.UnknownPath,
		Findings: []exchange.Finding{{Code: "unknown-path", Message: message, In: exchange.InRequest}},
	}
}

// seed returns the seed of generated values, and whether to generate fresh ones.
func (o *Options) seed(p *prefer.Preferences) (seed uint64, dynamic bool) {
	dynamic = o.Values.Dynamic
	if p.Has(prefer.Dynamic) {
		dynamic = p.Dynamic
	}
	switch {
	case p.Has(prefer.Seed):
		return p.Seed, dynamic
	case dynamic:
		return rand.Uint64(), dynamic
	}
	return o.Values.Seed, dynamic
}

// authenticate refuses a request without the credentials that its operation requires, or with a token of the mock
// that is no longer valid. It returns the access that the credentials grant.
func authenticate(o *Options, x *incoming) (*logins.Access, *respond.Refusal) {
	op, r := x.operation, x.ask.Request
	access, ended := x.contract.logins.Access(
		x.session.Value().Logins, x.session.State, op.Operation.Operation, op.auth, r)
	if o.Auth.Mode == "off" {
		return access, nil
	}
	r.ClientCertificate = r.ClientCertificate || o.Auth.MutualTLS == "assume"
	findings := op.auth.Check(r)
	switch {
	case len(findings) > 0:
		return access, &respond.Refusal{Problem: respond.BadCredentials, Findings: findings, Header: op.challenge("")}
	case ended != nil && op.auth.IsRequired():
		return access, &respond.Refusal{
			Problem: respond.BadCredentials, Findings: []exchange.Finding{*ended},
			Header: op.challenge(`error="invalid_token", error_description="` + ended.Message + `"`),
		}
	case !access.Known:
		return access, nil
	}
	var roles []string
	if op.auth.HasRoles() {
		roles = x.contract.logins.Roles(x.session.State, access)
	}
	if lacking := op.auth.Lacking(r, access.Scopes, roles); len(lacking) > 0 {
		names := strings.Join(lacking, " ")
		return access, &respond.Refusal{
			Problem: respond.MissingScope, Header: op.challenge(`error="insufficient_scope", scope="` + names + `"`),
			Findings: []exchange.Finding{{
				Code: auth.CodeLacking, Message: "the credentials lack " + names, In: exchange.InHeader, Name: "Authorization",
			}},
		}
	}
	return access, nil
}

// challenge returns the field that says which credentials an operation takes (RFC 9110 section 11.6.1), and why a
// bearer token is invalid (RFC 6750 section 3.1); "" if none.
func (o *operation) challenge(wrong string) exchange.Header {
	challenges := o.auth.Challenges()
	if bearer := slices.Index(challenges, "Bearer"); bearer >= 0 && wrong != "" {
		challenges = slices.Clone(challenges)
		challenges[bearer] += " " + wrong
	}
	if len(challenges) == 0 {
		return nil
	}
	return exchange.Header{{Name: "WWW-Authenticate", Value: strings.Join(challenges, ", ")}}
}

// decodeAndValidate decodes parameters and body and checks them against their schemas. If invalid requests are not
// refused, it returns the findings.
func decodeAndValidate(
	o *Options, op *operation, q *respond.Request,
) (findings []exchange.Finding, refusal *respond.Refusal) {
	if encoding, ok := q.Header.Get("Content-Encoding"); ok && len(q.Body) > 0 {
		body, finding := decode.Decompress(encoding, q.Body, o.Limits.MaxBody, &q.Share)
		if finding != nil {
			findings = append(findings, *finding)
			if o.Validate == "strict" {
				return nil, &respond.Refusal{Problem: respond.ProblemOf(findings), Findings: findings}
			}
		}
		q.Body, q.Unpacked = body, true
	}
	if mayHaveValues(q.Request) {
		f := exchange.Finding{In: exchange.InBody}
		switch err := q.Share.ReadValues(q.Body); err {
		case nil:
		case bodies.ErrValues:
			f.Code, f.Message = decode.CodeBodyTooLarge, err.Error()+" (option max-bodies)"
			return nil, &respond.Refusal{Problem: respond.TooLarge, Findings: []exchange.Finding{f}}
		default:
			f.Code, f.Message = decode.CodeOverloaded, err.Error()
			return nil, &respond.Refusal{Problem: respond.Overloaded, Findings: []exchange.Finding{f}}
		}
	}
	values, unreadable := op.validator.Decode(q.Request, q.Variables)
	q.Values = values
	if o.Validate == "off" {
		return nil, nil
	}
	findings = append(findings, unreadable...)
	findings = append(findings, op.validator.Check(&q.Values)...)
	if o.Undeclared == "refuse" && q.Query != "" {
		findings = append(findings, undeclared(op, q.Request)...)
	}
	if len(findings) == 0 {
		return nil, nil
	}
	findings = exchange.Sort(findings)
	if o.Validate == "warn" {
		return q.Secrets.Sent(q.Request).HideFindings(findings), nil
	}
	return nil, &respond.Refusal{Problem: respond.ProblemOf(findings), Findings: findings}
}

// mayHaveValues reports whether a body is JSON, or may have parts that are.
func mayHaveValues(r *exchange.Request) bool {
	contentType, has := r.Header.Get("Content-Type")
	contentType = strings.ToLower(contentType)
	return !has || strings.Contains(contentType, "json") ||
		strings.HasPrefix(contentType, "multipart/") && bytes.Contains(r.Body, []byte("json"))
}

// undeclared returns the query parameters that an operation does not document, except those that stand for
// preferences.
func undeclared(o *operation, r *exchange.Request) []exchange.Finding {
	return slices.DeleteFunc(o.validator.Unknown(r), func(f exchange.Finding) bool { return prefer.IsTwin(f.Name) })
}

// misspelt returns a warning for each undocumented query parameter that looks like a documented one, or like one that
// stands for a preference. They are warnings because clients may send any parameter.
func misspelt(o *Options, op *operation, q *respond.Request) (findings []exchange.Finding) {
	if q.Query == "" || o.Validate == "off" {
		return nil
	}
	for _, f := range undeclared(op, q.Request) {
		names := prefer.Twins()
		for _, p := range op.Parameters {
			if p.In == exchange.InQuery {
				names = append(names, p.Name)
			}
		}
		meant := nearest.Word(f.Name, names, max(1, len(f.Name)/4))
		if meant == "" {
			continue
		}
		f.Code, f.Severity = "misspelt-parameter", exchange.Warning
		f.Message = "query parameter is not documented and has no effect; did you mean " + meant + "?"
		if findings = append(findings, f); len(findings) == maxMisspelt {
			break
		}
	}
	return q.Secrets.Sent(q.Request).HideFindings(findings)
}

// maxMisspelt limits the misspelt parameters that are reported for one request.
const maxMisspelt = 10

// preflight answers a browser that asks whether it may send a request from another origin
// (https://fetch.spec.whatwg.org/#cors-preflight-request). Any origin may, because a mock has nothing to protect.
// private lets public sites reach a private network (https://wicg.github.io/private-network-access/). It returns nil
// for other requests.
func (c *contract) preflight(r *exchange.Request, private bool) *exchange.Response {
	if r.Method != "OPTIONS" {
		return nil
	}
	method, ok := r.Header.Get("Access-Control-Request-Method")
	if _, has := r.Header.Get("Origin"); !ok || !has {
		return nil
	}
	answer := &exchange.Response{Status: 204, Header: exchange.Header{
		{Name: "Access-Control-Allow-Methods", Value: cmp.Or(c.allowed(r.Path), method)},
		{Name: "Access-Control-Max-Age", Value: "600"},
	}}
	if fields, ok := r.Header.Get("Access-Control-Request-Headers"); ok {
		answer.Header.Set("Access-Control-Allow-Headers", fields)
	}
	if _, ok := r.Header.Get("Access-Control-Request-Private-Network"); ok && private {
		answer.Header.Set("Access-Control-Allow-Private-Network", "true")
	}
	return answer
}
