package cases

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// omission is something optional that a request can be without.
type omission struct {
	location
	keep int // items of a list that stay; 0: the value is left out
}

// Reduce makes cases like another without what is optional and what the case is not about: parameters, properties,
// and items of lists behind the first. still reports whether such a case shows what the other one does. It is asked
// for the least that there can be, then for one omission after the other.
func Reduce(m *Builder, c *Case, still func(*Case) bool) {
	if c.made.draft == nil {
		return
	}
	if written := rewritten(m, c, c.made.draft); written == nil || !isSame(written.Request, c.Request) {
		return // it was changed after it had been written
	}
	all, least, left := omissions(m, c), c, 0
	for _, o := range all {
		if reduced := leaveOut(m, least, o); reduced != nil {
			least = reduced
			left++
		}
	}
	tried := 0
	shows := func(reduced *Case) bool {
		tried++
		if other := m.Again(reduced, tried); other != nil {
			reduced = other
		}
		return still(reduced)
	}
	if left == 0 || shows(least) || len(all) == 1 {
		return
	}
	for _, o := range all {
		if reduced := leaveOut(m, c, o); reduced != nil && shows(reduced) {
			c = reduced
		}
	}
}

// omissions returns what a case may be tried without, the outermost first.
func omissions(m *Builder, c *Case) []omission {
	var all []omission
	for _, p := range m.placesOf(c.made.draft) {
		where := p.finding().Where()
		at, inside := c.aboutWithin(where)
		value, _ := p.of(c.made.draft)
		list, _ := value.([]any)
		last := len(p.tokens) - 1
		isItem := last >= 0 && strings.Trim(p.tokens[last], "0123456789") == ""
		isFixed := isItem || last < 0 && (p.parameter == nil || p.parameter.Required || p.parameter.given() != nil)
		switch index, _ := strconv.Atoi(inside); {
		case at && inside == "" || c.isWithin(where):
			continue
		case !at && !isFixed:
			all = append(all, omission{location: p})
			index = 0
			fallthrough
		default:
			if len(list) > index+1 {
				all = append(all, omission{p, index + 1})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b omission) int { return len(a.tokens) - len(b.tokens) })
	return all
}

// aboutWithin reports whether a case concerns a place or one within it, of which it returns the first token; "" if it
// is the place itself.
func (c *Case) aboutWithin(where string) (is bool, token string) {
	for _, about := range c.abouts() {
		rest, found := strings.CutPrefix(about, where)
		if found && (rest == "" || strings.ContainsAny(rest[:1], " .:")) {
			token, _, _ = strings.Cut(strings.TrimPrefix(rest, "."), ".")
			token, _, _ = strings.Cut(token, " ")
			return true, token
		}
	}
	return false, ""
}

// isWithin reports whether a place is within one whose value the case concerns.
func (c *Case) isWithin(where string) bool {
	return c.made.edit == nil && slices.ContainsFunc(c.abouts(), func(about string) bool {
		for i := range where {
			if where[i] == '.' && (about == where[:i] || strings.HasPrefix(about, where[:i]+" ")) {
				return true
			}
		}
		return false
	})
}

// abouts are texts that begin with the place that a case concerns.
func (c *Case) abouts() []string {
	all := []string{c.Title, c.Varied}
	if c.Violation != nil {
		all = append(all, c.Violation.Where())
	}
	return all
}

// leaveOut makes a case without something; nil if it would be another case, or the same.
func leaveOut(m *Builder, c *Case, o omission) *Case {
	d := c.made.draft.clone()
	if left := o.edit(d, func(value any) (any, bool) {
		list, _ := value.([]any)
		return list[:min(o.keep, len(list))], o.keep > 0
	}); !left {
		delete(d.values, o.parameter)
	}
	reduced := rewritten(m, c, d)
	if reduced == nil || isSame(reduced.Request, c.Request) {
		return nil
	}
	return reduced
}

// isSame reports whether two requests of one path are the same.
func isSame(a, b *exchange.Request) bool {
	return a.Query == b.Query && bytes.Equal(a.Body, b.Body) && reflect.DeepEqual(a.Header, b.Header)
}

// rewritten makes a case with another draft; nil if the contract says something else of it.
func rewritten(m *Builder, c *Case, d *draft) *Case {
	r, err := m.write(d)
	if err != nil || r.Method != c.Request.Method || c.made.edit != nil && !c.made.edit(r) {
		return nil
	}
	found, want := m.findings(d, r), c.Violation
	if want == nil && len(found) > 0 ||
		want != nil && (len(found) != 1 || found[0].Code != want.Code || found[0].Where() != want.Where()) {
		return nil
	}
	made := *c
	r.Path = c.Request.Path
	made.Request, made.Value, made.made.draft = r, d.value, d
	return &made
}
