package cases

import (
	"slices"
	"strings"
)

// again is what a case was made from, to make it again.
type again struct {
	base   *draft // before the case's change; nil where it is not known
	draft  *draft // after it
	edited func(*Case) bool
}

// Again makes a case with other values where no two items may have the same, but for what the case is about; nil
// where it has none. It is another one each time that it is called with what it gave.
func (m *Builder) Again(c *Case) *Case {
	if c.made.draft == nil {
		return nil
	}
	return m.remade(c, c.made.draft, true)
}

// Control makes a case's request without the change that the case is about; nil where that is not known.
func (m *Builder) Control(c *Case) *Case {
	if c.made.base == nil {
		return nil
	}
	control := m.remade(c, c.made.base, false)
	if control != nil {
		control.Title, control.Varied, control.Violation = c.Title+": the same without it", "", nil
	}
	return control
}

// remade makes a case from a draft with other natural keys; nil where there are none that it could have, or where
// it is not what the case was.
func (m *Builder) remade(c *Case, d *draft, withChange bool) *Case {
	if d.body != nil {
		value := d.body.distinguishBut(d.value, m.key.Child("again").Child(c.Title), d.have, func(tokens []string) bool {
			return withChange && c.isAbout(tokens)
		})
		d = d.with(d.body, value)
	}
	r, err := m.write(d)
	if err != nil {
		return nil
	}
	made := *c
	made.Request, made.made.draft = r, d
	if d.body != nil {
		made.Value = d.value
	}
	if withChange {
		if c.made.edited != nil && !c.made.edited(&made) {
			return nil
		}
		found := m.findings(d, r)
		isSame := c.Violation != nil && len(found) > 0 && found[0].Code == c.Violation.Code ||
			c.Violation == nil && len(found) == 0
		if !isSame || string(made.Request.Body) == string(c.Request.Body) {
			return nil
		}
	}
	return &made
}

// isAbout reports whether a case is about a place in the body.
func (c *Case) isAbout(tokens []string) bool {
	if c.Violation != nil && strings.HasPrefix(c.Violation.Pointer+"/", "/"+strings.Join(tokens, "/")+"/") {
		return true
	}
	return slices.ContainsFunc([]string{"body." + strings.Join(tokens, ".")}, func(where string) bool {
		return c.Varied == where || strings.HasPrefix(c.Title, where+" ")
	})
}
