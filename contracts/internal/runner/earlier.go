package runner

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// Bounds of the search for the earlier request that a fault needs.
const (
	maxChanges  = 2_000 // that are remembered
	maxSearches = 12    // of a run
	maxReplays  = 120   // changes that one search sends again
	maxRemoved  = 1_000 // items that one search deletes
	maxLeft     = 5     // items that cannot be deleted, after which no more are
)

// history remembers the requests that changed the backend, and when each operation answered its plain request well
// last. Its clock counts what was begun and ended. It is safe for concurrent use.
type history struct {
	mu       sync.Mutex
	clock    int
	changes  []change
	well     map[*spec.Operation]wellness
	searches int
	plain    int // requests of searches so far
}

// change is an exchange that may have changed something, and when it ended.
type change struct {
	*checks.Exchange
	at int
}

// wellness is when a plain request began that was answered well, and its query.
type wellness struct {
	began int
	query string
}

// begin returns the time at which a request begins.
func (h *history) begin() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock++
	return h.clock
}

// note notes how a request was answered that began at a time, and returns the time.
func (h *history) note(x *checks.Exchange, began int) (at int) {
	o, isRead := x.Case.Operation, isSafe(x.Request.Method)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.clock++
	if !isRead && (x.Succeeded() || x.Status() >= 500 || x.Fault != nil) {
		kept := *x.Kept()
		h.changes = append(h.changes[max(0, len(h.changes)-maxChanges+1):], change{&kept, h.clock})
	}
	if x.Succeeded() && x.Request.Method == o.Method {
		last, known := h.well[o]
		switch isPlain := x.Case.Phase == findings.PlainPhase || x.Case.Phase == itempool.Phase; {
		case isPlain, isRead && known && last.query == x.Request.Query:
			h.well[o] = wellness{max(began, last.began), x.Request.Query}
		}
	}
	return h.clock
}

// since returns when an operation answered its plain request well last, 0 for never.
func (h *history) since(o *spec.Operation) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.well[o].began
}

// changesSince returns the changes after a time, in their order.
func (h *history) changesSince(at int) []change {
	h.mu.Lock()
	defer h.mu.Unlock()
	first := slices.IndexFunc(h.changes, func(c change) bool { return c.at > at })
	if first < 0 {
		return nil
	}
	return slices.Clone(h.changes[first:])
}

// takeSearch reports whether there may be one more search.
func (h *history) takeSearch() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.searches++
	return h.searches <= maxSearches
}

// candidates returns each kind of change once, those first that most likely leave behind what others cannot show: those
// that failed or should have been refused, then values at a bound. What may do harm is left out.
func candidates(t *Tester, all []change) []change {
	rank := func(c change) int {
		switch {
		case !c.Succeeded() || c.Case.Expected != cases.Accepted:
			return 0
		case c.Case.Varied != "":
			return 1
		}
		return 2
	}
	seen := map[string]bool{}
	all = slices.DeleteFunc(all, func(c change) bool {
		kind := findings.OperationName(c.Case.Operation) + " " + c.Case.Title
		was := seen[kind]
		seen[kind] = true
		return was || t.groups[c.Case.Operation] == destructive || c.Case.Expected == cases.Unauthorized
	})
	slices.SortStableFunc(all, func(a, b change) int {
		at := func(c change) int { return slices.Index(t.Contract.Operations, c.Case.Operation) }
		return cmp.Or(rank(a)-rank(b), at(a)-at(b), cmp.Compare(a.Case.Title, b.Case.Title))
	})
	return all
}

// search is the search for an earlier request that a fault needs to come.
type search struct {
	*Tester
	suspicion *findings.Suspicion
	faulty    *checks.Exchange
	changes   []change // the candidates
	lasts     bool     // the plain request of the operation shows the fault too, which it did not before
}

// searchFor returns the search for what a confirmed fault needs; nil if the fault needs no other request, as far as is
// known: it is not one of the state, or the operation has not answered well before.
func searchFor(ctx context.Context, t *Tester, s *findings.Suspicion, v *seen) *search {
	if v == nil || s.Check != "server-error" && s.Check != "answer" {
		return nil
	}
	h := &search{Tester: t, suspicion: s, faulty: v.sent[len(v.sent)-1]}
	o := h.faulty.Case.Operation
	if target := t.of[o]; target == nil || !target.Accepted || t.groups[o] == destructive {
		return nil
	}
	wellAt := t.history.since(o)
	if again, _ := h.plain(ctx, nil); again != nil && wellAt > 0 {
		h.lasts = true
		h.changes = candidates(t, t.history.changesSince(wellAt))
	} else if ofItem := h.changesOfItem(); again == nil && len(ofItem) > 0 {
		if again, _ = h.plain(ctx, h.faulty); again != nil {
			h.changes = candidates(t, ofItem)
		}
	}
	if len(h.changes) == 0 || !t.history.takeSearch() {
		return nil
	}
	return h
}

