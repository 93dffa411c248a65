// Package httpserver carries requests to a handler and responses back: over sockets with fiber, over net/http, and in
// process. Delays, faults, bandwidths and streams work the same on each transport.
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
	"github.com/coldframe/coldframe/internal/origin"
)

const (
	// MaxHeader limits the size of a request's fields in bytes; tokens and cookies of real browsers exceed fasthttp's
	// 4 KiB.
	MaxHeader    = 64 << 10
	maxHang      = 10 * time.Minute // ends a hanging response, so that forgotten connections do not pile up
	maxThrottled = 10 * time.Minute // the longest time for a body with limited bandwidth
)

// Core answers requests on all transports. Its functions are called concurrently.
type Core struct {
	Serve func(*exchange.Request) Answer
	// Unread answers a request that was not read completely: r has the known parts, status comes from the reader.
	Unread func(r *exchange.Request, status int) Answer
	// Hosts are the names under which sockets answer, beside this machine's.
	Hosts origin.Hosts
	// RequestTimeout limits the time for making a response, from the last byte of the request on; 0: no limit. Delays
	// and the making of streams do not count.
	RequestTimeout time.Duration
	// ReadTimeout limits the time in which a client sends a request or takes a response. Default: 2 minutes.
	ReadTimeout time.Duration

	MaxBody int             // limit of a request's body in bytes
	Bodies  *bodies.Budget  // for all requests in flight; nil: no limit
	Stopped context.Context // done when the server stops: delays and hanging responses end
	// MaxConnections limits the open connections of a socket; 0: no limit.
	MaxConnections int
	// Note logs events that are not about one request. Default: none.
	Note func(format string, args ...any)
	// Sleep waits for delays and bandwidths. Default: until Stopped is done at most.
	Sleep func(time.Duration)
}

func (c *Core) readTimeout() time.Duration { return cmp.Or(c.ReadTimeout, 2*time.Minute) }

// readBody reads the body of a request. The request's share of the budget is released after the response is made.
func (c *Core) readBody(r *exchange.Request, from io.Reader, announced int64) error {
	r.Share.Of = c.Bodies
	body, err := r.Share.Read(from, announced, c.MaxBody)
	if len(body) > 0 {
		r.Body = body
	}
	return err
}

// statusOf returns the status for an unreadable body.
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

// Answer is a response and how it is sent.
type Answer struct {
	*exchange.Response
	// Stream produces the body piece by piece, in place of Response.Body; nil if that is the whole body.
	Stream    func(write func([]byte) error)
	Delay     time.Duration // before the response
	Bandwidth int           // of the body, in bytes a second; 0 is unlimited
	Fault     Fault
	Sent      func() // called once the answer is on its way; nil for nothing
}

// Fault is a way in which a response fails below HTTP.
type Fault string

// The faults.
const (
	Reset     Fault = "reset"     // the connection is reset before any response
	Truncate  Fault = "truncate"  // the connection ends in the middle of the body
	Malformed Fault = "malformed" // the body cannot be parsed as its media type
	Hang      Fault = "hang"      // no response, the connection stays open
)

// body returns the body to send and its announced length.
func (a *Answer) body() (body []byte, length int) {
	switch body = a.Response.Body; a.Fault {
	case Malformed: // no JSON, XML or UTF-8 text ends with this
		body = append(append([]byte{}, body...), "\xff{<"...)
	case Truncate:
		return body[:len(body)/2], max(len(body), 2)
	}
	return body, len(body)
}

// Pause waits for a delay, or until the server stops. The error is the context's.
func (c *Core) Pause(ctx context.Context, d time.Duration) error {
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

// Throttle returns a ResponseWriter that sends a body with a limited bandwidth, in bytes a second; 0 is unlimited.
func (c *Core) Throttle(ctx context.Context, w http.ResponseWriter, bandwidth int) http.ResponseWriter {
	if bandwidth <= 0 {
		return w
	}
	return &slowWriter{w, bandwidth, func(d time.Duration) error { return c.Pause(ctx, d) }}
}

type slowWriter struct {
	http.ResponseWriter
	bandwidth int
	pause     func(time.Duration) error
}

// Write sends at most the bytes of a tenth of a second at once, and takes as long.
func (w *slowWriter) Write(p []byte) (written int, err error) {
	for written < len(p) && err == nil {
		piece := p[written:min(len(p), written+max(1, w.bandwidth/10))]
		if err = w.pause(time.Duration(len(piece)) * time.Second / time.Duration(w.bandwidth)); err == nil {
			_, err = flusher{w.ResponseWriter}.Write(piece)
			written += len(piece)
		}
	}
	return written, err
}

// Unwrap lets an http.ResponseController flush and hijack.
func (w *slowWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

type throttled struct {
	body      []byte
	bandwidth int // in bytes a second
	wait      func(time.Duration)
}

func newThrottled(body []byte, bandwidth int, wait func(time.Duration)) *throttled {
	return &throttled{body, max(bandwidth, len(body)/int(maxThrottled/time.Second)), wait}
}

// Read returns at most the bytes of a tenth of a second, and takes as long.
func (t *throttled) Read(p []byte) (int, error) {
	if len(t.body) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.body[:min(len(t.body), max(1, t.bandwidth/10))])
	t.body = t.body[n:]
	t.wait(time.Duration(n) * time.Second / time.Duration(t.bandwidth))
	return n, nil
}
