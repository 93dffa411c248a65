package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
)

// Session is one client's data in the mock.
type Session struct {
	Items     int      `json:"items"`
	Name      string   `json:"name"`
	Snapshots []string `json:"snapshots"` // their labels
}

// Sessions gives all sessions, that of requests that name none first.
func (c *Client) Sessions(ctx context.Context) ([]Session, error) {
	var list struct{ Sessions []Session }
	err := c.call(ctx, http.MethodGet, "sessions", nil, nil, &list)
	return list.Sessions, err
}

// State is what a session keeps, by the path that it was created under.
type State struct {
	Items       int                          `json:"items"`
	Collections map[string][]json.RawMessage `json:"collections"`
}

// State gives what the session keeps.
func (c *Client) State(ctx context.Context) (State, error) {
	var s State
	err := c.call(ctx, http.MethodGet, "state", nil, nil, &s)
	return s, err
}

// ClearState forgets what the session keeps, the items of the start among it.
func (c *Client) ClearState(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "state", nil, nil, nil)
}

func (c *Client) change(ctx context.Context, action string, with any) error {
	return c.send(ctx, http.MethodPost, "sessions/"+url.PathEscape(c.name())+"/"+action, nil, with, nil)
}

// Reset takes the session back to the items and scenarios of the start.
func (c *Client) Reset(ctx context.Context) error { return c.change(ctx, "reset", struct{}{}) }

// Rewind takes the rules and states of the session's scenarios back to the
// start, and leaves its items.
func (c *Client) Rewind(ctx context.Context) error { return c.change(ctx, "rewind", struct{}{}) }

// label is that of a snapshot.
type label struct {
	Label string `json:"label,omitempty"`
}

// Snapshot remembers the session under a label, "" for the usual one.
func (c *Client) Snapshot(ctx context.Context, name string) error {
	return c.change(ctx, "snapshot", label{name})
}

// Restore goes back to a snapshot.
func (c *Client) Restore(ctx context.Context, name string) error {
	return c.change(ctx, "restore", label{name})
}

// Fork copies the session and gives a client of the copy.
func (c *Client) Fork(ctx context.Context, to string) (*Client, error) {
	err := c.change(ctx, "fork", struct {
		To string `json:"to"`
	}{to})
	return c.In(to), err
}

// Delete drops the session.
func (c *Client) Delete(ctx context.Context) error {
	return c.call(ctx, http.MethodDelete, "sessions/"+url.PathEscape(c.name()), nil, nil, nil)
}
