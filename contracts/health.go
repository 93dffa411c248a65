package contracts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts/checks"
	"github.com/coldframe/coldframe/contracts/wire"
	"github.com/coldframe/coldframe/internal/spec"
)

// health watches whether the backend is there. It is safe for concurrent use.
type health struct {
	mu       sync.Mutex
	silent   int              // requests in a row without an answer
	cut      *checks.Exchange // the last whose connection was closed without an answer
	since    int              // answers since then
	answered *checks.Exchange // the last with an answer
	gone     bool
}

const (
	// maxSilence is after how many requests in a row without an answer a run ends.
	maxSilence = 20
	// maxHangs is after how many requests in a row that an operation let hang it is
	// not asked any more.
	maxHangs = 3
)

// note takes notice of how a request ended.
func (h *health) note(r *run, x *checks.Exchange) {
	if s := r.of[x.Case.Operation]; s != nil {
		if x.Fault != nil && x.Fault.Code == wire.Timeout {
			s.hangs.Add(1)
		} else if s.hangs.Load() < maxHangs {
			s.hangs.Store(0)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if x.Fault == nil || x.Fault.Code != wire.NoAnswer && x.Fault.Code != wire.Timeout {
		h.silent, h.answered = 0, x
		h.since++
		return
	}
	if x.Fault.Code == wire.NoAnswer {
		h.cut, h.since = x, 0
	}
	if h.silent++; h.silent == maxSilence {
		r.stop(fmt.Errorf("%d requests in a row had no answer, the last of them %s: %s", maxSilence, nameOf(x.Case.Operation), x.Fault.Message))
	}
}

// hangs reports whether an operation is not asked any more.
func (r *run) hangs(o *spec.Operation) bool {
	s := r.of[o]
	return s != nil && s.hangs.Load() >= maxHangs
}

// maxAbsent is how often a connection is asked for, with longer and longer waits
// between that are three seconds in all, until a backend counts as gone.
const maxAbsent = 6

// absent waits for a backend that takes no connection: it may be starting again.
// n counts how often it was not there. It is false, and the run is over, where
// it stays away.
func (h *health) absent(ctx context.Context, r *run, n int) bool {
	if n < maxAbsent {
		return r.options.sleep(ctx, 100*time.Millisecond<<(n-1)) == nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone {
		return false
	}
	h.gone = true
	last := h.cut
	if last == nil || h.since >= r.options.Workers {
		last = h.answered
		h.accuse(r, last)
	}
	if last == nil {
		r.stop(errUnreachable)
		return false
	}
	r.stop(fmt.Errorf("%w after %s (%s)", errUnreachable, nameOf(last.Case.Operation), last.Case.Title))
	return false
}

// accuse holds it against the last request that was answered that none has been
// since. One that was not is accused already.
func (h *health) accuse(r *run, last *checks.Exchange) {
	check, has := r.judge.Has("answer")
	if last == nil || !has {
		return
	}
	r.tally.accuse(last, []checks.Verdict{{
		Check: check, Message: "the backend could not be reached any more after this request", Place: last.Case.Operation.Place, Cause: wire.Unreachable,
	}})
}
