package compare

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
)

// order is the order of roles in which items exist when they are needed: lists show keys, creations make them,
// deletions come last.
var order = []resource.Role{resource.List, resource.Create, resource.Read, resource.Unknown, resource.Action,
	resource.Upsert, resource.Replace, resource.Update, resource.Delete, resource.DeleteMany}

// plainRequests is the number of requests that are made for an operation.
const plainRequests = 2

// Generated sends conforming requests of the operations, made from the document.
func (c *Comparison) Generated(ctx context.Context) {
	operations := slices.Clone(c.Operations)
	step := func(o *spec.Operation) [2]int { // of one step are requests that need nothing of each other's responses
		return [2]int{slices.Index(order, c.Plan.Of(o).Role), strings.Count(o.Path, "{")}
	}
	slices.SortStableFunc(operations, func(a, b *spec.Operation) int {
		one, other := step(a), step(b)
		return slices.Compare(one[:], other[:])
	})
	var waiting [][]*request
	for i, o := range operations {
		if i > 0 && (step(operations[i-1]) != step(o) || !isSafe(o.Method) || !isSafe(operations[i-1].Method)) {
			c.send(ctx, waiting...)
			waiting = nil
		}
		if ctx.Err() != nil {
			return
		}
		waiting = append(waiting, c.generated(ctx, o))
	}
	c.send(ctx, waiting...)
}

// generated makes the requests of an operation.
func (c *Comparison) generated(ctx context.Context, o *spec.Operation) (all []*request) {
	builder := cases.New(o, c.Seed)
	builder.Prefer(c.A.Keys.Preferred(o))
	for n := range plainRequests {
		made, err := builder.Plain(n, nil)
		if err != nil {
			c.skip(o, "no conforming request can be made: "+err.Error())
			break
		}
		a, b, ok := c.completed(made, n)
		if !ok {
			c.skip(o, "no item is known that the path could name")
			break
		}
		r := &request{operation: o, a: a, b: b, credentials: made.Credentials, title: made.Title}
		if c.mayBeSent(ctx, r, made.Value) {
			all = append(all, r)
		}
	}
	return all
}

// completed returns a request with the keys of existing items in its path, for each server: a key that both have, else
// a key of each.
func (c *Comparison) completed(made *cases.Case, n int) (a, b *exchange.Request, ok bool) {
	one, other := *made.Request, *made.Request
	binding := c.Plan.Of(made.Operation)
	for _, variable := range slices.Sorted(maps.Keys(made.Path)) {
		keyA, keyB := made.Path[variable], made.Path[variable]
		if of := itemOf(binding, variable); of != nil {
			all, others := c.A.items[of], c.B.items[of]
			if len(all) == 0 || len(others) == 0 {
				return nil, nil, false
			}
			keyA, keyB = escaped(all[n%len(all)]), escaped(others[n%len(others)])
			shared := slices.DeleteFunc(slices.Clone(all), func(key string) bool { return !slices.Contains(others, key) })
			if len(shared) > 0 && !c.same[[2]string{all[0], others[0]}] {
				keyA = escaped(shared[n%len(shared)])
				keyB = keyA
			}
		}
		one.Path = strings.ReplaceAll(one.Path, "{"+variable+"}", keyA)
		other.Path = strings.ReplaceAll(other.Path, "{"+variable+"}", keyB)
	}
	return &one, &other, true
}

// itemOf returns the resource whose key a variable of the path is, nil if none.
func itemOf(b *resource.Binding, variable string) *resource.Resource {
	if b.Resource == nil {
		return nil
	}
	if b.Variable == variable && b.KeyIn == resource.InPath && b.Lookup == nil {
		return b.Resource
	}
	for _, scope := range b.Scope {
		if scope.Name == variable {
			return scope.Parent
		}
	}
	return nil
}

func escaped(key string) string { return url.PathEscape(key) }

