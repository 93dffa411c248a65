package runner

import (
	"context"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// upgrades is why an operation is not tested whose connections go on with another protocol.
const upgrades = "it goes on with another protocol than HTTP (RFC 9110 section 7.8)"

// isUpgrade reports whether an operation is one: by its 101, its parameters, or its name.
func isUpgrade(o *spec.Operation) bool {
	words, _ := safety.WordsOf(o)
	return slices.ContainsFunc(o.Responses, func(r *spec.Response) bool { return r.Status == "101" }) ||
		slices.ContainsFunc(o.Parameters, func(p *spec.Parameter) bool {
			name := strings.ToLower(p.Name)
			return p.In == exchange.InHeader && (name == "upgrade" || strings.HasPrefix(name, "sec-websocket-"))
		}) ||
		o.Method == "GET" && (slices.Contains(words, "websocket") || slices.Contains(words, "ws") ||
			strings.Contains(strings.ToLower(o.Summary), "websocket"))
}

// isStreaming reports whether the document says that an operation answers by and by, or late.
func isStreaming(o *spec.Operation) bool {
	return doubt.In(doubt.Slow, nil, o.Summary, o.Description) != "" ||
		slices.ContainsFunc(o.Responses, func(r *spec.Response) bool {
			return slices.ContainsFunc(r.Content, func(m *spec.MediaType) bool { return wire.IsStream(m.Range) })
		})
}

// deliver sends a request. The first of an operation that takes too long is sent again while nothing else is on its
// way: the tester's own load may be the reason. Requests of an operation of which some were lost when the backend went
// away are sent alone, so that it is known which one ends it.
func (t *Tester) deliver(ctx context.Context, x *checks.Exchange, bare exchange.Request) result {
	target := t.of[x.Case.Operation]
	if target != nil && target.lost.Load() >= maxLostTogether {
		t.alone.Lock()
		defer t.alone.Unlock()
		r := t.Transport.send(ctx, x, bare)
		if r == lost {
			target.outages.Add(1)
		}
		return r
	}
	t.alone.RLock()
	r := t.Transport.send(ctx, x, bare)
	t.alone.RUnlock()
	if r == lost && target != nil {
		target.lost.Add(1)
	}
	if r != answered || x.Fault == nil || x.Fault.Code != wire.Timeout || target == nil || t.Workers < 2 ||
		isStreaming(x.Case.Operation) || target.repeated.Swap(true) {
		return r
	}
	t.alone.Lock()
	defer t.alone.Unlock()
	return t.Transport.send(ctx, x, bare)
}
