package control

import (
	"fmt"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Sessions is the part of the mock that keeps clients' data apart.
type Sessions struct {
	// Of gives the name of the session that a request's fields choose, "" where
	// they choose none.
	Of func(exchange.Header) string
	// State gives what a session keeps, nil where there is no such session.
	State func(name string) *state.State
	// Base is what a session begins with.
	Base func() *state.View
	// Enter is State of a session that is created where there is none; the error is
	// about its name.
	Enter func(name string) (*state.State, error)
	// List gives the names of the sessions.
	List func() []string
	// Snapshots gives the labels of a session's snapshots.
	Snapshots func(name string) []string
	// Change does an action to a session: reset, rewind, snapshot, restore, fork
	// or delete. with is the label of a snapshot, or the name of the fork.
	Change func(name, action, with string) *Failure
}

func unknownSession(name string) *Failure {
	detail := fmt.Sprintf("there is no session %q; it is made when a request to the mock names it", name)
	return &Failure{Status: 404, Detail: detail}
}

func (h *Handler) listSessions(*call) (any, error) {
	list := []client.Session{}
	for _, name := range h.Sessions.List() {
		s := client.Session{Name: name, Snapshots: append([]string{}, h.Sessions.Snapshots(name)...)}
		if kept := h.Sessions.State(name); kept != nil {
			s.Items = kept.View().Total()
		}
		list = append(list, s)
	}
	return map[string]any{"sessions": list}, nil
}

func (h *Handler) changeSession(c *call) (any, error) {
	var with struct{ Label, To string }
	if err := c.body(&with); err != nil {
		return nil, err
	}
	if c.path("action") == "fork" {
		with.Label = with.To
	}
	return h.change(c, c.path("action"), with.Label)
}

func (h *Handler) deleteSession(c *call) (any, error) { return h.change(c, "delete", "") }

func (h *Handler) change(c *call, action, with string) (any, error) {
	if failure := h.Sessions.Change(c.path("name"), action, with); failure != nil {
		return nil, failure
	}
	return nil, nil
}

// getState lists the items of the session that the request chooses, by the path
// they were created under, oldest first. A session that does not exist yet has
// the items that it would begin with.
func (h *Handler) getState(c *call) (any, error) {
	name := h.Sessions.Of(c.request.Header)
	view := h.Sessions.Base()
	if kept := h.Sessions.State(name); kept != nil {
		view = kept.View()
	} else if err := state.CheckName(name); err != nil {
		return nil, &Failure{Status: 400, Detail: err.Error()}
	}
	var collections []string
	bodies := map[string][]byte{}
	for item := range view.All() {
		text, known := bodies[item.Collection]
		if !known {
			collections = append(collections, item.Collection)
		} else {
			text = append(text, ',')
		}
		bodies[item.Collection] = append(text, item.JSON...)
	}
	body := append([]byte(`{"items":`), strconv.Itoa(view.Total())...)
	body = append(body, `,"collections":{`...)
	for i, name := range collections {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(jsontext.AppendString(body, name), ':', '[')
		body = append(append(body, bodies[name]...), ']')
	}
	return written("application/json", append(body, "}}"...)), nil
}

func (h *Handler) clearState(c *call) (any, error) {
	kept, err := h.Sessions.Enter(h.Sessions.Of(c.request.Header))
	if err != nil {
		return nil, &Failure{Status: 400, Detail: err.Error()}
	}
	kept.ClearAll()
	return nil, nil
}
