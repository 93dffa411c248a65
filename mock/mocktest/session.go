package mocktest

import (
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coldframe/coldframe/mock"
)

// Session is a session of a Server that ends with its test. Client and Transport
// send requests in it.
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

// longestName is how much of a test's name a session has in its own.
const longestName = 40

func sessionName(test string, number uint64) string {
	visible := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune(`",;=\`, r) {
			return '_'
		}
		return r
	}, test)
	return visible[max(0, len(visible)-longestName):] + "." + strconv.FormatUint(number, 10)
}

// Verify fails the test where the session's exchanges are not as expected, and
// logs the nearest misses.
func (s *Session) Verify(e mock.Expectation) {
	s.t.Helper()
	if err := s.Session.Verify(e); err != nil {
		s.t.Errorf("verify: %v", err)
	}
}
