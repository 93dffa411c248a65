package stateful

import (
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
)

// request says what is sent to an operation.
type request struct {
	item   *item             // in place of scope and key
	scope  map[string]string // values of the path variables before the key
	key    string            // of the item; "" where none is named
	have   map[string]any    // values of the body's properties, besides references and the item's identity
	all    bool              // with all optional properties
	body   any               // in place of one that is generated
	values map[string]any    // of parameters
	media  string            // of the body; "" for that of plain requests
	title  string
	// mayFail says that a refusal is right as well, as for an unknown item.
	mayFail bool
}

// send builds and sends a request; nil where it cannot be built or sent.
func (t *tester) send(b *resource.Binding, r request) *checks.Exchange {
	c := t.build(b, r)
	if c == nil {
		return nil
	}
	return t.Send(t.ctx, c)
}

// mustSend sends a request that must succeed.
func (t *tester) mustSend(b *resource.Binding, r request) *checks.Exchange {
	x := t.send(b, r)
	t.require(x.Succeeded())
	return x
}

// build builds a request; nil where that is impossible.
func (t *tester) build(b *resource.Binding, r request) *cases.Case {
	t.requests++
	values, have := map[string]any{}, map[string]any{}
	if b.Role == resource.Create || b.Role == resource.Replace || b.Role == resource.Upsert {
		references, _ := t.Pool.References(t.ctx, b.Operation)
		maps.Copy(have, references)
	}
	if r.item != nil {
		r.scope, r.key = r.item.Scope, r.item.Key
		if b.Role == resource.Replace || b.Role == resource.Update || b.Role == resource.Upsert {
			maps.Copy(have, t.identity(r.item))
		}
	}
	maps.Copy(have, r.have)
	maps.Copy(values, r.values)
	for name, text := range itempool.ScopeFor(b, r.scope) {
		values[name] = text
	}
	if b.KeyIn == resource.InPath && r.key != "" {
		values[b.Variable] = r.key
	}
	key := generate.NewKey(t.Seed, t.resource.Name, t.test.ID, fmt.Sprint(t.requests))
	c, err := t.Builder(b.Operation).Make(cases.Making{
		N: int(key % 1_000_000_000), Have: have, All: r.all, Body: r.body, Values: values, Media: r.media, Title: r.title,
	})
	if err != nil {
		return nil
	}
	c.Phase, c.Expected = "stateful", cases.Accepted
	if r.mayFail {
		c.Expected = cases.Anything
	}
	t.Pool.FillPath(c, nil)
	return c
}

// resend sends the request of an exchange once more. A second deletion may fail.
func (t *tester) resend(x *checks.Exchange, title string) *checks.Exchange {
	c := *x.Case
	c.Title = title
	if c.Operation.Method == "DELETE" {
		c.Expected = cases.Anything
	}
	return t.Send(t.ctx, &c)
}

// sendCase sends a case of the operation's coverage below the given scope.
func (t *tester) sendCase(c *cases.Case, b *resource.Binding, scope map[string]string) *checks.Exchange {
	c.Phase = "stateful"
	t.Pool.FillPath(c, itempool.ScopeFor(b, scope))
	return t.Send(t.ctx, c)
}

// uniqueToken gives a value for a header field that no other request of the run has.
func (t *tester) uniqueToken(b *resource.Binding, field string) string {
	t.requests++
	digits := fmt.Sprintf("%012d", t.requests%1_000_000_000_000)
	sum := fmt.Sprintf("%08x", uint32(t.Seed)*2654435761+uint32(len(t.resource.Name)*7919+t.requests))
	for _, candidate := range []string{sum + "-0000-4000-8000-" + digits, "coldframe-" + sum + digits, sum} {
		if t.Builder(b.Operation).Takes(field, candidate) {
			return candidate
		}
	}
	return "coldframe"
}

func notFound(x *checks.Exchange) bool { return x.Status() == 404 || x.Status() == 410 }

// pathVariables gives the values of a template's variables in a path, of segments
// that are one variable each.
func pathVariables(template, path string) map[string]string {
	values := map[string]string{}
	parts, segments := strings.Split(template, "/"), strings.Split(path, "/")
	for i, part := range parts {
		if i < len(segments) && strings.HasPrefix(part, "{") && strings.HasSuffix(part, "}") {
			if text, err := url.PathUnescape(segments[i]); err == nil {
				values[part[1:len(part)-1]] = text
			}
		}
	}
	return values
}
