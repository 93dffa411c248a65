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
// alternative with one of its needs left out, wrong, empty, under another scheme
// or in another place, while the rest is as it should be. Each alternative that
// is met is a request that must be accepted.
func (m *Builder) Security(ctx context.Context, have map[string]any, _ int) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		n := 0
		for _, s := range securityCases(m.operation, m.Preferred()) {
			if ctx.Err() != nil {
				return
			}
			n++
			c, err := m.Plain(firstSecurityRequest+n, have)
			if err != nil {
				continue
			}
			c.Expected, c.Title, c.Credentials = s.expected, s.title, s.credentials
			if s.expected == Accepted {
				c.Varied = OfCredentials
			}
			if !yield(c) {
				return
			}
		}
	}
}

// securityCase is what one case of the phase is about.
type securityCase struct {
	expected    Outcome
	title       string
	credentials []Credential
}

// securityCases lists them. preferred is the alternative that every other case
// carries.
func securityCases(o *spec.Operation, preferred int) []securityCase {
	switch {
	case len(o.Security) == 0 || slices.ContainsFunc(o.Security, outsideRequest) && !anonymous(o):
		return nil
	case anonymous(o):
		return []securityCase{{Accepted, "no credentials, which the document allows", nil}}
	}
	all := []securityCase{{Unauthorized, "no credentials", nil}}
	for i, alternative := range o.Security {
		if i != preferred {
			all = append(all, securityCase{Accepted, "the credentials of " + names(alternative), GivenFor(alternative)})
		}
		for j := range alternative {
			all = append(all, corruptedNeed(o, alternative, j)...)
		}
	}
	return all
}

// corruptedNeed lists the cases in which one need of an alternative is not met.
func corruptedNeed(o *spec.Operation, alternative spec.Requirement, j int) []securityCase {
	scheme := alternative[j].Scheme
	if readAsKey(o, scheme) {
		return nil
	}
	var all []securityCase
	for _, form := range corruptions(scheme) {
		if (form == Foreign || form == Instead) && len(o.Security) > 1 || form == Instead && len(alternative) > 1 {
			continue // the other one may be good there as well, or is sent already
		}
		credentials := GivenFor(alternative)
		credentials[j].Form = form
		all = append(all, securityCase{Unauthorized, fmt.Sprintf("the credential of %s %v", scheme.Key, form), credentials})
	}
	if len(alternative) > 1 && !covered(o, alternative, j) {
		rest := append(GivenFor(alternative[:j]), GivenFor(alternative[j+1:])...)
		all = append(all, securityCase{Unauthorized, fmt.Sprintf("the credential of %s left out", scheme.Key), rest})
	}
	return all
}

// OfCredentials is what a case varies that is about its credentials.
const OfCredentials = "credentials"

// firstSecurityRequest keeps the requests of this phase apart from others, so that
// what they create is their own.
const firstSecurityRequest = 10_000

// anonymous reports whether requests without credentials are allowed.
func anonymous(o *spec.Operation) bool {
	for _, alternative := range o.Security {
		if len(alternative) == 0 {
			return true
		}
	}
	return len(o.Security) == 0
}

// outsideRequest reports whether an alternative asks for nothing in the request: a
// certificate of the client, or a scheme that the document does not describe.
func outsideRequest(r spec.Requirement) bool {
	for _, need := range r {
		switch need.Scheme.Type {
		case "apiKey", "http", "oauth2", "openIdConnect":
			return false
		}
	}
	return true
}

// covered reports whether an alternative without its need at index j is another
// alternative of the operation.
func covered(o *spec.Operation, alternative spec.Requirement, j int) bool {
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
		if len(other) != 1 || other[0].Scheme == s {
			return false
		}
		key := other[0].Scheme
		return key.Type == "apiKey" && key.In == "header" && strings.EqualFold(key.Name, field)
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

// All stands for the credentials of all alternatives of an operation at once.
const All = -1

// Prefer says which alternative of the operation's security cases carry the
// credentials of, by its index. Default 0.
func (m *Builder) Prefer(alternative int) { m.preferred.Store(int32(alternative)) }

// Preferred gives the alternative whose credentials cases carry.
func (m *Builder) Preferred() int { return int(m.preferred.Load()) }

// Credentials gives those of the preferred alternative.
func (m *Builder) Credentials() []Credential {
	i, security := m.Preferred(), m.operation.Security
	switch {
	case len(security) == 0:
		return nil
	case i != All:
		return GivenFor(security[i])
	}
	var all []Credential
	for _, alternative := range security {
		all = append(all, GivenFor(alternative)...)
	}
	return all
}
