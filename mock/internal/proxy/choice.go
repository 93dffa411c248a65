package proxy

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/spec"
)

// The sources of a response.
const (
	Forward = "forward" // the upstream
	Mock    = "mock"
)

// Fallbacks are the failures of the upstream after which an operation can be mocked.
var Fallbacks = append([]string{"501", "404"}, Errors...)

// Errors are the failures without a response.
var Errors = []string{"unreachable", "timeout", "malformed"}

// Choices say which operations are forwarded, and which are mocked instead. They are safe for concurrent use.
type Choices struct {
	mocked, forwarded []func(*spec.Operation) bool
	onlyForwarded     bool // operations that no pattern names are mocked
	fallback          []string
	clock             func() time.Time

	mu      sync.Mutex
	set     map[string]string   // by "METHOD path": the source that was set at run time
	lacking map[string]*lacking // what the upstream does not have
}

// lacking is an operation that the upstream does not have.
type lacking struct {
	status int
	probe  time.Time // from when a request is forwarded again
}

// probeAfter is the time after which an operation that the upstream did not have is forwarded again.
const probeAfter = 30 * time.Second

// NewChoices reads patterns of operations (spec.Pattern). Patterns of forward win over those of mock. With patterns of
// forward alone, all other operations are mocked. The error names the pattern that says nothing.
func NewChoices(mock, forward, fallback []string, clock func() time.Time) (*Choices, error) {
	c := &Choices{
		onlyForwarded: len(mock) == 0 && len(forward) > 0, fallback: fallback, clock: clock,
		set: map[string]string{}, lacking: map[string]*lacking{},
	}
	for _, one := range []struct {
		texts    []string
		patterns *[]func(*spec.Operation) bool
	}{{mock, &c.mocked}, {forward, &c.forwarded}} {
		for _, text := range one.texts {
			p := spec.Pattern(strings.TrimSpace(text))
			if p == nil {
				return nil, fmt.Errorf("operation %q: want a path, METHOD path, an operationId or tag:NAME", text)
			}
			*one.patterns = append(*one.patterns, p)
		}
	}
	return c, nil
}

func nameOf(o *spec.Operation) string { return o.Method + " " + o.Path }

// Of returns the source of an operation's next response, and why.
func (c *Choices) Of(o *spec.Operation) (source, reason string) {
	matches := func(p func(*spec.Operation) bool) bool { return p(o) }
	c.mu.Lock()
	defer c.mu.Unlock()
	if source, ok := c.set[nameOf(o)]; ok {
		return source, "set by the control API"
	}
	switch {
	case slices.ContainsFunc(c.forwarded, matches):
		return Forward, "chosen"
	case c.onlyForwarded:
		return Mock, "not chosen to be forwarded"
	case slices.ContainsFunc(c.mocked, matches):
		return Mock, "chosen"
	}
	if l := c.lacking[nameOf(o)]; l != nil && c.clock().Before(l.probe) {
		return Mock, fmt.Sprintf("the upstream answered %d", l.status)
	}
	return Forward, "default"
}

// IsMocked reports whether an operation is mocked now.
func (c *Choices) IsMocked(o *spec.Operation) bool {
	source, _ := c.Of(o)
	return source == Mock
}

// FallsBack reports whether operations are mocked after a failure of the upstream, one of Fallbacks.
func (c *Choices) FallsBack(failure string) bool { return slices.Contains(c.fallback, failure) }

// Lacks records that the upstream does not have an operation: it is mocked from now on, and forwarded again after half
// a minute.
func (c *Choices) Lacks(o *spec.Operation, status int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lacking[nameOf(o)] = &lacking{status, c.clock().Add(probeAfter)}
}

// Set sets the source of the operations that a pattern matches, "" for the one of the start, and forgets that the
// upstream lacks them. It returns how many there are.
func (c *Choices) Set(pattern, source string, operations []*spec.Operation) (changed int) {
	p := spec.Pattern(strings.TrimSpace(pattern))
	if p == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, o := range operations {
		if !p(o) {
			continue
		}
		changed++
		delete(c.lacking, nameOf(o))
		if delete(c.set, nameOf(o)); source != "" {
			c.set[nameOf(o)] = source
		}
	}
	return changed
}
