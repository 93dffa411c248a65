package journal

import (
	"slices"
	"strconv"
	"strings"
)

// Filter chooses entries. Empty fields choose all.
type Filter struct {
	Operation string  // operationId or "METHOD path"
	Status    string  // "404" or "4XX"
	Session   *string // a name; "" is the base state, nil any
	Finding   string  // a code
	Method    string
	Path      string // as sent, or the operation's template
}

// Match reports whether an entry is chosen.
func (f *Filter) Match(e *Entry) bool {
	switch {
	case f.Operation != "" && !e.Operation.Is(f.Operation),
		f.Status != "" && !isStatus(e.Response.Status, f.Status),
		f.Session != nil && e.Session != *f.Session,
		f.Method != "" && !strings.EqualFold(e.Request.Method, f.Method),
		f.Path != "" && e.Request.Path != f.Path && e.Operation.Path != f.Path:
		return false
	}
	if f.Finding == "" {
		return true
	}
	for i := range e.Findings {
		if e.Findings[i].Code == f.Finding {
			return true
		}
	}
	return false
}

func isStatus(status int, want string) bool {
	code := strconv.Itoa(status)
	return code == want || len(want) == 3 && strings.EqualFold(want[1:], "XX") && code[0] == want[0]
}

// Choose gives the entries that f matches, in their order.
func (f *Filter) Choose(entries []*Entry) []*Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *Entry) bool { return !f.Match(e) })
}
