package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// Names of what logins send and answer, folded; of several the first in the list counts.
var (
	identifierNames = strings.Fields("email emailaddress useremail username user login userid identifier emailorusername " +
		"usernameoremail account accountname handle phone phonenumber mobile")
	secretNames  = strings.Fields("password passwd pwd pass passphrase passcode userpassword pin")
	accessNames  = strings.Fields("accesstoken token jwt authtoken sessiontoken bearertoken accessjwt jwttoken idtoken")
	refreshNames = strings.Fields("refreshtoken refreshjwt refresh")
	expiresNames = strings.Fields("expiresin expires expiresat expiry expiration expirationtime expirytime expiredat ttl")
	userNames    = strings.Fields("user users account accounts member members customer customers person people profile " +
		"profiles")
	loginNames = naming.Set(`login signin logon auth authenticate authentication authorize token tokens session sessions
accesstoken oauthtoken jwt userlogin loginuser logintoaccount signinuser authenticateuser createsession createtoken`)
	signUpNames = naming.Set(`signup register registration registrations registeruser createaccount signupuser userregister
userregistration usersignup`)
	refreshPaths = naming.Set(`refresh refreshtoken tokenrefresh renew renewtoken refreshaccesstoken refreshsession`)
	logoutNames  = naming.Set(`logout signout logoff logoutuser userlogout signoutuser`)
	sessionNames = naming.Set(`session sessions login auth token tokens`)
	revokeNames  = naming.Set(`revoke revocation revoketoken`)
	nameOfUser   = naming.Set(`email emailaddress username useremail login loginname phone phonenumber`)
	meNames      = naming.Set(`me whoami self currentuser userinfo myself`)
	ownNames     = naming.Set(`user profile account me userinfo`)
	meParents    = naming.Set(`user users auth account accounts member members customer customers api profile people oauth
session oauth2 authentication`)
)

type loginFacts struct {
	*operation
	last, parent string // the last two literals of the path, folded
	name         string // the operationId, folded
	sent         *Login // what the request has
	grant        bool   // the request has a grant_type (RFC 6749 section 4)
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
	{Refresh, "POST PUT GET", byLogin{name: "named as a refresh, a token answered", weight: 0.8, source: byName, example: "POST /auth/refresh answers {token}", sees: func(f *loginFacts) string {
		return when(refreshPaths[f.last] && f.answersToken(), f.last)
	}}},
	{LogIn, "POST", byLogin{name: "name and password sent, a token answered", weight: 0.75, source: bySchema, example: "POST /access {email, password} answers {token}", sees: func(f *loginFacts) string {
		return when(f.hasCredentials() && f.answersToken() && f.sent.Token == nil && !f.createsUser(), strings.Join(f.sent.Answer.AccessToken, "."))
	}}},
	{LogIn, "POST", byLogin{name: "name and password sent, a cookie answered", weight: 0.75, source: "RFC 6265 section 4.1", example: "POST /access {email, password} answers Set-Cookie", sees: func(f *loginFacts) string {
		return when(f.hasCredentials() && f.sent.Cookie && !f.createsUser(), "Set-Cookie")
	}}},
	{SignUp, "POST", byLogin{name: "a user is created with a password", weight: 0.7, source: byName, example: "POST /users {email, password}", sees: func(f *loginFacts) string { return when(f.createsUser(), f.last) }}},
	{LogOut, "POST DELETE GET", byLogin{name: "named as a logout", weight: 0.9, source: byName, example: "POST /auth/logout", sees: func(f *loginFacts) string { return when(f.named(logoutNames), f.last) }}},
	{LogOut, "DELETE", byLogin{name: "the session is deleted", weight: 0.75, source: byMethod, example: "DELETE /session", sees: func(f *loginFacts) string {
		current := (f.last == "current" || f.last == "me") && sessionNames[f.parent]
		return when(sessionNames[f.last] || current, f.last)
	}}},
	{LogOut, "POST", byLogin{name: "a token is revoked", weight: 0.75, source: "RFC 7009 section 2.1", example: "POST /oauth/revoke {token}", sees: func(f *loginFacts) string {
		return when(revokeNames[f.last] && f.sent.Token != nil, strings.Join(f.sent.Token, "."))
	}}},
	{CurrentUser, "GET HEAD PUT PATCH DELETE", byLogin{name: "named as the current user", weight: 0.9, source: byName, example: "GET /users/me", sees: func(f *loginFacts) string {
		return when(meNames[f.last] && (meParents[f.parent] || isBase(f.at.parent)), f.last)
	}}},
	{CurrentUser, "GET HEAD PUT PATCH DELETE", byLogin{name: "the user of a path about access", weight: 0.7, source: byName, example: "GET /auth/user", sees: func(f *loginFacts) string {
		return when(ownNames[f.last] && loginNames[f.parent], f.last)
	}}},
	{CurrentUser, "GET HEAD PUT PATCH DELETE", byLogin{name: "one user without a key", weight: 0.6, source: bySchema, example: "GET /user answers {email}", sees: func(f *loginFacts) string {
		get := f.at.method("GET")
		if !ownNames[f.last] || get == nil || f.at.item() != nil || !isBase(f.at.parent) {
			return ""
		}
		return strings.Join(leavesOf(get.answer, 2).first(identifierNames).at(), ".")
	}}},
}

// isBase knows what paths begin with that says nothing of them: /, /api, /v1.
func isBase(n *node) bool { return n.parent == nil || n.last.text == "api" || isVersion(n.last.text) }

func (f *loginFacts) named(names map[string]bool) bool { return names[f.last] || names[f.name] }

func (f *loginFacts) hasCredentials() bool {
	return len(f.sent.Identifiers) > 0 && f.sent.Secret != nil
}

func (f *loginFacts) answersToken() bool { return f.sent.Answer.AccessToken != nil }

func (f *loginFacts) createsUser() bool {
	return slices.Contains(userNames, f.last) && f.hasCredentials()
}
