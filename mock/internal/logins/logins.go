// Package logins logs users in and out: it keeps who signed up in a session, issues tokens and cookies, and says whose
// a token is. The items of users are kept by package resources.
package logins

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// DefaultTTL is how long an access token is good where neither the document nor the options say.
const DefaultTTL = time.Hour

// Options say how tokens are issued.
type Options struct {
	TTL       time.Duration // of access tokens; 0: what the document has as an example, else DefaultTTL
	Seed      uint64
	Generate  generate.Options
	Resources *resources.Set
	Responder *respond.Responder
	// Sign makes the access token of a user with an issuer, nil for none; scopes are nil for all.
	Sign func(r *exchange.Request, user string, scopes []string) (string, error)
	// Check gives the user and the scopes of an issuer's token; nil if every token is good that nobody issued.
	Check func(r *exchange.Request, token string) (user string, scopes []string, err error)
}

// Set is the logins of one document: immutable and safe for concurrent use.
type Set struct {
	options    Options
	cookie     string // the name of the session's; "" where the document says none
	inCookie   bool   // the document has a security scheme for it
	operations map[*spec.Operation]*operation
	users      *resource.Resource // whose items the users are; nil where there is none
}

type operation struct {
	*resource.Login
	views sync.Map // *spec.MediaType → *respond.View of the user in the answer
}

// Compile prepares the logins of a plan.
func Compile(plan *resource.Plan, o Options) *Set {
	s := &Set{options: o, operations: make(map[*spec.Operation]*operation, len(plan.Logins))}
	for _, l := range plan.Logins {
		s.operations[l.Operation], s.users = &operation{Login: l}, l.Users // which all share
	}
	for _, b := range plan.Bindings {
		for _, requirement := range b.Operation.Security {
			for _, need := range requirement {
				if need.Scheme.Type == "apiKey" && need.Scheme.In == exchange.InCookie && s.cookie == "" {
					s.cookie, s.inCookie = need.Scheme.Name, true
				}
			}
		}
	}
	return s
}

// Has reports whether an operation has to do with logins.
func (s *Set) Has(o *spec.Operation) bool { return s.operations[o] != nil }

// Access is what the credentials of a request give. The zero value is that of tokens that nobody issued.
type Access struct {
	Token
	Known  bool   // the mock issued the token
	Cookie bool   // it was sent in the cookie of the session
	Text   string // of the token
	// Subject is the user of an issuer's token; "" if the token is another.
	Subject string
}

var nobody Access

// Access finds the token of a request that was issued in the session. The finding says why it is good no more.
func (s *Set) Access(
	in *Store, items *state.State, o *spec.Operation, policy *auth.Policy, r *exchange.Request,
) (*Access, *exchange.Finding) {
	if !in.any.Load() && s.options.Check == nil {
		return &nobody, nil
	}
	var ended *exchange.Finding
	for _, sent := range policy.Presented(r, s.cookie) {
		t, known := in.Find(sent.Value)
		if !known && s.options.Check != nil && sent.Name == "Authorization" {
			user, scopes, err := s.options.Check(r, sent.Value)
			if err == nil {
				return &Access{Token: Token{Scopes: scopes}, Known: true, Subject: user}, nil
			}
			ended = &exchange.Finding{Code: CodeInvalid, Message: err.Error(), In: sent.In, Name: sent.Name}
		}
		if !known {
			continue
		}
		if ended = s.refuses(in, items, o, t, sent); ended == nil {
			return &Access{Token: t, Known: true, Cookie: sent.In == exchange.InCookie, Text: sent.Value}, nil
		}
	}
	return &nobody, ended
}

// refuses says why an operation does not take a token that was issued; nil if it does.
func (s *Set) refuses(
	in *Store, items *state.State, o *spec.Operation, t Token, sent auth.Credential,
) *exchange.Finding {
	act := resource.NoAct
	if l := s.operations[o]; l != nil {
		act = l.Act
	}
	if _, isDeleted := items.Get(t.Collection, t.Item); isDeleted && t.Item != "" {
		t.Ended = true
	}
	f := in.ended(t, sent.In, sent.Name)
	switch {
	case f != nil:
	case t.Refresh && act != resource.Refresh && act != resource.LogOut:
		return &exchange.Finding{
			Code: CodeRefreshToken, Message: "a refresh token is no access token", In: sent.In, Name: sent.Name,
		}
	case t.Ticket && act != resource.LogIn && act != resource.NewPassword && act != resource.Challenge:
		return &exchange.Finding{
			Code: CodeTicket, Message: "the token is for the next step of the login, it is no access token",
			In: sent.In, Name: sent.Name,
		}
	}
	return f
}

func (s *Store) ended(t Token, in, name string) *exchange.Finding {
	switch {
	case t.Ended:
		return &exchange.Finding{Code: CodeRevoked, Message: "the token was revoked", In: in, Name: name}
	case !t.Expires.IsZero() && !s.now().Before(t.Expires):
		return &exchange.Finding{Code: CodeExpired, Message: "the token expired", In: in, Name: name}
	}
	return nil
}

// Codes of findings.
const (
	CodeExpired       = "token-expired"
	CodeRevoked       = "token-revoked"
	CodeInvalid       = "token-invalid" // none of the issuer's, or for another audience
	CodeRefreshToken  = "refresh-token"
	CodeTicket        = "login-incomplete"
	CodeWrongPassword = "wrong-password"
)

func (s *Set) ttl(l *operation) time.Duration { return cmp.Or(s.options.TTL, l.Answer.TTL, DefaultTTL) }

// cookieName returns the name of the session's cookie: that of the security scheme, else that of the documented field.
func (s *Set) cookieName(documented string) string {
	name, _, ok := strings.Cut(documented, "=")
	if name = strings.TrimSpace(name); s.inCookie || !ok || !exchange.IsToken(name) {
		name = cmp.Or(s.cookie, "session")
	}
	return name
}
