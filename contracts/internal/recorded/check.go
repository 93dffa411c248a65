// Package recorded checks recorded exchanges: the requests as well as the responses.
package recorded

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/report"
)

// phase is the phase of recorded exchanges.
const phase = "recorded"

// Options are what a checker works with.
type Options struct {
	Contract   *spec.Contract
	Operations []*spec.Operation // those that are checked
	URL        *url.URL          // of the backend; nil: any
	Checks     *checks.Checker
	// Show returns an exchange as reports show it; base comes before its path.
	Show func(base string, x *checks.Exchange) report.Sent
	// HideIn returns a text about an exchange without credentials.
	HideIn func(x *checks.Exchange, text string) string
	Clock  func() time.Time
}

// Checker checks both sides of recorded exchanges, one after the other.
type Checker struct {
	Options
	Collector *findings.Collector
	Requests  int // that were checked

	router     *route.Router
	operations map[*spec.Operation]*checkedOperation
	base       string             // of the current entry
	skipped    map[string]*sample // entries, by reason
	// credentialsSeen says that a request had the credentials that it needs. bare are
	// accepted requests without them, at most maxBare of bareCount.
	credentialsSeen bool
	bare            []*checks.Exchange
	bareCount       int
}

// checkedOperation is an operation whose recorded exchanges are checked.
type checkedOperation struct {
	validator *validate.Validator
	policy    *auth.Policy
	accepted  bool // a request to it succeeded
}

// sample counts entries, and names some of them.
type sample struct {
	count int
	names []string
	more  bool // there are other names
}

const (
	maxNamed   = 5    // entries that a reason names
	maxReasons = 100  // for skipping
	maxBare    = 1000 // accepted requests without credentials that are kept
)

// NewChecker makes a checker.
func NewChecker(o Options) *Checker {
	c := &Checker{Options: o, router: route.New(o.Contract), operations: map[*spec.Operation]*checkedOperation{},
		skipped: map[string]*sample{}}
	for _, op := range o.Operations {
		c.operations[op] = &checkedOperation{validator: validate.New(op), policy: auth.New(op)}
	}
	c.Collector = findings.NewCollector(findings.Options{
		Contract: o.Contract, Operations: o.Operations, Clock: o.Clock,
		Show: func(x *checks.Exchange) report.Sent { return o.Show(c.base, x) }, HideIn: o.HideIn,
		Hide: func(text string) string { return text },
	})
	c.Collector.BeginPhase(phase, "recorded exchanges")
	return c
}

// Add checks one entry, or notes why it does not. fault says why no whole response came; nil if one came.
func (c *Checker) Add(e *recording.Entry, fault *wire.Fault) {
	name := e.Request.Method + " " + e.Request.Path
	if e.Reason != "" {
		c.skip(e.Reason, name)
		return
	}
	c.base = cmp.Or(e.Origin, "http://localhost")
	if c.URL != nil {
		c.base = strings.TrimSuffix(c.URL.String(), "/")
		if reason := c.relativize(e); reason != "" {
			c.skip(reason, name)
			return
		}
	}
	var m route.Match
	switch c.find(e.Request, &m) {
	case route.NotFound:
		c.skip("the document has no such path", e.Request.Method+" "+e.Origin+e.Request.Path)
	case route.MethodNotAllowed:
		c.checkUndocumented(e, name, fault)
	default:
		if c.operations[m.Operation] == nil {
			c.skip("of an operation that was not chosen", findings.OperationName(m.Operation))
			return
		}
		c.check(e, &m, fault)
	}
}

// relativize removes the backend's own path from an entry's. It says why the entry
// is not one of the backend's.
func (c *Checker) relativize(e *recording.Entry) string {
	if e.Origin == "" {
		return ""
	}
	if e.Origin != recording.Origin(c.URL) {
		return "went to another origin, " + e.Origin
	}
	path, inside := strings.CutPrefix(e.Request.Path, strings.TrimSuffix(c.URL.EscapedPath(), "/"))
	if !inside || path != "" && path[0] != '/' {
		return "not below " + c.URL.String()
	}
	e.Request.Path = cmp.Or(path, "/")
	return ""
}

// find finds the operation of a request. HEAD is GET's if the document has none (RFC 9110 section 9.3.2).
func (c *Checker) find(r *exchange.Request, m *route.Match) route.Result {
	found := c.router.Find(r.Method, r.Path, m)
	if found == route.MethodNotAllowed && r.Method == "HEAD" {
		found = c.router.Find("GET", r.Path, m)
	}
	var all []*validate.Validator
	for _, o := range m.Alternatives {
		if chosen := c.operations[o]; chosen != nil {
			all = append(all, chosen.validator)
		}
	}
	if len(all) > 0 {
		m.Operation = validate.Fitting(r, m.Values, all)[0]
		m.Names = m.Operation.Variables()
	}
	return found
}

