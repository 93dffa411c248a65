package contracts

import (
	"context"
	"encoding/base64"
	"net/url"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
)

// What is sent where the user gave nothing: it has the right form, which is
// all that a mock can judge.
const (
	madeUpToken = "coldframe"
	madeUpUser  = "user:password"
	madeUpKey   = "coldframe"
)

// keyring holds the credentials that the user gave. It is safe for concurrent
// use.
type keyring struct {
	options *Options
	schemes []*spec.SecurityScheme // of the document, each once
	mu      sync.Mutex
	token   string
	renewed int // how often the token was made
}

func newKeyring(ctx context.Context, o *Options) (*keyring, error) {
	k := &keyring{options: o, token: o.Token}
	if o.RefreshToken == nil {
		return k, nil
	}
	_, err := k.renew(ctx, 0)
	return k, err
}

// current gives the token, and its number.
func (k *keyring) current() (string, int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.token == "" {
		return madeUpToken, k.renewed
	}
	return k.token, k.renewed
}

// renew makes a new token in place of that with the given number, unless
// another request has done so; it reports whether there is a newer one.
func (k *keyring) renew(ctx context.Context, number int) (bool, error) {
	if k.options.RefreshToken == nil {
		return false, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.renewed != number {
		return true, nil
	}
	token, err := k.options.RefreshToken(ctx)
	if err != nil {
		return false, err
	}
	changed := token != k.token
	k.token = token
	k.renewed++
	return changed, nil
}

// apply adds credentials to a request, and gives the number of the token that
// they were made with.
func (k *keyring) apply(r *exchange.Request, credentials []cases.Credential) int {
	token, number := k.current()
	for _, c := range credentials {
		s := c.Scheme
		switch {
		case s.Type == "mutualTLS":
		case s.Type == "apiKey":
			k.applyKey(r, c)
		case s.Type == "http" && s.Scheme == "basic":
			user := k.options.User
			if user == "" {
				user = madeUpUser
			}
			name, _, _ := strings.Cut(user, ":")
			given, how := encoded(user), c.Form
			switch how {
			case cases.Suffixed:
				given, how = encoded(user+suffix), cases.Given
			case cases.NoPassword:
				given, how = encoded(name+":"), cases.Given
			case cases.Garbled:
				given, how = "!"+name+"!", cases.Given
			}
			authorize(r, "Basic", given, "Bearer", encoded(wrong(user)), how)
		case s.Type == "http" && s.Scheme != "bearer":
			authorize(r, s.Scheme, token, "Bearer", wrong(token), c.Form)
		case c.Form == cases.Bare:
			r.Header.Set("Authorization", token)
		default:
			authorize(r, "Bearer", k.derived(token, c), "Basic", wrong(token), c.Form)
		}
	}
	return number
}

// lacks names the scheme of which a case needs to know a good credential to make
// a wrong one, where the user gave none: whatever is made up may be as good as
// any. It is "" for other cases.
func (k *keyring) lacks(c *cases.Case) string {
	for _, credential := range c.Credentials {
		if s := credential.Scheme; credential.Form.Derived() && !k.given(s) {
			return s.Key
		}
	}
	return ""
}

// given reports whether the user gave a credential for a scheme.
func (k *keyring) given(s *spec.SecurityScheme) bool {
	switch {
	case s.Type == "apiKey":
		_, byKey := k.options.APIKeys[s.Key]
		_, byName := k.options.APIKeys[s.Name]
		return byKey || byName
	case s.Type == "http" && s.Scheme == "basic":
		return k.options.User != ""
	}
	return k.options.Token != "" || k.options.RefreshToken != nil
}

func encoded(user string) string { return base64.StdEncoding.EncodeToString([]byte(user)) }

// authorize sets Authorization as a case wants it.
func authorize(r *exchange.Request, scheme, given, other, bad string, how cases.Form) {
	switch how {
	case cases.Wrong:
		given = bad
	case cases.Empty:
		given = ""
	case cases.OtherScheme:
		scheme = other
	}
	r.Header.Set("Authorization", strings.TrimSpace(scheme+" "+given))
}

func (k *keyring) applyKey(r *exchange.Request, c cases.Credential) {
	s := c.Scheme
	key := k.derived(k.key(s), c)
	in := s.In
	switch c.Form {
	case cases.Wrong:
		key = wrong(key)
	case cases.Empty:
		key = ""
	case cases.Misplaced:
		if in = exchange.InQuery; s.In == exchange.InQuery {
			in = exchange.InHeader
		}
	}
	text := key
	if in != exchange.InHeader {
		text = url.QueryEscape(s.Name) + "=" + url.QueryEscape(key)
	}
	request.Place(r, &spec.Parameter{Name: s.Name, In: in}, text)
}

// wrong gives a credential of the same form that nobody has: its letters and
// digits moved on by one, from the end, so that a token's structure stays.
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
		return credential + "x"
	}
	return string(b)
}
