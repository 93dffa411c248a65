package contracts

import (
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// health watches whether the backend is there. It is safe for concurrent use.
type health struct {
	asking sync.Mutex // held while somebody finds out whether the backend is there; the others wait

	mu       sync.Mutex
	knock    *exchange.Request // changes nothing and has been answered; nil where there is none yet
	answered *checks.Exchange  // the last with an answer
	cut      *checks.Exchange  // the last without one, though the backend was there
	since    int               // answers since then
	outages  []*outage         // appended to under both locks
	told     int               // outages that have been accused
}

// maxHangs is after how many requests in a row that an operation let hang it is
// not asked any more.
const maxHangs = 3

// unanswered reports whether a request got no answer, or none that is whole, so
// that its backend may have gone.
func unanswered(x *checks.Exchange) bool {
	return x.Fault != nil && (x.Fault.Code == wire.NoAnswer || x.Fault.Code == wire.Timeout || x.Fault.Code == wire.Truncated)
}

// note takes notice of how a request ended at a backend that is there.
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
	if unanswered(x) {
		h.cut, h.since = x, 0
		return
	}
	h.answered = x
	h.since++
	if method := x.Request.Method; h.knock == nil && (method == "GET" || method == "HEAD") {
		h.knock = x.Request
	}
}

// hangs reports whether an operation is not asked any more.
func (r *run) hangs(o *spec.Operation) bool {
	s := r.of[o]
	return s != nil && s.hangs.Load() >= maxHangs
}
