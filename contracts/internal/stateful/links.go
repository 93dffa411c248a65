package stateful

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/spec"
)

// links follows the links of the answer to a creation (OpenAPI 3.1 section
// 4.8.20): what they lead to must be there.
func links(t *tester) {
	b := t.binding(resource.Create)
	if b == nil {
		return
	}
	any := false
	for _, r := range b.Operation.Responses {
		any = any || len(r.Links) > 0
	}
	if !any {
		return
	}
	scope := t.scope(b, "")
	if scope == nil {
		return
	}
	x := t.send(b, request{scope: scope, title: "create an item"})
	if x == nil || !x.Succeeded() {
		return
	}
	r := b.Operation.Response(x.Status())
	if r == nil {
		return
	}
	for _, link := range r.Links {
		t.follow(x, link)
	}
}

func (t *tester) follow(x *checks.Exchange, link *spec.Link) {
	if link.Operation == nil || t.Builder(link.Operation) == nil || link.Operation.Method == "DELETE" {
		return
	}
	from := &runtimeexpr.Exchange{Request: x.Request, RequestBody: x.Case.Value, Response: x.Response, ResponseBody: itempool.Body(x), Path: map[string]any{}}
	for name, text := range x.Case.Path {
		from.Path[name] = unescape(text)
	}
	r := request{values: map[string]any{}, title: "follow the link " + link.Name}
	for _, p := range link.Parameters {
		value, err := p.Value.Evaluate(from)
		if err != nil && !promised(err, x.Case.Operation.Response(x.Status())) {
			return
		}
		if err != nil {
			t.report("link", link.Name, fmt.Sprintf("the link's parameter %s has no value: %v", p.Parameter.Name, err), x)
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
	to := t.Plan.Of(link.Operation)
	if to == nil {
		return
	}
	followed := t.send(&resource.Binding{Operation: link.Operation, Resource: to.Resource, Role: to.Role}, r)
	if followed != nil && gone(followed) {
		t.report("link", link.Name, fmt.Sprintf("the link leads to an answer %d", followed.Status()), x, followed)
	}
}

// promised reports whether the document says of an answer that it has what a
// link takes from it. Where its schema does not know the property, a backend
// that leaves it out does as it says, and the link leads nowhere by itself.
func promised(err error, r *spec.Response) bool {
	var missing *runtimeexpr.MissingError
	if !errors.As(err, &missing) || r == nil {
		return true
	}
	pointer, ok := strings.CutPrefix(missing.Expression.String(), "$response.body#/")
	if !ok {
		return true
	}
	for _, media := range r.Content {
		if media.Schema == nil || knows([]*spec.Keywords{media.Schema.Keywords}, strings.Split(pointer, "/"), 0) {
			return true
		}
	}
	return false
}

// maxKnown bounds how deep schemas that refer to each other are looked into.
const maxKnown = 16

// knows reports whether one of the schemas has a property, or elements, where
// tokens lead.
func knows(schemas []*spec.Keywords, tokens []string, depth int) bool {
	if len(tokens) == 0 {
		return true
	}
	for _, k := range schemas {
		if k == nil || depth > maxKnown {
			continue
		}
		if inner := k.Properties[tokens[0]]; inner != nil && knows([]*spec.Keywords{inner}, tokens[1:], depth+1) {
			return true
		}
		if _, err := strconv.Atoi(tokens[0]); err == nil && (k.Items != nil || k.Items2020 != nil) {
			return true
		}
		if knows([]*spec.Keywords{k.Ref}, tokens, depth+1) || knows(k.AllOf, tokens, depth+1) || knows(k.AnyOf, tokens, depth+1) || knows(k.OneOf, tokens, depth+1) {
			return true
		}
	}
	return false
}
