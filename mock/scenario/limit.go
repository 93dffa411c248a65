package scenario

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// limit is how many requests a window of time lets pass the rule. A window
// begins with the first request after the last one.
type limit struct {
	requests uint64
	per      time.Duration
}

// maxPer bounds the window of a limit.
const maxPer = 24 * time.Hour

var limitKeys = []string{"requests", "per"}

// limit reads limit.
func (p *parser) limit(n *node) *limit {
	keys := p.keys(n, "limit", limitKeys)
	requests, per := keys["requests"], keys["per"]
	if requests == nil || per == nil {
		if keys != nil {
			p.fail(n, CodeRule, "limit needs requests and per")
		}
		return nil
	}
	l := &limit{requests: p.count(requests, "requests")}
	if d, err := time.ParseDuration(per.text); per.kind != kindText || err != nil || d <= 0 || d > maxPer {
		p.fail(per, CodeValue, "per must be a duration such as 1s or 1m, at most 24h, is %s", per.describe())
	} else {
		l.per = d
	}
	return l
}

// tooMany is the respond of a rule that has a limit and nothing else.
func tooMany(limit *node) *node {
	status := &node{kind: kindNumber, text: strconv.Itoa(http.StatusTooManyRequests), parent: limit, line: limit.line, column: limit.column}
	return &node{kind: kindMap, members: []member{{"status", status, status}}, parent: limit.parent, token: limit.token, line: limit.line, column: limit.column}
}

// over counts a request, and reports whether it is one too many and how long
// its window lasts. st.mu must be held.
func (st *State) over(l *limit, s *slot) (bool, time.Duration) {
	now := time.Now
	if st.Now != nil {
		now = st.Now
	}
	at := now()
	if s.passed == 0 || at.Sub(s.began) >= l.per || at.Before(s.began) {
		s.began, s.passed = at, 1
		return false, 0
	}
	if s.passed < l.requests {
		s.passed++
		return false, 0
	}
	return true, s.began.Add(l.per).Sub(at)
}

// tellsRetry reports whether an answer may have a Retry-After in seconds: it
// has none yet, and what the document says of the field allows that (RFC 9110
// section 10.2.3).
func tellsRetry(header []headerField, documented *spec.Response) bool {
	is := func(name string) bool { return strings.EqualFold(name, "Retry-After") }
	if slices.ContainsFunc(header, func(h headerField) bool { return is(h.name) }) {
		return false
	}
	if documented == nil {
		return true
	}
	i := slices.IndexFunc(documented.Headers, func(h *spec.Parameter) bool { return is(h.Name) })
	if i < 0 {
		return true
	}
	h := documented.Headers[i]
	values, findings := decode.NewHeaders([]*spec.Parameter{h}).Decode(exchange.Header{{Name: h.Name, Value: "1"}})
	if value, ok := values[h.Name]; ok && h.Schema != nil {
		findings = append(findings, h.Schema.Check(value, exchange.InHeader, h.Name)...)
	}
	return len(findings) == 0
}

// retryAfter is a time in whole seconds, at least one.
func retryAfter(d time.Duration) string {
	return strconv.FormatInt(max(1, int64((d+time.Second-1)/time.Second)), 10)
}
