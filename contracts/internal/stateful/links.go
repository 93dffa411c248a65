package stateful

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// links follows the links of the response to a creation (OpenAPI 3.1 section
// 4.8.20), which must lead to existing items.
func links(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(slices.ContainsFunc(b.Operation.Responses, func(r *spec.Response) bool { return len(r.Links) > 0 }))
	x := t.mustSend(b, request{scope: t.mustScope(b), title: "create an item"})
	for _, link := range must(t, b.Operation.Response(x.Status())).Links {
		t.step(func() { followLink(t, x, link) })
	}
}

func followLink(t *tester, x *checks.Exchange, link *spec.Link) {
	t.require(link.Operation != nil && t.Builder(link.Operation) != nil && link.Operation.Method != "DELETE")
	from := &runtimeexpr.Exchange{
		Request: x.Request, RequestBody: x.Case.Value,
		Response: x.Response, ResponseBody: itempool.Body(x), Path: map[string]any{},
	}
	for name, text := range x.Case.Path {
		from.Path[name], _ = url.PathUnescape(text)
	}
	r := request{values: map[string]any{}, title: "follow the link " + link.Name}
	for _, p := range link.Parameters {
		value, err := p.Value.Evaluate(from)
		if err != nil {
			t.reportIf(isPromised(err, x.Case.Operation.Response(x.Status())), "link", link.Name, exchanges{x},
				"the link's parameter %s has no value: %v", p.Parameter.Name, err)
			return
		}
		if p.Parameter.In == exchange.InPath {
			value = itempool.Text(value)
		}
		r.values[p.Parameter.Name] = value
	}
	if link.Body != nil {
		if value, err := link.Body.Evaluate(from); err == nil {
			r.body = value
		}
	}
	to := must(t, t.Plan.Of(link.Operation))
	followed := t.send(&resource.Binding{Operation: link.Operation, Resource: to.Resource, Role: to.Role}, r)
	t.reportIf(notFound(followed), "link", link.Name, exchanges{x, followed},
		"the link leads to a response with %d", followed.Status())
}

// isPromised reports whether the schema of a response has what a link takes from it.
// Where it has not, a backend may leave it out, and the link leads nowhere by
// itself.
func isPromised(err error, r *spec.Response) bool {
	var missing *runtimeexpr.MissingError
	if !errors.As(err, &missing) || r == nil {
		return true
	}
	pointer, ok := strings.CutPrefix(missing.Expression.String(), "$response.body#/")
	return !ok || slices.ContainsFunc(r.Content, func(m *spec.MediaType) bool {
		return m.Schema == nil || schema.At(m.Schema.Keywords, strings.Split(pointer, "/")) != nil
	})
}
