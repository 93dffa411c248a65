package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/words"
)

// Names of what logins send and answer, folded; of several the first in the list counts.
var (
	identifierNames = words.Ranked("identifier-name")
	machineNames    = words.RoleOf("machine-name")
	secretNames     = words.Ranked("secret-name")
	newWords        = words.RoleOf("new-secret-word") // beside secretNames
	oldWords        = words.RoleOf("old-secret-word")
	// A code is what a user was sent or shows at another issuer; a ticket is what links the steps of a login.
	codeNames   = words.Ranked("login-code-name")
	ticketNames = append(words.Ranked("ticket-name"), stepNames()...)
	keyNames    = words.Ranked("issued-key-name")
	keyPlaces   = words.RoleOf("key-place")
	// Words of paths that concern logins by codes and links.
	magicWords   = words.RoleOf("magic-word")
	codeWords    = words.RoleOf("code-word")
	startWords   = words.RoleOf("start-word")
	guestWords   = words.RoleOf("guest-word")
	resetWords   = words.RoleOf("reset-word")
	tokenNames   = words.Ranked("sent-token-name")
	accessNames  = words.Ranked("access-token-name")
	refreshNames = words.Ranked("refresh-token-name")
	expiresNames = words.Ranked("expiry-name")
	userPlaces   = words.Ranked("user-place")
	loginNames   = words.RoleOf("login-name")
	signUpNames  = words.RoleOf("sign-up-name")
	refreshPaths = words.RoleOf("refresh-path")
	logoutNames  = words.RoleOf("logout-name")
	sessionNames = words.RoleOf("session-name")
	revokeNames  = words.RoleOf("revoke-name")
	nameOfUser   = words.RoleOf("name-of-user")
	meNames      = words.RoleOf("me-name")
	ownNames     = words.RoleOf("own-name")
	meParents    = words.RoleOf("me-parent")
	currentNames = words.RoleOf("current-name")
)

// stepNames returns names of what links the steps of a login: mfaToken.
func stepNames() (all []string) {
	for _, word := range slices.Sorted(words.RoleOf("factor-word").All()) {
		all = append(all, word+"token", word+"id")
	}
	return all
}

type loginRule struct {
	act     Act
	methods string
	rule[*loginFacts]
}

type byLogin = rule[*loginFacts]

