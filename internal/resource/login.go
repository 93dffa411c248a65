package resource

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Act is what an operation does with the access of users.
type Act uint8

const (
	NoAct       Act = iota
	SignUp          // creates a user with a password
	LogIn           // answers a token or a cookie for a user's password, or for another grant
	Refresh         // answers a new access token for a refresh token
	LogOut          // ends a token
	CurrentUser     // concerns the user whose token is sent
	Challenge       // sends a code or a link to a user, who logs in by that
	NewPassword     // changes the password of a user
	IssueKey        // creates a key that requests are sent with
)

var actNames = [...]string{"none", "sign-up", "login", "refresh", "logout", "current-user", "challenge", "new-password",
	"issue-key"}

func (a Act) String() string { return actNames[a] }

// Login says what an operation does with the access of users, and where its request and answer have what that
// needs. Paths lead to properties of the body, or have one name of a query parameter; nil if none.
type Login struct {
	Operation *spec.Operation
	Act       Act
	Users     *Resource // whose items are the users; nil if the document keeps none

	InQuery      bool       // the request has all in its query
	Identifiers  [][]string // name the user: email, username
	Secret       []string   // the password; of a NewPassword the one before
	NewSecret    []string   // of a NewPassword
	Code         []string   // that the user was sent or shows: a one-time password, the token of another issuer
	Ticket       []string   // that an earlier step answered
	RefreshToken []string
	Token        []string // to end
	Scope        []string // RFC 6749 section 3.3
	Basic        bool     // name and password are sent as RFC 7617 has it
	Guest        bool     // nobody is named
	Machine      bool     // the name identifies a program: client_id

	Answer LoginAnswer
	Cookie bool // the answer documents Set-Cookie

	Confidence float64
	Reason     string
	Evidence   []Evidence
	Declared   bool // by an override
}

// LoginAnswer is where the success of an operation, in JSON, has the results of a login; nil if it has none. A path
// that is empty and not nil is the whole body.
type LoginAnswer struct {
	AccessToken, RefreshToken, TokenType, Expires, User []string

	Ticket []string // for the next step of the login
	Key    []string // of an IssueKey
	Header string   // a field that has the access token; "" if none
	// The schemas of the values there.
	AccessValue, RefreshValue, ExpiresValue, TypeValue, TicketValue *spec.Keywords

	TTL time.Duration // that the document has as an example of Expires; 0 if it has none
}

// Login returns what an operation does with the access of users, nil for nothing.
func (p *Plan) Login(o *spec.Operation) *Login {
	for _, l := range p.Logins {
		if l.Operation == o {
			return l
		}
	}
	return nil
}

// readLogins finds the operations that log users in and out, before the resources are known.
func (in *inference) readLogins() {
	in.logins = map[*operation]*Login{}
	for _, o := range in.operations {
		f := in.loginFacts(o)
		for i := range loginRules {
			r := &loginRules[i]
			if r.methods != "" && !slices.Contains(strings.Fields(r.methods), o.Method) {
				continue
			}
			saw := r.sees(f)
			if saw == "" {
				continue
			}
			if f.sent.Act = r.act; r.act != NoAct {
				f.sent.Confidence, f.sent.Reason = r.weight, r.name
				f.sent.Evidence = []Evidence{{"login", r.name, r.weight, saw}}
				if r.act == SignUp && f.sent.Token != nil { // a property of users, not what logs them in
					f.sent.Answer.AccessToken = nil
				}
				in.logins[o] = f.sent
			}
			break
		}
		in.overrideLogin(o, f.sent)
	}
	withoutStrayLogins(in.logins)
}

// withoutStrayLogins leaves out what concerns an access that nothing returns, but perhaps an issuer, and codes by which
// nobody logs in.
func withoutStrayLogins(logins map[*operation]*Login) {
	gives, byCode := false, false
	for _, l := range logins {
		gives = gives || l.Declared || l.Act == SignUp || l.Act == LogIn || l.Act == Refresh || l.Act == IssueKey
		byCode = byCode || (l.Act == LogIn || l.Act == NewPassword) && (l.CodeOrTicket() != nil || l.Token != nil)
	}
	for o, l := range logins {
		if !gives && l.Act != CurrentUser || !byCode && l.Act == Challenge && !l.Declared {
			delete(logins, o)
		}
	}
}

