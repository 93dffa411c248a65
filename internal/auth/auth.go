// Package auth checks the credentials of a request against the security requirements of its operation.
//
// It checks only the form of credentials: a mock knows neither users nor keys, so it accepts every well-formed token,
// password, key or client certificate, and ignores scopes, which are inside opaque tokens.
package auth

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Codes of findings.
const (
	CodeMissing   = "credentials-missing"
	CodeLacking   = "scope-missing"
	CodeMalformed = "credentials-malformed" // sent, but not in the form of the scheme
)

// Policy is the compiled security requirements of one operation. It is immutable and safe for concurrent use.
type Policy struct {
	alternatives [][]need // one of them must hold, with all its needs; empty if nothing is required
	grants       []grants // of each alternative
	challenges   []string
}

// grants are required scopes of oauth2 and openIdConnect, or roles of other schemes (OpenAPI 3.1 section 4.8.30).
type grants struct{ scopes, roles []string }

// New compiles the security requirements of an operation.
//
// A request has one Authorization field with one scheme (RFC 9110 section 11.6.2). If a document nevertheless
// requires several such schemes at once, such as basic and bearer, any of them is enough.
func New(op *spec.Operation) *Policy {
	p := &Policy{}
	for _, requirement := range op.Security {
		var plain, schemes []need
		var g grants
		for _, asked := range requirement {
			n := compile(asked.Scheme)
			if t := asked.Scheme.Type; t == "oauth2" || t == "openIdConnect" {
				g.scopes = append(g.scopes, asked.Scopes...)
			} else {
				g.roles = append(g.roles, asked.Scopes...)
			}
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
			p.add(plain, g)
		}
		for _, n := range schemes {
			p.add(append(slices.Clone(plain), n), g)
		}
	}
	return p
}

// AsksCertificate reports whether an alternative asks for a client certificate.
func (p *Policy) AsksCertificate() bool {
	isCertificate := func(n need) bool { return n.isCertificate }
	return slices.ContainsFunc(slices.Concat(p.alternatives...), isCertificate)
}

// appendNeed omits a need that another scheme already has: oauth2 and openIdConnect both require a bearer token.
func appendNeed(needs []need, n need) []need {
	if slices.ContainsFunc(needs, n.same) {
		return needs
	}
	return append(needs, n)
}

func (p *Policy) add(alternative []need, g grants) {
	for i, other := range p.alternatives {
		if slices.EqualFunc(other, alternative, need.same) && slices.Equal(p.grants[i].scopes, g.scopes) &&
			slices.Equal(p.grants[i].roles, g.roles) {
			return
		}
	}
	p.alternatives, p.grants = append(p.alternatives, alternative), append(p.grants, g)
}

// HasRoles reports whether some alternative requires roles.
func (p *Policy) HasRoles() bool {
	return slices.ContainsFunc(p.grants, func(g grants) bool { return len(g.roles) > 0 })
}

// Lacking returns the scopes and roles that credentials lack, given the granted ones, nil for all. Among the
// alternatives whose form the credentials have, it chooses the one with the fewest lacking. It returns none if
// nothing is lacking.
func (p *Policy) Lacking(req *exchange.Request, scopes, roles []string) (lacking []string) {
	found := false
	for i, alternative := range p.alternatives {
		if slices.ContainsFunc(alternative, func(n need) bool { return n.check(req) != "" }) {
			continue
		}
		without := append(notIn(p.grants[i].scopes, scopes), notIn(p.grants[i].roles, roles)...)
		if !found || len(without) < len(lacking) {
			lacking, found = without, true
		}
	}
	return lacking
}

func notIn(asked, has []string) []string {
	if has == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(asked), func(name string) bool { return slices.Contains(has, name) })
}

// Check returns nil if the request meets one of the alternatives. Otherwise it returns the findings of the closest
// alternative: the one with the fewest unmet needs, then with the most malformed rather than missing ones, then the
// first. A finding never contains the credentials.
func (p *Policy) Check(req *exchange.Request) []exchange.Finding {
	closest, least := -1, 0
	for i, alternative := range p.alternatives {
		score := 0 // a malformed credential weighs less than a missing one
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

// Challenges returns the values for WWW-Authenticate (RFC 9110 section 11.6.1), one for each scheme, in the
// document's order; none if nothing is required. They are shared and must not be changed.
func (p *Policy) Challenges() []string { return p.challenges }

// Credential is a token or key that a request carries.
type Credential struct {
	In, Name string // name of the header field, query parameter or cookie
	Value    string
}

// Presented returns the bearer token of a request, the keys that the requirements name, and the cookie with the given
// name, if there is one.
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
				if _, token, ok := strings.Cut(key, " "); ok && strings.EqualFold(n.name, authorization) {
					add(n.in, n.name, strings.TrimLeft(token, " ")) // for a custom scheme: Token abc
				}
			}
		}
	}
	if cookie != "" {
		add(exchange.InCookie, cookie, cookieValue(req.Header, cookie))
	}
	return all
}

// Basic returns the name and the password of Basic credentials (RFC 7617).
func Basic(h exchange.Header) (name, password string, ok bool) {
	value, _ := field(h, authorization)
	scheme, encoded, _ := strings.Cut(value, " ")
	text, err := base64.StdEncoding.DecodeString(strings.TrimLeft(encoded, " "))
	if err != nil || !strings.EqualFold(scheme, "basic") {
		return "", "", false
	}
	return strings.Cut(string(text), ":")
}

// IsRequired reports whether every alternative requires credentials.
func (p *Policy) IsRequired() bool {
	return len(p.alternatives) > 0 && !slices.ContainsFunc(p.alternatives, func(a []need) bool { return len(a) == 0 })
}
