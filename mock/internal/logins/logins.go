// Package logins logs users in and out: it stores users who signed up in a session, issues tokens and cookies, and
// identifies the users of tokens. Package resources has the items of users.
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

// DefaultTTL is the lifetime of an access token if neither the document nor the options set one.
const DefaultTTL = time.Hour

// Options configure the issuing of tokens.
type Options struct {
	TTL       time.Duration // lifetime of access tokens; 0: the document's example, else DefaultTTL
	Seed      uint64
	Generate  generate.Options
	Resources *resources.Set
	Responder *respond.Responder
	// Sign returns the access token of a user, signed by an issuer; nil if none. scopes are nil for all.
	Sign func(r *exchange.Request, user string, scopes []string) (string, error)
	// Check returns the user and the scopes of an issuer's token. If it is nil, tokens that nobody issued are
	// accepted.
	Check func(r *exchange.Request, token string) (user string, scopes []string, err error)
}

// Set has the login operations of one document: immutable and safe for concurrent use.
type Set struct {
	options    Options
	cookie     string // the name of the session cookie; "" if the document has none
	inCookie   bool   // the document has a security scheme with this cookie
	operations map[*spec.Operation]*loginOperation
	users      *resource.Resource // the resource of the users' items; nil if none
}

// loginOperation is an operation that logs users in or out.
type loginOperation struct {
	*resource.Login
	views sync.Map // *spec.MediaType → *respond.View of the user in the response
}

// Compile prepares the login operations of a plan.
func Compile(plan *resource.Plan, o Options) *Set {
	s := &Set{options: o, operations: make(map[*spec.Operation]*loginOperation, len(plan.Logins))}
	for _, l := range plan.Logins {
		s.operations[l.Operation], s.users = &loginOperation{Login: l}, l.Users // all share Users
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

// Has reports whether an operation is a login operation.
func (s *Set) Has(o *spec.Operation) bool { return s.operations[o] != nil }

// Access is the result of checking a request's credentials. The zero value is for tokens that nobody issued.
type Access struct {
	Token
	Known  bool   // the mock issued the token
	Cookie bool   // the token was in the session cookie
	Text   string // of the token
	// Subject is the user of an issuer's token; "" if the token is another.
	Subject string
}

var nobody Access

// Access returns the access of the token in a request. The finding says why a token that was issued in the session is
// no longer valid.
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

// refuses returns the reason why an operation does not accept an issued token; nil if it does.
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
	CodeInvalid       = "token-invalid" // not an issuer's token, or for another audience
	CodeRefreshToken  = "refresh-token"
	CodeTicket        = "login-incomplete"
	CodeWrongPassword = "wrong-password"
)

func (s *Set) ttl(l *loginOperation) time.Duration {
	return cmp.Or(s.options.TTL, l.Answer.TTL, DefaultTTL)
}

// cookieName returns the name of the session cookie: from the security scheme, else from the documented field.
func (s *Set) cookieName(documented string) string {
	name, _, ok := strings.Cut(documented, "=")
	if name = strings.TrimSpace(name); s.inCookie || !ok || !exchange.IsToken(name) {
		name = cmp.Or(s.cookie, "session")
	}
	return name
}
