package mock

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/control"
)

// webhooks lists the document's webhooks.
func (s *Server) webhooks() []string {
	var names []string
	for _, w := range s.current.Load().Webhooks {
		names = append(names, w.Name)
	}
	return names
}

// sendWebhook sends a documented webhook where the client says, and gives what
// was sent and what came back.
func (s *Server) sendWebhook(name string, order control.WebhookOrder) (any, *control.Failure) {
	c := s.current.Load()
	operation, failure := c.webhook(name, order.Method)
	if failure != nil {
		return nil, failure
	}
	if err := s.sender.Check(order.URL); err != nil {
		return nil, &control.Failure{Status: 403, Detail: err.Error()}
	}
	sent := c.outgoing[operation]
	r, err := sent.request(generate.NewKey(s.options.Seed, "webhook", name, operation.ID), nil)
	if err != nil {
		return nil, &control.Failure{Status: 500, Detail: err.Error()}
	}
	if order.Body != nil {
		if failure := sent.override(r, *order.Body); failure != nil {
			return nil, failure
		}
	}
	m := &callbacks.Message{URL: addQuery(order.URL, r.Query), Request: r}
	result := s.sender.Send(s.context, m)
	s.log.sent("webhook "+name, operation.Method, result, sent, nil)
	if result.Err != nil {
		return nil, &control.Failure{Status: 502, Detail: operation.Method + " " + m.URL + ": " + result.Err.Error()}
	}
	findings := []any{}
	for _, f := range sent.judge(result.Response) {
		findings = append(findings, map[string]any{"code": f.Code, "detail": f.String()})
	}
	return map[string]any{
		"webhook": name,
		"sent": map[string]any{
			"method": operation.Method, "url": m.URL, "headers": headerObject(r.Header), "body": decoded(r.Header, r.Body),
		},
		"received": map[string]any{
			"status": result.Response.Status, "headers": headerObject(result.Response.Header), "body": decoded(result.Response.Header, result.Response.Body),
		},
		"findings": findings,
	}, nil
}

// webhook finds the operation of a webhook for a method, "" for the first.
func (c *contract) webhook(name, method string) (*spec.Operation, *control.Failure) {
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
		return nil, &control.Failure{Status: 404, Detail: detail}
	}
	var methods []string
	for _, o := range w.Operations {
		if method == "" || o.Method == method {
			return o, nil
		}
		methods = append(methods, o.Method)
	}
	return nil, &control.Failure{Status: 400,
		Detail: "webhook " + strconv.Quote(name) + " has no method " + strconv.Quote(exchange.Shorten(method, 200)) + "; it has " + strings.Join(methods, ", ")}
}

// override puts a body of the client's in place of the generated one.
func (s *outgoing) override(r *exchange.Request, body any) *control.Failure {
	media := s.builder().Media()
	if media == nil {
		return &control.Failure{Status: 400, Detail: "the webhook is documented without a body"}
	}
	if findings := media.Check(body); len(findings) > 0 {
		return &control.Failure{Status: 422, Detail: exchange.Join(findings), Findings: findings}
	}
	if err := s.builder().SetBody(r, body); err != nil {
		return &control.Failure{Status: 400, Detail: err.Error()}
	}
	return nil
}

// headerObject gives fields as an object; those that were sent twice are
// joined (RFC 9110 section 5.3).
func headerObject(h exchange.Header) map[string]any {
	object := make(map[string]any, len(h))
	for _, f := range h {
		name := strings.ToLower(f.Name)
		if before, ok := object[name].(string); ok {
			object[name] = before + ", " + f.Value
			continue
		}
		object[name] = f.Value
	}
	return object
}
