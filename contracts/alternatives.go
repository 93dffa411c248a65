package contracts

import (
	"context"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/spec"
)

// suffix is what is put after a good credential to make a bad one.
const suffix = "x"

// schemesOf gives the security schemes of a contract's operations, each once.
func schemesOf(c *spec.Contract) []*spec.SecurityScheme {
	var all []*spec.SecurityScheme
	for _, o := range c.Operations {
		for _, alternative := range o.Security {
			for _, need := range alternative {
				if !slices.Contains(all, need.Scheme) {
					all = append(all, need.Scheme)
				}
			}
		}
	}
	return all
}

// key gives the API key of a scheme.
func (k *keyring) key(s *spec.SecurityScheme) string {
	if key, ok := k.options.APIKeys[s.Key]; ok {
		return key
	}
	if key, ok := k.options.APIKeys[s.Name]; ok {
		return key
	}
	return madeUpKey
}

// one gives the key or the token of a scheme that the user gave, "" for none.
func (k *keyring) one(s *spec.SecurityScheme) string {
	switch {
	case !k.given(s) || s.Type == "mutualTLS" || s.Type == "http" && s.Scheme != "bearer":
		return ""
	case s.Type == "apiKey":
		return k.key(s)
	}
	token, _ := k.current()
	return token
}

// derived gives what a case makes of a good key or token.
func (k *keyring) derived(credential string, c cases.Credential) string {
	switch c.Form {
	case cases.Suffixed:
		return credential + suffix
	case cases.OtherCase:
		return inOtherCase(credential)
	case cases.Foreign:
		if c.Other != nil {
			return k.one(c.Other)
		}
	}
	return credential
}

func inOtherCase(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		}
		return r
	}, text)
}

// hexadecimal reports whether the case of a text's letters may mean nothing: it
// is a number or a UUID.
func hexadecimal(text string) bool {
	return strings.Trim(text, "0123456789abcdefABCDEF-{}") == ""
}

// spoil completes the bad credential of a case. It is false where the one that
// was given cannot be spoiled in that way.
func (k *keyring) spoil(c *cases.Case) bool {
	for i := range c.Credentials {
		credential := &c.Credentials[i]
		switch credential.Form {
		case cases.OtherCase:
			if own := k.one(credential.Scheme); hexadecimal(own) || inOtherCase(own) == own {
				return false
			}
		case cases.Foreign, cases.Instead:
			own := k.one(credential.Scheme)
			at := slices.IndexFunc(k.schemes, func(s *spec.SecurityScheme) bool {
				other := k.one(s)
				return s != credential.Scheme && !inAuthorization(s) && other != "" && !strings.Contains(own, other) && !strings.Contains(other, own)
			})
			if at < 0 {
				return false
			}
			if credential.Form == cases.Instead {
				*credential = cases.Credential{Scheme: k.schemes[at]}
				continue
			}
			credential.Other = k.schemes[at]
		}
	}
	return true
}

// inAuthorization reports whether a scheme's key stands where tokens do.
func inAuthorization(s *spec.SecurityScheme) bool {
	return s.Type == "apiKey" && strings.EqualFold(s.Name, "Authorization")
}

// gave reports whether the user gave all credentials of an alternative.
func (k *keyring) gave(alternative spec.Requirement) bool {
	return !slices.ContainsFunc(alternative, func(n spec.Need) bool { return !k.given(n.Scheme) })
}

// prefer gives the alternative of an operation's security that its requests meet:
// the first whose credentials were given.
func (k *keyring) prefer(o *spec.Operation) int { return max(slices.IndexFunc(o.Security, k.gave), 0) }

// admit looks for the alternative of an operation's security that is accepted
// where that which its requests meet is refused: each alone, then all at once. It
// reports whether one was found.
func (r *run) admit(ctx context.Context, s *subject) bool {
	first := s.maker.Preferred()
	others := make([]int, 0, len(s.Security))
	for i, alternative := range s.Security {
		if i != first && r.keyring.gave(alternative) {
			others = append(others, i)
		}
	}
	if len(others) == 0 {
		return false
	}
	for _, i := range append(others, cases.All) {
		s.maker.Prefer(i)
		x, err := r.plain(ctx, s, plainAttempts)
		if err == nil && x != nil && x.Status() != 401 {
			return true
		}
	}
	s.maker.Prefer(first)
	return false
}

// question doubts that credentials must be accepted which the user did not give.
func (k *keyring) question(c *cases.Case) {
	if c.Varied != cases.OfCredentials {
		return
	}
	for _, credential := range c.Credentials {
		if !k.given(credential.Scheme) {
			c.Uncertainty = "no credential for " + credential.Scheme.Key + " was given"
		}
	}
}
