package httpserver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/exchange"
)

// ServeHTTP implements http.Handler. Faults break the connection if the http.ResponseWriter allows it, and panic with
// http.ErrAbortHandler.
func (c *Core) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	release := c.boundReading(w, r)
	request, err := c.readHTTP(r)
	release()
	a, err := c.answer(r, request, err)
	if err != nil { // the client has left, or the time is over
		panic(http.ErrAbortHandler)
	}
	Write(w, r, a, func(body []byte) io.Reader { return c.throttle(r.Context(), body, a.Bandwidth) })
}

// Write sends an answer whose delay is over. throttle returns a reader of a body with limited bandwidth. It panics with
// http.ErrAbortHandler to break the connection.
func Write(w http.ResponseWriter, r *http.Request, a Answer, throttle func(body []byte) io.Reader) {
	if a.Fault == Reset {
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			reset(conn)
		}
		panic(http.ErrAbortHandler)
	}
	body, length := a.body()
	drawnOut := a.Bandwidth > 0 && length > 0 && a.Fault != Truncate
	h := w.Header()
	h["Content-Type"] = nil // net/http would guess one
	for _, f := range fields(a.Header) {
		h.Add(f.Name, f.Value)
	}
	if drawnOut || a.Fault == Truncate {
		h.Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(a.Status)
	flush := http.NewResponseController(w).Flush
	switch {
	case a.Stream != nil:
		flush()
		a.Stream(func(piece []byte) error {
			if err := r.Context().Err(); err != nil {
				return err
			}
			if _, err := w.Write(piece); err != nil {
				return err
			}
			return flush()
		})
	case drawnOut:
		io.Copy(flusher{w}, throttle(body))
	default:
		w.Write(body) // net/http drops it if there must be none
	}
	if a.Fault == Truncate {
		flush()
		panic(http.ErrAbortHandler)
	}
	if a.Sent != nil {
		flush()
		a.Sent()
	}
}

// flusher flushes after each Write.
type flusher struct{ http.ResponseWriter }

func (f flusher) Write(piece []byte) (int, error) {
	n, err := f.ResponseWriter.Write(piece)
	http.NewResponseController(f.ResponseWriter).Flush()
	return n, err
}

// RoundTrip implements http.RoundTripper without a socket, whatever the host of
// the URL. Faults are errors like the errors of a real connection.
func (c *Core) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	request, err := c.readHTTP(r)
	a, err := c.answer(r, request, err)
	if err != nil {
		return nil, err
	}
	if a.Fault == Reset {
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	body, length := a.body()
	answer := &http.Response{
		Status:     strconv.Itoa(a.Status) + " " + http.StatusText(a.Status),
		StatusCode: a.Status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{},
		ContentLength: int64(length),
		Request:       r,
	}
	for _, f := range fields(a.Header) {
		answer.Header.Add(f.Name, f.Value)
	}
	switch {
	case a.Stream != nil:
		answer.ContentLength = -1
		answer.Body = follow(r.Context(), a.Stream)
	case a.Fault == Truncate:
		answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), brokenOff{}))
	case r.Method == http.MethodHead || a.Status == http.StatusNoContent || a.Status == http.StatusNotModified:
		answer.Body = http.NoBody
	case a.Bandwidth > 0:
		answer.Body = io.NopCloser(c.throttle(r.Context(), body, a.Bandwidth))
	default:
		answer.Body = io.NopCloser(bytes.NewReader(body))
	}
	if a.Sent != nil {
		a.Sent()
	}
	return answer, nil
}

type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// Handle returns the answer of a handler of net/http, whose body is complete when the handler returns.
func Handle(handler http.Handler, r *exchange.Request) Answer {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	asked, err := http.NewRequestWithContext(ctx, r.Method, target, bytes.NewReader(r.Body))
	if err != nil {
		return Answer{Response: &exchange.Response{Status: http.StatusBadRequest}}
	}
	for _, f := range r.Header {
		asked.Header.Add(f.Name, f.Value)
	}
	asked.Host, _ = r.Header.Get("Host")
	w := &collected{header: http.Header{}, status: http.StatusOK}
	handler.ServeHTTP(w, asked)
	answer := &exchange.Response{Status: w.status, Body: w.body.Bytes()}
	for name, values := range w.header {
		for _, value := range values {
			answer.Header = append(answer.Header, exchange.Field{Name: name, Value: value})
		}
	}
	return Answer{Response: answer}
}

