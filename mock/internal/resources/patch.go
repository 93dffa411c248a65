package resources

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// checkChange refuses an update that breaks the item's schema. What the request's
// schema allows is not refused: what the item cannot have stays as it was then.
func checkChange(q *Request, before Item, old, after, sent map[string]any) (map[string]any, error) {
	if !q.set.options.Strict {
		return after, nil
	}
	findings := broken(q, before, old, after)
	switch {
	case len(findings) == 0:
		return after, nil
	case sent == nil || !isDescribed(q, sent):
		return nil, &refusedError{respond.Refusal{Problem: respond.BadBody, Findings: findings}}
	}
	// Objects that cannot be merged with the old ones replace them.
	whole := maps.Clone(after)
	for name, value := range sent {
		if isObject(value) {
			whole[name] = value
		}
	}
	if len(broken(q, before, old, whole)) == 0 {
		return whole, nil
	}
	for _, f := range findings {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Pointer, "/"), "/")
		name = exchange.UnescapePointer(name)
		if _, ok := sent[name]; !ok {
			continue
		}
		if value, had := old[name]; had {
			after[name] = value
		} else {
			delete(after, name)
		}
	}
	return after, nil
}

// broken gives the findings on a changed item that the item before has not: the
// request is the cause.
func broken(q *Request, before Item, old, after map[string]any) []exchange.Finding {
	k := q.op.runtime
	if k.Item == nil {
		return nil
	}
	check := func(item map[string]any) []exchange.Finding {
		if len(k.properties) > 0 {
			item, _ = k.listed(item, k.properties)
		}
		return k.Item.Check(item, exchange.InBody, "")
	}
	findings := check(after)
	if len(findings) == 0 {
		return nil
	}
	known := check(fixed(q, before, old, WithoutHidden(old)))
	findings = slices.DeleteFunc(findings, func(f exchange.Finding) bool {
		return slices.ContainsFunc(known, func(o exchange.Finding) bool { return o.Code == f.Code && o.Pointer == f.Pointer })
	})
	return exchange.Sort(findings)
}

var errNoObject = errors.New("the result is no object")

// patched applies a JSON Patch. One that cannot be applied is refused, but for what
// the document allows to be sent and is no patch, and for places and values that a
// generated item happens not to have.
func patched(q *Request, before Item, old map[string]any) (map[string]any, error) {
	after, err := jsonvalue.Patch(WithoutHidden(old), q.Values.Body)
	object, ok := after.(map[string]any)
	if err == nil && !ok {
		err = errNoObject
	}
	media, problem := q.Values.MediaType, respond.BadBody
	isChance := errors.Is(err, jsonvalue.ErrNoPlace) || errors.Is(err, jsonvalue.ErrTest) || err == errNoObject
	switch {
	case err == nil:
		return object, nil
	case errors.Is(err, jsonvalue.ErrMalformed) && media != nil && media.Schema != nil, before.Value == nil && isChance:
		return nil, errNotHandled
	case errors.Is(err, jsonvalue.ErrTest):
		problem = respond.Conflict
	}
	return nil, refuse(problem, exchange.Finding{Code: "patch-failed", Message: err.Error(), In: exchange.InBody})
}

func isJSONPatch(q *Request) bool {
	if m := q.Values.MediaType; m != nil && m.Subtype == "json-patch+json" {
		return true
	}
	list, _ := q.Values.Body.([]any)
	if len(list) == 0 {
		return false
	}
	first, _ := list[0].(map[string]any)
	_, isOperation := first["op"].(string)
	return isOperation
}
