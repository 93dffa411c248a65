package mock

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// How a request names its session, beside Prefer: session=NAME.
const (
	sessionField  = "Coldframe-Session"
	sessionCookie = "coldframe-session"
)

// session is one client's items and what it has done.
type session = state.Session[*memory]

// memory is what a session has beside its items. It is safe for concurrent
// use.
type memory struct {
	scenarios *scenario.Session
	replies   *resources.Replies
}

func newMemory() *memory { return &memory{&scenario.Session{}, resources.NewReplies()} }

func (m *memory) fork() *memory { return &memory{m.scenarios.Fork(), m.replies.Fork()} }

// newSessions makes the sessions of a server.
func newSessions(s *Server, base *state.View) *state.Sessions[*memory] {
	return state.NewSessions(base, state.SessionOptions[*memory]{
		Limits:   state.Limits{Items: s.options.MaxItems, Bytes: s.options.MaxState, Dropped: func(int) { s.warnDropped() }},
		Sessions: s.options.MaxSessions,
		New:      newMemory,
		Fork:     (*memory).fork,
	})
}

// sessionName gives the name of the session that a request's fields choose, ""
// where they choose none.
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

// sessionOf gives the session that a request chooses. A name that no session can
// have is refused: the request would meet the data of others.
func (s *Server) sessionOf(q *respond.Request) (*session, *respond.Refusal) {
	found, err := s.sessions.Get(cmp.Or(q.Preferences.Session, sessionName(q.Header), state.Default))
	if err != nil {
		return s.sessions.Lookup(""), &respond.Refusal{Status: 400, Findings: []exchange.Finding{{
			Code: "malformed-session", Message: err.Error(), In: exchange.InHeader, Name: sessionField,
		}}}
	}
	return found, nil
}

// sessionControl is what the control API may do with sessions.
func (s *Server) sessionControl() control.Sessions {
	return control.Sessions{
		Of: chosenSession,
		State: func(name string) *state.State {
			if found := s.sessions.Lookup(name); found != nil {
				return found.State
			}
			return nil
		},
		Base: func() *state.View { return s.sessions.Base() },
		Enter: func(name string) (*state.State, error) {
			entered, err := s.sessions.Get(name)
			if err != nil {
				return nil, err
			}
			return entered.State, nil
		},
		List: func() []string {
			var names []string
			for _, one := range s.sessions.List() {
				names = append(names, one.Name)
			}
			return names
		},
		Snapshots: func(name string) []string {
			if found := s.sessions.Lookup(name); found != nil {
				return found.Snapshots()
			}
			return nil
		},
		Change: s.changeSession,
	}
}

// chosenSession gives the session that fields choose, Prefer among them.
func chosenSession(h exchange.Header) string {
	if p, _ := prefer.Read(&exchange.Request{Header: h}); p.Session != "" {
		return p.Session
	}
	return sessionName(h)
}

func (s *Server) changeSession(name, action, with string) *control.Failure {
	found := s.sessions.Lookup(name)
	if found == nil && (action == "reset" || action == "rewind") && state.CheckName(name) == nil {
		return nil // it will be as new
	}
	if found == nil && action != "fork" {
		return &control.Failure{Status: 404, Detail: "there is no session " + strconv.Quote(exchange.Shorten(name, 200))}
	}
	if with == "" {
		with = state.Default // a label
	}
	switch action {
	case "reset":
		s.sessions.Reset(name)
	case "delete":
		s.sessions.Delete(name)
		s.current.Load().forgetCoverage(found.Name)
	case "rewind":
		found.Value().scenarios.View(s.current.Load().scenarios).State.Reset()
	case "snapshot":
		if err := found.Snapshot(with); err != nil {
			return &control.Failure{Status: 409, Detail: err.Error()}
		}
	case "restore":
		if !found.Restore(with) {
			detail := fmt.Sprintf("session %q has no snapshot %q", name, exchange.Shorten(with, 200))
			return &control.Failure{Status: 404, Detail: detail}
		}
	case "fork":
		if _, err := s.sessions.Fork(name, with); err != nil {
			status := 400
			if errors.Is(err, state.ErrSession) {
				status = 409
			}
			return &control.Failure{Status: status, Detail: err.Error()}
		}
	}
	return nil
}
