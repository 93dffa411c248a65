// Package mocktest gives tests a mock of an OpenAPI document that lives as long
// as they do.
package mocktest

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/mock"
)

// Server is a mock that stops with its test. URL is where it answers; Client
// reaches it without a socket.
type Server struct {
	*mock.Server
	t testing.TB
}

// Start serves a document, a file or an http(s) URL, on a free port of the
// loopback interface until the test ends; "" is the Plant Store. A test that
// fails gets the end of the mock's log. What is wrong with the document or the
// options ends the test.
func Start(t testing.TB, document string, options ...func(*mock.Options)) *Server {
	t.Helper()
	lines := &tail{}
	o := mock.Options{Document: document, LogTo: lines}
	for _, set := range options {
		set(&o)
	}
	s, err := mock.New(context.Background(), o)
	if err != nil {
		t.Fatalf("mock: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Run(context.Background()) }()
	t.Cleanup(func() {
		t.Helper()
		s.Close()
		if err := <-done; err != nil {
			t.Errorf("mock: %v", err)
		}
		if text := lines.String(); t.Failed() && text != "" {
			t.Logf("log of the mock of %s:\n%s", s.Info().File, text)
		}
	})
	return &Server{s, t}
}

// Verify fails the test where the journal is not as expected, and logs the nearest
// misses.
func (s *Server) Verify(e mock.Expectation) {
	s.t.Helper()
	if err := s.Server.Verify(e); err != nil {
		s.t.Errorf("verify: %v", err)
	}
}
