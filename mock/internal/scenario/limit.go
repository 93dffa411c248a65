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

// retry is when a limit lets requests pass again.
type retry struct {
	wait  time.Duration // until then; 0 without a limit
	until time.Time
}

// over counts a request, and reports whether it is one too many and when
// its window ends. st.mu must be held.
func (st *State) over(l *limit, s *slot) (bool, retry) {
	now := time.Now
	if st.Now != nil {
		now = st.Now
	}
	at := now()
	if s.passed == 0 || at.Sub(s.began) >= l.per || at.Before(s.began) {
		s.began, s.passed = at, 1
		return false, retry{}
	}
	if s.passed < l.requests {
		s.passed++
		return false, retry{}
	}
	until := s.began.Add(l.per)
	return true, retry{until.Sub(at), until}
}

// retryForm writes when a client may come again. wait is what is left of the
// window, until is its end.
type retryForm func(wait time.Duration, until time.Time) string

// retryForms are the forms that Retry-After has (RFC 9110 section 10.2.3), and
// one that documents ask for though it is none of them.
var retryForms = []retryForm{
	func(wait time.Duration, _ time.Time) string { // whole seconds, at least one
		return strconv.FormatInt(max(1, int64((wait+time.Second-1)/time.Second)), 10)
	},
	func(_ time.Duration, until time.Time) string {
		return until.Add(time.Second - 1).UTC().Format(http.TimeFormat)
	},
	func(_ time.Duration, until time.Time) string {
		return until.Add(time.Second - 1).UTC().Format(time.RFC3339)
	},
}

// retries gives the form of the Retry-After that an answer may have: seconds,
// or a date where the document asks for one. It is nil where the answer has one
// already, and where the document allows none.
func retries(header []headerField, documented *spec.Response) retryForm {
	is := func(name string) bool { return strings.EqualFold(name, "Retry-After") }
	if slices.ContainsFunc(header, func(h headerField) bool { return is(h.name) }) {
		return nil
	}
	if documented == nil {
		return retryForms[0]
	}
	i := slices.IndexFunc(documented.Headers, func(h *spec.Parameter) bool { return is(h.Name) })
	if i < 0 {
		return retryForms[0]
	}
	h := documented.Headers[i]
	forms := retryForms
	if h.Schema != nil && strings.Contains(h.Schema.Node(h.Schema.Keywords).Get("format").Str(), "date") {
		forms = forms[1:]
	}
	for _, form := range forms {
		sample := form(time.Second, time.Unix(1<<30, 0))
		values, findings := decode.NewHeaders([]*spec.Parameter{h}).Decode(exchange.Header{{Name: h.Name, Value: sample}})
		if value, ok := values[h.Name]; ok && h.Schema != nil {
			findings = append(findings, h.Schema.Check(value, exchange.InHeader, h.Name)...)
		}
		if len(findings) == 0 {
			return form
		}
	}
	return nil
}