// collected is an http.ResponseWriter that keeps the response.
type collected struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *collected) Header() http.Header             { return c.header }
func (c *collected) WriteHeader(status int)          { c.status = status }
func (c *collected) Write(piece []byte) (int, error) { return c.body.Write(piece) }

// follow returns a reader for a body that is being produced. It ends when it is closed or the context is done.
func follow(ctx context.Context, stream func(write func([]byte) error)) io.ReadCloser {
	reader, writer := io.Pipe()
	release := context.AfterFunc(ctx, func() { reader.CloseWithError(ctx.Err()) })
	go func() {
		defer release()
		stream(func(piece []byte) error {
			_, err := writer.Write(piece)
			return err
		})
		writer.Close()
	}()
	return reader
}

func (c *Core) throttle(ctx context.Context, body []byte, bandwidth int) io.Reader {
	return newThrottled(body, bandwidth, func(d time.Duration) { c.Pause(ctx, d) })
}

// boundReading limits the time for sending a body to ReadTimeout, if the server around the handler has no limit of its
// own.
func (c *Core) boundReading(w http.ResponseWriter, r *http.Request) (release func()) {
	server, ok := r.Context().Value(http.ServerContextKey).(*http.Server)
	if !ok || server.ReadTimeout > 0 || r.Body == nil || r.Body == http.NoBody {
		return func() {}
	}
	controller := http.NewResponseController(w)
	controller.SetReadDeadline(time.Now().Add(c.readTimeout()))
	return func() { controller.SetReadDeadline(time.Time{}) }
}

// answer returns the response to a request whose reading ended with err, after its delay. The error is the context's,
// the body's or http.ErrServerClosed.
func (c *Core) answer(r *http.Request, request *exchange.Request, err error) (a Answer, _ error) {
	defer request.Share.Release()
	switch status := statusOf(err); {
	case c.Stopped.Err() != nil:
		return a, http.ErrServerClosed
	case err != nil && status != http.StatusBadRequest:
		return c.Unread(request, status), nil
	case err != nil:
		return a, err
	}
	request.Work = &exchange.Work{Gone: func() error {
		if r.Context().Err() != nil {
			return exchange.ErrClientLeft
		}
		return nil
	}}
	request.Work.Begin(c.RequestTimeout)
	a = c.Serve(request)
	if err := c.Pause(r.Context(), a.Delay); err != nil {
		return a, err
	}
	if r.Method == http.MethodHead {
		a.Bandwidth = 0
	}
	if a.Fault == Hang {
		if err := c.Pause(r.Context(), maxHang); err != nil {
			return a, err
		}
		return a, http.ErrServerClosed
	}
	return a, nil
}

// Head returns a request of net/http without its body.
func Head(r *http.Request) *exchange.Request {
	p := &exchange.Request{Method: cmp.Or(r.Method, http.MethodGet), Header: make(exchange.Header, 0, len(r.Header)+2)}
	p.Path, p.Query, _ = strings.Cut(r.URL.RequestURI(), "?")
	p.ClientCertificate = r.TLS != nil && len(r.TLS.PeerCertificates) > 0
	p.Header = append(p.Header, exchange.Field{Name: "Host", Value: cmp.Or(r.Host, r.URL.Host)})
	p.Header = append(p.Header, Fields(r.Header)...)
	return p
}

func (c *Core) readHTTP(r *http.Request) (*exchange.Request, error) {
	p := Head(r)
	if r.Body == nil || r.Body == http.NoBody {
		return p, nil
	}
	announced := r.ContentLength
	if announced == 0 { // unknown, if the request comes from a client
		announced = -1
	}
	err := c.readBody(p, r.Body, announced)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge { // from a handler around this one
		err = bodies.ErrTooLarge
	}
	return p, err
}

// Fields returns fields of net/http in the order of their names.
func Fields(h http.Header) exchange.Header {
	fields := make(exchange.Header, 0, len(h))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			fields = append(fields, exchange.Field{Name: name, Value: value})
		}
	}
	return fields
}