func (in *inference) overrideLogin(o *operation, l *Login) {
	over := &o.override
	word, declared := over.fields["login"]
	if over.off || !declared {
		return
	}
	delete(in.logins, o)
	l.Act = Act(slices.Index(actNames[:], word))
	if l.Act == NoAct {
		return
	}
	isNamed := len(l.Identifiers) > 0 || l.Code != nil || l.Ticket != nil || l.Basic
	if (l.Act == LogIn || l.Act == SignUp) && !isNamed {
		in.fault(over.place, "the request of "+o.Method+" "+o.Path+" has no property that names a user, such as email or "+
			"username, so it cannot be a "+word)
		return
	}
	l.Confidence, l.Reason, l.Declared = 1, "set by "+over.from, true
	l.Evidence = []Evidence{{"login", "override", 1, l.Reason}}
	in.logins[o] = l
}

// ttlOf returns the lifetime that the document has as an example, in seconds.
func ttlOf(media *spec.MediaType, expires *leaf) time.Duration {
	if expires == nil || strings.HasSuffix(expires.name, "at") {
		return 0
	}
	var texts []string
	for _, e := range media.Examples {
		if value, ok := jsonvalue.Property(e.Value, expires.path); ok {
			text, _ := jsonvalue.Text(value)
			texts = append(texts, text)
		}
	}
	for _, keyword := range []string{"example", "examples", "default", "const"} {
		n := expires.view.node(keyword).Get(keyword)
		if n != nil && len(n.List()) > 0 {
			n = n.List()[0]
		}
		if n != nil {
			texts = append(texts, n.Text)
		}
	}
	for _, text := range texts {
		if n, err := strconv.Atoi(text); err == nil && n > 0 && n <= longestTTL {
			return time.Duration(n) * time.Second
		}
	}
	return 0
}

const longestTTL = 10 * 365 * 24 * 3600 // seconds; more is a time, or a mistake

// userIn returns the path to the object of the user who logs in: {user: {…}, token}, {data: {user: {…}}}; nil if none.
func userIn(v view, depth int) []string {
	for _, m := range v.members() {
		if ownNames.Has(m.folded) && m.view.kind() == schema.Object {
			return []string{m.name}
		}
	}
	for _, m := range v.members() {
		if depth > 1 && wrapperNames.Has(m.folded) && m.view.kind() == schema.Object {
			if below := userIn(m.view, depth-1); below != nil {
				return append([]string{m.name}, below...)
			}
		}
	}
	return nil
}

// findUsers finds the resource whose items the users are, and completes the plan.
func (in *inference) findUsers(p *Plan) {
	for _, o := range in.operations {
		if l := in.logins[o]; l != nil {
			p.Logins = append(p.Logins, l)
		}
	}
	users := usersOf(p)
	for _, l := range p.Logins {
		l.Users = users
	}
}

// namesUsers reports whether items have a property by which people log in.
func namesUsers(r *Resource) bool {
	return slices.ContainsFunc(r.Properties, func(p Property) bool { return nameOfUser.Has(naming.Fold(p.Name)) })
}

// usersOf returns the resource of users: the one that a sign-up creates in, the one that is named so, or the current
// user; nil if none.
func usersOf(p *Plan) *Resource {
	for _, l := range p.Logins {
		if b := p.Of(l.Operation); l.Act == SignUp && b.Role == Create && b.Resource != nil && !b.Resource.Scoped {
			return b.Resource
		}
	}
	for _, name := range userPlaces {
		for _, r := range p.Resources {
			last := naming.Fold(lastName(r))
			if last == name && !r.Singleton && !r.Scoped && r.Item != nil && namesUsers(r) {
				return r
			}
		}
	}
	for _, l := range p.Logins {
		if b := p.Of(l.Operation); l.Act == CurrentUser && b.Resource != nil && b.Resource.Singleton && !b.Resource.Scoped {
			return b.Resource
		}
	}
	return nil
}
