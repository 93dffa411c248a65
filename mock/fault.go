package mock

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// codeFault is the code of the finding if the mock itself fails.
const codeFault = "internal-error"

// guarded calls exchangeAfter. If the mock itself fails, only this request gets a 500, and the log has the stack.
func guarded(s *Server, r *exchange.Request, outcome *scenario.Outcome) (x *exchanged) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		s.logFault(r.Method+" "+r.Path, cause)
		x = s.handle(r, func(*exchanged) *respond.Refusal {
			return &respond.Refusal{Status: 500, Findings: []exchange.Finding{{
				Code: codeFault, In: exchange.InRequest, Message: fmt.Sprintf("the mock failed: %v; its log has more", cause),
			}}}
		})
	}()
	return s.exchangeAfter(r, outcome)
}

// logFault logs what a panic ended, from the deferred function that recovers.
func (s *Server) logFault(request string, cause any) {
	stack := strings.ReplaceAll(strings.TrimSpace(string(debug.Stack())), "\n", "\n  ")
	s.log.note("coldframe failed at %s, please report it: %v\n  %s", exchange.Quote(request), cause, stack)
}
