package logins

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Store has the users who signed up in a session and the issued tokens. It stores digests of names, passwords and
// tokens, keyed with a secret of its own. It is safe for concurrent use.
type Store struct {
	secret []byte // the key of all digests
	grown  func(bytes int64)
	now    func() time.Time
	any    atomic.Bool // there are tokens

	mu       sync.Mutex
	accounts map[digest]account
	names    []digest // of accounts, oldest first
	tokens   map[digest]Token
	order    []digest // of tokens, oldest first
	grants   uint64   // number of the last grant
	unnamed  uint64   // number of logins without a name
	pending  string   // user who was sent the last code; "" if none
}

type digest = [sha256.Size]byte

// account is a user under one name.
type account struct {
	user     string // key of the item; "" if users have no items
	password digest
	signedUp bool // has a password; otherwise any is accepted
	logins   uint64
}

// Token is the data of a token.
type Token struct {
	User    string    // key of the user's item; "" if none
	Name    string    // the user's login name; "" if nobody logged in
	Grant   uint64    // shared by tokens that were issued together
	Expires time.Time // zero: never
	Refresh bool      // it is a refresh token
	Ended   bool      // by a logout, or by its use
	Ticket  bool      // only for the next step of a login
	Scopes  []string  // nil for all

	Collection, Item string // the item that the token depends on; "" if none
}

const (
	// maxTokens limits the tokens and the accounts of a session; the oldest are dropped.
	maxTokens = 10_000
	// accountBytes and tokenBytes are rough sizes in memory.
	accountBytes = 250
	tokenBytes   = 400
	// maxScope limits the scopes of a token, and maxName the name of its user, in bytes.
	maxScope, maxName = 500, 200
)

func (s *Store) digestOf(kind string, parts ...string) (d digest) {
	h := hmac.New(sha256.New, s.secret)
	h.Write([]byte(kind))
	for _, part := range parts {
		h.Write([]byte{0})
		h.Write([]byte(part))
	}
	h.Sum(d[:0])
	return d
}

func (s *Store) nameDigest(name string) digest {
	return s.digestOf("name", strings.ToLower(strings.TrimSpace(name)))
}

// NewStore returns an empty store. It calls grown with the bytes of additional memory; now is the clock for expiry.
func NewStore(grown func(bytes int64), now func() time.Time) *Store {
	return &Store{
		secret: []byte(rand.Text()), grown: grown, now: now, accounts: map[digest]account{}, tokens: map[digest]Token{},
	}
}

// Fork returns a copy with another clock.
func (s *Store) Fork(now func() time.Time) *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	fork := &Store{
		secret: s.secret, grown: s.grown, now: now, accounts: maps.Clone(s.accounts), names: slices.Clone(s.names),
		tokens: maps.Clone(s.tokens), order: slices.Clone(s.order), grants: s.grants,
		unnamed: s.unnamed, pending: s.pending,
	}
	fork.any.Store(s.any.Load())
	return fork
}

// Bytes returns roughly the memory of a store.
func (s *Store) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return int64(len(s.accounts))*accountBytes + int64(len(s.tokens))*tokenBytes
}

// Clear removes everything. It returns the number of accounts and tokens, and their memory.
func (s *Store) Clear() (count int, bytes int64) {
	bytes = s.Bytes()
	s.mu.Lock()
	defer s.mu.Unlock()
	count = len(s.accounts) + len(s.tokens)
	s.accounts, s.names, s.tokens, s.order = map[digest]account{}, nil, map[digest]Token{}, nil
	s.any.Store(false)
	return count, bytes
}

// setPending remembers the user who was sent a code.
func (s *Store) setPending(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pending = name
}

// takePending returns the user who was sent a code, once.
func (s *Store) takePending() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	name := s.pending
	s.pending = ""
	return name
}

// signUp stores a user under several names. Without a password, any is accepted.
func (s *Store) signUp(user string, names []string, password string, signedUp bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		d := s.nameDigest(name)
		if _, known := s.accounts[d]; !known {
			s.names = append(s.names, d)
			s.grown(accountBytes)
		}
		s.accounts[d] = account{user, s.passwordDigest(d, password), signedUp, s.accounts[d].logins}
		if len(s.names) > maxTokens {
			delete(s.accounts, s.names[0])
			s.names = s.names[1:]
		}
	}
}

func (s *Store) passwordDigest(of digest, password string) digest {
	return s.digestOf("password", string(of[:]), password)
}

// account returns the account with a name, and whether the password is right.
func (s *Store) account(name, password string) (found account, isRight, known bool) {
	d := s.nameDigest(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	found, known = s.accounts[d]
	given := s.passwordDigest(d, password)
	return found, !found.signedUp || hmac.Equal(given[:], found.password[:]), known
}

// setPassword changes the password of a user under all names.
func (s *Store) setPassword(user, password string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for d, a := range s.accounts {
		if a.user == user {
			a.password, a.signedUp = s.passwordDigest(d, password), true
			s.accounts[d] = a
		}
	}
}

// next counts the logins of a name; unknown names share one count.
func (s *Store) next(name string) uint64 {
	d := s.nameDigest(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	a, known := s.accounts[d]
	if !known {
		s.unnamed++
		return s.unnamed
	}
	a.logins++
	s.accounts[d] = a
	return a.logins
}

// grant returns a number for tokens that belong together.
func (s *Store) grant() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.grants++
	return s.grants
}

// Add stores a token.
func (s *Store) Add(text string, t Token) {
	d := s.digestOf("token", text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.tokens[d]; !known {
		s.order = append(s.order, d)
		s.grown(tokenBytes)
	}
	s.tokens[d] = t
	s.any.Store(true)
	if len(s.order) > maxTokens {
		delete(s.tokens, s.order[0])
		s.order = s.order[1:]
	}
}

// Find returns the data of a token, and whether it was issued in the session.
func (s *Store) Find(text string) (Token, bool) {
	if text == "" || !s.any.Load() {
		return Token{}, false
	}
	d := s.digestOf("token", text)
	s.mu.Lock()
	defer s.mu.Unlock()
	t, known := s.tokens[d]
	return t, known
}

// End ends a single token.
func (s *Store) End(text string) {
	d := s.digestOf("token", text)
	s.mu.Lock()
	defer s.mu.Unlock()
	if t, known := s.tokens[d]; known {
		t.Ended = true
		s.tokens[d] = t
	}
}

// EndGrant ends all tokens of a grant.
func (s *Store) EndGrant(grant uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for d, t := range s.tokens {
		if t.Grant == grant && !t.Ended {
			t.Ended = true
			s.tokens[d] = t
		}
	}
}
