package mock

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// scenarioControl is what the control API may do with scenarios.
func (s *Server) scenarioControl() control.Scenarios {
	return control.Scenarios{
		Of: func(name *string) (*scenario.Book, []*scenario.State, *control.Failure) {
			set := s.current.Load().scenarios
			if name == nil {
				var states []*scenario.State
				for _, one := range s.sessions.List() {
					states = append(states, one.Value().scenarios.View(set).State)
				}
				return set.Book, states, nil
			}
			found, err := s.sessions.Get(*name)
			if err != nil {
				return nil, nil, &control.Failure{Status: 400, Detail: err.Error()}
			}
			view := found.Value().scenarios.View(set)
			return view.Book, []*scenario.State{view.State}, nil
		},
		Change: s.changeScenarios,
	}
}

// changeScenarios changes the scenarios of one session, or those for all. The
// findings are on the scenarios that are put; where one is an error, nothing is
// changed.
func (s *Server) changeScenarios(name *string, edit scenario.Edit) ([]exchange.Finding, *control.Failure) {
	s.changing.Lock()
	defer s.changing.Unlock()
	c := s.current.Load()
	total := c.scenarios.Size()
	for _, one := range s.sessions.List() {
		total += one.Value().scenarios.Size()
	}
	var findings []exchange.Finding
	var err error
	if name == nil {
		changed := *c
		if changed.scenarios, findings, err = c.scenarios.Change(edit, total); err == nil {
			s.current.Store(&changed)
		}
	} else {
		found, unknown := s.sessions.Get(*name)
		if unknown != nil {
			return nil, &control.Failure{Status: 400, Detail: unknown.Error()}
		}
		findings, err = found.Value().scenarios.Change(c.scenarios, edit, total)
	}
	switch {
	case err == nil:
		return findings, nil
	case errors.Is(err, scenario.ErrInvalid):
		return findings, &control.Failure{Status: 422, Findings: findings}
	}
	return nil, &control.Failure{Status: 409, Detail: err.Error()}
}

// chooseScenario finds the scenario that a request asks for, nil where it asks for
// none.
func chooseScenario(scenarios *scenario.View, preferences *prefer.Preferences) (*scenario.Scenario, *respond.Refusal) {
	if !preferences.Has(prefer.Scenario) {
		return nil, nil
	}
	name := preferences.Scenario
	if chosen := scenarios.Scenario(name); chosen != nil {
		return chosen, nil
	}
	loaded := "none is loaded (option scenario)"
	if names := scenarios.Names(); len(names) > 0 {
		loaded = "loaded: " + strings.Join(names, ", ")
	}
	preferences.Given &^= prefer.Of(prefer.Scenario) // it is not applied
	return nil, malformedPreference(fmt.Sprintf("there is no scenario %q; %s", name, loaded))
}

// scenarioRequest gives a request as the expressions of scenarios see it.
func scenarioRequest(q *respond.Request) *scenario.Request {
	return &scenario.Request{
		Method: q.Method,
		Path:   q.Path,
		Params: q.Values.Path,
		Query:  queryValues(q.Query, q.Values.Query),
		Header: q.Header,
		Body:   q.Values.Body,
	}
}

// queryValues gives the parameters of a query as expressions see them: the
// documented ones decoded, the others as text.
func queryValues(query string, decoded map[string]any) map[string]any {
	if query == "" {
		return decoded
	}
	sent, _ := url.ParseQuery(query)
	all := make(map[string]any, len(sent))
	for name, values := range sent {
		if len(values) == 1 {
			all[name] = values[0]
			continue
		}
		list := make([]any, len(values))
		for i, v := range values {
			list[i] = v
		}
		all[name] = list
	}
	maps.Copy(all, decoded)
	return all
}
