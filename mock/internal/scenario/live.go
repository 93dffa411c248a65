package scenario

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/types"
)

// liveNames are the variables of rules beside request: the session, its items and the time.
var liveNames = []string{"session", itemName, itemsName, "now", "date", "duration", "rule"}

// liveFields are the fields of these variables.
var liveFields = map[string][]string{"session": {"name", "requests"}, "rule": {"applied"}}

// addLive adds the types of the live variables.
func (s scope) addLive(variables types.Map) {
	variables["session"] = types.Map{"name": types.String, "requests": types.Int}
	variables[itemName] = types.Any
	variables[itemsName] = types.TypeOf((*Request)(nil).items)
	variables[counted] = types.TypeOf((*Request)(nil).count)
	variables["now"] = types.TypeOf((*Request)(nil).now)
	if s.answer {
		variables["rule"] = types.Map{"applied": types.Int}
	}
}

// seeLive adds their values; Hit.Answer adds rule.
func (r *Request) seeLive() {
	r.seen["session"] = map[string]any{"name": r.Session, "requests": int(r.state.requests.Load())}
	r.seen[itemsName], r.seen[counted], r.seen["now"] = r.items, r.count, r.now
}

// now returns the time of the mock's clock in UTC: the same for all expressions of a request.
func (r *Request) now() time.Time {
	if r.at.IsZero() {
		r.at = r.state.Now().UTC().Truncate(time.Millisecond)
	}
	return r.at
}

// withTime adds the functions that compute with times.
func withTime(c *conf.Config) {
	delete(c.Disabled, "duration")
	delete(c.Disabled, "date")
	c.Functions["date"] = &builtin.Function{Name: "date", Func: date, Types: []reflect.Type{
		reflect.TypeFor[func(string) time.Time](), reflect.TypeFor[func(string, string) time.Time](),
	}}
}

// dateLayouts are the formats that date accepts without a layout.
var dateLayouts = []string{time.RFC3339Nano, time.DateOnly, time.DateTime, time.RFC1123}

// date is the language's date(text[, layout]), without named time zones, which are system files.
func date(args ...any) (any, error) {
	text, layouts := args[0].(string), dateLayouts
	if len(args) == 2 {
		layouts = []string{args[1].(string)}
	}
	for _, layout := range layouts {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	return nil, fmt.Errorf("%q is no date and time such as 2026-01-31T12:00:00Z", shorten(text))
}

// liveHint returns a hint for a name of the session, the items or the time in an expression that cannot use it.
func (s scope) liveHint(name string) string {
	if name == "rule" && s.live {
		return "; what a rule has counted is known in respond only"
	}
	if !s.live && slices.Contains(liveNames, name) {
		return "; it is known in scenarios only"
	}
	return ""
}
