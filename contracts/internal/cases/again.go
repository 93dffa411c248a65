package cases

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// again is what a case was made from, to make it again.
type again struct {
	draft *draft
	edit  func(*exchange.Request) bool // of the finished request; nil if none
}

// Again makes a case with other unique values, except for the value that the case varies; nil
// if it has none. Each n makes others.
func (m *Builder) Again(c *Case, n int) *Case {
	d := c.made.draft
	if d == nil || d.body == nil && !m.givesTemplates() {
		return nil
	}
	key := m.key.Child("again").Child(c.Title)
	if n > 0 {
		key = key.Child(strconv.Itoa(n))
	}
	if m.givesTemplates() {
		key = key.Child(fmt.Sprint(c.Request.Query, c.Request.Header, string(c.Request.Body)))
	}
	if d = d.clone(); d.body != nil {
		d.value = d.body.distinguishBut(d.value, key, d.have, c.IsAbout)
	}
	for p := range d.values {
		if isTemplate(p.given()) && !c.isAboutParameter(p) {
			d.values[p] = expanded(p.given(), key.Child(p.In).Child(p.Name))
		}
	}
	r, err := m.write(d)
	if err != nil || c.made.edit != nil && !c.made.edit(r) || reflect.DeepEqual(r, c.Request) {
		return nil
	}
	found := m.findings(d, r)
	if c.Violation != nil && (len(found) == 0 || found[0].Code != c.Violation.Code) ||
		c.Violation == nil && c.Expected == Accepted && len(found) > 0 {
		return nil
	}
	made := *c
	made.Request, made.Value, made.made.draft = r, d.value, d
	return &made
}

// IsAboutNaturalKey reports whether a case concerns a value of which no two items may have the same.
func (c *Case) IsAboutNaturalKey() bool {
	d := c.made.draft
	return d != nil && d.body != nil &&
		slices.ContainsFunc(d.body.naturalKeys, func(n naturalKey) bool { return c.IsAbout(n.tokens) })
}

// IsAbout reports whether a case concerns a place in the body.
func (c *Case) IsAbout(tokens []string) bool {
	if c.Violation != nil && strings.HasPrefix(c.Violation.Pointer+"/", "/"+strings.Join(tokens, "/")+"/") {
		return true
	}
	where := "body." + strings.Join(tokens, ".")
	return c.Varied == where || strings.HasPrefix(c.Title, where+" ")
}

func (c *Case) isAboutParameter(p *parameter) bool {
	where := p.In + "." + p.Name
	return c.Violation != nil && c.Violation.In == p.In && c.Violation.Name == p.Name || c.Varied == where ||
		strings.HasPrefix(c.Title, where+" ")
}
