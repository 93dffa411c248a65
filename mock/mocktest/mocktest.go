// Package mocktest starts mocks of OpenAPI documents for tests. A mock lives as long as its test.
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

// Server is a mock that stops with its test. URL is its address; Client reaches it without a socket.
type Server struct {
	*mock.Server
	t testing.TB
}

// Start serves a document, a file or an http(s) URL, on a free port of the loopback interface until the test ends; ""
// is the Plant Store. If the test fails, the end of the mock's log is logged. Errors in the document or the options
// end the test.
func Start(t testing.TB, document string, options ...func(*mock.Options)) *Server {
	t.Helper()
	lines := &tail{}
	o := mock.Options{Document: document, Log: mock.LogOptions{To: lines}}
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

// Verify fails the test if the journal does not meet the expectation, and logs the nearest misses.
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

// sessions numbers the sessions, so that tests with the same name differ.
var sessions atomic.Uint64

// Session returns a new session for a test, usually a parallel subtest. The session is isolated from other users of
// the server.
func (s *Server) Session(t testing.TB) *Session {
	t.Helper()
	session := s.Server.Session(sessionName(t.Name(), sessions.Add(1)))
	t.Cleanup(session.Close)
	return &Session{session, t}
}

const longestName = 40 // characters of a test's name in the session's name

func sessionName(test string, number uint64) string {
	visible := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune(`",;=\`, r) {
			return '_'
		}
		return r
	}, test)
	return visible[max(0, len(visible)-longestName):] + "." + strconv.FormatUint(number, 10)
}

// Verify fails the test if the session's exchanges do not meet the expectation, and logs the nearest misses.
func (s *Session) Verify(e mock.Expectation) {
	s.t.Helper()
	if err := s.Session.Verify(e); err != nil {
		s.t.Errorf("verify: %v", err)
	}
}

const maxLog = 64 << 10 // bytes of the log that are kept

// tail keeps the end of its input, in whole lines.
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
