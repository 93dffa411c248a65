package mock

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/loading"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/fixtures"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/logins"
	"github.com/coldframe/coldframe/mock/internal/memory"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/replay"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/sessionfile"
	"github.com/coldframe/coldframe/mock/internal/state"
	"github.com/coldframe/coldframe/report/coverage"
)

// Session is an isolated copy of a mock's state: items, the state of scenarios and
// the journal of its requests. It is safe for concurrent use.
type Session struct {
	server *Server
	name   string
}

// Session returns the session with a name of 1 to 64 visible ASCII characters; "" is the session of requests that
// name none. It is created at its first request, with the initial state of the mock.
func (s *Server) Session(name string) *Session {
	return &Session{s, cmp.Or(name, state.Default)}
}

// Name returns the name that requests send in the field Coldframe-Session.
func (s *Session) Name() string { return s.name }

// Transport returns a RoundTripper that adds the session's name and sends requests through next; nil is the mock's
// own, without a socket.
func (s *Session) Transport(next http.RoundTripper) http.RoundTripper {
	if next == nil {
		next = s.server.Transport()
	}
	return inSession{s.name, next}
}

// Client returns an http.Client for the session, without a socket.
func (s *Session) Client() *http.Client { return &http.Client{Transport: s.Transport(nil)} }

