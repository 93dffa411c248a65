package scenario

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"slices"

	"github.com/coldframe/coldframe/internal/spec"
)

// delay is the delay of a response: uniformly distributed from low to high, or lognormal if median is set.
type delay struct {
	low, high time.Duration
	median    time.Duration
	sigma     float64 // standard deviation of the logarithm
	longest   time.Duration
}

func (d *delay) varies() bool { return d != nil && (d.median > 0 || d.low != d.high) }

// of returns the delay of the n-th request that reached the rule.
func (d *delay) of(seed, key, n uint64) time.Duration {
	switch {
	case d == nil:
		return 0
	case !d.varies():
		return d.low
	case d.median == 0:
		return d.low + time.Duration(draw(seed, mix(key+1), n)*float64(d.high-d.low))
	}
	// The Box-Muller transform turns two uniform draws into one of the normal distribution.
	radius := math.Sqrt(-2 * math.Log(1-draw(seed, mix(key+1), n)))
	normal := radius * math.Cos(2*math.Pi*draw(seed, mix(key+2), n))
	return time.Duration(min(float64(d.median)*math.Exp(d.sigma*normal), float64(d.longest)))
}

// limit is the number of requests that may pass the rule in a window of time. A window begins with the first request
// after the previous one.
type limit struct {
	requests uint64
	per      time.Duration
}

// window is the rest of the window of an exceeded limit.
type window struct {
	wait  time.Duration // until its end; 0 if no limit is exceeded
	until time.Time
}

// exceeded counts a request, and returns the window if it exceeds the limit. st.mu must be held.
func (st *State) exceeded(l *limit, s *slot) window {
	at := st.Now()
	if s.passed == 0 || at.Sub(s.windowStart) >= l.per || at.Before(s.windowStart) {
		s.windowStart, s.passed = at, 1
		return window{}
	}
	if s.passed < l.requests {
		s.passed++
		return window{}
	}
	until := s.windowStart.Add(l.per)
	return window{until.Sub(at), until}
}

// retryAfter formats the time at which a client may retry. wait is the rest of the window, until is its end.
type retryAfter func(wait time.Duration, until time.Time) string

// retryAfterForms are the forms of Retry-After (RFC 9110 section 10.2.3), and a nonstandard one that documents ask
// for.
var retryAfterForms = []retryAfter{
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

// retryAfterForm returns the form of the Retry-After to add: seconds, or a date if the document asks for one. It
// returns nil if the response has one already, or the document allows none.
func retryAfterForm(header []headerField, documented *spec.Response) retryAfter {
	if slices.ContainsFunc(header, func(h headerField) bool { return strings.EqualFold(h.name, "Retry-After") }) {
		return nil
	}
	h := headerNamed(documented, "Retry-After")
	if h == nil {
		return retryAfterForms[0]
	}
	forms := retryAfterForms
	if h.Schema != nil && strings.Contains(h.Schema.Node(h.Schema.Keywords).Get("format").Str(), "date") {
		forms = forms[1:]
	}
	for _, form := range forms {
		if len(validateHeader(h, h.Name, form(time.Second, time.Unix(1<<30, 0)))) == 0 {
			return form
		}
	}
	return nil
}
