// Package httpserver carries requests to a handler and its answers back: over sockets with fiber, over
// net/http, and in this process. Delays, faults, bandwidths and streams are the same on each way.
package httpserver

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	// MaxHeader is the most bytes that the fields of a request may have; tokens and
	// cookies of real browsers outgrow fasthttp's 4 KiB.
	MaxHeader    = 64 << 10
	maxHang      = 10 * time.Minute // ends an answer that never comes, lest forgotten connections pile up
	maxThrottled = 10 * time.Minute // the longest time that a body is drawn out to
)

// Core answers requests, whichever way they come. Its functions are called concurrently.
type Core struct {
	Serve func(*exchange.Request) Answer
	// Unread answers a request of which not all was read: of r as much is set as is
	// known, and status is what the reader says.
	Unread func(r *exchange.Request, status int) Answer
	// Hosts are the names under which sockets answer beside those of this machine.
	Hosts Hosts
	// RequestTimeout is how long making an answer may take, from the last byte of the request on; 0: unbounded.
	// Delays, and making what is streamed, do not count.
	RequestTimeout time.Duration
	// ReadTimeout is how long a client may take to send a request, or to take an answer. Default: 2 minutes.
	ReadTimeout time.Duration

	MaxBody int             // bytes that the body of a request may have
	Bodies  *bodies.Budget  // of all requests in flight; nil: unbounded
	Stopped context.Context // done when the server stops: delays and hanging answers end
	// MaxConnections is how many connections of a socket are open at a time; 0: unbounded.
	MaxConnections int
	// Note logs what is not about one request. Default: nothing does.
	Note func(format string, args ...any)
	// Sleep passes the time of delays and bandwidths. Default: until Stopped is done at most.
	Sleep func(time.Duration)
}

func (c *Core) readTimeout() time.Duration { return cmp.Or(c.ReadTimeout, 2*time.Minute) }

// readBody reads the body of a request. The answer is made before the request's share of the budget is released.
func (c *Core) readBody(r *exchange.Request, from io.Reader, announced int64) error {
	r.Share.Of = c.Bodies
	body, err := r.Share.Read(from, announced, c.MaxBody)
	if len(body) > 0 {
		r.Body = body
	}
	return err
}

// statusOf returns the status of a request whose body cannot be read.
func statusOf(err error) int {
	var timeout net.Error
	switch {
	case errors.Is(err, bodies.ErrTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, bodies.ErrNoRoom):
		return http.StatusServiceUnavailable
	case errors.As(err, &timeout) && timeout.Timeout():
		return http.StatusRequestTimeout
	}
	return http.StatusBadRequest
}

// Answer is a response and how it leaves.
type Answer struct {
	*exchange.Response
	// Stream makes the body piece by piece, in place of Response.Body; nil if that has all of it.
	Stream    func(write func([]byte) error)
	Delay     time.Duration // before the answer
	Bandwidth int           // of the body, in bytes a second; 0 is as fast as can be
	Fault     Fault
	Sent      func() // called once the answer is on its way; nil for nothing
}

// Fault is a way in which an answer fails below HTTP.
type Fault string

// The faults.
const (
	Reset     Fault = "reset"     // the connection is reset before any answer
	Truncate  Fault = "truncate"  // the connection ends in the middle of the body
	Malformed Fault = "malformed" // the body cannot be parsed as its media type
	Hang      Fault = "hang"      // no answer, the connection stays open
)

// body returns what is sent of the body and the length that is announced.
func (a *Answer) body() (body []byte, length int) {
	switch body = a.Response.Body; a.Fault {
	case Malformed: // no JSON, XML or UTF-8 text ends like this
		body = append(append([]byte{}, body...), "\xff{<"...)
	case Truncate:
		return body[:len(body)/2], max(len(body), 2)
	}
	return body, len(body)
}

// pause passes the time of a delay, or less when the server stops. The error is the context's.
func (c *Core) pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if c.Sleep != nil {
		c.Sleep(d)
		return nil
	}
	select {
	case <-time.After(d):
	case <-c.Stopped.Done():
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

type throttled struct {
	body      []byte
	bandwidth int // bytes a second
	wait      func(time.Duration)
}

func newThrottled(body []byte, bandwidth int, wait func(time.Duration)) *throttled {
	return &throttled{body, max(bandwidth, len(body)/int(maxThrottled/time.Second)), wait}
}

// Read takes the time of what it gives, a tenth of a second at a time.
func (t *throttled) Read(p []byte) (int, error) {
	if len(t.body) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.body[:min(len(t.body), max(1, t.bandwidth/10))])
	t.body = t.body[n:]
	t.wait(time.Duration(n) * time.Second / time.Duration(t.bandwidth))
	return n, nil
}
