package mock

import (
	"errors"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/state"
)

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
		return &control.Failure{Status: 404, Detail: "there is no session " + strconv.Quote(shorten(name))}
	}
	if with == "" {
		with = state.Default // a label
	}
	switch action {
	case "reset":
		s.sessions.Reset(name)
	case "delete":
		s.sessions.Delete(name)
		s.forgetCoverage(found.Name)
	case "rewind":
		found.Value().play(s, s.current.Load()).counters.Reset()
	case "snapshot":
		if err := found.Snapshot(with); err != nil {
			return &control.Failure{Status: 409, Detail: err.Error()}
		}
	case "restore":
		if !found.Restore(with) {
			return &control.Failure{Status: 404, Detail: "session " + strconv.Quote(name) + " has no snapshot " + strconv.Quote(shorten(with))}
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
