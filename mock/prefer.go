package mock

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/scenario"
)

// maxDelay is the longest delay that a request can ask for.
const maxDelay = time.Minute

// preferences are what a request asks for in Prefer fields (RFC 7240) and in
// their twins in the query, which browsers can send from their address bar.
type preferences struct {
	code     int // 0: none
	example  string
	dynamic  bool
	seed     uint64
	hasSeed  bool
	scenario *scenario.Scenario
	applied  []string // for Preference-Applied
}

// prefer reads the preferences. A preference that is known and malformed is
// refused: ignored, it would look as if it had been obeyed.
func (x *visit) prefer() bool {
	for i := range x.request.Header {
		f := &x.request.Header[i]
		if len(f.Name) != len("Prefer") || !strings.EqualFold(f.Name, "Prefer") {
			continue
		}
		for preference := range splitOutsideQuotes(f.Value) {
			name, value, _ := strings.Cut(preference, "=")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			if !x.preference(strings.ToLower(strings.TrimSpace(name)), value) {
				return false
			}
		}
	}
	if !strings.Contains(x.request.Query, "__") {
		return true
	}
	for pair := range strings.SplitSeq(x.request.Query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, ok := strings.CutPrefix(name, "__")
		if !ok {
			continue
		}
		if unescaped, err := url.QueryUnescape(value); err == nil {
			value = unescaped
		}
		if !x.preference(name, value) {
			return false
		}
	}
	return true
}

// splitOutsideQuotes gives the preferences of a field, separated by commas or,
// as many clients write, semicolons.
func splitOutsideQuotes(field string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		quoted, start := false, 0
		for i := 0; i <= len(field); i++ {
			switch {
			case i < len(field) && field[i] == '"':
				quoted = !quoted
			case i == len(field) || !quoted && (field[i] == ',' || field[i] == ';'):
				if part := strings.TrimSpace(field[start:i]); part != "" && !yield(part) {
					return
				}
				start = i + 1
			}
		}
	}
}

func (x *visit) preference(name, value string) bool {
	p := &x.preferences
	var err string
	switch name {
	case "code":
		code, bad := strconv.Atoi(value)
		if bad != nil || code < 200 || code > 599 {
			err = "code must be a status from 200 to 599"
		}
		p.code = code
	case "example":
		p.example = value
	case "dynamic":
		p.dynamic = value == "" || strings.EqualFold(value, "true")
		if !p.dynamic && !strings.EqualFold(value, "false") {
			err = "dynamic must be true or false"
		}
	case "seed":
		seed, bad := strconv.ParseUint(value, 10, 64)
		if bad != nil {
			err = "seed must be a whole number of at least 0"
		}
		p.seed, p.hasSeed = seed, true
	case "delay":
		milliseconds, bad := strconv.ParseUint(value, 10, 32)
		delay := time.Duration(milliseconds) * time.Millisecond
		if bad != nil || delay > maxDelay {
			err = "delay must be a number of milliseconds up to " + strconv.Itoa(int(maxDelay.Milliseconds()))
		}
		x.delay = delay
	case "scenario":
		if p.scenario = x.in.book.Scenario(value); p.scenario == nil {
			err = "there is no scenario " + strconv.Quote(value)
			if names := x.in.book.Names(); len(names) > 0 {
				err += "; loaded: " + strings.Join(names, ", ")
			} else {
				err += "; none is loaded (see --scenario)"
			}
		}
	default:
		return true // RFC 7240 section 2: what is not known is ignored
	}
	if err != "" {
		x.problem(400, exchange.Finding{Code: "malformed-preference", Message: err, In: exchange.InHeader, Name: "Prefer"})
		return false
	}
	p.applied = append(p.applied, name+"="+value)
	return true
}
