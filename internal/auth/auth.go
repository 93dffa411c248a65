// Package auth judges the credentials of a request by the security requirements of its operation.
//
// Credentials are judged by their form: a mock knows neither users nor keys, so every well-formed token,
// password, key or client certificate is good, and scopes, which stand inside of opaque tokens, are not looked at.
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
	CodeMalformed = "credentials-malformed" // sent, but in a form that the document does not ask for
)

// Policy is the security requirements of one operation, compiled. It is
// immutable and safe for concurrent use.
type Policy struct {
	alternatives [][]need // one of them must hold, all needs of it; empty where nothing is asked for
	grants       []grants // of each alternative
	challenges   []string
}

// grants are what credentials must be good for: scopes of oauth2 and openIdConnect, roles of other schemes (OpenAPI 3.1
// section 4.8.30).
type grants struct{ scopes, roles []string }

// New compiles the security requirements of an operation.
//
// A request has one Authorization field with one scheme (RFC 9110 section 11.6.2). Where a document
// nevertheless asks for several schemes at once, as for basic and bearer, any of them is enough.
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

// appendNeed leaves out what another scheme asks for already, as of oauth2 and
// openIdConnect, which both ask for a bearer token.
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

// HasRoles reports whether some alternative asks for roles.
func (p *Policy) HasRoles() bool {
	return slices.ContainsFunc(p.grants, func(g grants) bool { return len(g.roles) > 0 })
}

// Lacking returns what credentials lack that are good for some scopes and roles, nil for all: the scopes and roles of
// the alternative whose form they have and of which they lack the fewest. It is empty where they lack nothing.
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

// Check returns nil if the request carries what one of the alternatives asks for. Else it gives the findings
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

// Challenges returns the values for WWW-Authenticate (RFC 9110 section 11.6.1), one for each scheme, in the
// document's order; none if nothing is asked for. They are shared and must not be changed.
func (p *Policy) Challenges() []string { return p.challenges }

// Credential is a token or key that a request carries.
type Credential struct {
	In, Name string // of the header field, query parameter or cookie
	Value    string
}

// Presented returns the bearer token of a request, the keys that the requirements ask for, and the cookie of a name
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
				if _, token, ok := strings.Cut(key, " "); ok && strings.EqualFold(n.name, authorization) {
					add(n.in, n.name, strings.TrimLeft(token, " ")) // of a scheme of the API's own: Token abc
				}
			}
		}
	}
	if cookie != "" {
		add(exchange.InCookie, cookie, cookieValue(req.Header, cookie))
	}
	return all
}

// Basic returns the name and the password of fields that have them as RFC 7617 says.
func Basic(h exchange.Header) (name, password string, ok bool) {
	value, _ := field(h, authorization)
	scheme, encoded, _ := strings.Cut(value, " ")
	text, err := base64.StdEncoding.DecodeString(strings.TrimLeft(encoded, " "))
	if err != nil || !strings.EqualFold(scheme, "basic") {
		return "", "", false
	}
	return strings.Cut(string(text), ":")
}

// IsRequired reports whether every alternative asks for credentials.
func (p *Policy) IsRequired() bool {
	return len(p.alternatives) > 0 && !slices.ContainsFunc(p.alternatives, func(a []need) bool { return len(a) == 0 })
}
