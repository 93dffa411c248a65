// Package credentials adds the credentials of cases to requests, good and bad
// ones, and hides them in what reports show.
package credentials

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
)

// Placeholders, of the right form, are sent if the user gave nothing.
const (
	placeholderToken = "coldframe"
	placeholderUser  = "user:password"
	placeholderKey   = "coldframe"
)

// Given are the credentials that the user gave.
type Given struct {
	Token   string            // for bearer, OAuth2 and OpenID schemes
	User    string            // for basic schemes: name:password
	APIKeys map[string]string // by the scheme's key or its parameter's name
	// Headers are sent with every request, and may be credentials.
	Headers http.Header
	// Refresh returns a new token, at the start and when one is refused; nil if none.
	Refresh func(context.Context) (string, error)
}

// Keyring applies credentials. It is safe for concurrent use.
type Keyring struct {
	given    Given
	schemes  []*spec.SecurityScheme // of the contract, each once
	mu       sync.Mutex
	token    string
	renewals int
	hider    *Hider
	learned  atomic.Int64        // credentials that the run has created
	others   map[string]*Keyring // of other identities, by their names; they have no others
}

// New makes the keyring of a contract, with a first token from Refresh.
func New(ctx context.Context, given Given, c *spec.Contract) (*Keyring, error) {
	k := &Keyring{schemes: schemesOf(c), hider: newHider(given)}
	k.given = withHeaders(given, k.schemes)
	k.token = k.given.Token
	if given.Refresh == nil {
		return k, nil
	}
	_, err := k.Renew(ctx, 0)
	return k, err
}

// Identity is a user of the backend.
type Identity struct {
	Name string
	// Token is sent for bearer, OAuth2 and OpenID schemes and as the API key. Basic schemes take it as name:password.
	Token string
	// Refresh returns a new token, at the start and when one is refused; nil if none.
	Refresh func(context.Context) (string, error)
}

// addTo returns given credentials with an identity's token for each scheme of a contract.
func (i *Identity) addTo(g Given, c *spec.Contract) Given {
	g.Token, g.Refresh, g.APIKeys = i.Token, i.Refresh, maps.Clone(g.APIKeys)
	if strings.Contains(i.Token, ":") {
		g.User = i.Token
	}
	if g.APIKeys == nil {
		g.APIKeys = map[string]string{}
	}
	for _, s := range schemesOf(c) {
		if s.Type == "apiKey" && i.Token != "" {
			g.APIKeys[s.Key] = i.Token
		}
	}
	return g
}

// NewFor makes the keyring of identities, of which the first is the run's own. All have the other given credentials,
// such as the key of an application. Cases of others are sent with theirs by For.
func NewFor(ctx context.Context, identities []Identity, given Given, c *spec.Contract) (*Keyring, error) {
	var own *Keyring
	for i := range identities {
		k, err := New(ctx, identities[i].addTo(given, c), c)
		switch {
		case err != nil:
			return nil, fmt.Errorf("identity %q: %w", identities[i].Name, err)
		case own == nil:
			own = k
			own.others = map[string]*Keyring{}
		default:
			_, password, _ := strings.Cut(k.given.User, ":")
			own.hider.add(k.token, k.given.User, password, encoded(k.given.User))
			k.hider = own.hider
			own.others[identities[i].Name] = k
		}
	}
	return own, nil
}

// Identities returns the names of the other identities.
func (k *Keyring) Identities() []string { return slices.Sorted(maps.Keys(k.others)) }

// For returns the credentials of a case's identity.
func (k *Keyring) For(c *cases.Case) *Keyring {
	if other := k.others[c.As]; other != nil {
		return other
	}
	return k
}

func schemesOf(c *spec.Contract) []*spec.SecurityScheme {
	var all []*spec.SecurityScheme
	for _, o := range c.Operations {
		for _, need := range slices.Concat(o.Security...) {
			if !slices.Contains(all, need.Scheme) {
				all = append(all, need.Scheme)
			}
		}
	}
	return all
}

func (k *Keyring) current() (token string, renewals int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return cmp.Or(k.token, placeholderToken), k.renewals
}

