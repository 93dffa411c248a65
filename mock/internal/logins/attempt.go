package logins

import (
	"strings"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// Attempt is one request of a login operation. Nil does nothing.
type Attempt struct {
	*resources.Request
	set    *Set
	login  *loginOperation
	store  *Store
	access *Access
}

// Attempt returns the attempt of a request; nil if the operation is not a login operation.
func (s *Set) Attempt(q *resources.Request, in *Store, access *Access) *Attempt {
	if s == nil {
		return nil
	}
	l := s.operations[q.Operation.Operation]
	if l == nil {
		return nil
	}
	return &Attempt{q, s, l, in, access}
}

// HasSecret reports whether the request has a password or a token, which must not be stored.
func (t *Attempt) HasSecret() bool { return t != nil && t.login.Act != resource.CurrentUser }

// Identify returns the key of the user in an issuer's token, "" if none. If the request concerns the current user
// and there is no user with this name, it adds one.
func (t *Attempt) Identify() string {
	if t == nil || t.access.Subject == "" || t.login.Act != resource.CurrentUser {
		return ""
	}
	user, _ := t.userOf(t.access.Subject, "sub")
	return user.Key
}

// Check refuses a login with a wrong password or an ended refresh token, and a sign-up with a taken name, if the
// document has a response for it.
func (t *Attempt) Check() *respond.Refusal {
	if t == nil {
		return nil
	}
	switch t.login.Act {
	case resource.SignUp:
		return t.checkSignUp()
	case resource.LogIn, resource.Refresh, resource.NewPassword:
	default:
		return nil
	}
	if !respond.WrongPassword.IsDocumented(t.Operation) {
		return nil
	}
	if ended := t.endedTicket(); ended != nil {
		return &respond.Refusal{Problem: respond.WrongPassword, Findings: []exchange.Finding{*ended}}
	}
	if refresh := t.text(t.login.RefreshToken); t.refreshes() {
		token, known := t.store.Find(refresh)
		if !known {
			return nil
		}
		if ended := t.store.ended(token, t.place(), ""); ended != nil {
			ended.Pointer = t.pointer(t.login.RefreshToken)
			return &respond.Refusal{Problem: respond.WrongPassword, Findings: []exchange.Finding{*ended}}
		}
		return nil
	}
	name, path := t.name()
	if t.login.Act == resource.NewPassword && name == "" {
		name = t.access.Name
	}
	if name == "" || t.login.Secret == nil && !t.login.Basic {
		return nil
	}
	account, isRight, known := t.store.account(name, t.password())
	if known && !isRight && t.exists(account.user) {
		return &respond.Refusal{Problem: respond.WrongPassword, Findings: []exchange.Finding{{
			Code: CodeWrongPassword, Message: "wrong password", In: t.place(),
			Name: t.parameter(path), Pointer: t.pointer(t.login.Secret),
		}}}
	}
	return nil
}

// endedTicket returns the finding on a ticket that was used before or has expired; nil if none.
func (t *Attempt) endedTicket() *exchange.Finding {
	for _, path := range [][]string{t.login.Ticket, t.login.Code} {
		if token, known := t.store.Find(t.text(path)); known {
			if ended := t.store.ended(token, t.place(), t.parameter(path)); ended != nil {
				ended.Pointer = t.pointer(path)
				return ended
			}
		}
	}
	return nil
}

func (t *Attempt) checkSignUp() *respond.Refusal {
	if documented := t.Operation.Response(409); documented == nil || documented.Status != "409" {
		return nil
	}
	for _, path := range t.login.Identifiers {
		name := t.text(path)
		if name == "" {
			continue
		}
		if account, _, known := t.store.account(name, ""); known && account.signedUp && t.exists(account.user) {
			return &respond.Refusal{Problem: respond.Conflict, Findings: []exchange.Finding{{
				Code: "duplicate-value", Message: "a user of this name signed up already", In: t.place(),
				Name: t.parameter(path), Pointer: t.pointer(path),
			}}}
		}
	}
	return nil
}

// exists reports whether the item of a user still exists; true if users have no items.
func (t *Attempt) exists(user string) bool {
	return user == "" || t.set.options.Resources.User(t.Session, t.login.Users, user).Value != nil
}

// refreshes reports whether the request asks for a new token with a refresh token, not with a password.
func (t *Attempt) refreshes() bool {
	return t.text(t.login.RefreshToken) != "" && t.text(t.login.Secret) == ""
}

func (t *Attempt) place() string {
	switch {
	case t.login.InQuery:
		return exchange.InQuery
	case t.isBasic():
		return exchange.InHeader
	}
	return exchange.InBody
}

// isBasic reports whether the request has Basic credentials (RFC 7617).
func (t *Attempt) isBasic() bool {
	_, _, ok := auth.Basic(t.Header)
	return ok && t.login.Basic
}

func (t *Attempt) pointer(path []string) string {
	if t.place() != exchange.InBody {
		return ""
	}
	return resource.Pointer(path)
}

func (t *Attempt) parameter(path []string) string {
	switch {
	case t.isBasic():
		return "Authorization"
	case t.login.InQuery && len(path) > 0:
		return path[0]
	}
	return ""
}

// name returns the first user name in the request.
func (t *Attempt) name() (text string, path []string) {
	for _, path := range t.login.Identifiers {
		if text := t.text(path); text != "" {
			return text, path
		}
	}
	if name, _, ok := auth.Basic(t.Header); ok && t.login.Basic {
		return name, []string{"username"}
	}
	return "", nil
}

// password returns the user's password in the request; "" if none.
func (t *Attempt) password() string {
	if _, password, ok := auth.Basic(t.Header); ok && t.login.Basic {
		return password
	}
	return t.text(t.login.Secret)
}

// text returns the request's value at a path, as a text; "" if none.
func (t *Attempt) text(path []string) string {
	if len(path) == 0 {
		return ""
	}
	var value any
	if t.login.InQuery {
		value = t.Values.Query[path[0]]
	} else {
		value, _ = jsonvalue.Property(t.Values.Body(), path)
	}
	text, _ := jsonvalue.Text(value)
	return text
}

// Complete performs the login operation, and adds tokens and the user to the response. created is the item that the
// request created.
func (t *Attempt) Complete(a *respond.Answer, documented *spec.Response, created resources.Item) *respond.Refusal {
	if t == nil || a.Status >= 300 {
		return nil
	}
	switch t.login.Act {
	case resource.SignUp:
		return t.signUp(a, documented, created)
	case resource.LogIn, resource.Refresh:
		return t.logIn(a, documented)
	case resource.LogOut:
		t.logOut(a)
	case resource.Challenge:
		t.challenge(a, documented)
	case resource.NewPassword:
		t.changePassword()
	case resource.IssueKey:
		t.keepKey(a, documented, created)
	case resource.CurrentUser:
		if password := t.text(t.login.Secret); password != "" && t.access.User != "" {
			t.store.setPassword(t.access.User, password)
		}
		t.showToken(a, documented)
	}
	return nil
}

func (t *Attempt) signUp(a *respond.Answer, documented *spec.Response, user resources.Item) *respond.Refusal {
	var names []string
	for _, path := range t.login.Identifiers {
		if text := t.text(path); text != "" {
			names = append(names, text)
		}
	}
	if user.Value == nil {
		var refusal *respond.Refusal
		if user, refusal = t.addUser(t.sentUser()); refusal != nil {
			return refusal
		}
	} else if plan := t.login.Users; t.set.options.Resources.User(t.Session, plan, user.Key).Value == nil {
		user = resources.Item{Value: user.Value} // it is stored elsewhere
	}
	if password := t.text(t.login.Secret); password != "" {
		t.store.signUp(user.Key, names, password, true)
	}
	token := Token{User: user.Key, Grant: t.store.grant()}
	if len(names) > 0 {
		token.Name = short(names[0])
	}
	t.answer(a, documented, user, token)
	return nil
}

// sentUser returns the object with the user's data in a sign-up: the one with the password.
func (t *Attempt) sentUser() map[string]any {
	if t.login.InQuery {
		return t.Values.Query
	}
	around := t.login.Secret[:max(0, len(t.login.Secret)-1)]
	value, _ := jsonvalue.Property(t.Values.Body(), around)
	object, _ := value.(map[string]any)
	return object
}

func (t *Attempt) addUser(sent map[string]any) (resources.Item, *respond.Refusal) {
	item, err := t.set.options.Resources.AddUser(t.Request, t.login.Users, sent)
	if refusal, ok := err.(*respond.Refusal); ok {
		return item, refusal
	}
	return item, nil
}

func (t *Attempt) logIn(a *respond.Answer, documented *spec.Response) *respond.Refusal {
	token := Token{Scopes: t.scopes()}
	var user resources.Item
	name, path := t.name()
	switch {
	case t.refreshes():
		sent := t.text(t.login.RefreshToken)
		if before, known := t.store.Find(sent); known {
			token.User, token.Name, token.Grant, token.Scopes = before.User, before.Name, before.Grant, before.Scopes
			if t.login.Answer.RefreshToken != nil {
				t.store.End(sent) // the response has a new one
			}
		}
		user = t.user(token.User)
	case t.login.Act == resource.Refresh && t.access.Known: // with the access token, or the cookie
		token = t.access.Token
		token.Refresh = false
		user = t.user(token.User)
	case name != "" && t.login.Machine:
		token.Name = short(name)
	case name != "":
		var refusal *respond.Refusal
		if user, refusal = t.userOf(name, path[len(path)-1]); refusal != nil {
			return refusal
		}
		token.User, token.Name = user.Key, short(name)
	default:
		var refusal *respond.Refusal
		if token, user, refusal = t.byCode(token); refusal != nil {
			return refusal
		}
	}
	t.store.End(t.text(t.login.Ticket))
	if token.Grant == 0 {
		token.Grant = t.store.grant()
	}
	t.answer(a, documented, user, token)
	return nil
}

func (t *Attempt) user(key string) resources.Item {
	if key == "" {
		return resources.Item{}
	}
	return t.set.options.Resources.User(t.Session, t.login.Users, key)
}

// userOf returns the user with a name: who signed up, or has an item, or else a new one.
func (t *Attempt) userOf(name, property string) (resources.Item, *respond.Refusal) {
	if account, _, known := t.store.account(name, t.password()); known {
		if user := t.user(account.user); user.Value != nil || account.user == "" {
			return user, nil
		}
	}
	role := "login-property"
	switch {
	case strings.Contains(name, "@"):
		role = "email-property"
	case strings.Trim(name, "+0123456789 ()-") == "":
		role = "phone-property"
	}
	sent := map[string]any{}
	for _, p := range append([]string{property}, words.Ranked(role)...) {
		if user := t.set.options.Resources.FindUser(t.Session, t.Work, t.login.Users, p, name); user.Value != nil {
			return user, nil
		}
		sent[p] = name
	}
	user, refusal := t.addUser(sent)
	if refusal == nil {
		t.store.signUp(user.Key, []string{name}, "", false)
	}
	return user, refusal
}

// short returns a name that is stored with a token, "" for a long one.
func short(name string) string {
	if len(name) > maxName {
		return ""
	}
	return name
}

// scopes returns the scopes in the request (RFC 6749 section 3.3), nil if none.
func (t *Attempt) scopes() []string {
	text := t.text(t.login.Scope)
	if text == "" || len(text) > maxScope {
		return nil
	}
	return strings.Fields(text)
}

func (t *Attempt) logOut(a *respond.Answer) {
	if t.access.Known {
		t.store.EndGrant(t.access.Grant)
	}
	for _, path := range [][]string{t.login.Token, t.login.RefreshToken} {
		if token, known := t.store.Find(t.text(path)); known {
			t.store.EndGrant(token.Grant)
		}
	}
	if t.set.inCookie || t.access.Cookie {
		a.Header.Set("Set-Cookie", t.set.cookieName("")+"=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
	}
}
