package mock

import (
	"cmp"
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Handler answers requests as the server does, the control API's among them,
// for use with net/http and net/http/httptest. It needs neither Run nor a
// socket; see Options.NoListener. Faults of scenarios break the connection
// where the http.ResponseWriter allows it, and end in http.ErrAbortHandler.
func (s *Server) Handler() http.Handler { return http.HandlerFunc(s.serveHTTP) }

func (s *Server) serveHTTP(w http.ResponseWriter, r *http.Request) {
	a, err := s.take(r)
	if err != nil { // the client has gone, or the time was over
		panic(http.ErrAbortHandler)
	}
	switch {
	case a.stream != nil:
		a.begin(w)
		flush(w)
		a.stream(func(piece []byte) error {
			if err := r.Context().Err(); err != nil {
				return err
			}
			if _, err := w.Write(piece); err != nil {
				return err
			}
			return http.NewResponseController(w).Flush()
		})
	case a.fault == scenario.Reset:
		if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
			reset(conn)
		}
		panic(http.ErrAbortHandler)
	case a.fault == scenario.Truncate:
		w.Header().Set("Content-Length", strconv.Itoa(max(len(a.response.Body), 2)))
		a.begin(w)
		w.Write(a.response.Body[:len(a.response.Body)/2])
		flush(w)
		panic(http.ErrAbortHandler)
	case a.bandwidth > 0:
		w.Header().Set("Content-Length", strconv.Itoa(len(a.response.Body)))
		a.begin(w)
		io.Copy(flusher{w}, a.throttled(s))
		s.enqueue(a.messages)
	default:
		a.begin(w)
		w.Write(a.response.Body) // net/http drops it where there is none to be
		if len(a.messages) > 0 {
			flush(w)
			s.enqueue(a.messages)
		}
	}
}

// inProcess is an answer on its way to a client of net/http.
type inProcess struct {
	response *exchange.Response
	stream   func(write func([]byte) error) // nil where the response has all
	fault    scenario.Fault
	messages []*callbacks.Message // to be sent after the answer
	// bandwidth of the body, in bytes a second; 0 is as fast as can be.
	bandwidth int
}

// throttled reads the body at its bandwidth.
func (a *inProcess) throttled(s *Server) io.Reader {
	return newThrottled(a.response.Body, a.bandwidth, s.sleep)
}

// take reads a request and makes its answer, after the delay that it has. The
// error is the context's, the body's or http.ErrServerClosed.
func (s *Server) take(r *http.Request) (*inProcess, error) {
	if s.context.Err() != nil {
		return nil, http.ErrServerClosed
	}
	request, err := s.plain(r)
	switch {
	case errors.Is(err, errTooLarge):
		h := s.unread(request, http.StatusRequestEntityTooLarge)
		return &inProcess{response: &h.answer.Response}, nil
	case err != nil:
		return nil, err
	case strings.HasPrefix(request.Path, control.Prefix):
		a := s.beside(request)
		return &inProcess{response: a.Response, stream: a.Stream}, nil
	}
	h := s.exchange(request)
	if err := s.pause(r.Context(), h.delay); err != nil {
		return nil, err
	}
	a := &inProcess{response: &h.answer.Response, fault: h.fault, messages: h.messages}
	if h.rule != nil && len(h.answer.Body) > 0 && r.Method != http.MethodHead {
		a.bandwidth = h.rule.Bandwidth
	}
	switch h.fault {
	case scenario.Hang:
		if err := s.pause(r.Context(), maxHang); err != nil {
			return nil, err
		}
		return nil, http.ErrServerClosed
	case scenario.Malformed:
		a.response.Body = malformed(a.response.Body)
	}
	return a, nil
}

// errTooLarge ends the reading of a body.
var errTooLarge = errors.New("body is too large")

// plain gives a request as plain values.
func (s *Server) plain(r *http.Request) (*exchange.Request, error) {
	p := &exchange.Request{Method: cmp.Or(r.Method, http.MethodGet), Header: make(exchange.Header, 0, usualFields)}
	p.Path, p.Query, _ = strings.Cut(r.URL.RequestURI(), "?")
	p.Header = append(p.Header, exchange.Field{Name: "Host", Value: cmp.Or(r.Host, r.URL.Host)})
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		for _, value := range r.Header[name] {
			p.Header = append(p.Header, exchange.Field{Name: name, Value: value})
		}
	}
	if r.Body == nil {
		return p, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, int64(s.options.MaxBody)+1))
	if err != nil {
		return nil, err
	}
	if len(body) > s.options.MaxBody {
		return p, errTooLarge
	}
	if len(body) > 0 {
		p.Body = body
	}
	return p, nil
}

// pause passes the time of a delay, or less when the server stops. The error
// is the context's.
func (s *Server) pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.context.Done():
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// begin writes the status and the fields.
func (a *inProcess) begin(w http.ResponseWriter) {
	h := w.Header()
	h["Content-Type"] = nil // net/http would guess one
	for _, f := range a.response.Header {
		h.Add(f.Name, f.Value)
	}
	w.WriteHeader(a.response.Status)
}

// enqueue has messages sent.
func (s *Server) enqueue(messages []*callbacks.Message) {
	for _, m := range messages {
		s.sender.Enqueue(m)
	}
}

// flusher has each piece on its way when Write returns.
type flusher struct{ http.ResponseWriter }

func (f flusher) Write(piece []byte) (int, error) {
	n, err := f.ResponseWriter.Write(piece)
	flush(f.ResponseWriter)
	return n, err
}

func flush(w http.ResponseWriter) { http.NewResponseController(w).Flush() }
