package cases

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// Security makes requests without the right credentials: none at all, and each
// alternative with one of its needs left out, wrong, empty, under another
// scheme or in another place, while the rest is as it should be. Each
// alternative that is met is a request that must be accepted.
func (m *Builder) Security(ctx context.Context, have map[string]any, _ int) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		n := 0
		send := func(want Outcome, title string, credentials []Credential) bool {
			if ctx.Err() != nil {
				return false
			}
			n++
			c, err := m.Plain(plainsOfSecurity+n, have)
			if err != nil {
				return true
			}
			c.Expected, c.Title, c.Credentials = want, title, credentials
			if want == Accepted {
				c.Varied = OfCredentials
			}
			return yield(c)
		}
		if anonymous(m.operation) {
			if len(m.operation.Security) > 0 {
				send(Accepted, "no credentials, which the document allows", nil)
			}
			return
		}
		if slices.ContainsFunc(m.operation.Security, elsewhere) {
			return
		}
		if !send(Unauthorized, "no credentials", nil) {
			return
		}
		for i, alternative := range m.operation.Security {
			if i != m.Preferred() && !send(Accepted, "the credentials of "+names(alternative), GivenFor(alternative)) {
				return
			}
			for j, need := range alternative {
				if readAsKey(m.operation, need.Scheme) {
					continue
				}
				for _, how := range spoilings(need.Scheme) {
					if (how == Foreign || how == Instead) && len(m.operation.Security) > 1 || how == Instead && len(alternative) > 1 {
						continue // the other one may be good there as well, or is sent already
					}
					credentials := GivenFor(alternative)
					credentials[j].Form = how
					if !send(Unauthorized, fmt.Sprintf("the credential of %s %v", need.Scheme.Key, how), credentials) {
						return
					}
				}
				if len(alternative) == 1 || met(m.operation, alternative, j) {
					continue
				}
				without := append(GivenFor(alternative[:j]), GivenFor(alternative[j+1:])...)
				if !send(Unauthorized, fmt.Sprintf("the credential of %s left out", need.Scheme.Key), without) {
					return
				}
			}
		}
	}
}

// OfCredentials is what a case varies that is about its credentials.
const OfCredentials = "credentials"

// plainsOfSecurity keeps the requests of this phase apart from others, so that
// what they create is their own.
const plainsOfSecurity = 10_000

// anonymous reports whether requests without credentials are allowed.
func anonymous(o *spec.Operation) bool {
	for _, alternative := range o.Security {
		if len(alternative) == 0 {
			return true
		}
	}
	return len(o.Security) == 0
}

// elsewhere reports whether an alternative asks for nothing in the request: a
// certificate of the client, or a scheme that the document does not describe.
func elsewhere(r spec.Requirement) bool {
	for _, need := range r {
		switch need.Scheme.Type {
		case "apiKey", "http", "oauth2", "openIdConnect":
			return false
		}
	}
	return true
}

// met reports whether an alternative without its need at index j is another
// alternative of the operation.
func met(o *spec.Operation, alternative spec.Requirement, j int) bool {
	for _, other := range o.Security {
		covered := true
		for _, need := range other {
			found := false
			for k, n := range alternative {
				found = found || k != j && n.Scheme == need.Scheme
			}
			covered = covered && found
		}
		if covered {
			return true
		}
	}
	return false
}

// readAsKey reports whether another alternative asks for nothing but an API key
// where the scheme's credential stands, which may be any text.
func readAsKey(o *spec.Operation, s *spec.SecurityScheme) bool {
	field := "Authorization"
	if s.Type == "apiKey" {
		field = s.Name
	}
	if s.Type == "apiKey" && s.In != "header" {
		return false
	}
	return slices.ContainsFunc(o.Security, func(other spec.Requirement) bool {
		return len(other) == 1 && other[0].Scheme != s && other[0].Scheme.Type == "apiKey" && other[0].Scheme.In == "header" && strings.EqualFold(other[0].Scheme.Name, field)
	})
}

// spoilings are the ways in which a credential of a scheme can be bad.
func spoilings(s *spec.SecurityScheme) []Form {
	switch {
	case elsewhere(spec.Requirement{{Scheme: s}}):
		return nil
	case s.Type == "apiKey" && (s.In == "header" || s.In == "query"):
		return []Form{Wrong, Empty, Misplaced, Suffixed, OtherCase, Foreign, Instead}
	case s.Type == "apiKey":
		return []Form{Wrong, Empty, Suffixed, OtherCase, Foreign, Instead}
	case s.Type != "http" || s.Scheme == "bearer":
		return []Form{Wrong, Empty, OtherScheme, Suffixed, OtherCase, Bare, Foreign, Instead}
	case s.Scheme == "basic":
		return []Form{Wrong, Empty, OtherScheme, NoPassword, Suffixed, Garbled}
	}
	return []Form{Wrong, Empty, OtherScheme}
}

func names(r spec.Requirement) string {
	text := ""
	for i, need := range r {
		if i > 0 {
			text += " and "
		}
		text += need.Scheme.Key
	}
	return text
}
