package mock

import (
	"errors"
	"maps"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// next gives the item as a request wants it. It gives passed where the request
// says nothing of the item, and answered where it was refused.
func (x *visit) next(collection string, before stored) (map[string]any, outcome) {
	b, k := x.operation.binding, x.operation.keeps
	old := before.value
	if old == nil && (b.Role == resource.Update || b.Role == resource.Replace) {
		old = x.unseen(collection, before.key)
	}
	var after map[string]any
	var described map[string]any // what was sent, where the request's schema has it all
	switch {
	case b.Role == resource.Update && x.isJSONPatch():
		patched, err := jsonvalue.Patch(withoutHidden(old), x.values.Body)
		object, ok := patched.(map[string]any)
		if err == nil && !ok {
			err = errNoObject
		}
		if err != nil {
			return nil, x.unpatched(before, err)
		}
		after = object
	default:
		object, ok := x.sentObject()
		if !ok {
			return nil, passed
		}
		if b.Role == resource.Update {
			object = withoutServers(k, b, object)
			if x.describes(object) {
				described = object
			}
			after = jsonvalue.Merge(withoutHidden(old), object).(map[string]any)
			k.nulls(after, object)
		} else {
			after = x.replaced(collection, before.key, old, object)
		}
	}
	after = x.settled(before, old, after)
	if b.Role != resource.Update || x.options.Validate != "strict" {
		return after, changed
	}
	findings := x.broken(before, old, after)
	if len(findings) == 0 {
		return after, changed
	}
	if described == nil {
		x.refuse(badBody, findings)
		return nil, answered
	}
	return x.allowed(before, old, after, described), changed
}

// allowed gives a changed item that breaks its schema by what the request's
// schema allows. Objects that cannot be mixed with the old ones replace them,
// and where that is no better, what the item cannot have stays as it was.
func (x *visit) allowed(before stored, old, after, sent map[string]any) map[string]any {
	whole := maps.Clone(after)
	for name, value := range sent {
		if _, object := value.(map[string]any); object {
			whole[name] = value
		}
	}
	if len(x.broken(before, old, whole)) == 0 {
		return whole
	}
	for _, f := range x.broken(before, old, after) {
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
	return after
}

var errNoObject = errors.New("the result is no object")

// unpatched refuses a JSON Patch that cannot be applied, but for what the
// document allows to be sent and is no patch, and for places and values that an
// item which nobody has made happens not to have.
func (x *visit) unpatched(before stored, err error) outcome {
	media := x.values.MediaType
	switch {
	case errors.Is(err, jsonvalue.ErrMalformed) && media != nil && media.Schema != nil,
		before.value == nil && (errors.Is(err, jsonvalue.ErrNoPlace) || errors.Is(err, jsonvalue.ErrTest) || err == errNoObject):
		return passed
	}
	problem := badBody
	if errors.Is(err, jsonvalue.ErrTest) {
		problem = conflict
	}
	x.refuse(problem, []exchange.Finding{{Code: "patch-failed", Message: err.Error(), In: exchange.InBody}})
	return answered
}

// replaced gives an item that was sent whole. What a client cannot send stays,
// or is made.
func (x *visit) replaced(collection, key string, old, sent map[string]any) map[string]any {
	b, k := x.operation.binding, x.operation.keeps
	after := maps.Clone(withoutServers(k, b, sent))
	var sendable map[string]*spec.Keywords
	open := false
	if s := k.sent[b]; s != nil {
		sendable, open = s.sendable, s.open
		begun(after, s.begins().sendable)
	}
	if old == nil {
		made, _ := x.completed(k, b, collection, key, after)
		return made
	}
	for name, value := range old {
		if _, ok := after[name]; !ok && len(sendable) > 0 && sendable[name] == nil && !(open && !k.declares(name)) {
			after[name] = value
		}
	}
	return after
}

// isJSONPatch reports whether the body is a JSON Patch (RFC 6902).
func (x *visit) isJSONPatch() bool {
	if m := x.values.MediaType; m != nil && m.Subtype == "json-patch+json" {
		return true
	}
	list, ok := x.values.Body.([]any)
	if !ok || len(list) == 0 {
		return false
	}
	first, _ := list[0].(map[string]any)
	_, isOperation := first["op"].(string)
	return isOperation
}
