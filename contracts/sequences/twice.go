package sequences

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// twice sends the same creation twice. Where a conflict is documented for an
// item that exists already, the second must be one.
func twice(s *story) {
	b := s.binding(resource.Create)
	if b == nil || !conflicting(b, s.resource) {
		return
	}
	i := s.create(nil, request{all: true, title: "create an item"})
	if i == nil {
		return
	}
	second := s.afresh(i, "create the same again")
	if second == nil || !second.Succeeded() {
		return
	}
	s.accuse("duplicate", "", fmt.Sprintf("the same creation twice is answered %d and %d, though the document has 409 for what exists already", i.made.Status(), second.Status()), i.made, second)
}

// afresh sends a creation once more, under another key where it has one.
func (s *story) afresh(i *item, title string) *checks.Exchange {
	c := *i.made.Case
	c.Title = title
	if field := i.by.Headers.IdempotencyKey; field != "" {
		if _, sent := c.Request.Header.Get(field); sent {
			request := *c.Request
			request.Header = slices.Clone(request.Header)
			if key, ok := s.token(i.by, field).(string); ok {
				request.Header.Set(field, key)
			}
			c.Request = &request
		}
	}
	return s.Send(s.ctx, &c)
}

// conflicting reports whether the document says that a creation can meet an item
// that exists: clients choose the key, or the 409 says so.
func conflicting(b *resource.Binding, r *resource.Resource) bool {
	conflict := b.Operation.Response(409)
	if conflict == nil || conflict.Status != "409" {
		return false
	}
	if r.Key != nil && r.Key.Maker == resource.Client {
		return true
	}
	return says(conflict, "already", "duplicate", "exist", "unique", "taken", "in use")
}

func says(r *spec.Response, words ...string) bool {
	said := strings.ToLower(r.Description)
	for _, word := range words {
		if strings.Contains(said, word) {
			return true
		}
	}
	return false
}

// idempotencyKey sends the same creation twice under one key.
func idempotencyKey(s *story) {
	b := s.binding(resource.Create)
	if b == nil || b.Headers.IdempotencyKey == "" {
		return
	}
	field := b.Headers.IdempotencyKey
	i := s.create(nil, request{title: "create an item under a key", values: map[string]any{field: s.token(b, field)}})
	if i == nil {
		return
	}
	second := s.again(i.made, "the same under the same key")
	if second == nil || second.Response == nil {
		return
	}
	if !second.Succeeded() {
		if second.Status() != 409 && second.Status() != 429 {
			s.accuse("idempotency-key", "header."+field, fmt.Sprintf("the same request under the same key is answered %d and then %d", i.made.Status(), second.Status()), i.made, second)
		}
		return
	}
	if other := s.shown(b, second, i.Scope); other != nil && other.Key != i.Key {
		s.accuse("idempotency-key", "header."+field, fmt.Sprintf("the same request under the same key makes %q and %q", i.Key, other.Key), i.made, second)
	}
}

// token gives a text for a key that no other request of the run has.
func (s *story) token(b *resource.Binding, field string) any {
	s.n++
	digits := fmt.Sprintf("%012d", s.n%1_000_000_000_000)
	sum := fmt.Sprintf("%08x", uint32(s.Seed)*2654435761+uint32(len(s.resource.Name)*7919+s.n))
	for _, candidate := range []string{sum + "-0000-4000-8000-" + digits, "coldframe-" + sum + digits, sum} {
		if s.Maker(b.Operation).Takes(field, candidate) {
			return candidate
		}
	}
	return "coldframe"
}