// loginRules decide what operations do with the access of users; the first that holds counts. Its weight is the
// confidence.
var loginRules = []loginRule{
	{NoAct, "", byLogin{name: "path that ends in a key", source: byPath, example: "POST /auth/login/{provider}", sees: func(f *loginFacts) string {
		return when(f.at.parent == nil || f.at.last.variable() || f.last == "", f.Path)
	}}},
	{SignUp, "POST PUT", byLogin{name: "named as a sign-up, with name and password", weight: 0.95, source: byName, example: "POST /auth/register {email, password}", sees: func(f *loginFacts) string { return when(f.named(signUpNames) && f.hasCredentials(), f.last) }}},
	{LogIn, "POST PUT GET", byLogin{name: "named as a login, with name and password", weight: 0.95, source: byName, example: "POST /auth/login {email, password}", sees: func(f *loginFacts) string { return when(f.named(loginNames) && f.hasCredentials(), f.last) }}},
	{LogIn, "POST", byLogin{name: "a grant is sent, a token answered", weight: 0.9, source: "RFC 6749 section 4", example: "POST /oauth/token {grant_type}", sees: func(f *loginFacts) string {
		return when(f.grant && f.answersToken(), "grant_type")
	}}},
	{Refresh, "POST PUT GET", byLogin{name: "a refresh token is sent, a token answered", weight: 0.9, source: "RFC 6749 section 6", example: "POST /auth/refresh {refresh_token}", sees: func(f *loginFacts) string {
		return when(f.sent.RefreshToken != nil && f.answersToken(), strings.Join(f.sent.RefreshToken, "."))
	}}},
	{LogIn, "POST GET", byLogin{name: "Basic credentials sent, a token answered", weight: 0.8, source: "RFC 7617", example: "POST /login returns {token}", sees: func(f *loginFacts) string {
		return when(f.sent.Basic && f.named(loginNames) && f.answersToken(), f.last)
	}}},
	{NewPassword, "POST PUT PATCH", byLogin{name: "a new password is sent", weight: 0.85, source: byName, example: "PUT /me/password {oldPassword, newPassword}", sees: func(f *loginFacts) string {
		return strings.Join(f.sent.NewSecret, ".")
	}}},
	{NewPassword, "POST PUT PATCH", byLogin{name: "named as a reset, a password and a code sent", weight: 0.75, source: byName, example: "POST /password/reset {email, code, password}", sees: func(f *loginFacts) string {
		return when(f.about(resetWords) && (f.sent.Code != nil || f.sent.Token != nil), strings.Join(f.sent.Secret, "."))
	}}},
	{LogIn, "POST PUT GET", byLogin{name: "a code is sent, a token answered", weight: 0.8, source: byName, example: "POST /auth/otp/verify {phone, code} returns {token}", sees: func(f *loginFacts) string {
		return when(f.about(codeWords) && f.answersToken() && !f.createsUser(), strings.Join(f.sent.CodeOrTicket(), "."))
	}}},
	{LogIn, "POST", byLogin{name: "named as a login of a guest, a token answered", weight: 0.8, source: byName, example: "POST /auth/guest returns {token}", sees: func(f *loginFacts) string {
		return when(f.about(guestWords) && f.answersToken(), f.last)
	}}},
	{Refresh, "POST PUT GET", byLogin{name: "named as a refresh, a token answered", weight: 0.8, source: byName, example: "POST /auth/refresh returns {token}", sees: func(f *loginFacts) string {
		return when(refreshPaths.Has(f.last) && f.answersToken(), f.last)
	}}},
	{LogIn, "POST", byLogin{name: "name and password sent, a token answered", weight: 0.75, source: bySchema, example: "POST /access {email, password} returns {token}", sees: func(f *loginFacts) string {
		return when(f.hasCredentials() && f.answersToken() && f.sent.Token == nil && !f.createsUser(), strings.Join(f.sent.Answer.AccessToken, "."))
	}}},
	{LogIn, "POST", byLogin{name: "name and password sent, a cookie answered", weight: 0.75, source: "RFC 6265 section 4.1", example: "POST /access {email, password} returns Set-Cookie", sees: func(f *loginFacts) string {
		return when(f.hasCredentials() && f.sent.Cookie && !f.createsUser(), "Set-Cookie")
	}}},
	{SignUp, "POST", byLogin{name: "a user is created with a password", weight: 0.7, source: byName, example: "POST /users {email, password}", sees: func(f *loginFacts) string { return when(f.createsUser(), f.last) }}},
	{Challenge, "POST GET", byLogin{name: "a name is sent, by a path about codes", weight: 0.7, source: byName, example: "POST /auth/otp {phone}", sees: func(f *loginFacts) string {
		return when(len(f.sent.Identifiers) > 0 && f.sent.Secret == nil && f.sent.CodeOrTicket() == nil && f.about(startWords) &&
			!f.answersToken(), f.last)
	}}},
	{IssueKey, "POST", byLogin{name: "a key is answered that was not sent", weight: 0.7, source: bySchema, example: "POST /api-keys {name} returns {key}", sees: func(f *loginFacts) string {
		sent := leavesOf(f.request, 1)
		if key := f.sent.Answer.Key; keyPlaces.Has(f.last) && key != nil && sent.find(naming.Fold(key[len(key)-1])) == nil {
			return strings.Join(key, ".")
		}
		return ""
	}}},
	{LogOut, "POST DELETE GET", byLogin{name: "named as a logout", weight: 0.9, source: byName, example: "POST /auth/logout", sees: func(f *loginFacts) string { return when(f.named(logoutNames), f.last) }}},
	{LogOut, "DELETE", byLogin{name: "the session is deleted", weight: 0.75, source: byMethod, example: "DELETE /session", sees: func(f *loginFacts) string {
		current := currentNames.Has(f.last) && sessionNames.Has(f.parent)
		return when(sessionNames.Has(f.last) || current, f.last)
	}}},
	{LogOut, "POST", byLogin{name: "a token is revoked", weight: 0.75, source: "RFC 7009 section 2.1", example: "POST /oauth/revoke {token}", sees: func(f *loginFacts) string {
		return when(revokeNames.Has(f.last) && f.sent.Token != nil, strings.Join(f.sent.Token, "."))
	}}},
	{CurrentUser, "GET HEAD PUT PATCH DELETE", byLogin{name: "named as the current user", weight: 0.9, source: byName, example: "GET /users/me", sees: func(f *loginFacts) string {
		return when(meNames.Has(f.last) && (meParents.Has(f.parent) || isBase(f.at.parent)), f.last)
	}}},
	{CurrentUser, "GET HEAD PUT PATCH DELETE", byLogin{name: "the user of a path about access", weight: 0.7, source: byName, example: "GET /auth/user", sees: func(f *loginFacts) string {
		return when(ownNames.Has(f.last) && loginNames.Has(f.parent), f.last)
	}}},
	{CurrentUser, "GET HEAD PUT PATCH DELETE", byLogin{name: "one user without a key", weight: 0.6, source: bySchema, example: "GET /user returns {email}", sees: func(f *loginFacts) string {
		get := f.at.method("GET")
		if !ownNames.Has(f.last) || get == nil || f.at.item() != nil || !isBase(f.at.parent) {
			return ""
		}
		return strings.Join(leavesOf(get.answer, 2).first(identifierNames).at(), ".")
	}}},
}

// isBase knows what paths begin with that says nothing of them: /, /api, /v1.
func isBase(n *node) bool { return n.parent == nil || n.last.text == "api" || isVersion(n.last.text) }

func (f *loginFacts) named(names *words.Role) bool { return names.Has(f.last) || names.Has(f.name) }

func (f *loginFacts) hasCredentials() bool {
	isClient := f.sent.Machine && !f.named(loginNames) // it creates something
	return len(f.sent.Identifiers) > 0 && f.sent.Secret != nil && !isClient
}

func (f *loginFacts) answersToken() bool {
	return f.sent.Answer.AccessToken != nil || f.sent.Answer.Header != ""
}

// about reports whether the path or the operation's name has one of some words.
func (f *loginFacts) about(words *words.Role) bool {
	for word := range f.words {
		if words.Has(word) {
			return true
		}
	}
	return false
}

// CodeOrTicket returns where the code is, or else the ticket.
func (l *Login) CodeOrTicket() []string {
	if l.Code != nil {
		return l.Code
	}
	return l.Ticket
}

func (f *loginFacts) createsUser() bool {
	return slices.Contains(userPlaces, f.last) && f.hasCredentials()
}
