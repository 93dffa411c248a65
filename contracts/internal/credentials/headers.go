package credentials

import (
	"cmp"
	"encoding/base64"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// withHeaders adds to the user's credentials the credentials of schemes that stand in fields which are sent with every
// request.
func withHeaders(given Given, schemes []*spec.SecurityScheme) Given {
	keys := map[string]string{}
	maps.Copy(keys, given.APIKeys)
	given.APIKeys = keys
	for _, s := range schemes {
		word := ""
		if s.Type != "apiKey" {
			word = cmp.Or(s.Scheme, "Bearer")
		}
		_, has := given.APIKeys[s.Key]
		value := given.Headers.Get(fieldOf(s))
		if first, rest, _ := strings.Cut(value, " "); word != "" && strings.EqualFold(first, word) {
			value = rest
		} else if word != "" {
			value = ""
		}
		switch {
		case value == "":
		case s.Type == "apiKey" && s.In == exchange.InCookie:
			for pair := range strings.SplitSeq(value, ";") {
				if name, key, _ := strings.Cut(strings.TrimSpace(pair), "="); name == s.Name && !has {
					given.APIKeys[s.Key] = key
				}
			}
		case s.Type == "apiKey" && !has:
			given.APIKeys[s.Key] = value
		case isBasic(s) && given.User == "":
			user, _ := base64.StdEncoding.DecodeString(value)
			given.User = string(user)
		case s.Type != "apiKey" && !isBasic(s) && given.Token == "":
			given.Token = value
		}
	}
	return given
}

// fieldOf returns the header field in which a scheme's credential stands; "" for another part of the request.
func fieldOf(s *spec.SecurityScheme) string {
	switch in, name := s.Parameter(); in {
	case exchange.InHeader:
		return name
	case exchange.InCookie:
		return "Cookie"
	}
	return ""
}

// Places reports whether a field that the user gave is a credential of an operation, so that requests have it only with
// that credential.
func (k *Keyring) Places(o *spec.Operation, field string) bool {
	return slices.ContainsFunc(slices.Concat(o.Security...), func(n spec.Need) bool {
		return strings.EqualFold(fieldOf(n.Scheme), field) && k.has(n.Scheme)
	})
}
