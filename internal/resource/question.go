package resource

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// The words before the name of a property with which a boolean parameter asks whether items have it, or lack it.
var (
	havingWords  = words.RoleOf("having-word")
	lackingWords = words.RoleOf("lacking-word")
	onlyWords    = words.RoleOf("only-word") // false chooses nothing then
)

// asks returns the property that a boolean parameter asks about, or whose year another one names, and sets how it is
// compared; nil if none.
func (f *Param) asks(name string, v view, p properties) *property {
	if v.kind() != schema.Boolean {
		return f.year(name, v, p)
	}
	own := naming.Words(name)
	asked := slices.DeleteFunc(slices.Clone(own), onlyWords.Has)
	if len(asked) < len(own) {
		f.All = false
	}
	for _, is := range [...]func(string, properties) *property{f.isFlag, f.isState, f.has} {
		if at := is(strings.Join(asked, ""), p); at != nil {
			return at
		}
	}
	return nil
}

// isFlag finds the flag of a folded name with or without is: archived of is_archived.
func (f *Param) isFlag(name string, p properties) *property {
	flag := strings.TrimPrefix(name, "is")
	return p.only(func(at property) bool {
		return at.view.kind() == schema.Boolean && strings.TrimPrefix(naming.Fold(at.name), "is") == flag
	})
}

// isState finds the state that has a folded name: open, of a status that lists it.
func (f *Param) isState(name string, p properties) *property {
	name = strings.TrimPrefix(name, "is")
	state := ""
	at := p.only(func(at property) bool {
		if at.view.kind() != schema.String {
			return false
		}
		for _, text := range enum(at.view) {
			if naming.Fold(text) == name {
				state = text
				return true
			}
		}
		return false
	})
	if at != nil {
		f.Literal = []any{state}
	}
	return at
}

// has finds the property that items have or lack: assignee_id of unassigned, stock of in_stock, comment_count of
// has_comments, archived_at of archived. A number is there if it is larger than 0.
func (f *Param) has(name string, p properties) *property {
	for n := range name {
		lacks := lackingWords.Has(name[:n]) || opposites.Has(name[:n])
		if n > 0 && !lacks && !havingWords.Has(name[:n]) {
			continue
		}
		word := name[n:]
		for _, answers := range [...]func(at property) bool{
			func(at property) bool {
				return mayLack(at) && isDate(at.view) && isTimeOf(naming.Fold(at.name), []string{word})
			},
			func(at property) bool { return mayLack(at) && isReferredBy(at.name, word) },
			func(at property) bool { return n > 0 && isCountable(at) && isNamedBy(at.name, word) },
		} {
			if at := p.only(answers); at != nil {
				f.asksFor(at, lacks)
				return at
			}
		}
	}
	return nil
}

// asksFor sets how a filter decides whether items have a property.
func (f *Param) asksFor(at *property, lacks bool) {
	f.Literal, f.Compare = []any{nil}, NotEqual
	if lacks {
		f.Compare = Equal
	}
	if slices.Contains(numeric, at.view.kind()) && !mayLack(*at) {
		f.Literal, f.Compare = []any{json.Number("0")}, Greater
		if lacks {
			f.Compare = AtMost
		}
	}
}

func mayLack(at property) bool { return spec.Conforms(at.view.k, nil) }

// isCountable reports whether a property says by its own value that items have none of something.
func isCountable(at property) bool {
	kind := at.view.kind()
	return mayLack(at) || kind == schema.Array || kind == schema.Integer || kind == schema.Number
}

// referredName returns the folded name of what a property refers to by a key: assignee of assignee_id; "" if none.
func referredName(property string) string {
	w := naming.Words(property)
	if len(w) < 2 || !referring.Has(w[len(w)-1]) {
		return ""
	}
	return strings.Join(w[:len(w)-1], "")
}

// isReferredBy reports whether a reference leads to the object of a past participle: assignee_id of assigned.
func isReferredBy(property, past string) bool {
	const least = 4 // letters
	verb, isPast := strings.CutSuffix(past, "ed")
	return isPast && len(verb) >= least && strings.HasPrefix(referredName(property), verb)
}

// isNamedBy reports whether a property, the list or number of something, or the key of it has a folded name.
func isNamedBy(property, name string) bool {
	one := naming.SingularName(name)
	counted := strings.TrimSuffix(naming.Fold(property), "count")
	return naming.SingularName(property) == one || naming.SingularName(counted) == one || referredName(property) == one
}

// year finds the time whose year a parameter names.
func (f *Param) year(name string, v view, p properties) *property {
	const year = "year"
	rest, isYear := strings.CutSuffix(naming.Fold(name), year)
	if !isYear || !slices.Contains(numeric, v.kind()) && v.kind() != schema.String {
		return nil
	}
	var at *property
	if rest == "" {
		at = p.time("date")
	} else {
		at = p.ordered(naming.Words(strings.TrimSuffix(strings.ToLower(name), year)), view{})
	}
	if at == nil || !isDate(at.view) {
		return nil
	}
	f.Compare = Begins
	return at
}

// member returns the array of a name whose elements are objects, and their first member that people write: tags of tag,
// whose elements are {id, name}; nil if none.
func (p properties) member(name string, v view) *property {
	at := p.find(name)
	if at == nil || at.view.kind() != schema.Array || at.view.element().kind() != schema.Object || v.format() != "" {
		return nil
	}
	for _, m := range at.view.element().members() {
		if isText(m.view) && !identityNames.Has(m.folded) && comparable(v, m.view) {
			at.within = m.name
			return at
		}
	}
	return nil
}
