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
func (x *visit) callbacks() []*callbacks.Message {
	if x.operation == nil || len(x.operation.Callbacks) == 0 || x.sender.Off() || x.fault != "" ||
		x.response.Status < 200 || x.response.Status > 299 {
		return nil
	}
	if agent, _ := x.request.Header.Get("User-Agent"); agent == callbacks.UserAgent {
		return nil
	}
	happened := x.happened()
	have := x.known(happened)
	var messages []*callbacks.Message
	for _, callback := range x.operation.Callbacks {
		location, err := callback.URL.Text(happened)
		if err != nil {
			x.log.note("callback %s not sent: %s", callback.Name, x.credentials().Hide(err.Error()))
			continue
		}
		for _, operation := range callback.Operations {
			sent := x.in.outgoing[operation]
			key := generate.NewKey(x.seed(), x.operation.ID, callback.Name, operation.ID, x.request.Path, x.request.Query, string(x.request.Body))
			r, err := sent.request(key, have)
			if err != nil {
				x.log.note("callback %s not sent: %s", callback.Name, x.credentials().Hide(err.Error()))
				continue
			}
			log, credentials := x.log, x.credentials()
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
func (x *visit) happened() *runtimeexpr.Exchange {
	host, _ := x.request.Header.Get("Host")
	scheme, _, _ := strings.Cut(x.URL(), "://")
	target := x.request.Path
	if x.request.Query != "" {
		target += "?" + x.request.Query
	}
	return &runtimeexpr.Exchange{
		URL:          scheme + "://" + host + target,
		Request:      x.request,
		Path:         x.values.Path,
		RequestBody:  x.values.Body,
		Response:     &x.response,
		ResponseBody: decoded(x.response.Header, x.response.Body),
	}
}

// known gives the values that what is sent may take over by their names: those
// of the answer, under those of parameters, under those of the request's body.
func (x *visit) known(happened *runtimeexpr.Exchange) map[string]any {
	have := map[string]any{}
	add := func(values any) {
		object, _ := values.(map[string]any)
		for name, value := range object {
			have[name] = value
		}
	}
	add(happened.ResponseBody)
	add(x.values.Query)
	for _, name := range x.in.secrets.Query { // credentials are for nobody else
		delete(have, name)
	}
	add(x.values.Path)
	add(x.values.Body)
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
