package mock

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// callbacksOf gives the callbacks to send once a request is answered. There are
// none where it was refused, where nothing may be sent, and where a mock sent the
// request, so that callbacks do not go in circles.
func (s *Server) callbacksOf(h *handled) []*callbacks.Message {
	if h.operation == nil || len(h.operation.Callbacks) == 0 || s.sender.Off() || h.fault != "" ||
		h.answer.Status < 200 || h.answer.Status > 299 {
		return nil
	}
	r, values := h.ask.Request, &h.ask.Values
	if agent, _ := r.Header.Get("User-Agent"); agent == callbacks.UserAgent {
		return nil
	}
	credentials := h.credentials()
	query := maps.Clone(values.Query)
	for _, name := range h.contract.secrets.Query {
		delete(query, name)
	}
	x := &callbacks.Exchange{
		Operation: h.operation.Operation.Operation, URL: requestURL(s.URL(), r), Request: r,
		Path: values.Path, Query: query, Body: values.Body, Response: &h.answer.Response, Seed: h.ask.Seed,
	}
	return h.contract.outgoing.Of(x, callbacks.Observer{
		Sent: func(name string, o *callbacks.Outgoing, result *callbacks.Result) {
			s.log.sent("callback "+name, o, result, credentials)
		},
		Failed: func(name string, err error) {
			s.log.note("callback %s not sent: %s", name, credentials.Hide(err.Error()))
		},
	})
}

// outgoings compiles the callbacks and webhooks of a document.
func outgoings(c *spec.Contract, o *Options) callbacks.All {
	options := generate.Options{Fill: o.Fill, Examples: o.Examples != "off"}
	return callbacks.Compile(c, options, func(e *spec.Example) bool { return respond.Servable(e, o.Examples) })
}

// requestURL gives the URL of a request to a server.
func requestURL(server string, r *exchange.Request) string {
	host, _ := r.Header.Get("Host")
	scheme, _, _ := strings.Cut(server, "://")
	location := scheme + "://" + host + r.Path
	if r.Query != "" {
		location += "?" + r.Query
	}
	return location
}

// webhooks are what the control API may do with webhooks.
func (s *Server) webhooks() control.Webhooks {
	return control.Webhooks{
		Names: func() []string {
			var names []string
			for _, w := range s.current.Load().Webhooks {
				names = append(names, w.Name)
			}
			return names
		},
		Send: func(name string, order control.WebhookOrder) (any, *control.Failure) {
			result, err := s.sendWebhook(name, order)
			if failure := (*callbacks.Failure)(nil); errors.As(err, &failure) {
				return nil, (*control.Failure)(failure)
			}
			return result, nil
		},
	}
}

// sendWebhook sends a documented webhook, and gives what was sent and received.
func (s *Server) sendWebhook(name string, order control.WebhookOrder) (any, error) {
	c := s.current.Load()
	operation, err := callbacks.FindWebhook(c.Contract, name, order.Method)
	if err != nil {
		return nil, err
	}
	o := c.outgoing[operation]
	key := generate.NewKey(s.options.Seed, "webhook", name, operation.ID)
	m, result, err := s.sender.SendWebhook(s.context, o, key, order.URL, order.Body)
	if result != nil {
		s.log.sent("webhook "+name, o, result, nil)
	}
	if err != nil {
		return nil, err
	}
	return o.Describe(name, m, result), nil
}

// sent logs the result of a callback or a webhook, without the credentials of the
// request that caused it.
func (l *logger) sent(what string, o *callbacks.Outgoing, result *callbacks.Result, credentials auth.Sent) {
	if l.off {
		return
	}
	outcome := ""
	var findings []exchange.Finding
	if result.Err != nil {
		outcome = result.Err.Error()
	} else {
		outcome = fmt.Sprint(result.Response.Status)
		findings = credentials.HideFindings(o.Validate(result.Response))
	}
	if result.Attempts > 1 {
		outcome += fmt.Sprintf(" (attempt %d)", result.Attempts)
	}
	line := printable(credentials.Hide(fmt.Sprintf("%s %s %s → %s", what, o.Operation.Method, result.URL, outcome)))
	if l.json == nil {
		for _, f := range findings {
			line += "\n  " + printable(f.String())
		}
	} else if len(findings) > 0 {
		text, _ := json.Marshal(findings)
		line += " " + string(text)
	}
	l.note("%s", line)
}
