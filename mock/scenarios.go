package mock

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// changeScenarios changes the scenarios of one session, or those for all. The findings are on the scenarios
// that are put; if one is an error, nothing is changed.
func (s *Server) changeScenarios(name *string, edit scenario.Edit) ([]exchange.Finding, error) {
	s.changing.Lock()
	defer s.changing.Unlock()
	c := s.current.Load()
	total := s.scenarioBytes(c)
	var findings []exchange.Finding
	var err error
	if name == nil {
		changed := *c
		if changed.scenarios, findings, err = c.scenarios.Change(edit, total); err == nil {
			s.current.Store(&changed)
		}
	} else {
		found, _, unknown := s.sessions.Get(*name)
		if unknown != nil {
			return nil, &control.Failure{Status: 400, Detail: unknown.Error()}
		}
		findings, err = found.Value().Scenarios.Change(c.scenarios, edit, total)
		s.sessions.Grow(found.Value().Scenarios.Memory(c.scenarios))
	}
	switch {
	case err == nil:
		return findings, nil
	case errors.Is(err, scenario.ErrInvalid):
		return findings, &control.Failure{Status: 422, Findings: findings}
	}
	return nil, &control.Failure{Status: 409, Detail: err.Error()}
}

// scenarioBytes returns the bytes of the texts of scenarios that were put, in all sessions.
func (s *Server) scenarioBytes(c *contract) int {
	total := c.scenarios.Size()
	for _, one := range s.sessions.List() {
		total += one.Value().Scenarios.Size()
	}
	return total
}

// chooseScenario returns the scenario that a request asks for, nil if it asks for none.
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
	preferences.Given &^= prefer.Of(prefer.Scenario) // the preference is not applied
	return nil, respond.RefusePreference(preferences.Finding(prefer.Scenario, prefer.CodeMalformed,
		fmt.Sprintf("there is no scenario %q; %s", name, loaded)))
}

func scenarioRequest(r *exchange.Request, values *decode.Values) *scenario.Request {
	return &scenario.Request{
		Method: r.Method, Path: r.Path, Header: r.Header,
		Params: values.Path, Query: queryValues(r.Query, values.Query), Body: values.Body(), Work: r.Work,
	}
}

// keptItems returns the items that a session keeps, and the one that a request's path names.
func keptItems(c *contract, in *state.State, q *respond.Request) scenario.Kept {
	return scenario.Kept{
		Item: func() ([]byte, time.Time) {
			if item := c.resources.Named(q.Operation.Operation, in, q.Values.Path, q.Work); item != nil {
				return c.resources.BodyOf(item), item.Created()
			}
			return nil, time.Time{}
		},
		Items: func(path string) (iter.Seq[[]byte], int, error) {
			collection, err := c.resources.CollectionAt(c.router, path)
			if err != nil {
				return nil, 0, err
			}
			view := in.View()
			return func(yield func([]byte) bool) {
				for item := range view.Items(collection, 0) {
					if !yield(c.resources.BodyOf(item)) {
						return
					}
				}
			}, view.Len(collection), nil
		},
	}
}

// queryValues returns the query parameters for expressions: the documented ones decoded, the others as text.
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
