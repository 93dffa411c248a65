package control

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// scenarios returns the scenarios of a session and its state of them; it creates the session if necessary. For nil it
// returns the scenarios for all sessions, and the state of each session.
func (h *Handler) scenarios(session *string) (*scenario.Book, []*scenario.State, error) {
	set := h.Served().Scenarios
	if session != nil {
		s, _, err := h.Sessions.Get(*session)
		if err != nil {
			return nil, nil, &Failure{Status: 400, Detail: err.Error()}
		}
		view := s.Value().Scenarios.View(set)
		return view.Book, []*scenario.State{view.State}, nil
	}
	var states []*scenario.State
	for _, s := range h.Sessions.List() {
		states = append(states, s.Value().Scenarios.View(set).State)
	}
	return set.Book, states, nil
}

func (h *Handler) describe(s *scenario.Scenario, session *string, states []*scenario.State) client.Scenario {
	d := client.Scenario{
		Name: s.Name, Description: s.Description, File: cmp.Or(s.File, s.Name+".yaml"), Active: s.Active,
		States: s.States(), Rules: []client.Rule{},
		ResetAt: h.Served().Scenarios.ResetAt(s).UTC(),
	}
	if session != nil {
		d.State = states[0].Current(s)
	}
	for _, r := range s.All {
		rule := client.Rule{Number: r.Number, Line: r.Place.Line, On: r.On, Description: r.Description}
		for _, st := range states {
			rule.Matched += st.Applied(r)
		}
		d.Rules = append(d.Rules, rule)
	}
	return d
}

func (h *Handler) listScenarios(c *call) (any, error) {
	book, states, err := h.scenarios(c.session())
	if err != nil {
		return nil, err
	}
	list := []client.Scenario{}
	for _, s := range book.Scenarios {
		list = append(list, h.describe(s, c.session(), states))
	}
	return map[string]any{"scenarios": list}, nil
}

func (h *Handler) scenario(c *call, session *string) (*scenario.Scenario, []*scenario.State, error) {
	book, states, err := h.scenarios(session)
	if err != nil {
		return nil, nil, err
	}
	if s := book.Scenario(c.path("name")); s != nil {
		return s, states, nil
	}
	names, others := book.Names(), ""
	if len(names) > 20 {
		names, others = names[:20], " and others"
	}
	known := "there are " + cmp.Or(strings.Join(names, ", "), "none") + others
	return nil, nil, &Failure{Status: 404, Detail: fmt.Sprintf("there is no scenario %q; %s", c.path("name"), known)}
}

func (h *Handler) getScenario(c *call) (any, error) {
	s, states, err := h.scenario(c, c.session())
	if err != nil {
		return nil, err
	}
	d := h.describe(s, c.session(), states)
	d.Text = string(s.Source)
	return d, nil
}

// putScenario handles a body with the text of a file.
func (h *Handler) putScenario(c *call) (any, error) {
	text := scenario.Text{Name: c.path("name"), Text: slices.Clone(c.request.Body)}
	return h.put(c, func(ch *scenario.Changes) *scenario.Changes { return ch.Put(text) })
}

// replaceScenarios handles a body with all texts.
func (h *Handler) replaceScenarios(c *call, body struct{ Scenarios []client.Text }) (any, error) {
	texts := make([]scenario.Text, len(body.Scenarios))
	for i, s := range body.Scenarios {
		texts[i] = scenario.Text{Name: s.Name, Text: []byte(s.Text)}
	}
	return h.put(c, func(*scenario.Changes) *scenario.Changes { return scenario.Replacement(texts) })
}

// put changes scenarios and returns the warnings.
func (h *Handler) put(c *call, edit scenario.Edit) (any, error) {
	findings, err := h.ChangeScenarios(c.session(), edit)
	if err != nil {
		return nil, err
	}
	return map[string]any{"findings": append([]exchange.Finding{}, findings...)}, nil
}

// saveScenario writes the text of a scenario to a file.
func (h *Handler) saveScenario(c *call) (any, error) {
	if !h.AllowEdit {
		return nil, &Failure{Status: 409, Detail: "files are written only with the option allow-edit"}
	}
	s, _, err := h.scenario(c, c.session())
	if err != nil {
		return nil, err
	}
	file, err := s.Save(h.ScenarioFiles)
	switch {
	case errors.Is(err, scenario.ErrNotSaved):
		return nil, &Failure{Status: 409, Detail: err.Error()}
	case err != nil:
		return nil, &Failure{Status: 500, Detail: err.Error()}
	}
	return map[string]string{"file": file}, nil
}

func (h *Handler) switchScenario(c *call, body struct{ Active bool }) (any, error) {
	name := c.path("name")
	return h.edit(c, func(ch *scenario.Changes) *scenario.Changes { return ch.Switch(name, body.Active) })
}

func (h *Handler) deleteScenario(c *call) (any, error) {
	name := c.path("name")
	return h.edit(c, func(ch *scenario.Changes) *scenario.Changes { return ch.Delete(name) })
}

func (h *Handler) edit(c *call, edit scenario.Edit) (any, error) {
	if _, _, err := h.scenario(c, c.session()); err != nil {
		return nil, err
	}
	_, err := h.put(c, edit)
	return nil, err
}

func (h *Handler) restoreScenarios(c *call) (any, error) {
	_, err := h.put(c, func(*scenario.Changes) *scenario.Changes { return nil })
	return nil, err
}

func (h *Handler) getScenarioState(c *call) (any, error) {
	s, states, err := h.scenario(c, c.oneSession())
	if err != nil {
		return nil, err
	}
	return map[string]any{"state": states[0].Current(s), "states": append([]string{}, s.States()...)}, nil
}

func (h *Handler) setScenarioState(c *call, body struct{ State string }) (any, error) {
	s, states, err := h.scenario(c, c.oneSession())
	if err != nil {
		return nil, err
	}
	if err := states[0].SetCurrent(s, body.State); err != nil {
		return nil, invalid(422, exchange.Finding{
			Code: scenario.CodeState, Message: err.Error(), In: exchange.InBody, Pointer: "/state",
		})
	}
	return nil, nil
}

func (h *Handler) rewindScenario(c *call) (any, error) {
	s, states, err := h.scenario(c, c.oneSession())
	if err != nil {
		return nil, err
	}
	states[0].ResetScenario(s)
	return nil, nil
}
