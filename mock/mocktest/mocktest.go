// Package mocktest gives tests a mock of an OpenAPI document that lives as long as they do.
package mocktest

import (
	"bytes"
	"context"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

// Server is a mock that stops with its test. URL is where it answers; Client reaches it without a socket.
type Server struct {
	*mock.Server
	t testing.TB
}

// Start serves a document, a file or an http(s) URL, on a free port of the loopback interface until the test
// ends; "" is the Plant Store. A test that fails gets the end of the mock's log. What is wrong with the
// document or the options ends the test.
func Start(t testing.TB, document string, options ...func(*mock.Options)) *Server {
	t.Helper()
	lines := &tail{}
	o := mock.Options{Document: document, LogTo: lines}
	for _, set := range options {
		set(&o)
	}
	s, err := mock.New(context.Background(), o)
	if err != nil {
		t.Fatalf("mock: %s", visible.Text(err.Error()))
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

// Verify fails the test where the journal is not as expected, and logs the nearest misses.
func (s *Server) Verify(e mock.Expectation) {
	s.t.Helper()
	if err := s.Server.Verify(e); err != nil {
		s.t.Errorf("verify: %v", err)
	}
}

// Session is a session of a Server that ends with its test. Client and Transport send requests in it.
type Session struct {
	*mock.Session
	t testing.TB
}

// sessions tells apart those of tests with the same name.
var sessions atomic.Uint64

// Session begins a session for a test, usually a parallel subtest: it sees
// nothing of what others do with the same server, nor do they of it.
func (s *Server) Session(t testing.TB) *Session {
	t.Helper()
	session := s.Server.Session(sessionName(t.Name(), sessions.Add(1)))
	t.Cleanup(session.Close)
	return &Session{session, t}
}

const longestName = 40 // of a test's name, in that of a session

func sessionName(test string, number uint64) string {
	visible := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune(`",;=\`, r) {
			return '_'
		}
		return r
	}, test)
	return visible[max(0, len(visible)-longestName):] + "." + strconv.FormatUint(number, 10)
}

// Verify fails the test where the session's exchanges are not as expected, and logs the nearest misses.
func (s *Session) Verify(e mock.Expectation) {
	s.t.Helper()
	if err := s.Session.Verify(e); err != nil {
		s.t.Errorf("verify: %v", err)
	}
}

const maxLog = 64 << 10 // bytes of the log that are kept

// tail keeps the end of what is written to it, in whole lines.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (w *tail) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, b...)
	if over := len(w.text) - maxLog; over > 0 {
		end := bytes.IndexByte(w.text[over:], '\n')
		w.text = append(w.text[:0], w.text[over+end+1:]...)
	}
	return len(b), nil
}

func (w *tail) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}