// plain sends the plain request of the operation, about the item of an earlier exchange if that has one of the same
// resource. It returns the fault if it comes, and whether anything was answered.
func (h *search) plain(ctx context.Context, after *checks.Exchange) (v *seen, isAnswered bool) {
	o := h.faulty.Case.Operation
	n := 0
	if !isSafe(o.Method) { // other values each time
		h.history.mu.Lock()
		h.history.plain++
		n = maxPlain + h.history.plain
		h.history.mu.Unlock()
	}
	target := h.of[o]
	c, err := target.builder.Plain(n, target.references)
	if err != nil || h.Transport.Budget.Spent() {
		return nil, false
	}
	c.Phase = findings.PlainPhase
	if item := h.itemOf(after); item != nil && isSafe(o.Method) && item.Resource == h.resourceOf(o) {
		values := itempool.ScopeFor(h.Plan.Of(o), item.Scope)
		values[h.Plan.Of(o).Variable] = item.Key
		h.pool.FillPath(c, values)
	}
	var all []seen
	options := repeating(h.Tester, &all)
	x := h.send(ctx, c)
	if x == nil {
		return nil, false
	}
	x.Plain = true
	judge(h.Tester, &options, x)
	if at := slices.IndexFunc(all, shows(h.suspicion)); at >= 0 {
		v = &all[at]
	}
	return v, true
}

func (h *search) resourceOf(o *spec.Operation) *resource.Resource {
	if b := h.Plan.Of(o); b != nil && b.KeyIn == resource.InPath && len(b.Lookup) == 0 {
		return b.Resource
	}
	return nil
}

// itemOf returns the item that an exchange creates, or names in its path; nil for none.
func (h *search) itemOf(x *checks.Exchange) *itempool.Item {
	if x == nil {
		return nil
	}
	b := h.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil || b.Resource.Singleton {
		return nil
	}
	variables, scope := itempool.PathVariables(x), map[string]string{}
	for _, v := range b.Scope {
		scope[v.Name] = variables[v.Name]
	}
	item := &itempool.Item{Resource: b.Resource, Key: variables[b.Variable], Scope: scope}
	if b.Role == resource.Create && x.Succeeded() {
		item = itempool.Created(b, x, scope)
	}
	if item == nil || item.Key == "" {
		return nil
	}
	return item
}

// changesOfItem returns the changes of items of a resource that are like one of the item that the faulty request names.
func (h *search) changesOfItem() []change {
	item := h.itemOf(h.faulty)
	if item == nil || !isSafe(h.faulty.Request.Method) || h.resourceOf(h.faulty.Case.Operation) != item.Resource ||
		len(h.pool.Origins(h.faulty)) == 0 { // the key may be what is wrong
		return nil
	}
	isIt := map[string]bool{} // by title
	all := slices.DeleteFunc(h.history.changesSince(0), func(c change) bool {
		other := h.itemOf(c.Exchange)
		if other == nil || other.Resource != item.Resource || c.Request.Method == "DELETE" {
			return true
		}
		isIt[c.Case.Title] = isIt[c.Case.Title] || other.Key == item.Key && maps.Equal(other.Scope, item.Scope)
		return false
	})
	return slices.DeleteFunc(all, func(c change) bool { return !isIt[c.Case.Title] })
}

// run sends the candidates again, one at a time, each followed by the request that shows the fault. The finding then
// shows both. If none is known to be the one, the finding names them.
func (h *search) run(ctx context.Context) {
	all := h.changes
	if h.lasts && !h.clean(ctx) {
		all = nil
	}
	for _, c := range all[:min(len(all), maxReplays)] {
		sent, v := h.showAfter(ctx, c.Case)
		if v != nil && h.lasts && h.clean(ctx) { // once more without the others before it
			sent, v = h.showAfter(ctx, c.Case)
		}
		if v == nil {
			continue
		}
		h.Collector.Attribute(h.suspicion, v.Violation, sent)
		if h.lasts {
			h.clean(ctx)
		}
		return
	}
	if h.lasts && ctx.Err() == nil {
		h.Collector.Explain(h.suspicion, "the same request was answered well before, so an earlier one is the reason: "+
			someOf(h.changes))
	}
}

// showAfter sends a change again and the plain request after it. It returns both if that shows the fault.
func (h *search) showAfter(ctx context.Context, c *cases.Case) (sent []*checks.Exchange, v *seen) {
	x := h.send(ctx, c)
	if other := h.builder(c.Operation).Again(c, 0); other != nil && x != nil && x.Status()/100 == 4 {
		x = h.send(ctx, other)
	}
	if x == nil || x.Status()/100 == 4 {
		return nil, nil
	}
	if v, _ = h.plain(ctx, x); v == nil {
		return nil, nil
	}
	return append([]*checks.Exchange{x}, v.sent...), v
}

// clean returns the backend a state in which the operation answers its plain request well: it restores singletons,
// deletes what the run has created, the last first, or restarts the backend.
func (h *search) clean(ctx context.Context) bool {
	isWell := func() bool {
		v, isAnswered := h.plain(ctx, nil)
		return v == nil && isAnswered && ctx.Err() == nil
	}
	if isWell() {
		return true
	}
	restore(ctx, h.Tester)
	removed, next := 0, 1
	for i, item := range h.pool.Left() {
		if i == maxRemoved || h.Transport.Budget.Spent() || i-removed == maxLeft {
			break
		}
		if !remove(ctx, h.Tester, item) {
			continue
		}
		if removed++; removed == next {
			if next *= 2; isWell() {
				return true
			}
		}
	}
	return isWell() || h.Transport.restartNow(ctx) && isWell()
}

// someOf names changes, at most maxNamed.
func someOf(all []change) string {
	var names []string
	for _, c := range all[:min(len(all), maxNamed)] {
		names = append(names, fmt.Sprintf("%s (%s)", findings.OperationName(c.Case.Operation), c.Case.Title))
	}
	if more := len(all) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("or one of %d more", more))
	}
	return strings.Join(names, ", ")
}
