package runner

import (
	"bytes"
	"context"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
)

// completer fills in what cases leave open: keys of items that exist, references to
// them, versions, and the user's header fields.
type completer struct {
	plan    *resource.Plan
	targets *Targets
	pool    *itempool.Pool
	setup   *Setup
	headers http.Header
	read    func(context.Context, *cases.Case) *checks.Exchange // sends a conforming read
}

// complete gives the request of a case without credentials. versioned adds the
// version of its item also where the case has none. exists says that all of the
// path's variables name items that exist.
func (m *completer) complete(ctx context.Context, c *cases.Case, versioned bool) (r exchange.Request, exists bool) {
	r = exchange.Request{Method: c.Request.Method, Path: c.Request.Path, Query: c.Request.Query, Body: c.Request.Body}
	r.Header = append(make(exchange.Header, 0, len(c.Request.Header)+2), c.Request.Header...)
	exists = m.fillPath(ctx, c, &r)
	m.replaceReferences(ctx, c, &r)
	m.setVersion(ctx, c, &r, versioned)
	for name, values := range m.headers {
		if _, has := r.Header.Get(name); !has {
			for _, value := range values {
				r.Header = append(r.Header, exchange.Field{Name: name, Value: value})
			}
		}
	}
	return r, exists
}

// fillPath fills the path's variables that the case leaves open. It reports
// whether all of them name items that exist.
func (m *completer) fillPath(ctx context.Context, c *cases.Case, r *exchange.Request) bool {
	if !strings.Contains(r.Path, "{") {
		return len(c.Path) == 0
	}
	texts, exists := m.setup.variables(c.Operation)
	if !exists {
		var found map[string]string
		found, exists = m.pool.Variables(ctx, c)
		for name, text := range found {
			if _, has := texts[name]; !has {
				texts[name] = text
			}
		}
	}
	for _, from := range []map[string]string{texts, c.Path} {
		for name, text := range from {
			r.Path = strings.ReplaceAll(r.Path, "{"+name+"}", text)
		}
	}
	return exists
}

// replaceReferences puts references to other items into a body whose operation
// uses up what it refers to. Items of the pool have their own already.
func (m *completer) replaceReferences(ctx context.Context, c *cases.Case, r *exchange.Request) {
	target := m.targets.of[c.Operation]
	value, ok := c.Value.(map[string]any)
	if c.Phase == itempool.Phase || target == nil || !ok || !m.pool.Consumes(c.Operation) {
		return
	}
	used := map[string]any{}
	for name, reference := range target.references {
		if reflect.DeepEqual(value[name], reference) {
			used[name] = reference
		}
	}
	if len(used) == 0 {
		return
	}
	member := func(name string, value any) []byte {
		return jsontext.Append(append(jsontext.AppendString(nil, name), ':'), value)
	}
	found, _ := m.pool.References(ctx, c.Operation)
	for name, reference := range found {
		if former, ok := used[name]; ok {
			r.Body = bytes.Replace(r.Body, member(name, former), member(name, reference), 1)
		}
	}
}

// setVersion gives a request that names a version of its item, or must name one,
// the current version, unless the case is about that.
func (m *completer) setVersion(ctx context.Context, c *cases.Case, r *exchange.Request, always bool) {
	b := m.plan.Of(c.Operation)
	if b == nil || b.Resource == nil || b.Headers.IfMatch == "" || isAbout(c, b.Headers.IfMatch) ||
		!strings.Contains(c.Request.Path, "{") {
		return
	}
	if _, sent := r.Header.Get(b.Headers.IfMatch); !sent && !always {
		return
	}
	for _, read := range b.Resource.Bindings {
		if read.Role != resource.Read || read.KeyIn != b.KeyIn || len(read.Scope) != len(b.Scope) || read.Headers.ETag == "" {
			continue
		}
		plain, err := m.targets.Builder(read.Operation).Plain(0, nil)
		if err != nil {
			return
		}
		plain.Phase, plain.Title = c.Phase, "the current version"
		plain.Request.Path = r.Path
		if x := m.read(ctx, plain); x != nil && x.Succeeded() {
			if tag, ok := x.Response.Header.Get(read.Headers.ETag); ok {
				r.Header.Set(b.Headers.IfMatch, tag)
			}
		}
		return
	}
}

// isAbout reports whether a case is about a header field.
func isAbout(c *cases.Case, field string) bool {
	return slices.Contains(c.Literal, field) || strings.Contains(c.Varied, field) ||
		c.Violation != nil && c.Violation.In == exchange.InHeader && strings.EqualFold(c.Violation.Name, field)
}
