package contracts

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
)

// refer puts references to other items into a body whose operation uses up what
// it refers to. Items for other requests have their own already.
func (r *run) refer(ctx context.Context, c *cases.Case, to *exchange.Request) {
	s := r.of[c.Operation]
	value, ok := c.Value.(map[string]any)
	if c.Phase == itempool.Phase || s == nil || !ok || len(s.have) == 0 || !r.supply.Consumes(c.Operation) {
		return
	}
	used := false
	for name, have := range s.have {
		used = used || reflect.DeepEqual(value[name], have)
	}
	if !used {
		return
	}
	found, _ := r.supply.References(ctx, c.Operation)
	for name, reference := range found {
		if have := s.have[name]; reflect.DeepEqual(value[name], have) {
			to.Body = bytes.Replace(to.Body, member(name, have), member(name, reference), 1)
		}
	}
}

// member writes a member of an object as bodies are written.
func member(name string, value any) []byte {
	return jsontext.Append(append(jsontext.AppendString(nil, name), ':'), value)
}

// condition gives a request that names a version of its item, or must name one,
// the version at hand, unless the case is about that.
func (r *run) condition(ctx context.Context, c *cases.Case, to *exchange.Request, versioned bool) {
	b := r.plan.Of(c.Operation)
	if b == nil || b.Resource == nil || b.Headers.IfMatch == "" || about(c, b.Headers.IfMatch) || !strings.Contains(c.Request.Path, "{") {
		return
	}
	if _, sent := to.Header.Get(b.Headers.IfMatch); !sent && !versioned {
		return
	}
	for _, read := range b.Resource.Bindings {
		if read.Role != resource.Read || read.KeyIn != b.KeyIn || len(read.Scope) != len(b.Scope) || read.Headers.ETag == "" {
			continue
		}
		plain, err := r.maker(read.Operation).Plain(0, nil)
		if err != nil {
			return
		}
		plain.Phase, plain.Title = c.Phase, "the version at hand"
		plain.Request.Path = to.Path
		if x := r.exchange(ctx, plain, true); x != nil && x.Succeeded() {
			if tag, ok := x.Response.Header.Get(read.Headers.ETag); ok {
				to.Header.Set(b.Headers.IfMatch, tag)
			}
		}
		return
	}
}

// about reports whether a case is about a header field.
func about(c *cases.Case, field string) bool {
	return slices.Contains(c.Literal, field) || strings.Contains(c.Varied, field) || c.Violation != nil && c.Violation.In == exchange.InHeader && strings.EqualFold(c.Violation.Name, field)
}
