package callbacks

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// Outgoing makes the requests of one operation of a callback or a webhook, and validates the responses. Its parts are
// built at first use.
type Outgoing struct {
	Operation *spec.Operation
	examples  string // the examples to send
	builder   func() *request.Builder
	validator func() *validate.Validator
}

// All has the callbacks and webhooks of a document, by operation.
type All map[*spec.Operation]*Outgoing

// Compile returns the callbacks and webhooks of a document. fill and examples are the mock's options.
func Compile(c *spec.Contract, fill, examples string, cache *generate.Cache) All {
	options := generate.Options{Fill: fill, Examples: examples != "off", Cache: cache}
	all := All{}
	add := func(operations []*spec.Operation) {
		for _, op := range operations {
			all[op] = &Outgoing{
				Operation: op,
				examples:  examples,
				builder:   sync.OnceValue(func() *request.Builder { return request.New(op, options) }),
				validator: sync.OnceValue(func() *validate.Validator { return validate.New(op) }),
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

// Request returns the request: a documented example or a generated value, in which known values replace properties of
// the same name and type.
func (o *Outgoing) Request(key generate.Key, known map[string]any) (*exchange.Request, error) {
	b := o.builder()
	r, err := b.ValidWith(key, known)
	if err != nil || b.Media() == nil {
		return r, err
	}
	servable := func(e *spec.Example) bool { return respond.Servable(e, o.examples) }
	if at := slices.IndexFunc(b.Media().Examples, servable); at >= 0 {
		return r, b.SetBody(r, withKnown(b.Media(), b.Media().Examples[at].Value, known))
	}
	return r, nil
}

// withKnown returns an example in which known values replace properties, if it still conforms.
func withKnown(media *spec.MediaType, example any, known map[string]any) any {
	object, ok := example.(map[string]any)
	if !ok {
		return example
	}
	merged := maps.Clone(object)
	for name := range object {
		if have, ok := known[name]; ok {
			changed := maps.Clone(object)
			if changed[name] = have; media.Conforms(changed) {
				merged[name] = have
			}
		}
	}
	if media.Conforms(merged) {
		return merged
	}
	return example
}

// Validate validates the response to a request.
func (o *Outgoing) Validate(answer *exchange.Response) []exchange.Finding {
	return o.validator().Response(o.Operation.Method, answer)
}

// Of returns the callbacks of an exchange with an operation. query has the query parameters without credentials. The
// same exchange has the same callbacks. It calls sent with each result, and failed for each callback that cannot be
// made.
func (all All) Of(
	op *spec.Operation, x *runtimeexpr.Exchange, query map[string]any, seed uint64,
	sent func(name string, o *Outgoing, r *Result), failed func(name string, err error),
) []*Message {
	known := map[string]any{} // by name; the request's body wins
	for _, source := range []any{x.ResponseBody, query, x.Path, x.RequestBody} {
		object, _ := source.(map[string]any)
		maps.Copy(known, object)
	}
	var messages []*Message
	for _, callback := range op.Callbacks {
		location, err := callback.URL.Text(x)
		if err != nil {
			failed(callback.Name, err)
			continue
		}
		for _, out := range callback.Operations {
			if x.Request.Work.Over() {
				failed(callback.Name, x.Request.Work.Ended())
				continue
			}
			o := all[out]
			r, err := o.Request(generate.NewKey(seed, op.ID, callback.Name, out.ID,
				x.Request.Path, x.Request.Query, string(x.Request.Body)), known)
			if err != nil {
				failed(callback.Name, err)
				continue
			}
			messages = append(messages, &Message{
				URL:     addQuery(location, r.Query),
				Request: r,
				Done:    func(r *Result) { sent(callback.Name, o, r) },
			})
		}
	}
	return messages
}

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

// Failure is the reason why a webhook was not sent, or got no response.
type Failure struct {
	Status   int // HTTP status for the client
	Detail   string
	Findings []exchange.Finding // on the client's body
}

func (f *Failure) Error() string { return cmp.Or(f.Detail, exchange.Join(f.Findings)) }

// FindWebhook returns the operation of a webhook with a method, "" for the first. The error is a *Failure.
func FindWebhook(c *spec.Contract, name, method string) (*spec.Operation, error) {
	w := c.Webhook(name)
	if w == nil || len(w.Operations) == 0 {
		var known []string
		for _, w := range c.Webhooks {
			known = append(known, strconv.Quote(w.Name))
		}
		detail := "the document has no webhook " + strconv.Quote(exchange.Shorten(name, 200))
		if len(known) > 0 {
			detail += "; it has " + strings.Join(known, ", ")
		}
		return nil, &Failure{Status: 404, Detail: detail}
	}
	var methods []string
	for _, o := range w.Operations {
		if method == "" || o.Method == method {
			return o, nil
		}
		methods = append(methods, o.Method)
	}
	return nil, &Failure{Status: 400, Detail: fmt.Sprintf("webhook %q has no method %q; it has %s",
		name, exchange.Shorten(method, 200), strings.Join(methods, ", "))}
}

// SendWebhook sends a webhook to a URL, with the given body or a generated one. It returns the request, the response
// and the findings on it, in the format of the control API. The result is nil if nothing was sent. The error is a
// *Failure.
func (s *Sender) SendWebhook(
	ctx context.Context, o *Outgoing, name string, key generate.Key, location string, body *any,
) (any, *Result, error) {
	if err := s.allow.check(location); err != nil {
		return nil, nil, &Failure{Status: 403, Detail: err.Error()}
	}
	r, err := o.Request(key, nil)
	if err != nil {
		return nil, nil, &Failure{Status: 500, Detail: err.Error()}
	}
	if body != nil {
		media := o.builder().Media()
		if media == nil {
			return nil, nil, &Failure{Status: 400, Detail: "the webhook is documented without a body"}
		}
		if findings := media.Check(*body); len(findings) > 0 {
			return nil, nil, &Failure{Status: 422, Detail: exchange.Join(findings), Findings: findings}
		}
		if err := o.builder().SetBody(r, *body); err != nil {
			return nil, nil, &Failure{Status: 400, Detail: err.Error()}
		}
	}
	m := &Message{URL: addQuery(location, r.Query), Request: r}
	result := s.send(ctx, m)
	if result.Err != nil {
		err = &Failure{Status: 502, Detail: o.Operation.Method + " " + m.URL + ": " + result.Err.Error()}
		return nil, result, err
	}
	findings := []any{}
	for _, f := range o.Validate(result.Response) {
		findings = append(findings, map[string]any{"code": f.Code, "detail": f.String()})
	}
	sent, received := message(r.Header, r.Body), message(result.Response.Header, result.Response.Body)
	sent["method"], sent["url"] = o.Operation.Method, m.URL
	received["status"] = result.Response.Status
	return map[string]any{"webhook": name, "sent": sent, "received": received, "findings": findings}, result, nil
}

func message(h exchange.Header, body []byte) map[string]any {
	contentType, _ := h.Get("Content-Type")
	return map[string]any{"headers": h.Joined(), "body": jsontext.DecodeBody(contentType, body)}
}
