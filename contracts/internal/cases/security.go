package cases

import (
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// Security makes requests without the right credentials: none at all, and each alternative with one of its
// needs left out, wrong, empty, under another scheme or in another place, while the rest is as it should be.
// Each alternative that is met is a request that must be accepted.
func (m *Builder) Security(ctx context.Context, have map[string]any, _ int) iter.Seq[*Case] {
	return m.plainWith(ctx, firstSecurityRequest, have, m.securityCases())
}

func (m *Builder) securityCases() []func(*Case) {
	security := m.operation.Security
	if slices.ContainsFunc(m.operation.Alternatives, Anonymous) && !Anonymous(m.operation) {
		return nil // a backend may take the request for one to that operation
	}
	var all []func(*Case)
	add := func(expected Outcome, title string, credentials []Credential) {
		all = append(all, func(c *Case) {
			c.Expected, c.Title, c.Credentials = expected, title, credentials
			if expected == Accepted {
				c.Varied = OfCredentials
			}
		})
	}
	switch {
	case len(security) == 0:
		return nil
	case Anonymous(m.operation):
		add(Accepted, "no credentials, which the document allows", nil)
		return all
	case slices.ContainsFunc(security, outsideRequest):
		return nil
	}
	add(Unauthorized, "no credentials", nil)
	for i, alternative := range security {
		if i != m.Preferred() {
			add(Accepted, "the credentials of "+names(alternative), GivenFor(alternative))
		}
		for j, need := range alternative {
			in, parameter := need.Scheme.Parameter()
			standsThere := func(n spec.Need) bool { // one token is good for both
				other, name := n.Scheme.Parameter()
				return other == in && strings.EqualFold(name, parameter)
			}
			if readAsKey(m.operation, need.Scheme) || slices.ContainsFunc(alternative[:j], standsThere) {
				continue
			}
			title := "the credential of " + need.Scheme.Key + " "
			for _, form := range corruptions(need.Scheme) {
				if (form == Foreign || form == Instead) && len(security) > 1 || form == Instead && len(alternative) > 1 {
					continue // the other one may be good there as well, or is sent already
				}
				credentials := GivenFor(alternative)
				for k, n := range alternative {
					if standsThere(n) {
						credentials[k].Form = form
					}
				}
				add(Unauthorized, title+form.String(), credentials)
			}
			rest := slices.DeleteFunc(slices.Clone(alternative), standsThere)
			if len(rest) > 0 && !slices.ContainsFunc(security, func(r spec.Requirement) bool { return covers(rest, r) }) {
				add(Unauthorized, title+"left out", GivenFor(rest))
			}
		}
	}
	return all
}

// OfCredentials is Varied of a case of credentials.
const OfCredentials = "credentials"

// Anonymous reports whether requests to an operation need no credentials.
func Anonymous(o *spec.Operation) bool {
	return len(o.Security) == 0 ||
		slices.ContainsFunc(o.Security, func(alternative spec.Requirement) bool { return len(alternative) == 0 })
}

// outsideRequest reports whether an alternative asks for nothing in the request: a
// certificate of the client, or a scheme that the document does not describe.
func outsideRequest(r spec.Requirement) bool {
	return !slices.ContainsFunc(r, func(need spec.Need) bool {
		return slices.Contains([]string{"apiKey", "http", "oauth2", "openIdConnect"}, need.Scheme.Type)
	})
}

func covers(given, wanted spec.Requirement) bool {
	return !slices.ContainsFunc(wanted, func(need spec.Need) bool {
		return !slices.ContainsFunc(given, func(n spec.Need) bool { return n.Scheme == need.Scheme })
	})
}

// readAsKey reports whether another alternative asks for nothing but an API key
// where the scheme's credential stands, which may be any text.
func readAsKey(o *spec.Operation, s *spec.SecurityScheme) bool {
	in, field := s.Parameter()
	return in == exchange.InHeader && slices.ContainsFunc(o.Security, func(other spec.Requirement) bool {
		if len(other) != 1 || other[0].Scheme == s {
			return false
		}
		key := other[0].Scheme
		return key.Type == "apiKey" && key.In == exchange.InHeader && strings.EqualFold(key.Name, field)
	})
}

// corruptions are the ways in which a credential of a scheme can be bad.
func corruptions(s *spec.SecurityScheme) []Form {
	switch {
	case outsideRequest(spec.Requirement{{Scheme: s}}):
		return nil
	case s.Type == "apiKey" && (s.In == "header" || s.In == "query"):
		return []Form{Wrong, Empty, Misplaced, Suffixed, OtherCase, Foreign, Instead}
	case s.Type == "apiKey":
		return []Form{Wrong, Empty, Suffixed, OtherCase, Foreign, Instead}
	case s.Type != "http" || s.Scheme == "bearer":
		return []Form{Wrong, Empty, OtherScheme, OtherWrong, Suffixed, OtherCase, Bare, Foreign, Instead}
	case s.Scheme == "basic":
		return []Form{Wrong, Empty, OtherScheme, OtherWrong, NoPassword, Suffixed, Garbled}
	}
	return []Form{Wrong, Empty, OtherScheme, OtherWrong}
}

func names(r spec.Requirement) string {
	keys := make([]string, len(r))
	for i, need := range r {
		keys[i] = need.Scheme.Key
	}
	return strings.Join(keys, " and ")
}

// All stands for the credentials of all alternatives of an operation at once.
const All = -1

// Prefer says which alternative of the operation's security cases carry the
// credentials of, by its index. Default 0.
func (m *Builder) Prefer(alternative int) { m.preferred.Store(int32(alternative)) }

// Preferred returns the alternative whose credentials cases carry.
func (m *Builder) Preferred() int { return int(m.preferred.Load()) }

// Credentials returns the credentials of the preferred alternative.
func (m *Builder) Credentials() []Credential {
	i, security := m.Preferred(), m.operation.Security
	if len(security) > 0 && i != All {
		return GivenFor(security[i])
	}
	return GivenFor(slices.Concat(security...))
}
