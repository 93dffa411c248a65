// Package client talks to the control API of a running mock, for tests in
// another process than the mock's. Each method is one request; errors of the
// mock are a *Problem.
//
//	c := client.New("http://localhost:4010", client.Options{})
//	mine := c.In("suite-1")
//	err := mine.Reset(ctx)
//	…
//	err = mine.Verify(ctx, client.Expectation{Operation: "POST /plants"})
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// prefix is what the paths of the control API begin with.
const prefix = "/__coldframe/"

// maxAnswer is the most bytes of an answer that are read.
const maxAnswer = 256 << 20

// SessionHeader is the field in which requests to the mock name their session.
const SessionHeader = "Coldframe-Session"

// Options of a Client. The zero value works.
type Options struct {
	Token string       // of --control-token; "" for none
	HTTP  *http.Client // default http.DefaultClient
}

// Client is safe for concurrent use.
type Client struct {
	base    string
	options Options
	session *string // nil: see In
}

// New makes a client of the mock at a URL such as http://localhost:4010; with
// --control-port that of the control API.
func New(url string, o Options) *Client {
	if o.HTTP == nil {
		o.HTTP = http.DefaultClient
	}
	return &Client{base: strings.TrimSuffix(url, "/") + prefix, options: o}
}

// In gives a client of one session; "" is that of requests that name none. The
// mock makes the session when a request to it, or a change of its scenarios,
// names it.
//
// A client that is in no session is about all of them where it asks for
// requests, scenarios and coverage, and about that of requests that name none
// elsewhere.
func (c *Client) In(session string) *Client {
	in := *c
	in.session = &session
	return &in
}

// name is the session of what has one session.
func (c *Client) name() string {
	if c.session == nil || *c.session == "" {
		return "default"
	}
	return *c.session
}

// query is a query with the session, where the client is in one.
func (c *Client) query() url.Values {
	q := url.Values{}
	if c.session != nil {
		q.Set("session", *c.session)
	}
	return q
}

// content is the body of a request.
type content struct {
	kind string // media type
	text []byte
}

func jsonOf(value any) (*content, error) {
	text, err := json.Marshal(value)
	return &content{"application/json", text}, err
}

// call sends a request and reads the answer into a value: a *[]byte as it is,
// others as JSON. Nil is for no body, and no answer.
func (c *Client) call(ctx context.Context, method, path string, query url.Values, body *content, into any) error {
	target := c.base + path
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var reader io.Reader
	if body != nil {
		reader = bytes.NewReader(body.text)
	}
	r, err := http.NewRequestWithContext(ctx, method, target, reader)
	if err != nil {
		return err
	}
	if body != nil {
		r.Header.Set("Content-Type", body.kind)
	}
	if c.options.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.options.Token)
	}
	if c.session != nil && *c.session != "" {
		r.Header.Set(SessionHeader, *c.session)
	}
	answer, err := c.options.HTTP.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxAnswer))
	if err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	if answer.StatusCode >= 300 {
		return problemOf(answer.StatusCode, text)
	}
	switch into := into.(type) {
	case nil:
		return nil
	case *[]byte:
		*into = text
		return nil
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s %s: %w", method, path, err)
	}
	return nil
}

// send is call with a value as the body.
func (c *Client) send(ctx context.Context, method, path string, query url.Values, value, into any) error {
	body, err := jsonOf(value)
	if err != nil {
		return err
	}
	return c.call(ctx, method, path, query, body, into)
}

// Health asks whether the mock is well.
func (c *Client) Health(ctx context.Context) error {
	return c.call(ctx, http.MethodGet, "health", nil, nil, nil)
}