type inSession struct {
	name string
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (t inSession) RoundTrip(r *http.Request) (*http.Response, error) {
	named := r.Clone(r.Context()) // a RoundTripper must not change the request
	named.Header.Set(sessionField, t.name)
	return t.next.RoundTrip(named)
}

// inJournal returns the session's name in the journal.
func (s *Session) inJournal() string {
	if s.name == state.Default {
		return ""
	}
	return s.name
}

// Requests returns the session's exchanges of the journal, like Server.Requests.
func (s *Session) Requests() []*Entry {
	name := s.inJournal()
	f := journal.Filter{Session: &name}
	entries, _ := s.server.journal.Entries()
	return plainEntries(f.Choose(entries))
}

// Verify compares the session's exchanges with an expectation. The error is a *VerifyError.
func (s *Session) Verify(e Expectation) error {
	name := s.inJournal()
	e.Session = &name
	return s.server.Verify(e)
}

// Coverage reports what of the document the requests of the session used.
func (s *Session) Coverage() *coverage.Report {
	c := s.server.current.Load().coverage
	if report := c.Session(s.name); report != nil {
		return report
	}
	return c.Empty(s.name)
}

// Now returns the time in the session; see Options.Now.
func (s *Session) Now() time.Time { return timeIn(s.server, s.name) }

// Advance moves the time in the session, forward or back: tokens expire, rules with after begin to apply, and new
// items get later times. A reset undoes it, and a snapshot includes it.
func (s *Session) Advance(by time.Duration) error {
	found, _, err := s.server.sessions.Get(s.name)
	if err != nil {
		return err
	}
	return found.Value().Clock.Advance(by)
}

// SetTime sets the time in the session. It needs Options.Now "fixed", with which it then stands still, or "real",
// with which it runs on from there.
func (s *Session) SetTime(at time.Time) error {
	if s.server.options.clockMode() == "session" {
		return &OptionError{"Now", "items have a clock of their own; use Advance, or another value"}
	}
	found, _, err := s.server.sessions.Get(s.name)
	if err != nil {
		return err
	}
	return found.Value().Clock.Set(at)
}

// timeIn returns the time in a session, even if nobody has used the session yet.
func timeIn(s *Server, session string) time.Time {
	if found := s.sessions.Lookup(session); found != nil {
		return found.Value().Clock.Now()
	}
	return s.now()
}

// Reset restores the initial state of the session and drops its exchanges. Its coverage stays.
func (s *Session) Reset() {
	s.server.sessions.Reset(s.name)
	s.server.journal.ClearSession(s.inJournal())
}

// Close drops the session, its state and its coverage. Its exchanges stay.
func (s *Session) Close() {
	s.server.sessions.Delete(s.name)
	s.server.current.Load().coverage.Forget(func(name string) bool { return name == s.name })
}

// The ways in which a request names its session, beside Prefer: session=NAME.
const (
	sessionField  = "Coldframe-Session"
	sessionCookie = "coldframe-session"
)

// session has one client's items and the control API's memory of it.
type session = state.Session[*control.Memory]

func newSessions(s *Server, base *state.View) *state.Sessions[*control.Memory] {
	shares := int64(5) // see Options.share
	if s.issuer != nil {
		shares++
	}
	return state.NewSessions(base, state.SessionOptions[*control.Memory]{
		Limits: state.Limits{
			Items: s.options.Limits.MaxItems, Bytes: s.options.Limits.MaxState,
			Dropped: func(int) { s.warnDropped() },
		},
		Sessions: s.options.Limits.MaxSessions,
		Memory:   s.options.Limits.Memory - shares*int64(s.options.share()) - s.options.replayed(),
		New: func() *control.Memory {
			clock := state.NewClock(s.now)
			return &control.Memory{
				Scenarios: &scenario.Session{Now: clock.Now}, Replies: s.newReplies(), Logins: newLogins(s, clock), Clock: clock,
				Replayed: new(replay.Session),
			}
		},
		Clock: func(m *control.Memory) *state.Clock { return m.Clock },
		Fork: func(m *control.Memory) *control.Memory {
			clock := m.Clock.Fork()
			return &control.Memory{
				Scenarios: m.Scenarios.Fork(clock.Now), Replies: m.Replies.Fork(), Logins: m.Logins.Fork(clock.Now),
				Clock: clock, Base: m.Base, Replayed: m.Replayed.Fork(),
			}
		},
		Size: func(m *control.Memory) int64 {
			c := s.current.Load()
			size := m.Replies.Bytes() + m.Logins.Bytes() + m.Scenarios.Memory(c.scenarios) + c.coverage.SessionMemory() +
				m.Replayed.Bytes()
			if m.Base != nil {
				size += m.Base.Memory()
			}
			return size
		},
		Shed: func(m *control.Memory) (int, int64) {
			replies, repliesBytes := m.Replies.Clear()
			logins, loginsBytes := m.Logins.Clear()
			return replies + logins, repliesBytes + loginsBytes
		},
		Shedding: "idempotency keys and logins",
		Dropped: func(reason string, names []string) {
			s.current.Load().coverage.Forget(func(name string) bool { return slices.Contains(names, name) })
			for _, name := range names {
				s.log.note("session %s is dropped: %s", name, reason)
			}
		},
		Lost: func(l memory.Loss) {
			s.log.note("the memory is full (option memory): %d %s are dropped, %s", l.Dropped, l.Name, sizeText(int(l.Bytes)))
		},
	})
}

func (s *Server) newReplies() *resources.Replies {
	return resources.NewReplies(func(bytes int64) { s.sessions.Grow(bytes) })
}

func newLogins(s *Server, clock *state.Clock) *logins.Store {
	return logins.NewStore(func(bytes int64) { s.sessions.Grow(bytes) }, clock.Now)
}

// seedState replaces the items of a session by the items in a data file's text, as a whole or not at all. The
// findings are warnings.
func (s *Server) seedState(name string, text []byte) ([]exchange.Finding, error) {
	found, _, err := s.sessions.Get(name)
	if err != nil {
		return nil, &control.Failure{Status: 400, Detail: err.Error()}
	}
	o := s.options.fixtures(spec.ValueBudget(s.options.Load.MaxDocument))
	o.Paths, o.Texts = nil, []fixtures.Text{{Name: "body", Text: text}}
	o.In = state.NewFrom(found.State.View(), o.Limits) // versions continue
	o.In.ClearAll()
	c := s.current.Load()
	ctx, cancel := loading.WithTimeout(s.context, s.options.Load.Timeout)
	defer cancel()
	loaded, findings, err := fixtures.Load(ctx, c.resources, c.router, o)
	switch {
	case err != nil:
		return nil, &control.Failure{Status: 422, Detail: err.Error()}
	case len(findings) > 0:
		for i, f := range findings {
			if f.Document.Pointer != "" {
				findings[i].Message = f.Document.Pointer + ": " + f.Message
			}
		}
		return nil, &control.Failure{Status: 422, Findings: findings}
	case loaded.View.Memory() > s.options.Limits.Memory/2:
		return nil, &control.Failure{Status: 422, Detail: "the items take more than half of the option memory"}
	}
	kept := found.Value()
	found.Replace(loaded.View, &control.Memory{
		Scenarios: kept.Scenarios, Replies: s.newReplies(), Logins: newLogins(s, kept.Clock), Clock: kept.Clock,
		Base: loaded.View, Replayed: new(replay.Session),
	})
	return loaded.Warnings, nil
}

// Export writes the session as a file with which another process continues it: see Options.Session and Import. It has
// the document, the items as clients sent them, and digests of passwords and tokens.
func (s *Session) Export(to io.Writer) error {
	found, _, err := s.server.sessions.Get(s.name)
	if err != nil {
		return err
	}
	return s.server.exportSession(found, func(text []byte) error {
		_, err := to.Write(text)
		return err
	})
}

// Import replaces the session by one that Export has written. The findings list differences between the document and
// the options in the file and in the mock. If there is an error, nothing is changed.
func (s *Session) Import(file []byte) ([]exchange.Finding, error) {
	return s.server.importSession(s.name, file)
}

// answering returns pointers to the options that decide responses, by their names in session files.
func (o *Options) answering() map[string]any {
	return map[string]any{
		"seed": &o.Values.Seed, "locale": &o.Values.Locale, "dynamic": &o.Values.Dynamic, "examples": &o.Values.Examples,
		"strict-responses": &o.Values.StrictResponses, "image-urls": &o.Values.ImageURLs, "fill": &o.Values.Fill,
		"values":     &savedTree{&o.Values.Overrides.Values, "values"},
		"seed-items": &o.State.SeedItems, "unknown-items": &o.State.UnknownItems, "stateless": &o.State.Stateless,
		"resources": &savedTree{&o.State.Resources.Resources, "resources"},
		"validate":  &o.Validate, "undeclared": &o.Undeclared, "delay": &o.Delay, "clock": &o.Now,
		"auth": &o.Auth.Mode, "audience": &o.Auth.Audiences, "token-ttl": &o.Auth.TokenTTL, "mutual-tls": &o.Auth.MutualTLS,
		"ignore-unreadable-refs": &o.Load.IgnoreUnreadableRefs,
	}
}

// savedTree is a section of coldframe.yaml in a session file.
type savedTree struct {
	root **tree.Node
	name string
}

// MarshalJSON implements json.Marshaler.
func (t *savedTree) MarshalJSON() ([]byte, error) {
	if *t.root == nil {
		return []byte("null"), nil
	}
	return jsontext.Marshal((*t.root).Value()), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *savedTree) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	root, findings, err := tree.Read(t.name, text)
	if err == nil && len(findings) > 0 {
		err = errors.New(exchange.Join(findings))
	}
	*t.root = root
	return err
}

