package mock

import (
	"encoding/json"
	"fmt"
	"maps"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
)

// callbacksOf returns the callbacks to send after a request. There are none if the request was refused, if nothing
// may be sent, or if a mock sent the request: callbacks must not loop.
func (s *Server) callbacksOf(x *exchanged) []*callbacks.Message {
	if x.operation == nil || len(x.operation.Callbacks) == 0 || s.options.allow.Off() || x.fault != "" ||
		x.answer.Status < 200 || x.answer.Status > 299 {
		return nil
	}
	r, values := x.ask.Request, &x.ask.Values
	if agent, _ := r.Header.Get("User-Agent"); agent == callbacks.UserAgent {
		return nil
	}
	credentials := x.credentials()
	query := maps.Clone(values.Query)
	for _, name := range x.contract.secrets.Query {
		delete(query, name)
	}
	seen := &runtimeexpr.Exchange{
		URL: requestURL(s.URL(), r), Request: r, Path: values.Path, RequestBody: values.Body(),
		Response: &x.answer.Response, ResponseBody: bodyValue(x.answer.Header, x.answer.Body),
	}
	return x.contract.outgoing.Of(x.operation.Operation.Operation, seen, query, x.ask.Seed,
		func(name string, o *callbacks.Outgoing, result *callbacks.Result) {
			s.log.sent("callback "+name, o, result, credentials)
		},
		func(name string, err error) {
			s.log.note("callback %s not sent: %s", name, credentials.Hide(err.Error()))
		})
}

func requestURL(server string, r *exchange.Request) string {
	location := r.OriginAt(server) + r.Path
	if r.Query != "" {
		location += "?" + r.Query
	}
	return location
}

func (s *Server) sendWebhook(name, method, url string, body *any) (any, error) {
	c := s.current.Load()
	operation, err := callbacks.FindWebhook(c.Contract, name, method)
	if err != nil {
		return nil, err
	}
	o := c.outgoing[operation]
	key := generate.NewKey(s.options.Values.Seed, "webhook", name, operation.ID)
	described, result, err := s.sender.SendWebhook(s.context, o, name, key, url, body)
	if result != nil {
		s.log.sent("webhook "+name, o, result, nil)
	}
	return described, err
}

// sent logs the result of a callback or a webhook, without the credentials of the request that caused it.
func (l *logger) sent(what string, o *callbacks.Outgoing, result *callbacks.Result, credentials auth.Sent) {
	if l.off {
		return
	}
	var outcome any = result.Err
	var findings []exchange.Finding
	if result.Err == nil {
		outcome = result.Response.Status
		findings = credentials.HideFindings(o.Validate(result.Response))
	}
	line := fmt.Sprintf("%s %s %s → %v", what, o.Operation.Method, result.URL, outcome)
	if result.Attempts > 1 {
		line += fmt.Sprintf(" (attempt %d)", result.Attempts)
	}
	line = visible.Line(credentials.Hide(line))
	if l.json == nil {
		for _, f := range findings {
			line += "\n  " + visible.Line(f.String())
		}
	} else if len(findings) > 0 {
		text, _ := json.Marshal(findings)
		line += " " + string(text)
	}
	l.note("%s", line)
}
