package mock

import (
	"encoding/json"
	"fmt"
	"mime"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/runtimeexpr"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
)

// callbacks gives the requests that are to be sent as the outcome of this one,
// once it is answered. There are none where it was refused, where nothing may
// be sent, and where it is itself something that a mock sent: callbacks must
// not go round in circles.
func (s *Server) callbacksOf(h *handled) []*callbacks.Message {
	if h.operation == nil || len(h.operation.Callbacks) == 0 || s.sender.Off() || h.fault != "" ||
		h.answer.Status < 200 || h.answer.Status > 299 {
		return nil
	}
	if agent, _ := h.ask.Request.Header.Get("User-Agent"); agent == callbacks.UserAgent {
		return nil
	}
	happened := happenedIn(h, s.URL())
	have := known(h, happened)
	var messages []*callbacks.Message
	for _, callback := range h.operation.Callbacks {
		location, err := callback.URL.Text(happened)
		if err != nil {
			s.log.note("callback %s not sent: %s", callback.Name, h.credentials().Hide(err.Error()))
			continue
		}
		for _, operation := range callback.Operations {
			sent := h.contract.outgoing[operation]
			key := generate.NewKey(h.ask.Seed, h.operation.ID, callback.Name, operation.ID, h.ask.Request.Path, h.ask.Request.Query, string(h.ask.Request.Body))
			r, err := sent.request(key, have)
			if err != nil {
				s.log.note("callback %s not sent: %s", callback.Name, h.credentials().Hide(err.Error()))
				continue
			}
			log, credentials := s.log, h.credentials()
			messages = append(messages, &callbacks.Message{
				URL:     addQuery(location, r.Query),
				Request: r,
				Done: func(result *callbacks.Result) {
					log.sent("callback "+callback.Name, operation.Method, result, sent, credentials)
				},
			})
		}
	}
	return messages
}

// happened gives the exchange as runtime expressions see it.
func happenedIn(h *handled, server string) *runtimeexpr.Exchange {
	host, _ := h.ask.Request.Header.Get("Host")
	scheme, _, _ := strings.Cut(server, "://")
	target := h.ask.Request.Path
	if h.ask.Request.Query != "" {
		target += "?" + h.ask.Request.Query
	}
	return &runtimeexpr.Exchange{
		URL:          scheme + "://" + host + target,
		Request:      h.ask.Request,
		Path:         h.ask.Values.Path,
		RequestBody:  h.ask.Values.Body,
		Response:     &h.answer.Response,
		ResponseBody: decoded(h.answer.Header, h.answer.Body),
	}
}

// known gives the values that what is sent may take over by their names: those
// of the answer, under those of parameters, under those of the request's body.
func known(h *handled, happened *runtimeexpr.Exchange) map[string]any {
	have := map[string]any{}
	add := func(values any) {
		object, _ := values.(map[string]any)
		for name, value := range object {
			have[name] = value
		}
	}
	add(happened.ResponseBody)
	add(h.ask.Values.Query)
	for _, name := range h.contract.secrets.Query { // credentials are for nobody else
		delete(have, name)
	}
	add(h.ask.Values.Path)
	add(h.ask.Values.Body)
	return have
}

// addQuery adds the query of a request to the URL it goes to.
func addQuery(location, query string) string {
	if query == "" {
		return location
	}
	u, err := url.Parse(location)
	if err != nil {
		return location
	}
	if u.RawQuery != "" {
		u.RawQuery += "&"
	}
	u.RawQuery += query
	return u.String()
}

// isJSONField reports whether Content-Type says JSON.
func isJSONField(h exchange.Header) bool {
	text, _ := h.Get("Content-Type")
	media, _, err := mime.ParseMediaType(text)
	return err == nil && (strings.HasSuffix(media, "/json") || strings.HasSuffix(media, "+json"))
}

// sent logs what came of a request that the mock sent by itself, without the
// credentials of the request that it is the outcome of.
func (l *logger) sent(what, method string, result *callbacks.Result, s *outgoing, credentials auth.Sent) {
	if l.off {
		return
	}
	outcome := ""
	var findings []exchange.Finding
	if result.Err != nil {
		outcome = result.Err.Error()
	} else {
		outcome = fmt.Sprint(result.Response.Status)
		findings = s.judge(result.Response)
	}
	if result.Attempts > 1 {
		outcome += fmt.Sprintf(" (attempt %d)", result.Attempts)
	}
	findings = credentials.HideFindings(findings)
	line := printable(credentials.Hide(fmt.Sprintf("%s %s %s → %s", what, method, result.URL, outcome)))
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
