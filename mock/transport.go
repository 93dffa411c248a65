package mock

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"

	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// Transport answers a client's requests in this process, without a socket,
// whatever the host of their URLs. It needs no Run; see Options.NoListener.
// Faults of scenarios are errors like those of a real connection.
func (s *Server) Transport() http.RoundTripper { return transport{s} }

// Client is an http.Client of Transport.
func (s *Server) Client() *http.Client { return &http.Client{Transport: s.Transport()} }

type transport struct{ server *Server }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		defer r.Body.Close()
	}
	a, err := t.server.take(r)
	if err != nil {
		return nil, err
	}
	if a.fault == scenario.Reset {
		return nil, &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	}
	body := a.response.Body
	answer := &http.Response{
		Status:     strconv.Itoa(a.response.Status) + " " + http.StatusText(a.response.Status),
		StatusCode: a.response.Status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{},
		ContentLength: int64(len(body)),
		Request:       r,
	}
	for _, f := range a.response.Header {
		answer.Header.Add(f.Name, f.Value)
	}
	switch {
	case a.stream != nil:
		answer.ContentLength = -1
		answer.Body = follow(r.Context(), a.stream)
	case a.fault == scenario.Truncate:
		answer.ContentLength = int64(max(len(body), 2))
		answer.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body[:len(body)/2]), brokenOff{}))
	case r.Method == http.MethodHead || respond.Bodiless(a.response.Status):
		answer.Body = http.NoBody
	case a.bandwidth > 0:
		answer.Body = io.NopCloser(a.throttled(t.server))
	default:
		answer.Body = io.NopCloser(bytes.NewReader(body))
	}
	t.server.enqueue(a.messages)
	return answer, nil
}

// brokenOff is where a connection ends too early.
type brokenOff struct{}

func (brokenOff) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

// follow reads a body as it is made, until it is closed or the context is done.
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
