package control

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Scenarios is the part of the mock that plays scenarios. A session of nil
// stands for all, one that does not exist is made.
type Scenarios struct {
	// For gives the scenarios of a session, and what their rules remember in it;
	// in every session for those of all.
	For func(session *string) (*scenario.Book, []*scenario.State, *Failure)
	// Change changes them, as a whole or not at all, and gives the findings on
	// what was put.
	Change func(session *string, edit func(*scenario.Changes) *scenario.Changes) ([]exchange.Finding, *Failure)
}

// session gives the session that the query names, nil for all.
func (c *call) session() *string {
	name, ok := c.Query["session"].(string)
	if !ok {
		return nil
	}
	return &name
}

// named gives the name of the path.
func (c *call) named() string {
	name, _ := c.Path["name"].(string)
	return name
}

// scenarioView is a scenario as it is shown.
type scenarioView struct {
	Name        string     `json:"name"`
	Description string     `json:"description,omitempty"`
	File        string     `json:"file"`
	Active      bool       `json:"active"`
	States      []string   `json:"states,omitempty"`
	State       string     `json:"state,omitempty"`
	Rules       []ruleView `json:"rules"`
	Text        string     `json:"text,omitempty"`
}

type ruleView struct {
	Number      int      `json:"number"`
	Line        int      `json:"line"`
	On          []string `json:"on"`
	Description string   `json:"description,omitempty"`
	Matched     uint64   `json:"matched"`
}

func view(s *scenario.Scenario, session *string, states []*scenario.State) scenarioView {
	v := scenarioView{Name: s.Name, Description: s.Description, File: s.File, Active: s.Active, States: s.States(), Rules: []ruleView{}}
	if session != nil {
		v.State = states[0].Current(s)
	}
	for _, r := range s.Outline() {
		shown := ruleView{Number: r.Number, Line: r.Place.Line, On: r.On, Description: r.Description}
		for _, st := range states {
			shown.Matched += st.Applied(r)
		}
		v.Rules = append(v.Rules, shown)
	}
	return v
}

func (h *Handler) scenarios(c *call) Answer {
	session := c.session()
	book, states, failure := h.Scenarios.For(session)
	if failure != nil {
		return problem(failure.Status, failure.Detail)
	}
	views := []scenarioView{}
	for _, s := range book.Scenarios {
		views = append(views, view(s, session, states))
	}
	return marshalled(map[string]any{"scenarios": views})
}

// scenario finds the one that is named, or says that there is none.
func (h *Handler) scenario(session *string, name string) (*scenario.Scenario, []*scenario.State, *Answer) {
	book, states, failure := h.Scenarios.For(session)
	if failure != nil {
		a := problem(failure.Status, failure.Detail)
		return nil, nil, &a
	}
	if s := book.Scenario(name); s != nil {
		return s, states, nil
	}
	a := problem(404, fmt.Sprintf("there is no scenario %s; %s", strconv.Quote(name), among(book.Names())))
	return nil, nil, &a
}

// among says which names there are.
func among(names []string) string {
	if len(names) == 0 {
		return "there are none"
	}
	text := "there are "
	for i, name := range names[:min(len(names), 20)] {
		if i > 0 {
			text += ", "
		}
		text += name
	}
	if len(names) > 20 {
		text += " and others"
	}
	return text
}

func (h *Handler) getScenario(c *call) Answer {
	session := c.session()
	s, states, refusal := h.scenario(session, c.named())
	if refusal != nil {
		return *refusal
	}
	v := view(s, session, states)
	v.Text = string(s.Source)
	return marshalled(v)
}

// putScenario has the text of a file as its body.
func (h *Handler) putScenario(c *call) Answer {
	session, name := c.session(), c.named()
	text := scenario.Text{Name: name, Text: slices.Clone(c.request.Body)}
	return h.put(session, func(ch *scenario.Changes) *scenario.Changes { return ch.Put(text) })
}

func (h *Handler) switchScenario(c *call) Answer {
	session, name := c.session(), c.named()
	if _, _, refusal := h.scenario(session, name); refusal != nil {
		return *refusal
	}
	object, _ := c.Body.(map[string]any)
	active, _ := object["active"].(bool)
	return h.change(session, func(ch *scenario.Changes) *scenario.Changes { return ch.Switch(name, active) })
}

func (h *Handler) deleteScenario(c *call) Answer {
	session, name := c.session(), c.named()
	if _, _, refusal := h.scenario(session, name); refusal != nil {
		return *refusal
	}
	return h.change(session, func(ch *scenario.Changes) *scenario.Changes { return ch.Delete(name) })
}

// replaceScenarios has all texts in its body.
func (h *Handler) replaceScenarios(c *call) Answer {
	object, _ := c.Body.(map[string]any)
	list, _ := object["scenarios"].([]any)
	texts := make([]scenario.Text, len(list))
	for i, item := range list {
		member, _ := item.(map[string]any)
		texts[i].Name, _ = member["name"].(string)
		text, _ := member["text"].(string)
		texts[i].Text = []byte(text)
	}
	return h.put(c.session(), func(*scenario.Changes) *scenario.Changes { return scenario.Instead(texts) })
}

func (h *Handler) restoreScenarios(c *call) Answer {
	return h.change(c.session(), func(*scenario.Changes) *scenario.Changes { return nil })
}

// put changes scenarios and gives the warnings, or says what is wrong with what
// was put.
func (h *Handler) put(session *string, edit func(*scenario.Changes) *scenario.Changes) Answer {
	findings, failure := h.Scenarios.Change(session, edit)
	switch {
	case failure == nil:
		return marshalled(map[string]any{"findings": append([]exchange.Finding{}, findings...)})
	case len(failure.Findings) == 0:
		return problem(failure.Status, failure.Detail)
	}
	return invalid(failure.Status, failure.Findings)
}

// change is put for changes that put nothing.
func (h *Handler) change(session *string, edit func(*scenario.Changes) *scenario.Changes) Answer {
	if a := h.put(session, edit); a.Status != 200 {
		return a
	}
	return noContent()
}

func (h *Handler) getScenarioState(c *call) Answer {
	session := oneSession(c)
	s, states, refusal := h.scenario(session, c.named())
	if refusal != nil {
		return *refusal
	}
	return marshalled(map[string]any{"state": states[0].Current(s), "states": append([]string{}, s.States()...)})
}

func (h *Handler) setScenarioState(c *call) Answer {
	session := oneSession(c)
	s, states, refusal := h.scenario(session, c.named())
	if refusal != nil {
		return *refusal
	}
	object, _ := c.Body.(map[string]any)
	name, _ := object["state"].(string)
	if err := states[0].Become(s, name); err != nil {
		return invalid(422, []exchange.Finding{{Code: scenario.CodeState, Message: err.Error(), In: exchange.InBody, Pointer: "/state"}})
	}
	return noContent()
}

func (h *Handler) rewindScenario(c *call) Answer {
	session := oneSession(c)
	s, states, refusal := h.scenario(session, c.named())
	if refusal != nil {
		return *refusal
	}
	states[0].Rewind(s)
	return noContent()
}

// oneSession gives the session that the query names, or else that of those who
// name none.
func oneSession(c *call) *string {
	if session := c.session(); session != nil {
		return session
	}
	return new(string)
}
