package client

import (
	"context"
	"net/http"
	"net/url"
)

// Scenario is a file of rules that is loaded, or was put.
type Scenario struct {
	Name        string   `json:"name"`
	Description string   `json:"description,omitempty"`
	File        string   `json:"file"`
	Active      bool     `json:"active"` // in force for requests that choose none
	States      []string `json:"states,omitempty"`
	State       string   `json:"state,omitempty"` // of the session that the client is in
	Rules       []Rule   `json:"rules"`
	Text        string   `json:"text,omitempty"` // of Client.Scenario alone
}

// Rule is one rule of a scenario.
type Rule struct {
	Number      int      `json:"number"`
	Line        int      `json:"line"`
	On          []string `json:"on"`
	Description string   `json:"description,omitempty"`
	Matched     uint64   `json:"matched"` // requests that it applied to, in the session or in all
}

// Warning is a finding on a scenario that was put nevertheless.
type Warning struct {
	Code     string `json:"code"`
	Message  string `json:"message"`
	Document struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	} `json:"document"`
}

func (c *Client) scenario(name string) string { return "scenarios/" + url.PathEscape(name) }

// Scenarios gives the scenarios in the order of their rules.
func (c *Client) Scenarios(ctx context.Context) ([]Scenario, error) {
	var list struct{ Scenarios []Scenario }
	err := c.call(ctx, http.MethodGet, "scenarios", c.query(), nil, &list)
	return list.Scenarios, err
}

// Scenario gives one with the text of its file.
func (c *Client) Scenario(ctx context.Context, name string) (Scenario, error) {
	var s Scenario
	err := c.call(ctx, http.MethodGet, c.scenario(name), c.query(), nil, &s)
	return s, err
}

// PutScenario adds a scenario, or puts it in the place of the one of that name.
// text is that of a file, YAML or JSON; where something is wrong with it, the
// error is a *Problem whose Errors have the lines.
func (c *Client) PutScenario(ctx context.Context, name, text string) ([]Warning, error) {
	var found struct{ Findings []Warning }
	err := c.call(ctx, http.MethodPut, c.scenario(name), c.query(), &content{"application/yaml", []byte(text)}, &found)
	return found.Findings, err
}

// Text is a scenario that is to be put.
type Text struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// ReplaceScenarios puts scenarios in the place of all others.
func (c *Client) ReplaceScenarios(ctx context.Context, texts ...Text) ([]Warning, error) {
	var found struct{ Findings []Warning }
	err := c.send(ctx, http.MethodPut, "scenarios", c.query(), struct {
		Scenarios []Text `json:"scenarios"`
	}{append([]Text{}, texts...)}, &found)
	return found.Findings, err
}

// SwitchScenario puts a scenario in force, or out of it.
func (c *Client) SwitchScenario(ctx context.Context, name string, active bool) error {
	return c.send(ctx, http.MethodPatch, c.scenario(name), c.query(), struct {
		Active bool `json:"active"`
	}{active}, nil)
}

// DeleteScenario takes a scenario away.
func (c *Client) DeleteScenario(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, c.scenario(name), c.query(), nil, nil)
}

// RestoreScenarios takes back all changes of scenarios.
func (c *Client) RestoreScenarios(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "scenarios", c.query(), nil, nil)
}

// ScenarioState gives the named state of the session in a scenario, "" where
// that has none.
func (c *Client) ScenarioState(ctx context.Context, name string) (string, error) {
	var s struct{ State string }
	err := c.call(ctx, http.MethodGet, c.scenario(name)+"/state", c.query(), nil, &s)
	return s.State, err
}

// SetScenarioState takes the session to a named state of a scenario.
func (c *Client) SetScenarioState(ctx context.Context, name, state string) error {
	return c.send(ctx, http.MethodPut, c.scenario(name)+"/state", c.query(), struct {
		State string `json:"state"`
	}{state}, nil)
}

// RewindScenario takes the session to the first state of a scenario, and its
// rules to their first request.
func (c *Client) RewindScenario(ctx context.Context, name string) error {
	return c.call(ctx, http.MethodDelete, c.scenario(name)+"/state", c.query(), nil, nil)
}