// openSession reads the option Session, and sets the options that decide responses to the file's.
func (o *Options) openSession() (err error) {
	if o.Session == nil {
		return nil
	}
	if o.opened, err = sessionfile.Read(o.Session); err != nil {
		return &OptionError{"Session", err.Error()}
	}
	o.Session = nil
	if o.Scenarios == nil && o.ScenarioTexts == nil { // a reset restores them
		for _, one := range o.opened.Scenarios.Scenarios {
			o.ScenarioTexts = append(o.ScenarioTexts, Text{one.Name + ".yaml", []byte(one.Text)})
		}
	}
	o.ahead = o.opened.Time.Add(-o.opened.Ahead).Sub(o.Clock())
	answering := o.answering()
	for name, value := range o.opened.Options {
		into := answering[name]
		if into == nil {
			return &OptionError{"Session", fmt.Sprintf("/options has %q, which this program does not know", name)}
		}
		if err := json.Unmarshal(value, into); err != nil {
			return &OptionError{"Session", fmt.Sprintf("/options/%s: %v", name, err)}
		}
	}
	return nil
}

// continueSession loads the option Session into the session of requests that name none, and into the session of its
// name.
func (s *Server) continueSession() error {
	f := s.options.opened
	if f == nil {
		return nil
	}
	findings, err := s.loadSession(state.Default, f)
	if failure, ok := errors.AsType[*control.Failure](err); ok && len(failure.Findings) > 0 {
		return &ScenarioError{failure.Findings}
	} else if ok {
		return &OptionError{"Session", failure.Detail}
	}
	c := *s.current.Load()
	c.findings = slices.Concat(findings, c.findings)
	s.current.Store(&c)
	if f.Session != state.Default && state.CheckName(f.Session) == nil {
		_, err = s.sessions.Fork(state.Default, f.Session)
	}
	head := sessionfile.Head{Document: f.Document, Origin: f.Origin} // the rest is in the sessions
	s.options.opened = &sessionfile.File{Head: head, Initial: f.Initial}
	return err
}

// exportSession writes a session in pieces.
func (s *Server) exportSession(found *session, write func([]byte) error) error {
	c, kept := s.current.Load(), found.Copy()
	clock, err := s.options.clock()
	if err != nil {
		return err
	}
	value := kept.Value()
	h := sessionfile.Head{
		Session: found.Name, Document: sessionfile.NewDocument(c.Contract), Options: map[string]json.RawMessage{},
		Time: value.Clock.Now().UTC(), Ahead: value.Clock.Ahead(), Origin: clock.origin,
		Scenarios: value.Scenarios.View(c.scenarios).Save(), Logins: value.Logins.Save(), Created: value.Replies.Save(),
	}
	for name, option := range s.options.answering() {
		if h.Options[name], err = json.Marshal(option); err != nil {
			return err
		}
	}
	return h.Write(cmp.Or(value.Base, c.fixtures), kept.State.View(), write)
}

// importSession replaces a session by the one in a file.
func (s *Server) importSession(name string, text []byte) ([]exchange.Finding, error) {
	f, err := sessionfile.Read(text)
	if err != nil {
		return nil, &control.Failure{Status: 422, Detail: err.Error()}
	}
	return s.loadSession(name, f)
}

