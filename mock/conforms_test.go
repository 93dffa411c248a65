package mock

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/images"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// conforms validates an answer against the document.
func (c *caseClient) conforms(method, target string, r *http.Response, body []byte) {
	answer := &exchange.Response{Status: r.StatusCode, Body: body}
	for name, values := range r.Header {
		for _, v := range values {
			answer.Header = append(answer.Header, exchange.Field{Name: name, Value: v})
		}
	}
	if images.IsFor(target) {
		return
	}
	if strings.HasPrefix(target, control.Prefix) {
		for _, f := range checkControl(method, target, answer) {
			c.t.Errorf("the answer breaks the control API's document: %s", f)
		}
		return
	}
	for _, f := range check(c.server, method, target, answer) {
		c.t.Errorf("the answer breaks the document: %s", f)
	}
}

// check validates an answer against the document. What the document does not describe
// must say so, and be problem details or the error body of most operations, or have no body.
func check(s *Server, method, target string, r *exchange.Response) []exchange.Finding {
	problem := func(format string, args ...any) []exchange.Finding {
		return []exchange.Finding{{Message: fmt.Sprintf(format, args...)}}
	}
	in := s.current.Load()
	kind, _ := r.Header.Get("Content-Type")
	if status, ok := r.Header.Get(respond.UndocumentedField); ok {
		if status != strconv.Itoa(r.Status) {
			return problem("%s: %s with status %d", respond.UndocumentedField, status, r.Status)
		}
		if len(r.Body) == 0 || kind == "application/problem+json" {
			return nil
		}
		return in.checkPrevailing(kind, r.Body)
	}
	if _, after, ok := strings.Cut(target, "://"); ok {
		_, target, _ = strings.Cut(after, "/")
		target = "/" + target
	}
	target, _, _ = strings.Cut(target, "#")
	path, query, _ := strings.Cut(target, "?")
	var m route.Match
	if o, _ := in.find(&exchange.Request{Method: method, Path: path, Query: query}, &m); o != nil {
		if _, ok := r.Header.Get("Access-Control-Allow-Methods"); ok && method == "OPTIONS" {
			return nil // preflights are not the operation's
		}
		findings := validate.New(o.Operation.Operation).Response(method, r)
		for _, other := range o.Alternatives { // fields and body are not known here
			if len(findings) > 0 {
				findings = validate.New(other).Response(method, r)
			}
		}
		return findings
	}
	if method == "HEAD" || len(r.Body) == 0 {
		return nil
	}
	if kind == "application/problem+json" && json.Valid(r.Body) {
		return nil
	}
	return in.checkPrevailing(kind, r.Body)
}

// checkPrevailing validates the error body of most operations.
func (c *contract) checkPrevailing(kind string, body []byte) []exchange.Finding {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	media := c.responder.Prevailing()
	if err := decoder.Decode(&value); err != nil || media == nil {
		return []exchange.Finding{{Message: fmt.Sprintf("%s without a prevailing error: %v", kind, err)}}
	}
	return media.Schema.Check(value, exchange.InBody, "")
}
