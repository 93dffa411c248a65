package mock

import (
	"cmp"
	"strings"
	"time"
)

// clock is the time as Options.Now sets it.
type clock struct {
	now    func() time.Time // for expiry, limits, after and now() of scenarios
	items  bool             // created and changed items use these times too
	origin time.Time        // later than all generated times; zero for the origin of package formats
}

// clockMode returns the mode of Now: real, recent, session or fixed.
func (o *Options) clockMode() string {
	mode, _, _ := strings.Cut(cmp.Or(o.Now, "real"), ":")
	return mode
}

// usualNow is the default time of "fixed": the time at which sessions' own clocks begin.
const usualNow = "2026-01-01T00:00:00Z"

// clock parses Options.Now. With "recent" generated times lie before the day of the call, which is the day of loading.
func (o *Options) clock() (clock, error) {
	mode, text, hasTime := strings.Cut(o.Now, ":")
	c := clock{now: o.Clock, items: true}
	if o.ahead != 0 {
		c.now = func() time.Time { return o.Clock().Add(o.ahead) }
	}
	switch {
	case o.Now == "" || o.Now == "real":
		return c, nil
	case o.Now == "session":
		c.items = false
		return c, nil
	case o.Now == "recent":
	case mode == "fixed":
		if !hasTime {
			text = usualNow
		}
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return c, &OptionError{"Now", "after fixed: stands a time such as " + usualNow + " (RFC 3339)"}
		}
		c.now = func() time.Time { return at.UTC() }
	default:
		return c, &OptionError{"Now", `it is none of real, recent, session, fixed and fixed:` + usualNow}
	}
	if o.opened != nil {
		c.origin = o.opened.Origin
		return c, nil
	}
	c.origin = c.now().UTC().Truncate(24*time.Hour).AddDate(-1, 0, 0)
	return c, nil
}
