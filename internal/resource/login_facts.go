package resource

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// loginFacts are what loginRules decide by.
type loginFacts struct {
	*operation
	last, parent string          // the last two literals of the path, folded
	name         string          // the operationId, folded
	words        map[string]bool // of all these
	sent         *Login          // what the request has
	grant        bool            // the request has a grant_type (RFC 6749 section 4)
}

func (in *inference) loginFacts(o *operation) *loginFacts {
	f := &loginFacts{operation: o, last: naming.Fold(o.at.last.text), name: naming.Fold(o.ID)}
	if above := o.at.parent; above != nil && !above.last.variable() {
		f.parent = naming.Fold(above.last.text)
	}
	f.words = naming.Set(strings.Join(naming.Words(o.at.last.text), " ") + " " + f.last + " " + f.parent + " " + f.name)
	if above := o.at.parent; above != nil {
		maps.Copy(f.words, naming.Set(strings.Join(naming.Words(above.last.text), " ")))
	}
	f.sent = &Login{Operation: o.Operation}
	f.readRequest(in.cache)
	f.readAnswer(in.tokenFields)
	return f
}

func (f *loginFacts) readRequest(cache *schemaCache) {
	all := leavesOf(f.request, 3)
	if len(all) == 0 {
		for _, p := range f.Parameters {
			if p.In == exchange.InQuery {
				v := cache.parameter(p)
				all = append(all, leaf{[]string{p.Name}, naming.Fold(p.Name), "", v})
			}
		}
		f.sent.InQuery = len(all) > 0
	}
	for _, name := range identifierNames {
		if found := all.find(name); found != nil && found.view.kind() != schema.Boolean {
			f.sent.Identifiers = append(f.sent.Identifiers, found.path)
		}
	}
	f.sent.Secret, f.sent.NewSecret = all.secret().at(), all.beside(secretNames, newWords).at()
	if old := all.beside(secretNames, oldWords); f.sent.NewSecret != nil && old != nil {
		f.sent.Secret = old.at()
	}
	f.sent.RefreshToken = all.first(refreshNames).at()
	f.sent.Token = all.first(tokenNames).at()
	f.sent.Scope = all.first([]string{"scope"}).at()
	f.grant = all.find("granttype") != nil
	if !f.grant {
		f.grant = slices.ContainsFunc(f.Parameters, func(p *spec.Parameter) bool { return p.Name == "grant_type" })
	}
	if !f.grant {
		f.sent.Code = all.firstOf(codeNames, func(l *leaf) bool { return l.view.kind() != schema.Boolean }).at()
		if f.sent.Code == nil {
			f.sent.Code = all.code().at()
		}
		f.sent.Ticket = all.first(ticketNames).at()
		if f.sent.Code == nil && f.about(magicWords) {
			f.sent.Code = f.sent.Token
		}
	}
	f.sent.Guest = f.about(guestWords)
	if first := f.sent.Identifiers; len(first) > 0 {
		f.sent.Machine = machineNames.Has(naming.Fold(first[0][len(first[0])-1]))
	}
	if f.sent.Machine && f.grant { // the client says who it is, beside the grant
		f.sent.Machine, f.sent.Identifiers, f.sent.Secret = false, nil, nil
	}
	f.sent.Basic = slices.ContainsFunc(f.Security, func(needs spec.Requirement) bool {
		return len(needs) > 0 && needs[0].Scheme.Scheme == "basic"
	})
}

// answerNames are those that readAnswer looks for. With all names loading GitHub's document allocates 5 MB more,
// of 78.
var answerNames = func() map[string]bool {
	names := map[string]bool{tokenType: true}
	for _, name := range slices.Concat(accessNames, refreshNames, expiresNames, identifierNames, ticketNames, keyNames) {
		names[name] = true
	}
	return names
}()

const tokenType = "tokentype" // RFC 6749 section 5.1

func (f *loginFacts) readAnswer(tokenFields map[string]bool) {
	a, body := &f.sent.Answer, f.answer
	all := leavesNamed(body, 3, answerNames)
	access := all.first(accessNames)
	if access == nil && body.kind() == schema.String && f.last != "" && f.named(loginNames) && f.Method != "DELETE" {
		access = &leaf{path: []string{}, view: body} // GET /user/login answers the token
	}
	if access == nil {
		access = all.ofTokens(accessNames)
	}
	refresh := all.first(refreshNames)
	if refresh == nil {
		refresh = all.ofTokens(refreshNames)
	}
	expires := all.firstOf(expiresNames, func(l *leaf) bool { return !slices.Contains(refreshNames, l.parent) })
	kind := all.find(tokenType)
	a.AccessToken, a.RefreshToken, a.Expires, a.TokenType = access.at(), refresh.at(), expires.at(), kind.at()
	a.AccessValue, a.RefreshValue, a.ExpiresValue, a.TypeValue = access.schema(), refresh.schema(), expires.schema(),
		kind.schema()
	if a.User = userIn(body, 2); a.User == nil {
		if id := all.first(identifierNames); id != nil && (len(id.path) == 1 || wrapperNames.Has(id.parent)) {
			a.User = id.path[:len(id.path)-1] // the body is the user, perhaps with the tokens beside
		}
	}
	ticket := all.first(ticketNames)
	a.Ticket, a.TicketValue, a.Key = ticket.at(), ticket.schema(), all.first(keyNames).at()
	a.TTL = ttlOf(f.binding.Media, expires)
	if f.binding.Success != nil {
		for _, h := range f.binding.Success.Headers {
			if tokenFields[naming.Fold(h.Name)] && a.Header == "" {
				a.Header = h.Name
			}
		}
		f.sent.Cookie = slices.ContainsFunc(f.binding.Success.Headers, func(h *spec.Parameter) bool {
			return strings.EqualFold(h.Name, "Set-Cookie")
		})
	}
}
