package mock

import (
	"cmp"
	"maps"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// How a request names its session, beside Prefer: session=NAME.
const (
	sessionField  = "Coldframe-Session"
	sessionCookie = "coldframe-session"
)

// session is one client's items and what it has done.
type session = state.Session[*memory]

// memory is what a session has beside its items. It is safe for concurrent
// use.
type memory struct {
	plays
	mu      sync.Mutex
	replies map[string]reply         // by operation and Idempotency-Key
	making  map[string]chan struct{} // likewise; closed when the creation has ended
}

// reply is what a creation with an Idempotency-Key has made.
type reply struct {
	body       string // of the request
	collection string
	key        string
}

// maxReplies bounds the creations that a session remembers by their
// Idempotency-Key; beyond it, some are forgotten.
const maxReplies = 10_000

func newMemory() *memory {
	return &memory{replies: map[string]reply{}, making: map[string]chan struct{}{}}
}

func (m *memory) fork() *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &memory{replies: maps.Clone(m.replies), making: map[string]chan struct{}{}}
	m.plays.fork(&f.plays)
	return f
}

// alone waits until no other creation goes on under an Idempotency-Key and keeps
// others waiting until done is called.
func (m *memory) alone(key string) (done func()) {
	for {
		m.mu.Lock()
		other := m.making[key]
		if other == nil {
			own := make(chan struct{})
			m.making[key] = own
			m.mu.Unlock()
			return func() {
				m.mu.Lock()
				delete(m.making, key)
				m.mu.Unlock()
				close(own)
			}
		}
		m.mu.Unlock()
		<-other
	}
}

// replied gives what was made under an Idempotency-Key.
func (m *memory) replied(key string) (reply, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.replies[key]
	return r, ok
}

func (m *memory) remember(key string, r reply) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.replies) >= maxReplies {
		for old := range m.replies {
			delete(m.replies, old)
			break
		}
	}
	m.replies[strings.Clone(key)] = r
}

// newSessions makes the sessions of a server.
func newSessions(s *Server, base *state.View) *state.Sessions[*memory] {
	return state.NewSessions(base, state.SessionOptions[*memory]{
		Limits:   state.Limits{Items: s.options.MaxItems, Bytes: s.options.MaxState, Dropped: func(int) { s.warnDropped() }},
		Sessions: s.options.MaxSessions,
		New:      newMemory,
		Fork:     (*memory).fork,
	})
}

// sessionName gives the name of the session that a request's fields choose, ""
// where they choose none.
func sessionName(h exchange.Header) string {
	if name, ok := h.Get(sessionField); ok {
		return strings.TrimSpace(name)
	}
	for i := range h {
		if !strings.EqualFold(h[i].Name, "Cookie") {
			continue
		}
		for pair := range strings.SplitSeq(h[i].Value, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(pair), "=")
			if name == sessionCookie {
				return strings.Trim(value, `"`)
			}
		}
	}
	return ""
}

// sessionOf gives the session that a request chooses. A name that no session can
// have is refused: the request would meet the data of others.
func (s *Server) sessionOf(q *respond.Request) (*session, *respond.Refusal) {
	found, err := s.sessions.Get(cmp.Or(q.Preferences.Session, sessionName(q.Header), state.Default))
	if err != nil {
		return s.sessions.Lookup(""), &respond.Refusal{Status: 400, Findings: []exchange.Finding{{
			Code: "malformed-session", Message: err.Error(), In: exchange.InHeader, Name: sessionField,
		}}}
	}
	return found, nil
}
