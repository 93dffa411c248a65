// Package prefer reads what a request asks for in Prefer fields (RFC 7240) and
// in their twins in the query, which browsers can send from their address bar.
package prefer

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/state"
)

const (
	maxDelay = time.Minute
	maxCount = 1000 // items
)

// Name is one preference.
type Name uint8

// The preferences that are known.
const (
	Code Name = iota
	Example
	Dynamic
	Seed
	Delay
	Scenario
	Count
	Session
)

// names are the preferences as requests write them.
var names = [...]string{"code", "example", "dynamic", "seed", "delay", "scenario", "count", "session"}

// Set is a set of preferences.
type Set uint8

// Of is the set of some preferences.
func Of(names ...Name) (s Set) {
	for _, n := range names {
		s |= 1 << n
	}
	return s
}

// Preferences are those of one request. A field whose preference is not in Given
// is zero.
type Preferences struct {
	Given    Set
	Code     int // a status
	Example  string
	Dynamic  bool
	Seed     uint64
	Delay    time.Duration
	Scenario string
	Count    int // of items
	Session  string
	texts    [len(names)]string // as they were given
}

// Has reports whether a preference was given.
func (p *Preferences) Has(n Name) bool { return p.Given&(1<<n) != 0 }

// Read gives the preferences of a request. A preference that is known and
// malformed is an error: ignored, it would look as if it had been obeyed. Those
// before it are read then.
func Read(r *exchange.Request) (p Preferences, err error) {
	for i := range r.Header {
		f := &r.Header[i]
		if len(f.Name) != len("Prefer") || !strings.EqualFold(f.Name, "Prefer") {
			continue
		}
		for preference := range split(f.Value) {
			name, value, _ := strings.Cut(preference, "=")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			if err := p.take(strings.ToLower(strings.TrimSpace(name)), value); err != nil {
				return p, err
			}
		}
	}
	if !strings.Contains(r.Query, "__") {
		return p, nil
	}
	for pair := range strings.SplitSeq(r.Query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, ok := strings.CutPrefix(name, "__")
		if !ok {
			continue
		}
		if unescaped, err := url.QueryUnescape(value); err == nil {
			value = unescaped
		}
		if err := p.take(name, value); err != nil {
			return p, err
		}
	}
	return p, nil
}

// IsTwin reports whether a query parameter is the twin of a preference.
func IsTwin(parameter string) bool {
	name, ok := strings.CutPrefix(parameter, "__")
	return ok && slices.Contains(names[:], name)
}

// split gives the preferences of a field, separated by commas or, as many clients
// write, semicolons, outside quotes.
func split(field string) func(yield func(string) bool) {
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

// take reads one preference. Of several with one name the first counts, and those
// that are not known are ignored (RFC 7240 section 2).
func (p *Preferences) take(name, value string) (err error) {
	n := Name(max(slices.Index(names[:], name), 0))
	if names[n] != name || p.Has(n) {
		return nil
	}
	switch n {
	case Code:
		if p.Code, err = strconv.Atoi(value); err != nil || p.Code < 200 || p.Code > 599 {
			return errors.New("code must be a status from 200 to 599")
		}
	case Example:
		if p.Example = value; value == "" {
			return errors.New("example must be the name of a documented example")
		}
	case Dynamic:
		p.Dynamic = value == "" || strings.EqualFold(value, "true")
		if !p.Dynamic && !strings.EqualFold(value, "false") {
			return errors.New("dynamic must be true or false")
		}
	case Seed:
		if p.Seed, err = strconv.ParseUint(value, 10, 64); err != nil {
			return errors.New("seed must be a whole number of at least 0")
		}
	case Delay:
		milliseconds, err := strconv.ParseUint(value, 10, 32)
		delay := time.Duration(milliseconds) * time.Millisecond
		if err != nil || delay > maxDelay {
			return fmt.Errorf("delay must be a number of milliseconds up to %d", maxDelay.Milliseconds())
		}
		p.Delay = delay
	case Count:
		if p.Count, err = strconv.Atoi(value); err != nil || p.Count < 0 || p.Count > maxCount {
			return fmt.Errorf("count must be a number of items up to %d", maxCount)
		}
	case Session:
		if p.Session = value; state.CheckName(value) != nil {
			return fmt.Errorf("session must be the name of a session: %w", state.CheckName(value))
		}
	case Scenario: // which there are depends on the session
		p.Scenario = value
	}
	p.Given |= 1 << n
	p.texts[n] = value
	return nil
}

// Applied gives the field Preference-Applied (RFC 7240 section 3) of an answer
// that obeys all preferences but some; "" where it obeys none.
func (p *Preferences) Applied(ignored Set) string {
	obeyed := p.Given &^ ignored
	if obeyed == 0 {
		return ""
	}
	var list []string
	for n, name := range names {
		if obeyed&(1<<n) == 0 {
			continue
		}
		switch value := p.texts[n]; {
		case value == "":
		case exchange.IsToken(value):
			name += "=" + value
		default:
			name += "=" + strconv.QuoteToASCII(value)
		}
		list = append(list, name)
	}
	return strings.Join(list, ", ")
}
