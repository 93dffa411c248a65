package issuer

import (
	"crypto/sha256"
	"errors"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
)

// login has the parameters of the tokens of one login.
type login struct {
	user, client string
	scopes       []string
	audience     []string // empty means the server
	session      string
	nonce        string
	openID       bool
	at           int64 // time of the login, in seconds
}

func (l *login) bytes() int {
	bytes := len(l.user) + len(l.client) + len(l.session) + len(l.nonce)
	for _, text := range slices.Concat(l.scopes, l.audience) {
		bytes += 16 + len(text)
	}
	return bytes
}

// access signs an access token.
func (i *Issuer) access(r *exchange.Request, l *login) (string, error) {
	return i.signer.sign(accessType, i.accessClaims(r, l))
}

// accessClaims returns the claims of an access token (RFC 9068).
func (i *Issuer) accessClaims(r *exchange.Request, l *login) Claims {
	now, issuer := i.options.Clock(r).Unix(), i.at(r)
	audience := l.audience
	if len(audience) == 0 {
		audience = []string{strings.TrimSuffix(issuer, Prefix)}
	}
	return Claims{
		Issuer: issuer, Subject: l.user, Audience: audience, Issued: now,
		Expires: now + int64(i.options.TTL.Seconds()), ID: random(), Client: l.client, Scope: strings.Join(l.scopes, " "),
		Session: l.session,
	}
}

// idClaims returns the claims of an ID token (OpenID Connect Core sections 2 and 3.1.3.6).
func (i *Issuer) idClaims(r *exchange.Request, access string, l *login) Claims {
	now := i.options.Clock(r).Unix()
	sum := sha256.Sum256([]byte(access))
	return Claims{
		Issuer: i.at(r), Subject: l.user, Audience: []string{l.client}, Issued: now, AuthTime: l.at,
		Expires: now + int64(i.options.TTL.Seconds()), Session: l.session, Nonce: l.nonce,
		AccessHash: base64url(sum[:len(sum)/2]), profile: person(l.user).of(l.scopes),
	}
}

// fits reports whether the tokens of a login are small enough to sign.
func (i *Issuer) fits(r *exchange.Request, l *login) bool {
	_, err := unsigned(accessType, i.signer.id, i.accessClaims(r, l))
	if err == nil && l.openID {
		_, err = unsigned(idTokenType, i.signer.id, i.idClaims(r, "", l))
	}
	return err == nil
}

const tooLarge = "the token would have more than 16 KiB; ask for fewer or shorter scopes, audiences and resources"

// Sign returns an access token for a user who logged in at an operation of the document. scopes are nil for all of
// the document's.
func (i *Issuer) Sign(r *exchange.Request, d *Document, user string, scopes []string) (string, error) {
	if scopes == nil {
		scopes = d.scopes
	}
	return i.access(r, &login{user: user, client: "login", scopes: scopes, session: random()})
}

// The reasons why an access token is no longer valid, or not valid here.
var (
	ErrExpired  = errors.New("the token expired")
	ErrEnded    = errors.New("the token was revoked")
	ErrAudience = errors.New("the token is for another audience")
	ErrIssuer   = errors.New("the token is of another issuer")
)

// Check returns the user and the scopes of an access token.
func (i *Issuer) Check(r *exchange.Request, token string) (user string, scopes []string, err error) {
	claims, err := i.check(r, token)
	return claims.Subject, append([]string{}, strings.Fields(claims.Scope)...), err
}

func (i *Issuer) check(r *exchange.Request, token string) (Claims, error) {
	claims, err := i.signer.verify(token, accessType)
	switch {
	case err != nil:
	case claims.Expires <= i.options.Clock(r).Unix():
		err = ErrExpired
	case !strings.HasSuffix(claims.Issuer, Prefix):
		err = ErrIssuer
	case !slices.Contains(claims.Audience, r.OriginAt(i.options.URL())) && !slices.ContainsFunc(claims.Audience, i.isOwn):
		err = ErrAudience
	case i.hasEnded(claims.Session):
		err = ErrEnded
	}
	return claims, err
}

// profile has the claims about a user (OpenID Connect Core section 5.1).
type profile struct {
	Name     string `json:"name,omitempty"`
	Username string `json:"preferred_username,omitempty"`
	Email    string `json:"email,omitempty"`
	Verified bool   `json:"email_verified,omitempty"`
}

// of returns the claims for scopes (OpenID Connect Core section 5.4).
func (p profile) of(scopes []string) (told profile) {
	if slices.Contains(scopes, "profile") {
		told.Name, told.Username = p.Name, p.Username
	}
	if slices.Contains(scopes, "email") {
		told.Email, told.Verified = p.Email, true
	}
	return told
}

// person returns a profile made from the name of a user.
func person(user string) profile {
	name, _, isEmail := strings.Cut(user, "@")
	p := profile{Name: user, Email: user, Username: user}
	if !isEmail {
		p.Email = url.PathEscape(strings.ToLower(user)) + "@example.com"
		return p
	}
	words := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune("._-+", r) })
	for n, word := range words {
		first, size := utf8.DecodeRuneInString(word)
		words[n] = string(unicode.ToUpper(first)) + word[size:]
	}
	p.Name, p.Username = strings.Join(words, " "), name
	return p
}