// Renew replaces the token that Apply used, unless another request has done so.
// It reports whether there is a newer one.
func (k *Keyring) Renew(ctx context.Context, used int) (bool, error) {
	if k.given.Refresh == nil {
		return false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.renewals != used {
		return true, nil
	}
	token, err := k.given.Refresh(ctx)
	if err != nil {
		if hidden := k.hider.Hide(err.Error()); hidden != err.Error() {
			err = errors.New(hidden)
		}
		return false, err
	}
	k.hider.add(token)
	changed := token != k.token
	k.token = token
	k.renewals++
	return changed, nil
}

// IsGiven reports whether the user gave any credential.
func (k *Keyring) IsGiven() bool {
	return k.given.Token != "" || k.given.User != "" || len(k.given.APIKeys)+len(k.given.Headers) > 0 ||
		k.given.Refresh != nil
}

// Renewals counts the tokens that Refresh gave.
func (k *Keyring) Renewals() int {
	_, n := k.current()
	return n
}

// Renews reports whether a new token can be had.
func (k *Keyring) Renews() bool { return k.given.Refresh != nil }

// has reports whether the user gave a credential for a scheme.
func (k *Keyring) has(s *spec.SecurityScheme) bool {
	switch {
	case s.Type == "apiKey":
		_, given := k.key(s)
		return given
	case isBasic(s):
		return k.given.User != ""
	}
	return k.given.Token != "" || k.given.Refresh != nil
}

func isBasic(s *spec.SecurityScheme) bool { return s.Type == "http" && s.Scheme == "basic" }

// Hide puts auth.Redacted in the place of the user's credentials in a text.
func (k *Keyring) Hide(text string) string { return k.hider.Hide(text) }

// HasAll reports whether the user gave all credentials of an alternative.
func (k *Keyring) HasAll(alternative spec.Requirement) bool {
	return !slices.ContainsFunc(alternative, func(n spec.Need) bool { return !k.has(n.Scheme) })
}

// Preferred returns the alternative of an operation's security that its requests
// meet: the first whose credentials were given.
func (k *Keyring) Preferred(o *spec.Operation) int {
	return max(slices.IndexFunc(o.Security, k.HasAll), 0)
}

// Missing names the scheme of which a case needs a good credential to derive a bad
// one, if the user gave none; "" for other cases.
func (k *Keyring) Missing(c *cases.Case) string {
	for _, credential := range c.Credentials {
		if s := credential.Scheme; credential.Form.Derived() && !k.has(s) {
			return s.Key
		}
	}
	return ""
}

// MarkUncertain notes that a case's credentials may be refused if the user did not give them.
func (k *Keyring) MarkUncertain(c *cases.Case) {
	for _, credential := range c.Credentials {
		if c.Varied == cases.OfCredentials && !k.has(credential.Scheme) {
			c.Uncertainty = "no credential for " + credential.Scheme.Key + " was given"
		}
	}
}

func (k *Keyring) key(s *spec.SecurityScheme) (key string, given bool) {
	if key, given = k.given.APIKeys[s.Key]; !given {
		key, given = k.given.APIKeys[s.Name]
	}
	if !given {
		key = placeholderKey
	}
	return key, given
}

// secret returns the key or the token that the user gave for a scheme, "" if none.
func (k *Keyring) secret(s *spec.SecurityScheme) string {
	switch {
	case !k.has(s) || s.Type == "mutualTLS" || s.Type == "http" && s.Scheme != "bearer":
		return ""
	case s.Type == "apiKey":
		key, _ := k.key(s)
		return key
	}
	token, _ := k.current()
	return token
}

// Complete chooses what a bad credential of a case is derived from. It is false
// if the given credentials cannot be corrupted in that way.
func (k *Keyring) Complete(c *cases.Case) bool {
	for i := range c.Credentials {
		credential := &c.Credentials[i]
		secret := k.secret(credential.Scheme)
		switch credential.Form {
		case cases.OtherCase:
			if isHexadecimal(secret) || swapCase(secret) == secret {
				return false
			}
		case cases.Foreign, cases.Instead:
			foreign := slices.IndexFunc(k.schemes, func(s *spec.SecurityScheme) bool {
				other := k.secret(s)
				inAuthorization := s.Type == "apiKey" && strings.EqualFold(s.Name, "Authorization")
				return s != credential.Scheme && !inAuthorization && other != "" && !strings.Contains(secret, other) &&
					!strings.Contains(other, secret)
			})
			if foreign < 0 {
				return false
			}
			if credential.Form == cases.Instead {
				*credential = cases.Credential{Scheme: k.schemes[foreign]}
			} else {
				credential.Other = k.schemes[foreign]
			}
		}
	}
	return true
}

// Apply adds credentials to a request. It returns the number of the token that they were made with, for Renew.
func (k *Keyring) Apply(r *exchange.Request, credentials []cases.Credential) int {
	token, renewals := k.current()
	for _, c := range credentials {
		switch c.Scheme.Type {
		case "mutualTLS":
		case "apiKey":
			k.applyKey(r, c)
		default:
			r.Header.Set("Authorization", k.authorization(c, token))
		}
	}
	return renewals
}

func (k *Keyring) authorization(c cases.Credential, token string) string {
	word, otherWord, value := "Bearer", "Basic", k.derived(token, c)
	switch s := c.Scheme; {
	case isBasic(s):
		user := cmp.Or(k.given.User, placeholderUser)
		word, otherWord, value = "Basic", "Bearer", encoded(k.derived(user, c))
		switch name, _, _ := strings.Cut(user, ":"); c.Form {
		case cases.NoPassword:
			value = encoded(name + ":")
		case cases.Garbled:
			value = "!" + name + "!"
		}
	case s.Type == "http" && s.Scheme != "bearer":
		word, otherWord = s.Scheme, "Bearer"
	case c.Form == cases.Bare:
		return token
	}
	if c.Form == cases.OtherScheme || c.Form == cases.OtherWrong {
		word = otherWord
	}
	return strings.TrimSpace(word + " " + value)
}

func (k *Keyring) applyKey(r *exchange.Request, c cases.Credential) {
	s := c.Scheme
	key, _ := k.key(s)
	text, in := k.derived(key, c), s.In
	if c.Form == cases.Misplaced {
		if in = exchange.InQuery; s.In == exchange.InQuery {
			in = exchange.InHeader
		}
	}
	if in != exchange.InHeader {
		text = url.QueryEscape(s.Name) + "=" + url.QueryEscape(text)
	}
	if s.Name != "" {
		request.Place(r, &spec.Parameter{Name: s.Name, In: in}, text)
	}
}

// derived returns what a case makes of a good key or token, or of a user's name and password.
func (k *Keyring) derived(credential string, c cases.Credential) string {
	switch c.Form {
	case cases.Wrong, cases.OtherWrong:
		return wrong(credential)
	case cases.Empty:
		return ""
	case cases.Suffixed:
		return credential + suffix
	case cases.OtherCase:
		return swapCase(credential)
	case cases.Foreign:
		if c.Other != nil {
			return k.secret(c.Other)
		}
	}
	return credential
}

// suffix is put after a good credential to make a bad one.
const suffix = "x"

func encoded(user string) string { return base64.StdEncoding.EncodeToString([]byte(user)) }

func swapCase(text string) string {
	return strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r ^ 0x20
		}
		return r
	}, text)
}

// isHexadecimal reports whether the case of a text's letters may mean nothing: it is a number or a UUID.
func isHexadecimal(text string) bool {
	return strings.Trim(text, "0123456789abcdefABCDEF-{}") == ""
}

// wrong returns a credential of the same form that nobody was given: its last eight
// letters and digits are moved on by one, so that a token's structure stays.
func wrong(credential string) string {
	b := []byte(credential)
	for i, changed := len(b)-1, 0; i >= 0 && changed < 8; i-- {
		switch c := b[i]; {
		case c >= 'a' && c < 'z', c >= 'A' && c < 'Z', c >= '0' && c < '9':
			b[i]++
			changed++
		case c == 'z', c == 'Z', c == '9':
			b[i] = map[byte]byte{'z': 'a', 'Z': 'A', '9': '0'}[c]
			changed++
		}
	}
	if string(b) == credential {
		return credential + suffix
	}
	return string(b)
}
