package mock

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// maxDelay is the longest delay that a request can ask for.
const maxDelay = time.Minute

// preferences are what a request asks for in Prefer fields (RFC 7240) and in
// their twins in the query, which browsers can send from their address bar.
type preferences struct {
	code    int // 0: none
	example string
	dynamic bool
	seed    uint64
	count   int                          // of items
	counted bool                         // the answer has that many
	values  [len(preferenceNames)]string // as they were given
	given   [len(preferenceNames)]bool
	applied [len(preferenceNames)]bool // of those given, the ones that the answer obeys
}

type preference uint8

const (
	preferCode preference = iota
	preferExample
	preferDynamic
	preferSeed
	preferDelay
	preferScenario
	preferCount
	preferSession
)

var preferenceNames = [...]string{"code", "example", "dynamic", "seed", "delay", "scenario", "count", "session"}

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
			if !x.takePreference(strings.ToLower(strings.TrimSpace(name)), value) {
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
		if !x.takePreference(name, value) {
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

// takePreference takes one preference and reports whether it is well-formed. Of
// several with one name the first counts, and those that are not known are
// ignored (RFC 7240 section 2).
func (x *visit) takePreference(name, value string) bool {
	p := &x.preferences
	which := preference(max(slices.Index(preferenceNames[:], name), 0))
	if preferenceNames[which] != name || p.given[which] {
		return true
	}
	if err := x.readPreference(which, value); err != "" {
		x.fail(400, exchange.Finding{Code: "malformed-preference", Message: err, In: exchange.InHeader, Name: "Prefer"})
		return false
	}
	p.given[which], p.applied[which], p.values[which] = true, true, value
	return true
}

// readPreference gives what is wrong with a value, "" for nothing.
func (x *visit) readPreference(which preference, value string) string {
	p := &x.preferences
	var err error
	switch which {
	case preferCode:
		if p.code, err = strconv.Atoi(value); err != nil || p.code < 200 || p.code > 599 {
			return "code must be a status from 200 to 599"
		}
	case preferExample:
		if p.example = value; value == "" {
			return "example must be the name of a documented example"
		}
	case preferDynamic:
		p.dynamic = value == "" || strings.EqualFold(value, "true")
		if !p.dynamic && !strings.EqualFold(value, "false") {
			return "dynamic must be true or false"
		}
	case preferSeed:
		if p.seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return "seed must be a whole number of at least 0"
		}
	case preferDelay:
		milliseconds, err := strconv.ParseUint(value, 10, 32)
		delay := time.Duration(milliseconds) * time.Millisecond
		if err != nil || delay > maxDelay {
			return fmt.Sprintf("delay must be a number of milliseconds up to %d", maxDelay.Milliseconds())
		}
		x.delay = delay
	case preferCount:
		if p.count, err = strconv.Atoi(value); err != nil || p.count < 0 || p.count > maxCount {
			return fmt.Sprintf("count must be a number of items up to %d", maxCount)
		}
	case preferSession:
		if err := state.CheckName(value); err != nil {
			return "session must be the name of a session: " + err.Error()
		}
	case preferScenario:
		// Which there are depends on the session: see chooses.
	}
	return ""
}

// ignores notes that the answer does not follow preferences.
func (p *preferences) ignores(which ...preference) {
	for _, w := range which {
		p.applied[w] = false
	}
}

// text gives the field Preference-Applied (RFC 7240 section 3), "" for none.
func (p *preferences) text() string {
	var list []string
	for which, applied := range p.applied {
		if !applied || preference(which) == preferCount && !p.counted {
			continue
		}
		item := preferenceNames[which]
		switch value := p.values[which]; {
		case value == "":
		case strings.Trim(value, tokenCharacters) == "":
			item += "=" + value
		default:
			item += "=" + strconv.QuoteToASCII(value)
		}
		list = append(list, item)
	}
	return strings.Join(list, ", ")
}

// tokenCharacters may stand in a token (RFC 9110 section 5.6.2).
const tokenCharacters = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
