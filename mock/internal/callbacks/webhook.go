package callbacks

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// Failure is why a webhook was not sent, or not answered.
type Failure struct {
	Status   int // of HTTP, for the client who asked
	Detail   string
	Findings []exchange.Finding // on the body that the client gave
}

func (f *Failure) Error() string { return f.Detail }

// FindWebhook gives the operation of a webhook for a method, "" for the first.
// The error is a *Failure.
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

// SendWebhook sends a webhook to a URL, with the body given in place of a
// generated one. The error is a *Failure; without one, the result has a
// response.
func (s *Sender) SendWebhook(
	ctx context.Context, o *Outgoing, key generate.Key, location string, body *any,
) (*Message, *Result, error) {
	if err := s.Check(location); err != nil {
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
	result := s.Send(ctx, m)
	if result.Err != nil {
		err = &Failure{Status: 502, Detail: o.Operation.Method + " " + m.URL + ": " + result.Err.Error()}
	}
	return m, result, err
}

// Describe gives a webhook that was sent, what came back and the findings on
// that, as the control API does.
func (o *Outgoing) Describe(name string, m *Message, r *Result) map[string]any {
	findings := []any{}
	for _, f := range o.Validate(r.Response) {
		findings = append(findings, map[string]any{"code": f.Code, "detail": f.String()})
	}
	sent, received := message(m.Request.Header, m.Request.Body), message(r.Response.Header, r.Response.Body)
	sent["method"], sent["url"] = o.Operation.Method, m.URL
	received["status"] = r.Response.Status
	return map[string]any{"webhook": name, "sent": sent, "received": received, "findings": findings}
}

func message(h exchange.Header, body []byte) map[string]any {
	contentType, _ := h.Get("Content-Type")
	return map[string]any{"headers": h.Joined(), "body": jsontext.DecodeBody(contentType, body)}
}
