package mock

import (
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
)

// route finds the operation. HEAD follows GET, and OPTIONS is answered for
// every path that is known.
func (x *visit) route() bool {
	r := x.request
	switch result := x.find(); {
	case result == route.Found:
		return true
	case r.Method == "OPTIONS" && r.Path == "*": // the server as a whole (RFC 9110 section 9.3.7)
		x.response = exchange.Response{Status: 204}
		return false
	case result == route.MethodNotAllowed && r.Method == "OPTIONS":
		x.response = exchange.Response{Status: 204, Header: exchange.Header{{Name: "Allow", Value: x.allow()}}}
		return false
	case result == route.MethodNotAllowed:
		x.refuseUnrouted(405, exchange.Finding{
			Code:    "method-not-allowed",
			Message: "method " + r.Method + " is not documented for this path; documented: " + x.allow(),
			In:      exchange.InRequest,
		})
		x.response.Header.Set("Allow", x.allow())
		return false
	}
	message := "no operation has the path " + shorten(r.Path)
	if near := x.in.router.Nearest(r.Method, r.Path); near != nil {
		message += "; did you mean " + near.Method + " " + near.Path + "?"
	}
	x.refuseUnrouted(404, exchange.Finding{Code: "unknown-path", Message: message, In: exchange.InRequest})
	return false
}

func (x *visit) find() route.Result {
	r := x.request
	result := x.in.router.Find(r.Method, r.Path, r.Query, &x.match)
	if result == route.MethodNotAllowed && r.Method == "HEAD" {
		result = x.in.router.Find("GET", r.Path, r.Query, &x.match)
	}
	if result == route.Found {
		x.operation = x.in.operations[x.match.Operation]
		if x.match.Alternatives != nil {
			x.operation = x.fittest(x.match.Alternatives)
		}
	}
	return result
}

// fittest chooses between operations whose templates match the path equally
// well, as /contacts/{id} and /contacts/{number} do: the first that the request
// fits best.
func (x *visit) fittest(alternatives []*spec.Operation) *operation {
	var best *operation
	fewest := 0
	for _, alternative := range alternatives {
		o := x.in.operations[alternative]
		if _, findings := o.validator.Request(x.request, x.match.Values); best == nil || len(findings) < fewest {
			best, fewest = o, len(findings)
		}
	}
	return best
}

// allow lists the methods that the path answers to (RFC 9110 section 10.2.1).
func (x *visit) allow() string {
	methods := x.in.router.Allowed(x.request.Path)
	return strings.Join(methods, ", ")
}

func shorten(path string) string {
	if len(path) > 200 {
		return path[:200] + "…"
	}
	return path
}

// authenticate checks the credentials.
func (x *visit) authenticate() bool {
	if x.options.Auth == "off" {
		return true
	}
	findings := x.operation.auth.Check(x.request)
	if len(findings) == 0 {
		return true
	}
	x.refuse(badCredentials, findings)
	return false
}

// decode turns parameters and body into values. What cannot be read is a
// finding, and validate's to refuse.
func (x *visit) decode() bool {
	if encoding, ok := x.request.Header.Get("Content-Encoding"); ok && len(x.request.Body) > 0 {
		body, finding := decode.Decompress(encoding, x.request.Body, x.options.MaxBody)
		if finding != nil && x.options.Validate == "strict" {
			x.refuse(problemOfOne(*finding), []exchange.Finding{*finding})
			return false
		}
		if finding != nil && x.options.Validate == "warn" {
			x.findings = append(x.findings, *finding)
		}
		x.request.Body = body
	}
	var findings []exchange.Finding
	x.values, findings = x.operation.validator.Decode(x.request, x.match.Values)
	if x.options.Validate != "off" {
		x.findings = append(x.findings, findings...)
	}
	return true
}

// validate holds the values to their schemas and refuses a request with which
// anything is wrong.
func (x *visit) validate() bool {
	if x.options.Validate == "off" {
		return true
	}
	findings := append(x.findings, x.operation.validator.Check(&x.values)...)
	findings = append(findings, x.undeclared()...)
	if len(findings) == 0 {
		return true
	}
	findings = exchange.Sort(findings)
	if x.options.Validate == "warn" {
		x.findings = x.credentials().HideFindings(findings)
		return true
	}
	x.findings = nil
	x.refuse(problemOf(findings), findings)
	return false
}