func (c *Checker) checkUndocumented(e *recording.Entry, name string, fault *wire.Fault) {
	_, preflight := e.Request.Header.Get("Access-Control-Request-Method")
	if e.Request.Method == "OPTIONS" && preflight {
		c.skip("a preflight of CORS", name)
		return
	}
	var m route.Match
	for _, method := range c.router.Allowed(e.Request.Path) {
		if c.router.Find(method, e.Request.Path, &m) == route.Found && c.operations[m.Operation] != nil {
			break
		}
		m.Operation = nil
	}
	if m.Operation == nil {
		c.skip("of an operation that was not chosen", name)
		return
	}
	x := c.exchange(e, &m, fault)
	x.Case.Expected = cases.NotAllowed
	if !x.Succeeded() {
		x.Recorded.Findings = []exchange.Finding{{
			Code: "undocumented-method", Message: "method " + e.Request.Method + " is not documented", In: exchange.InRequest,
			Document: m.Operation.Place,
		}}
	}
	c.Collector.Add(x, c.Checks.Check(x))
}

func (c *Checker) exchange(e *recording.Entry, m *route.Match, fault *wire.Fault) *checks.Exchange {
	c.Requests++
	one := &cases.Case{
		Operation: m.Operation, Phase: phase, Title: fmt.Sprintf("entry %d", e.Number), Request: e.Request,
		Path: map[string]string{},
	}
	for i, name := range m.Names {
		one.Path[name] = m.Values[i]
	}
	return &checks.Exchange{
		Case: one, Request: e.Request, Result: wire.Result{Response: e.Response, Took: e.Took, Fault: fault},
		Recorded: &checks.Recorded{HeadUnknown: e.HeadCut, BodyUnknown: e.ResponseCut},
	}
}

func (c *Checker) check(e *recording.Entry, m *route.Match, fault *wire.Fault) {
	x, o := c.exchange(e, m, fault), c.operations[m.Operation]
	if e.RequestCut || e.ResponseCut && fault == nil {
		c.skip("the check of a body: the recording lacks a part of it",
			fmt.Sprintf("%s (entry %d)", findings.OperationName(m.Operation), e.Number))
	}
	x.Denied = c.Checks.Denies(x)
	_, found := o.validator.Request(e.Request, m.Values)
	if e.RequestCut {
		found = slices.DeleteFunc(found, func(f exchange.Finding) bool { return f.In == exchange.InBody })
	}
	x.Recorded.Findings, x.Recorded.Undeclared = found, o.validator.Unknown(e.Request)
	switch {
	case c.lacksCredentials(m.Operation, e.Request):
		if x.Succeeded() {
			c.bareCount++
			if len(c.bare) < maxBare {
				c.bare = append(c.bare, x)
			}
		}
	case len(found) > 0:
		x.Case.Expected, x.Case.Violation = cases.Refused, &found[0]
	default:
		x.Case.Expected = cases.Accepted
		if x.Status() == 422 {
			x.Case.Uncertainty = "a backend may have reasons that are not in the document"
		}
	}
	if security := m.Operation.Security; len(security) > 0 {
		x.Case.Credentials = cases.GivenFor(security[0])
	}
	c.Collector.Add(x, c.Checks.Check(x))
	if x.Succeeded() && !o.accepted {
		o.accepted = true
		c.Collector.SetResult(m.Operation, true, "", nil)
	}
}

// lacksCredentials reports whether a request lacks those that its operation
// requires. A word in the place of one that was redacted counts.
func (c *Checker) lacksCredentials(o *spec.Operation, r *exchange.Request) bool {
	r.ClientCertificate = true // which recordings do not show
	missing := slices.ContainsFunc(c.operations[o].policy.Check(r),
		func(f exchange.Finding) bool { return f.Code == auth.CodeMissing })
	optional := slices.ContainsFunc(o.Security, func(alternative spec.Requirement) bool { return len(alternative) == 0 })
	if !missing && len(o.Security) > 0 && !optional {
		c.credentialsSeen = true
	}
	return missing
}

// Finish checks what only the whole recording shows. Accepted requests without credentials are a fault of the
// backend if others had them; else the recording was cleaned of them, as browsers do.
func (c *Checker) Finish() {
	check, used := c.Checks.Has("credentials-ignored")
	switch {
	case c.bareCount > 0 && !c.credentialsSeen:
		c.Collector.Skip(report.Skipped{
			Phase: phase, Cases: c.bareCount,
			Reason: "whether credentials are looked at: the recording has none, as browsers leave them out",
		})
	case used:
		for _, x := range c.bare {
			c.Collector.Report(x, []checks.Violation{{
				Check: check, Message: fmt.Sprintf("accepted with %d: no credentials", x.Status()), About: "credentials",
				Place: x.Case.Operation.Place, Cause: "no credentials",
			}})
		}
	}
	for reason, s := range c.skipped {
		if names := strings.Join(s.names, ", "); names != "" {
			reason += ": " + names
		}
		if s.more {
			reason += ", …"
		}
		c.Collector.Skip(report.Skipped{Phase: phase, Cases: s.count, Reason: reason})
	}
}

func (c *Checker) skip(reason, name string) {
	if c.skipped[reason] == nil && len(c.skipped) >= maxReasons {
		reason = "for other reasons"
	}
	s := c.skipped[reason]
	if s == nil {
		s = &sample{}
		c.skipped[reason] = s
	}
	s.count++
	switch {
	case slices.Contains(s.names, name):
	case len(s.names) < maxNamed:
		s.names = append(s.names, name)
	default:
		s.more = true
	}
}
