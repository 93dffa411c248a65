// Package auth judges the credentials of a request by the security requirements of its operation.
//
// Credentials are judged by their form: a mock knows neither users nor keys, so every well-formed token,
// password, key or client certificate is good, and scopes, which stand inside of opaque tokens, are not looked at.
package auth

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Codes of findings.
const (
	CodeMissing   = "credentials-missing"
	CodeMalformed = "credentials-malformed" // sent, but in a form that the document does not ask for
)

// Policy is the security requirements of one operation, compiled. It is
// immutable and safe for concurrent use.
type Policy struct {
	alternatives [][]need // one of them must hold, all needs of it; empty where nothing is asked for
	challenges   []string
}

// New compiles the security requirements of an operation.
//
// A request has one Authorization field with one scheme (RFC 9110 section 11.6.2). Where a document
// nevertheless asks for several schemes at once, as for basic and bearer, any of them is enough.
func New(op *spec.Operation) *Policy {
	p := &Policy{}
	for _, requirement := range op.Security {
		var plain, schemes []need
		for _, asked := range requirement {
			n := compile(asked.Scheme)
			if n.challenge != "" && !slices.Contains(p.challenges, n.challenge) {
				p.challenges = append(p.challenges, n.challenge)
			}
			switch {
			case n.isKey, n.isCertificate:
				plain = appendNeed(plain, n)
			default:
				schemes = appendNeed(schemes, n)
			}
		}
		if len(schemes) == 0 {
			p.add(plain)
		}
		for _, n := range schemes {
			p.add(append(slices.Clone(plain), n))
		}
	}
	return p
}

// AsksCertificate reports whether an alternative asks for a client certificate.
func (p *Policy) AsksCertificate() bool {
	isCertificate := func(n need) bool { return n.isCertificate }
	return slices.ContainsFunc(slices.Concat(p.alternatives...), isCertificate)
}

// appendNeed leaves out what another scheme asks for already, as of oauth2 and
// openIdConnect, which both ask for a bearer token.
func appendNeed(needs []need, n need) []need {
	if slices.ContainsFunc(needs, n.same) {
		return needs
	}
	return append(needs, n)
}

func (p *Policy) add(alternative []need) {
	equal := func(other []need) bool { return slices.EqualFunc(other, alternative, need.same) }
	if !slices.ContainsFunc(p.alternatives, equal) {
		p.alternatives = append(p.alternatives, alternative)
	}
}

// Check gives nil where the request carries what one of the alternatives asks for. Else it gives the findings
// of the alternative that came closest: the one with the fewest needs unmet, then with the most of them met
// badly rather than not at all, then the first. A finding never contains the credentials.
func (p *Policy) Check(req *exchange.Request) []exchange.Finding {
	closest, least := -1, 0
	for i, alternative := range p.alternatives {
		score := 0 // a need that is met badly weighs less than one that is not met
		for j := range alternative {
			switch alternative[j].check(req) {
			case "":
			case missing:
				score += 1<<16 + 1
			default:
				score += 1 << 16
			}
		}
		if score == 0 {
			return nil
		}
		if closest < 0 || score < least {
			closest, least = i, score
		}
	}
	if closest < 0 {
		return nil
	}
	var findings []exchange.Finding
	for _, n := range p.alternatives[closest] {
		problem := n.check(req)
		if problem == "" {
			continue
		}
		code := CodeMalformed
		if problem == missing {
			code = CodeMissing
		}
		findings = append(findings, exchange.Finding{
			Code: code, Message: problem + "; want " + n.want, In: n.in, Name: n.name, Document: n.place,
		})
	}
	return exchange.Sort(findings)
}

// Challenges gives the values for WWW-Authenticate (RFC 9110 section 11.6.1), one for each scheme, in the
// document's order; none where nothing is asked for. They are shared and must not be changed.
func (p *Policy) Challenges() []string { return p.challenges }

// Credential is a token or key that a request carries.
type Credential struct {
	In, Name string // of the header field, query parameter or cookie
	Value    string
}

// Presented gives the bearer token of a request, the keys that the requirements ask for, and the cookie of a name
// where there is one.
func (p *Policy) Presented(req *exchange.Request, cookie string) (all []Credential) {
	add := func(in, name, value string) {
		if c := (Credential{in, name, value}); value != "" && !slices.Contains(all, c) {
			all = append(all, c)
		}
	}
	value, _ := field(req.Header, authorization)
	if scheme, token, ok := strings.Cut(value, " "); ok && strings.EqualFold(scheme, "bearer") {
		add(exchange.InHeader, authorization, strings.TrimLeft(token, " "))
	}
	for _, alternative := range p.alternatives {
		for _, n := range alternative {
			if n.isKey {
				key, _ := n.value(req)
				add(n.in, n.name, key)
			}
		}
	}
	if cookie != "" {
		add(exchange.InCookie, cookie, cookieValue(req.Header, cookie))
	}
	return all
}

// IsRequired reports whether every alternative asks for credentials.
func (p *Policy) IsRequired() bool {
	return len(p.alternatives) > 0 && !slices.ContainsFunc(p.alternatives, func(a []need) bool { return len(a) == 0 })
}
