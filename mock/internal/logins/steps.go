package logins

import (
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// challenge remembers the user who will log in with a code. No code is sent: every code is accepted.
func (t *Attempt) challenge(a *respond.Answer, documented *spec.Response) {
	name, _ := t.name()
	t.store.setPending(short(name))
	t.answer(a, documented, resources.Item{}, Token{Name: short(name), Grant: t.store.grant()})
}

// byCode completes the token of a login without a name: for the user of the ticket, or of an earlier step's access,
// or who was sent the last code; otherwise for the user who used the same code before, or a new one.
func (t *Attempt) byCode(token Token) (Token, resources.Item, *respond.Refusal) {
	before, known := t.store.Find(t.text(t.login.Ticket))
	if !known {
		before, known = t.store.Find(t.text(t.login.Code))
	}
	if !known && t.access.Known {
		before, known = t.access.Token, true
	}
	if known {
		token.User, token.Name, token.Grant = before.User, before.Name, before.Grant
	} else {
		token.Name = t.store.takePending()
	}
	code := t.text(t.login.Code)
	switch user := t.user(token.User); {
	case user.Value != nil:
		return token, user, nil
	case token.Name != "":
		user, refusal := t.userOf(token.Name, "")
		token.User = user.Key
		return token, user, refusal
	case known || t.login.Act != resource.LogIn || t.isGrant():
		return token, user, nil
	}
	if account, _, known := t.store.account(code, ""); known && code != "" {
		user := t.user(account.user)
		token.User = user.Key
		return token, user, nil
	}
	user, refusal := t.addUser(nil)
	if refusal == nil && code != "" {
		t.store.signUp(user.Key, []string{code}, "", false)
	}
	token.User = user.Key
	return token, user, refusal
}

// isGrant reports whether the login is for an OAuth client, which may have no user.
func (t *Attempt) isGrant() bool {
	return t.login.Code == nil && t.login.Ticket == nil && !t.login.Guest
}

// showToken puts the sent token into the response, if that has a place for it.
func (t *Attempt) showToken(a *respond.Answer, documented *spec.Response) {
	in := &t.login.Answer
	if in.AccessToken != nil && t.access.Known {
		t.set.options.Responder.Change(t.Request.Request, a, documented, func(media *spec.MediaType, value any) any {
			return put(media, value, in.AccessToken, in.AccessValue, t.access.Text)
		})
	}
}

// changePassword stores the new password of the user who is logged in, whom the request names, or who was sent a
// code.
func (t *Attempt) changePassword() {
	password := t.text(t.login.NewSecret)
	if password == "" {
		password = t.text(t.login.Secret) // for a reset
	}
	name, _ := t.name()
	user := t.access.User
	if name == "" && user == "" {
		ticket, _ := t.store.Find(t.text(t.login.CodeOrTicket()))
		if name, user = ticket.Name, ticket.User; name == "" && user == "" {
			name = t.store.takePending()
		}
	}
	if account, _, known := t.store.account(name, ""); known && name != "" {
		user = account.user
	}
	switch {
	case password == "":
	case user != "":
		t.store.setPassword(user, password)
	case name != "":
		t.store.signUp("", []string{name}, password, true)
	}
}

// keepKey stores the API key that a request has created: for its creator, as long as its item exists.
func (t *Attempt) keepKey(a *respond.Answer, documented *spec.Response, created resources.Item) {
	_, body := t.set.options.Responder.Change(t.Request.Request, a, documented,
		func(_ *spec.MediaType, value any) any { return value })
	if key := textAt(body, t.login.Answer.Key); key != "" {
		token := Token{User: t.access.User, Name: t.access.Name, Grant: t.store.grant()}
		token.Collection, token.Item = created.Place()
		t.store.Add(key, token)
	}
}