// Recorded sends the requests of a recording.
func (c *Comparison) Recorded(ctx context.Context, entries iter.Seq2[*recording.Entry, error]) error {
	router := route.New(c.Contract)
	var waiting [][]*request
	for e, err := range entries {
		if err != nil || ctx.Err() != nil {
			return err
		}
		r := c.recorded(ctx, router, e)
		if r == nil {
			continue
		}
		if isSafe(r.operation.Method) {
			if waiting = append(waiting, []*request{r}); len(waiting) < c.Workers {
				continue
			}
		}
		c.send(ctx, waiting...)
		if waiting = nil; isSafe(r.operation.Method) {
			continue
		}
		before := len(c.same)
		c.send(ctx, []*request{r})
		if len(c.same) == before || e.Response == nil {
			continue
		}
		// The recording goes on with the key of the item that its server created.
		binding := c.Plan.Of(r.operation)
		keys := c.keysIn(binding, &checks.Exchange{Request: e.Request, Result: wire.Result{Response: e.Response}})
		if len(keys) == 1 {
			c.A.own[keys[0]], c.B.own[keys[0]] = c.A.items[binding.Resource][0], c.B.items[binding.Resource][0]
		}
	}
	c.send(ctx, waiting...)
	return nil
}

// recorded returns the request of an entry of a recording; nil if it is not sent.
func (c *Comparison) recorded(ctx context.Context, router *route.Router, e *recording.Entry) *request {
	var m route.Match
	switch {
	case e.Reason != "":
		c.skip(nil, e.Reason)
		return nil
	case e.RequestCut:
		c.skip(nil, "the recording lacks a part of the request's body")
		return nil
	case router.Find(e.Request.Method, e.Request.Path, &m) != route.Found:
		c.skip(nil, "the document has no such path or method")
		return nil
	case !slices.Contains(c.Operations, m.Operation):
		c.skip(nil, "of an operation that was not chosen")
		return nil
	}
	r := &request{operation: m.Operation, title: "a recorded request"}
	if security := m.Operation.Security; len(security) > 0 {
		r.credentials = cases.GivenFor(security[c.A.Keys.Preferred(m.Operation)])
	}
	r.a, r.b = c.A.translated(&m, e.Request), c.B.translated(&m, e.Request)
	value, _ := jsontext.Decode(string(r.a.Body))
	if !c.mayBeSent(ctx, r, value) {
		return nil
	}
	return r
}

// kept are the fields of a recorded request that are sent, beside the parameters of the operation. Others are the
// recorded client's own, or credentials.
var kept = []string{"Accept", "Accept-Language", "Content-Type", "If-Match", "If-None-Match", "Prefer"}

// translated returns a recorded request for a server, with its own keys in place of the recorded ones.
func (s *Server) translated(m *route.Match, r *exchange.Request) *exchange.Request {
	out := &exchange.Request{Method: r.Method, Path: m.Operation.Template(), Query: r.Query, Body: r.Body}
	for i, name := range m.Names {
		value := m.Values[i]
		if plain, err := url.PathUnescape(value); err == nil && s.own[plain] != "" {
			value = url.PathEscape(s.own[plain])
		}
		out.Path = strings.Replace(out.Path, "{"+name+"}", value, 1)
	}
	isParameter := func(name string) bool {
		return slices.ContainsFunc(m.Operation.Parameters, func(p *spec.Parameter) bool {
			return p.In == exchange.InHeader && strings.EqualFold(p.Name, name)
		})
	}
	isCredential := func(in, name string) bool {
		return slices.ContainsFunc(slices.Concat(m.Operation.Security...), func(n spec.Need) bool {
			of, called := n.Scheme.Parameter()
			return of == in && strings.EqualFold(called, name)
		})
	}
	for _, f := range r.Header {
		isKept := slices.ContainsFunc(kept, func(name string) bool { return strings.EqualFold(name, f.Name) })
		if (isKept || isParameter(f.Name)) && !isCredential(exchange.InHeader, f.Name) {
			out.Header = append(out.Header, f)
		}
	}
	pairs := slices.DeleteFunc(strings.Split(r.Query, "&"), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		name, _ = url.QueryUnescape(name)
		return isCredential(exchange.InQuery, name)
	})
	out.Query = strings.Join(pairs, "&")
	if body, err := jsontext.Decode(string(r.Body)); err == nil && len(s.own) > 0 {
		out.Body = jsontext.Marshal(s.withOwn(body))
	}
	return out
}

// withOwn returns a value with the server's own keys in place of recorded ones.
func (s *Server) withOwn(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range v {
			v[name] = s.withOwn(v[name])
		}
	case []any:
		for i := range v {
			v[i] = s.withOwn(v[i])
		}
	case string:
		if own, ok := s.own[v]; ok {
			return own
		}
	case json.Number:
		if own, ok := s.own[string(v)]; ok {
			if number, err := jsontext.Decode(own); err == nil {
				return number
			}
		}
	}
	return value
}
