// Package store is a client of the Plant Store whose test runs against a mock.
package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// Client calls the Plant Store.
type Client struct {
	URL   string // without a slash at the end
	Token string
	HTTP  *http.Client // default http.DefaultClient
}

// Plant is what the store keeps.
type Plant struct {
	ID   int64  `json:"id,omitempty"`
	Name string `json:"name"`
	Tag  string `json:"tag,omitempty"`
}

// Error is an answer of the store that is not a plant.
type Error struct {
	Status  int    `json:"-"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return fmt.Sprintf("store: %d: %s", e.Status, e.Message) }

// Create puts a plant into the store. The error may be an *Error.
func (c *Client) Create(ctx context.Context, p Plant) (*Plant, error) {
	body, err := json.Marshal(p)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, "POST", c.URL+"/plants", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", "Bearer "+c.Token)
	r.Header.Set("Content-Type", "application/json")
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		failure := &Error{Status: answer.StatusCode}
		if err := json.NewDecoder(answer.Body).Decode(failure); err != nil {
			return nil, fmt.Errorf("store: %d: %w", answer.StatusCode, err)
		}
		return nil, failure
	}
	var created Plant
	if err := json.NewDecoder(answer.Body).Decode(&created); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return &created, nil
}
