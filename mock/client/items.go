package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
)

// Collection is a collection of items.
type Collection struct {
	Collection string          `json:"collection,omitempty"` // its name; "" if it depends on parents and has no items
	Template   string          `json:"template,omitempty"`   // the name with the variables of parents in braces
	Count      int             `json:"count"`
	Schema     json.RawMessage `json:"schema,omitempty"` // of its items
}

// Items is a page of a collection, oldest first.
type Items struct {
	Collection string          `json:"collection"`
	Total      int             `json:"total"`
	Schema     json.RawMessage `json:"schema,omitempty"`
	Items      []Item          `json:"items"`
}

// Item is an item of a session.
type Item struct {
	Key       string          `json:"key"`
	Value     json.RawMessage `json:"value"`
	MadeBy    uint64          `json:"madeBy,omitempty"`    // the exchange that created it; 0 if the journal does not have it
	ChangedBy []uint64        `json:"changedBy,omitempty"` // the last 20 exchanges that changed it
}

// Collections returns the collections of the session.
func (c *Client) Collections(ctx context.Context) ([]Collection, error) {
	list, err := get[struct{ Collections []Collection }](ctx, c, "items", nil)
	return list.Collections, err
}

// Items returns at most limit items of a collection, after the first offset; a limit of 0 is 100.
func (c *Client) Items(ctx context.Context, collection string, offset, limit int) (Items, error) {
	q := itemQuery(collection, "")
	q.Set("offset", strconv.Itoa(offset))
	if limit > 0 {
		q.Set("limit", strconv.Itoa(limit))
	}
	return get[Items](ctx, c, "items", q)
}

// CreateItem adds an item, whose key the mock chooses if the value has none. If the value is invalid, the error is a
// *Problem with a finding for each mistake.
func (c *Client) CreateItem(ctx context.Context, collection string, value any) (item Item, err error) {
	err = c.call(ctx, http.MethodPost, "items", itemQuery(collection, ""), value, &item)
	return item, err
}

// PutItem replaces the item of a key, or creates it.
func (c *Client) PutItem(ctx context.Context, collection, key string, value any) (item Item, err error) {
	err = c.call(ctx, http.MethodPut, "items", itemQuery(collection, key), value, &item)
	return item, err
}

// CheckItem returns the error of PutItem, or of CreateItem for the key "", and changes nothing.
func (c *Client) CheckItem(ctx context.Context, collection, key string, value any) error {
	method, q := http.MethodPost, itemQuery(collection, key)
	if q.Set("validate", "only"); key != "" {
		method = http.MethodPut
	}
	return c.call(ctx, method, "items", q, value, nil)
}

// DeleteItem deletes an item, and what belongs to it.
func (c *Client) DeleteItem(ctx context.Context, collection, key string) error {
	return c.call(ctx, http.MethodDelete, "items", itemQuery(collection, key), nil, nil)
}

func itemQuery(collection, key string) url.Values {
	q := url.Values{"collection": {collection}}
	if key != "" {
		q.Set("key", key)
	}
	return q
}
