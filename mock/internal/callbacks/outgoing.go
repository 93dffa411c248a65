package callbacks

import (
	"maps"
	"net/url"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Outgoing makes the requests of one operation of a callback or a webhook, and
// validates what is answered. What it needs is made when it is first used.
type Outgoing struct {
	Operation *spec.Operation
	servable  func(*spec.Example) bool
	builder   func() *request.Builder
	validator func() *validate.Operation
}

// All is everything that a document's API sends, by operation.
type All map[*spec.Operation]*Outgoing

// Compile gives everything that a document's API sends. servable reports whether
// an example may be sent.
func Compile(c *spec.Contract, options generate.Options, servable func(*spec.Example) bool) All {
	all := All{}
	add := func(operations []*spec.Operation) {
		for _, op := range operations {
			all[op] = &Outgoing{
				Operation: op,
				servable:  servable,
				builder:   sync.OnceValue(func() *request.Builder { return request.New(op, options) }),
				validator: sync.OnceValue(func() *validate.Operation { return validate.New(op) }),
			}
		}
	}
	for _, op := range c.Operations {
		for _, callback := range op.Callbacks {
			add(callback.Operations)
		}
	}
	for _, webhook := range c.Webhooks {
		add(webhook.Operations)
	}
	return all
}

// Request makes the request: a documented example or a generated value, with
// known values in place of its own where names and types agree.
func (o *Outgoing) Request(key generate.Key, known map[string]any) (*exchange.Request, error) {
	b := o.builder()
	example, ok := o.example()
	if object, isObject := example.(map[string]any); ok && isObject {
		merged := maps.Clone(object)
		for name, value := range object {
			have, ok := known[name]
			if !ok {
				continue
			}
			changed := maps.Clone(object)
			if changed[name] = have; b.Media().Conforms(changed) {
				value = have
			}
			merged[name] = value
		}
		if b.Media().Conforms(merged) {
			example = merged
		}
	}
	r, err := b.ValidWith(key, known)
	if err == nil && ok {
		err = b.SetBody(r, example)
	}
	return r, err
}

// example gives the first documented example of the body that may be sent.
func (o *Outgoing) example() (any, bool) {
	if media := o.builder().Media(); media != nil {
		for _, e := range media.Examples {
			if o.servable(e) {
				return e.Value, true
			}
		}
	}
	return nil, false
}

// Validate validates the answer to what was sent.
func (o *Outgoing) Validate(answer *exchange.Response) []exchange.Finding {
	return o.validator().Response(o.Operation.Method, answer)
}

// Exchange is an answered request that may have callbacks.
type Exchange struct {
	Operation *spec.Operation
	URL       string // of the request
	Request   *exchange.Request
	Path      map[string]any // parameters, decoded
	Query     map[string]any // parameters that are no credentials, decoded
	Body      any            // decoded
	Response  *exchange.Response
	Seed      uint64
}

// Observer is called for each callback.
type Observer struct {
	Sent   func(name string, o *Outgoing, r *Result) // or failed to be
	Failed func(name string, err error)              // to be made
}

// Of gives the callbacks of an exchange. The same exchange has the same
// callbacks.
func (all All) Of(x *Exchange, observer Observer) []*Message {
	contentType, _ := x.Response.Header.Get("Content-Type")
	values := &runtimeexpr.Exchange{
		URL: x.URL, Request: x.Request, Path: x.Path, RequestBody: x.Body,
		Response: x.Response, ResponseBody: jsontext.DecodeBody(contentType, x.Response.Body),
	}
	known := map[string]any{} // by name; those of the request's body win
	for _, source := range []any{values.ResponseBody, x.Query, x.Path, x.Body} {
		object, _ := source.(map[string]any)
		maps.Copy(known, object)
	}
	var messages []*Message
	for _, callback := range x.Operation.Callbacks {
		location, err := callback.URL.Text(values)
		if err != nil {
			observer.Failed(callback.Name, err)
			continue
		}
		for _, op := range callback.Operations {
			o := all[op]
			r, err := o.Request(generate.NewKey(x.Seed, x.Operation.ID, callback.Name, op.ID,
				x.Request.Path, x.Request.Query, string(x.Request.Body)), known)
			if err != nil {
				observer.Failed(callback.Name, err)
				continue
			}
			messages = append(messages, &Message{
				URL:     addQuery(location, r.Query),
				Request: r,
				Done:    func(r *Result) { observer.Sent(callback.Name, o, r) },
			})
		}
	}
	return messages
}

// addQuery adds the query of a request to the URL it goes to.
func addQuery(location, query string) string {
	u, err := url.Parse(location)
	if err != nil || query == "" {
		return location
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += query
	return u.String()
}
