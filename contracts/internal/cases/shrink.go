package cases

import (
	"encoding/json"
	"iter"
)

// Smaller gives cases like a random one whose requests are simpler in one place
// each: something optional left out, a list or a text shortened, a number
// nearer to zero. Each wants what the case wants and breaks what it breaks.
func (m *Builder) Smaller(c *Case) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		if c.draft == nil {
			return
		}
		for _, p := range m.parameters {
			if _, sent := c.draft.values[p]; !sent || p.Required {
				continue
			}
			d := c.draft.clone()
			delete(d.values, p)
			if s := m.like(c, d); s != nil && !yield(s) {
				return
			}
		}
		for _, s := range m.placesOf(c.draft) {
			for _, change := range simplifications {
				changed := false
				d := c.draft.clone()
				put := func(value any) (any, bool) {
					smaller, keep, ok := change(value)
					changed = ok
					return smaller, keep
				}
				if s.parameter != nil {
					value, keep := changeAt(d.values[s.parameter], s.tokens, put)
					if !keep {
						continue
					}
					d.values[s.parameter] = value
				} else {
					value, keep := changeAt(d.value, s.tokens, put)
					if !keep {
						continue
					}
					d.value = value
				}
				if !changed {
					continue
				}
				if s := m.like(c, d); s != nil && !yield(s) {
					return
				}
			}
		}
	}
}

// simplifications are the ways to make a value simplifications. ok is false where a value is as
// simple as it gets, keep where it is to be taken out of what holds it.
var simplifications = []func(value any) (smaller any, keep, ok bool){
	func(any) (any, bool, bool) { return nil, false, true },
	func(value any) (any, bool, bool) {
		switch v := value.(type) {
		case string:
			if len(v) > 1 {
				runes := []rune(v)
				return string(runes[:len(runes)/2]), true, len(runes) > 1
			}
		case []any:
			if len(v) > 1 {
				return v[:len(v)/2], true, true
			}
		case json.Number:
			if v != "0" && v != "1" {
				return json.Number("0"), true, true
			}
		}
		return value, true, false
	},
	func(value any) (any, bool, bool) {
		switch v := value.(type) {
		case string:
			if v != "" && v != "a" {
				return "a", true, true
			}
		case json.Number:
			if v != "0" && v != "1" {
				return json.Number("1"), true, true
			}
		}
		return value, true, false
	},
}

// like makes a case of a draft that wants what another wants; nil where the
// draft does not come to that.
func (m *Builder) like(c *Case, d *draft) *Case {
	r, err := m.write(d)
	if err != nil {
		return nil
	}
	var made *Case
	switch c.Expected {
	case Anything:
		made = m.newCase(d, r, c.Title)
	case Accepted:
		title, varies := random(d, c.places)
		made = m.accepted(d, r, title, varies)
	case Refused:
		made = m.refused(d, r, c.Title, c.Violation.In, c.Violation.Name, c.Violation.Pointer)
		if made != nil && (made.Violation.Code != c.Violation.Code || made.Violation.In != c.Violation.In ||
			made.Violation.Pointer != c.Violation.Pointer) {
			return nil
		}
	}
	if made != nil {
		made.draft, made.places, made.Phase, made.Random = d, c.places, c.Phase, true
	}
	return made
}