// loadSession replaces a session by the one in a file. The findings are warnings: how the mock differs from the one
// that wrote the file.
func (s *Server) loadSession(name string, f *sessionfile.File) ([]exchange.Finding, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	found, _, err := s.sessions.Get(name)
	if err != nil {
		return nil, &control.Failure{Status: 400, Detail: err.Error()}
	}
	refused := func(where string, err error) error {
		return &control.Failure{Status: 422, Detail: where + err.Error()}
	}
	c, clock := s.current.Load(), state.NewClock(s.now)
	if s.options.clockMode() == "session" { // the times of items do not follow from the time
		err = clock.Advance(f.Ahead)
	} else {
		err = clock.Set(f.Time)
	}
	if err != nil {
		return nil, refused("/time: ", err)
	}
	initial, err := f.Initial.Load()
	if err != nil {
		return nil, refused("/initial", err)
	}
	items, err := f.State.Load()
	if err != nil {
		return nil, refused("/state", err)
	}
	if initial.Memory()+items.Memory() > s.options.Limits.Memory/2 {
		return nil, &control.Failure{Status: 422, Detail: "the items take more than half of the option memory"}
	}
	scenarios, findings, err := f.Scenarios.Load(c.scenarios, clock.Now, s.scenarioBytes(c))
	if errors.Is(err, scenario.ErrInvalid) {
		return nil, &control.Failure{Status: 422, Findings: findings}
	} else if err != nil {
		return nil, refused("/scenarios", err)
	}
	logins, err := f.Logins.Load(func(bytes int64) { s.sessions.Grow(bytes) }, clock.Now)
	if err != nil {
		return nil, refused("", err)
	}
	replies := s.newReplies()
	replies.Load(f.Created)
	found.Replace(items, &control.Memory{
		Scenarios: scenarios, Replies: replies, Logins: logins, Clock: clock, Base: initial, Replayed: new(replay.Session),
	})
	return append(findings, s.otherwise(f)...), nil
}

// otherwise returns how the document and the options of a file differ from the mock's.
func (s *Server) otherwise(f *sessionfile.File) (findings []exchange.Finding) {
	differs := func(message string) {
		findings = append(findings, exchange.Finding{Code: "other-session", Severity: exchange.Warning, Message: message})
	}
	c := s.current.Load()
	if hash := c.Hash(); hash != f.Document.SHA256 {
		differs(fmt.Sprintf("%s differs from the document in the session file, so responses may differ, too: "+
			"its SHA-256 is %s, not %s", c.File, exchange.Shorten(hash, 12), exchange.Shorten(f.Document.SHA256, 12)))
	}
	for name, option := range s.options.answering() {
		if value, _ := json.Marshal(option); f.Options[name] != nil && string(value) != string(f.Options[name]) {
			differs(fmt.Sprintf("the option %s is %s, and %s in the session file", name, value, f.Options[name]))
		}
	}
	return exchange.Sort(findings)
}

// sessionName returns the name of the session in a request's fields, "" if none.
func sessionName(h exchange.Header) string {
	if name, ok := h.Get(sessionField); ok {
		return strings.TrimSpace(name)
	}
	for i := range h {
		if !strings.EqualFold(h[i].Name, "Cookie") {
			continue
		}
		for pair := range strings.SplitSeq(h[i].Value, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if name == sessionCookie {
				return strings.Trim(value, `"`)
			}
		}
	}
	return ""
}

// sessionOf returns the session that a request chooses, with a finding if it was dropped since its last request. An
// invalid name is refused: the request would otherwise meet the data of others.
func (s *Server) sessionOf(q *respond.Request) (*session, []exchange.Finding, *respond.Refusal) {
	found, wasDropped, err := s.sessions.Get(cmp.Or(q.Preferences.Session, sessionName(q.Header), state.Default))
	if err != nil {
		return s.sessions.Lookup(""), nil, &respond.Refusal{Status: 400, Findings: []exchange.Finding{{
			Code: "malformed-session", Message: err.Error(), In: exchange.InHeader, Name: sessionField,
		}}}
	}
	if wasDropped {
		return found, []exchange.Finding{{
			Code: "session-dropped", Severity: exchange.Warning, In: exchange.InHeader, Name: sessionField,
			Message: "the session " + found.Name + " was dropped since its last request, and begins anew; the log says why",
		}}, nil
	}
	return found, nil, nil
}

// chosenSession returns the session that fields choose, including Prefer.
func chosenSession(h exchange.Header) string {
	p, _ := prefer.Read(&exchange.Request{Header: h})
	return cmp.Or(p.Session, sessionName(h))
}
