package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// leaf is a property of a body that is not an object.
type leaf struct {
	path         []string
	name, parent string // folded; the parent of one at the top is ""
	view         view
}

type leaves []leaf

// leavesOf returns the properties of a body and of the objects in it, nearest to the top first.
func leavesOf(v view, depth int) leaves { return leavesNamed(v, depth, nil) }

// leavesNamed returns the leaves of leavesOf with one of some names; nil names mean all.
func leavesNamed(v view, depth int, only map[string]bool) leaves {
	var all leaves
	level := []leaf{{view: v}}
	for range depth {
		var next []leaf
		for _, at := range level {
			for _, m := range at.view.members() {
				kind := m.view.kind()
				if kind == schema.Array || kind != schema.Object && only != nil && !only[m.folded] {
					continue
				}
				below := leaf{append(slices.Clip(at.path), m.name), m.folded, at.name, m.view}
				if kind == schema.Object {
					next = append(next, below)
				} else {
					all = append(all, below)
				}
			}
		}
		level = next
	}
	return all
}

func (all leaves) find(name string) *leaf {
	return all.firstOf([]string{name}, func(*leaf) bool { return true })
}

func (all leaves) first(names []string) *leaf { return all.firstOf(names, (*leaf).mayBeText) }

func (l *leaf) mayBeText() bool {
	kind := l.view.kind()
	return kind == schema.String || kind == schema.AnyType
}

// secret returns the first text that is a secret by its name, or by its format (OpenAPI 3.0.4 section 4.4).
func (all leaves) secret() *leaf {
	if named := all.first(secretNames); named != nil {
		return named
	}
	for i := range all {
		if all[i].view.format() == "password" {
			return &all[i]
		}
	}
	return nil
}

// code returns the first text that is a code of a login by its name: totpCode.
func (all leaves) code() *leaf {
	for i := range all {
		kind, isCode := strings.CutSuffix(all[i].name, "code")
		if isCode && codeWords.Has(kind) && all[i].mayBeText() {
			return &all[i]
		}
	}
	return nil
}

// beside returns the first text whose name is one of some with a word of a role before or after it: newPassword,
// password_new.
func (all leaves) beside(names []string, role *words.Role) *leaf {
	for _, name := range names {
		for i := range all {
			rest, isPart := strings.CutSuffix(all[i].name, name)
			if !isPart {
				rest, isPart = strings.CutPrefix(all[i].name, name)
			}
			if isPart && role.Has(rest) && all[i].mayBeText() {
				return &all[i]
			}
		}
	}
	return nil
}

// ofTokens returns the first property that makes one of some names with the name of the object around it before it:
// {access: {token}} has accesstoken. It returns nil if none.
func (all leaves) ofTokens(names []string) *leaf {
	if i := slices.IndexFunc(all, func(l leaf) bool {
		return l.parent != "" && slices.Contains(names, l.parent+l.name)
	}); i >= 0 {
		return &all[i]
	}
	return nil
}

func (all leaves) firstOf(names []string, fits func(*leaf) bool) *leaf {
	for _, name := range names {
		for i := range all {
			if l := &all[i]; l.name == name && fits(l) {
				return l
			}
		}
	}
	return nil
}

// at returns the path of a leaf; it is safe on nil.
func (l *leaf) at() []string {
	if l == nil {
		return nil
	}
	return l.path
}

func (l *leaf) schema() *schema.Keywords {
	if l == nil {
		return nil
	}
	return l.view.k
}
