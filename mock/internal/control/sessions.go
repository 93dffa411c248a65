package control

import (
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Sessions is the part of the mock that keeps clients' data apart.
type Sessions struct {
	// Of gives the name of the session that a request's fields choose, "" where
	// they choose none.
	Of func(exchange.Header) string
	// State gives what a session keeps, nil where there is no such session.
	State func(name string) *state.State
	// Base is what a session begins with, and Enter gives what one keeps, which is
	// made where there is none; the error is about its name.
	Base  func() *state.View
	Enter func(name string) (*state.State, error)
	// List gives the names of the sessions.
	List func() []string
	// Snapshots gives the labels of a session's snapshots.
	Snapshots func(name string) []string
	// Change does an action to a session: reset, snapshot, restore, fork or
	// delete. with is the label of a snapshot, or the name of the fork.
	Change func(name, action, with string) *Failure
}

// shown gives what the session that the request chooses keeps: what it would begin
// with where there is none yet. The error is about its name.
func (h *Handler) shown(c *call) (*state.View, error) {
	if h.Sessions == nil {
		return h.store.View(), nil
	}
	name := h.Sessions.Of(c.request.Header)
	if kept := h.Sessions.State(name); kept != nil {
		return kept.View(), nil
	}
	return h.Sessions.Base(), state.CheckName(name)
}

// kept gives the same to be changed; a session is made where there is none.
func (h *Handler) kept(c *call) (*state.State, error) {
	if h.Sessions == nil {
		return h.store, nil
	}
	return h.Sessions.Enter(h.Sessions.Of(c.request.Header))
}

func noSession(name string) Answer {
	return problem(404, "there is no session "+strconv.Quote(name)+"; it is made when a request to the mock names it")
}

func (h *Handler) sessions(*call) Answer {
	list := []any{}
	for _, name := range h.Sessions.List() {
		labels := []any{}
		for _, label := range h.Sessions.Snapshots(name) {
			labels = append(labels, label)
		}
		items := 0
		if kept := h.Sessions.State(name); kept != nil {
			items = kept.View().Total()
		}
		list = append(list, map[string]any{"name": name, "items": items, "snapshots": labels})
	}
	return answer(map[string]any{"sessions": list})
}

func (h *Handler) changeSession(c *call) Answer {
	name, _ := c.Path["name"].(string)
	action, _ := c.Path["action"].(string)
	with := ""
	if object, ok := c.Body.(map[string]any); ok {
		member := "label"
		if action == "fork" {
			member = "to"
		}
		with, _ = object[member].(string)
	}
	return h.changed(name, action, with)
}

func (h *Handler) deleteSession(c *call) Answer {
	name, _ := c.Path["name"].(string)
	return h.changed(name, "delete", "")
}

func (h *Handler) changed(name, action, with string) Answer {
	if failure := h.Sessions.Change(name, action, with); failure != nil {
		return problem(failure.Status, failure.Detail)
	}
	return noContent()
}
