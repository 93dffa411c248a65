package mock

import (
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// outgoing makes the requests of one operation of a callback or a webhook, and
// judges what is answered. What it needs is made when it is first used.
type outgoing struct {
	operation *spec.Operation
	examples  string // as Options.Examples
	builder   func() *request.Builder
	validator func() *validate.Operation
}

func newOutgoing(operation *spec.Operation, o *Options) *outgoing {
	options := generate.Options{Fill: o.Fill, Examples: o.Examples != "off"}
	return &outgoing{
		operation: operation,
		examples:  o.Examples,
		builder:   sync.OnceValue(func() *request.Builder { return request.New(operation, options) }),
		validator: sync.OnceValue(func() *validate.Operation { return validate.New(operation) }),
	}
}

// outgoings finds everything that a document's API sends by itself.
func outgoings(c *spec.Contract, o *Options) map[*spec.Operation]*outgoing {
	all := map[*spec.Operation]*outgoing{}
	add := func(operations []*spec.Operation) {
		for _, operation := range operations {
			all[operation] = newOutgoing(operation, o)
		}
	}
	for _, operation := range c.Operations {
		for _, callback := range operation.Callbacks {
			add(callback.Operations)
		}
	}
	for _, webhook := range c.Webhooks {
		add(webhook.Operations)
	}
	return all
}

// request makes the request: a documented example or a generated value, with
// the values of have in place of its own where names and types agree.
func (s *outgoing) request(key generate.Key, have map[string]any) (*exchange.Request, error) {
	b := s.builder()
	example, ok := s.example()
	if object, isObject := example.(map[string]any); ok && isObject {
		merged := make(map[string]any, len(object)+len(have))
		for name, value := range object {
			merged[name] = value
			if own, ok := have[name]; ok && b.Media().Conforms(with(object, name, own)) {
				merged[name] = own
			}
		}
		if b.Media().Conforms(merged) {
			example = merged
		}
	}
	r, err := b.Keeping(key, have)
	if err == nil && ok {
		err = b.SetBody(r, example)
	}
	return r, err
}

// with gives a copy of an object with one value changed.
func with(object map[string]any, name string, value any) map[string]any {
	changed := make(map[string]any, len(object))
	for n, v := range object {
		changed[n] = v
	}
	changed[name] = value
	return changed
}

// example gives the first documented example of the body that may be served.
func (s *outgoing) example() (any, bool) {
	if media := s.builder().Media(); media != nil {
		for _, e := range media.Examples {
			if respond.Servable(e, s.examples) {
				return e.Value, true
			}
		}
	}
	return nil, false
}

// judge gives what is wrong with the answer to what was sent.
func (s *outgoing) judge(answer *exchange.Response) []exchange.Finding {
	return s.validator().Response(s.operation.Method, answer)
}

// decoded gives a body as a value: JSON as what it says, anything else as
// text; nil for none.
func decoded(h exchange.Header, body []byte) any {
	if len(body) == 0 {
		return nil
	}
	if isJSONField(h) {
		if value, err := jsontext.Decode(string(body)); err == nil {
			return value
		}
	}
	return string(body)
}
