package contracts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/recording"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
)

// entry judges one entry, or says why it does not.
func (k *checking) entry(e *recording.Entry) {
	name := e.Request.Method + " " + e.Request.Path
	if e.Reason != "" {
		k.leave(e.Reason, name)
		return
	}
	if k.target != nil && e.Origin != "" {
		if e.Origin != recording.Origin(k.target) {
			k.leave("went to another origin, "+e.Origin, name)
			return
		}
		path, below := strings.CutPrefix(e.Request.Path, strings.TrimSuffix(k.target.EscapedPath(), "/"))
		if !below || path != "" && path[0] != '/' {
			k.leave("not below "+k.options.URL, name)
			return
		}
		e.Request.Path = cmp.Or(path, "/")
	}
	k.base = cmp.Or(e.Origin, k.options.URL, "http://localhost")
	if k.target != nil {
		k.base = strings.TrimSuffix(k.options.URL, "/")
	}
	var m route.Match
	switch k.find(e, &m) {
	case route.NotFound:
		k.leave("the document has no such path", e.Request.Method+" "+e.Origin+e.Request.Path)
		return
	case route.MethodNotAllowed:
		k.undocumented(e, name)
		return
	}
	if !k.subject[m.Operation] {
		k.leave("of an operation that was not chosen", nameOf(m.Operation))
		return
	}
	k.exchange(e, &m)
}

// find finds the operation of an entry. HEAD is GET's where the document has none
// (RFC 9110 section 9.3.2).
func (k *checking) find(e *recording.Entry, m *route.Match) route.Result {
	r := e.Request
	found := k.router.Find(r.Method, r.Path, r.Query, m)
	if found == route.MethodNotAllowed && r.Method == "HEAD" {
		found = k.router.Find("GET", r.Path, r.Query, m)
	}
	return found
}

// undocumented judges a method that the path does not have.
func (k *checking) undocumented(e *recording.Entry, name string) {
	_, preflight := e.Request.Header.Get("Access-Control-Request-Method")
	if e.Request.Method == "OPTIONS" && preflight {
		k.leave("a preflight of CORS", name)
		return
	}
	var m route.Match
	for _, method := range k.router.Allowed(e.Request.Path) {
		if k.router.Find(method, e.Request.Path, e.Request.Query, &m) == route.Found && k.subject[m.Operation] {
			break
		}
		m.Operation = nil
	}
	if m.Operation == nil {
		k.leave("of an operation that was not chosen", name)
		return
	}
	x := k.made(e, &m)
	x.Case.Expected = cases.NotAllowed
	if !x.Succeeded() {
		x.Recorded.Findings = []exchange.Finding{{
			Code: "undocumented-method", Message: "method " + e.Request.Method + " is not documented", In: exchange.InRequest, Document: m.Operation.Place,
		}}
	}
	k.tally.add(x, k.judge.Check(x))
}

// made gives an entry as an exchange of an operation.
func (k *checking) made(e *recording.Entry, m *route.Match) *checks.Exchange {
	k.budget.sent.Add(1)
	c := &cases.Case{Operation: m.Operation, Phase: recordedPhase.ID, Title: fmt.Sprintf("entry %d", e.Number), Request: e.Request, Path: map[string]string{}}
	for i, name := range m.Names {
		c.Path[name] = m.Values[i]
	}
	return &checks.Exchange{
		Case: c, Request: e.Request, Answer: wire.Answer{Response: e.Response, Took: e.Took},
		Recorded: &checks.Recorded{HeadUnknown: e.HeadCut, BodyUnknown: e.ResponseCut},
	}
}

// exchange judges both sides of an entry.
func (k *checking) exchange(e *recording.Entry, m *route.Match) {
	x := k.made(e, m)
	_, findings := k.validators[m.Operation].Request(e.Request, m.Values)
	if e.RequestCut {
		findings = slices.DeleteFunc(findings, func(f exchange.Finding) bool { return f.In == exchange.InBody })
	}
	x.Recorded.Findings = findings
	x.Recorded.Undeclared = k.validators[m.Operation].Unknown(e.Request)
	missing := k.credentials(m.Operation, e.Request)
	switch {
	case len(missing) > 0:
		if x.Succeeded() {
			k.bares++
			if len(k.bare) < maxBare {
				k.bare = append(k.bare, x)
			}
		}
	case len(findings) > 0:
		x.Case.Expected, x.Case.Violation = cases.Refused, &findings[0]
	default:
		x.Case.Expected = cases.Accepted
		if x.Status() == 422 {
			x.Case.Uncertainty = "a backend may have reasons of which the document does not tell"
		}
	}
	x.Case.Credentials = sent(m.Operation)
	verdicts := k.judge.Check(x)
	k.tally.add(x, verdicts)
	if x.Succeeded() {
		k.accepted(m.Operation)
	}
}

// accepted notes that an operation took a request.
func (k *checking) accepted(o *spec.Operation) {
	for _, s := range k.subjects {
		if s.Operation == o {
			s.plain = true
		}
	}
}

// sent gives the credentials that requests of an operation usually carry.
func sent(o *spec.Operation) []cases.Credential {
	if len(o.Security) == 0 {
		return nil
	}
	return cases.GivenFor(o.Security[0])
}

// credentials gives what a request lacks of those that its operation asks for.
// Where the recording has been cleaned of them, there is a word in their place.
func (k *checking) credentials(o *spec.Operation, r *exchange.Request) []exchange.Finding {
	missing := slices.DeleteFunc(k.policies[o].Check(r), func(f exchange.Finding) bool { return f.Code != auth.CodeMissing })
	if len(missing) == 0 && len(o.Security) > 0 && !slices.ContainsFunc(o.Security, func(alternative spec.Requirement) bool { return len(alternative) == 0 }) {
		k.admitted = true
	}
	return missing
}

// end judges what only the whole recording shows: accepted requests without
// credentials are a fault of the backend where others had them; else the
// recording was cleaned of them, as browsers do.
func (k *checking) end() {
	if k.bares > 0 && !k.admitted {
		k.tally.leave(Skipped{Phase: recordedPhase.ID, Cases: k.bares, Reason: "whether credentials are looked at: the recording has none, as browsers leave them out"})
	} else if check, on := k.judge.Has("credentials-ignored"); on {
		for _, x := range k.bare {
			k.tally.accuse(x, []checks.Violation{{
				Check: check, Message: fmt.Sprintf("accepted with %d: no credentials", x.Status()), About: "credentials", Place: x.Case.Operation.Place, Cause: "no credentials",
			}})
		}
	}
	for reason, f := range k.left {
		if names := strings.Join(f.names, ", "); names != "" {
			reason += ": " + names
		}
		if f.more {
			reason += ", …"
		}
		k.tally.leave(Skipped{Phase: recordedPhase.ID, Cases: f.count, Reason: reason})
	}
}

// leave notes an entry that is not judged.
func (k *checking) leave(reason, name string) {
	f := k.left[reason]
	if f == nil {
		if len(k.left) >= maxLeft {
			reason = "for other reasons"
			f = k.left[reason]
		}
		if f == nil {
			f = &few{}
			k.left[reason] = f
		}
	}
	f.count++
	switch {
	case slices.Contains(f.names, name):
	case len(f.names) < maxNamed:
		f.names = append(f.names, name)
	default:
		f.more = true
	}
}
