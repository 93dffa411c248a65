// Package prefer reads the preferences of a request: Prefer fields (RFC 7240), and the query parameters that replace
// them in a browser's address bar ("twins").
package prefer

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/state"
)

const (
	maxDelay = 60_000 // milliseconds
	maxCount = 1000   // items
	maxWait  = 3600   // seconds
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
	Wait
)

// known has the name of each preference, and its valid values for messages.
var known = [...]struct{ name, must string }{
	Code:     {"code", "a status from 200 to 599"},
	Example:  {"example", "the name of a documented example"},
	Dynamic:  {"dynamic", "true or false"},
	Seed:     {"seed", "a whole number of at least 0"},
	Delay:    {"delay", "a number of milliseconds up to " + strconv.Itoa(maxDelay)},
	Scenario: {"scenario", "the name of a scenario"},
	Count:    {"count", "a number of items up to " + strconv.Itoa(maxCount)},
	Session:  {"session", "the name of a session, of 1 to 64 visible ASCII characters"},
	Wait:     {"wait", "a number of seconds up to " + strconv.Itoa(maxWait)},
}

func number(text string, least, most int) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= least && n <= most
}

func find(name string) (n Name, ok bool) {
	i := slices.IndexFunc(known[:], func(k struct{ name, must string }) bool { return k.name == name })
	return Name(i), i >= 0
}

// Set is a set of preferences.
type Set uint16

// Of returns the set of some preferences.
func Of(names ...Name) (s Set) {
	for _, n := range names {
		s |= 1 << n
	}
	return s
}

// Preferences are the preferences of one request. A field is zero unless its preference is in Given.
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
	Wait     time.Duration // how long a stream may stay open (RFC 7240 section 4.3)
	twins    Set           // given in the query
	texts    []string      // as sent, in the order of known; nil if none was
}

// Has reports whether a preference was given.
func (p *Preferences) Has(n Name) bool { return p.Given&(1<<n) != 0 }

// Finding returns a finding about a preference, in the place where it was sent: the query or a Prefer field.
func (p *Preferences) Finding(n Name, code, message string) exchange.Finding {
	f := exchange.Finding{Code: code, Message: message, In: exchange.InHeader, Name: "Prefer"}
	if p.twins&(1<<n) != 0 {
		f.In, f.Name = exchange.InQuery, twinPrefix+known[n].name
	}
	return f
}

// CodeMalformed is the code of findings on invalid preferences.
const CodeMalformed = "malformed-preference"

// twinPrefix is the prefix of query parameters that replace preferences.
const twinPrefix = "__"

var none Preferences

// None returns the preferences of a request that has none. They are shared: do not change them.
func None() *Preferences { return &none }

// Read returns the preferences of a request. An invalid value of a known preference is returned as malformed: if it
// were ignored, it would look as if it had been applied. Earlier ones are read in this case.
func Read(r *exchange.Request) (p *Preferences, malformed *exchange.Finding) {
	p = None()
	for i := range r.Header {
		f := &r.Header[i]
		if len(f.Name) != len("Prefer") || !strings.EqualFold(f.Name, "Prefer") {
			continue
		}
		for preference := range exchange.SplitQuoted(f.Value, ",;") { // many clients separate with semicolons
			name, value, _ := strings.Cut(strings.TrimSpace(preference), "=")
			value = strings.Trim(strings.TrimSpace(value), `"`)
			p = p.own()
			if err := p.take(strings.ToLower(strings.TrimSpace(name)), value, false); err != nil {
				return p, err
			}
		}
	}
	if !strings.Contains(r.Query, twinPrefix) {
		return p, nil
	}
	for pair := range strings.SplitSeq(r.Query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, ok := strings.CutPrefix(name, twinPrefix)
		if !ok {
			continue
		}
		if unescaped, err := url.QueryUnescape(value); err == nil {
			value = unescaped
		}
		p = p.own()
		if err := p.take(name, value, true); err != nil {
			return p, err
		}
	}
	return p, nil
}

// own returns preferences that may be changed.
func (p *Preferences) own() *Preferences {
	if p == &none {
		return new(Preferences)
	}
	return p
}

// With returns a copy of the preferences with a number of items.
func (p *Preferences) With(count int) *Preferences {
	other := *p
	other.Given |= Of(Count)
	other.Count = count
	return &other
}

// IsTwin reports whether a query parameter replaces a preference.
func IsTwin(parameter string) bool {
	name, twin := strings.CutPrefix(parameter, twinPrefix)
	_, ok := find(name)
	return twin && ok
}

// Twins returns the names of the query parameters that replace preferences.
func Twins() (names []string) {
	for _, k := range known {
		names = append(names, twinPrefix+k.name)
	}
	return names
}

// take reads one preference. The first of several with one name counts, and unknown ones are ignored (RFC 7240
// section 2).
func (p *Preferences) take(name, value string, twin bool) *exchange.Finding {
	n, ok := find(name)
	if !ok || p.Has(n) {
		return nil
	}
	switch n {
	case Code:
		p.Code, ok = number(value, 200, 599)
	case Example:
		p.Example, ok = value, value != ""
	case Dynamic:
		p.Dynamic = value == "" || strings.EqualFold(value, "true")
		ok = p.Dynamic || strings.EqualFold(value, "false")
	case Seed:
		seed, err := strconv.ParseUint(value, 10, 64)
		p.Seed, ok = seed, err == nil
	case Delay:
		milliseconds, known := number(value, 0, maxDelay)
		p.Delay, ok = time.Duration(milliseconds)*time.Millisecond, known
	case Scenario: // validated later: the names depend on the session
		p.Scenario = value
	case Count:
		p.Count, ok = number(value, 0, maxCount)
	case Session:
		p.Session, ok = value, state.CheckName(value) == nil
	case Wait:
		seconds, known := number(value, 0, maxWait)
		p.Wait, ok = time.Duration(seconds)*time.Second, known
	}
	if twin {
		p.twins |= 1 << n
	}
	if !ok {
		return new(p.Finding(n, CodeMalformed, known[n].name+" must be "+known[n].must))
	}
	p.Given |= 1 << n
	if p.texts == nil {
		p.texts = make([]string, len(known))
	}
	p.texts[n] = value
	return nil
}

// Applied returns the field Preference-Applied (RFC 7240 section 3) for a response that applies all preferences
// except ignored; "" if it applies none.
func (p *Preferences) Applied(ignored Set) string {
	obeyed := p.Given &^ ignored
	if obeyed == 0 {
		return ""
	}
	var list []string
	for n := range known {
		if obeyed&(1<<n) == 0 {
			continue
		}
		name := known[n].name
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
