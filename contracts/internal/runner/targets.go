package runner

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// Selection says which operations are tested.
type Selection struct {
	// Patterns are "POST /plants", "/plants/*", "tag:plants", an operationId or a glob
	// of these; one that begins with "!" excludes. Default: all.
	Patterns []string
	// ReadOnly selects GET and HEAD only.
	ReadOnly bool
	// Shard and Shards select a part: 2 of 4. Default: all.
	Shard, Shards int
}

// Select returns the operations that are tested.
func Select(c *spec.Contract, s Selection) ([]*spec.Operation, error) {
	var include, exclude []func(*spec.Operation) bool
	for _, text := range s.Patterns {
		rest, excludes := strings.CutPrefix(strings.TrimSpace(text), "!")
		p := spec.Pattern(rest)
		switch {
		case p == nil:
			return nil, fmt.Errorf("operation %q: want a path, METHOD path, an operationId or tag:NAME", text)
		case excludes:
			exclude = append(exclude, p)
		default:
			include = append(include, p)
		}
	}
	var all []*spec.Operation
	n := 0
	for _, o := range c.Operations {
		matches := func(p func(*spec.Operation) bool) bool { return p(o) }
		if slices.ContainsFunc(exclude, matches) || len(include) > 0 && !slices.ContainsFunc(include, matches) ||
			s.ReadOnly && o.Method != "GET" && o.Method != "HEAD" {
			continue
		}
		if n++; s.Shard == 0 || n%s.Shards == s.Shard-1 {
			all = append(all, o)
		}
	}
	if n == 0 && len(c.Operations) > 0 {
		return nil, errors.New("no operation of the document is chosen")
	}
	return all, nil
}

// Target is one operation under test.
type Target struct {
	*spec.Operation
	builder *cases.Builder
	group   safety.Group
	// Accepted says that a plain request has been accepted.
	Accepted   bool
	references map[string]any // properties of its bodies, with items that they can refer to
	unknown    string         // properties that refer to items that are not known
	lacking    []report.Need  // variables of the last plain request's path that nothing is known for
	tried      *cases.Case    // the last plain request
	Skipped    string         // why it is not tested; "" if it is
	timeouts   atomic.Int64   // in a row
	spared     atomic.Bool    // cases were not sent, for what they could do
	unnamed    atomic.Bool    // cases were not sent, since their paths may name items of others
	repeated   atomic.Bool    // a request that took too long was sent again alone
	refused    atomic.Int64   // requests since one was accepted: 401, 403, 503, or 404 for what exists
	lost       atomic.Int64   // requests on their way when the backend went away
	outages    atomic.Int64   // that one of its requests led to, which was alone
}

const (
	// maxTimeouts is after how many timeouts in a row an operation gets no more requests, maxOutages after how many
	// times that it ended the backend.
	maxTimeouts = 3
	maxOutages  = 3
	// maxLostTogether is the number of requests lost together with others after which an operation's are sent alone.
	maxLostTogether = 2
)

// givenUp says why an operation gets no more requests; "" if it does.
func (t *Target) givenUp() string {
	switch {
	case t == nil:
	case t.timeouts.Load() >= maxTimeouts:
		return fmt.Sprintf("%d requests in a row had no answer in time (Options.Limits.Timeout)", maxTimeouts)
	case t.outages.Load() >= maxOutages:
		return fmt.Sprintf("the backend ended %d times with one of its requests", maxOutages)
	}
	return ""
}

// markUncertain notes that requests of the operation may be refused as long as
// none was accepted, if they refer to what may not exist.
func (t *Target) markUncertain(c *cases.Case) {
	if !t.Accepted && c.Uncertainty == "" && t.unknown != "" {
		c.Uncertainty = t.unknown + " refers to something that may not exist"
	}
}

// builder returns the builder of an operation's cases. Operations that are not under
// test create items for those that are.
func (t *Tester) builder(o *spec.Operation) *cases.Builder {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.builders[o]
	if b == nil {
		b = cases.New(o, t.Seed)
		b.Hint(hintsOf(t.Plan.Of(o)))
		b.Prefer(t.Transport.Keyring.Preferred(o))
		t.Setup.give(b, o)
		t.builders[o] = b
	}
	return b
}

// hintsOf returns what an operation's part in a resource says of its parameters.
func hintsOf(b *resource.Binding) cases.Hints {
	h := b.Headers
	opaque := []string{h.IfMatch, h.IfNoneMatch, h.IfModifiedSince, h.IfUnmodifiedSince}
	if b.List != nil {
		for _, p := range b.List.Params {
			if p.Role == resource.Cursor || p.Role == resource.CursorBefore {
				opaque = append(opaque, p.Parameter.Name)
			}
		}
	}
	isNone := func(name string) bool { return name == "" }
	return cases.Hints{Unique: h.IdempotencyKey, Opaque: slices.DeleteFunc(opaque, isNone)}
}
