package logins

import (
	"errors"
	"time"
)

// Saved is a Store, to be written as JSON and read by another process: digests, and the secret that keys them.
type Saved struct {
	Secret   []byte         `json:"secret"`
	Accounts []SavedAccount `json:"accounts,omitempty"` // oldest first
	Tokens   []SavedToken   `json:"tokens,omitempty"`   // likewise
	Grants   uint64         `json:"grants"`
	Unnamed  uint64         `json:"unnamed"`
	Pending  string         `json:"pending,omitempty"`
}

// SavedAccount is an account.
type SavedAccount struct {
	Name     []byte `json:"name"`
	User     string `json:"user,omitempty"`
	Password []byte `json:"password,omitempty"` // absent if any is accepted
	Logins   uint64 `json:"logins"`
}

// SavedToken is a token.
type SavedToken struct {
	Digest []byte `json:"digest"`
	Token
}

// Save returns what the Store has.
func (s *Store) Save() *Saved {
	s.mu.Lock()
	defer s.mu.Unlock()
	saved := &Saved{Secret: s.secret, Grants: s.grants, Unnamed: s.unnamed, Pending: s.pending}
	for _, d := range s.names {
		a := s.accounts[d]
		one := SavedAccount{Name: d[:], User: a.user, Logins: a.logins}
		if a.signedUp {
			one.Password = a.password[:]
		}
		saved.Accounts = append(saved.Accounts, one)
	}
	for _, d := range s.order {
		saved.Tokens = append(saved.Tokens, SavedToken{d[:], s.tokens[d]})
	}
	return saved
}

var errSaved = errors.New("/logins: it is not what a mock has written")

// Load returns a Store with what was saved; grown and now are as for NewStore.
func (saved *Saved) Load(grown func(bytes int64), now func() time.Time) (*Store, error) {
	s := NewStore(grown, now)
	if len(saved.Secret) == 0 || len(saved.Accounts) > maxTokens || len(saved.Tokens) > maxTokens {
		return nil, errSaved
	}
	s.secret, s.grants, s.unnamed, s.pending = saved.Secret, saved.Grants, saved.Unnamed, saved.Pending
	for _, one := range saved.Accounts {
		var d digest
		a := account{user: one.User, logins: one.Logins, signedUp: one.Password != nil}
		if copy(d[:], one.Name) != len(d) || a.signedUp && copy(a.password[:], one.Password) != len(d) {
			return nil, errSaved
		}
		s.names = append(s.names, d)
		s.accounts[d] = a
	}
	for _, one := range saved.Tokens {
		var d digest
		if copy(d[:], one.Digest) != len(d) || len(one.Name) > maxName {
			return nil, errSaved
		}
		s.order = append(s.order, d)
		s.tokens[d] = one.Token
	}
	s.any.Store(len(s.order) > 0)
	return s, nil
}
