package generate

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/samplefile"
	"github.com/coldframe/coldframe/internal/sums"
	"github.com/coldframe/coldframe/internal/words"
)

// formulaRelations are the rows of relations.tsv.
func formulaRelations() []relation {
	all := make([]relation, 0, words.Relations.Lines())
	for c := range words.Relations.Rows() {
		when, names := c[3], []string{"target"}
		if when == "sum" && !strings.Contains(c[4], "object.target") {
			continue // see sumRelation
		}
		isOfAnswers := when == "answer" || when == "success" || when == "reply"
		r := relation{parts: []string{c[1]}, answer: isOfAnswers, sums: when == "sum"}
		for part := range strings.SplitSeq(c[2], "; ") {
			name, of, _ := strings.Cut(part, "=")
			mark := name[:len(name)-len(strings.TrimLeft(name, "?!"))]
			names, r.parts = append(names, name[len(mark):]), append(r.parts, mark+of)
		}
		text := c[4]
		parse := sync.OnceValue(func() *formula.Formula {
			f, err := formula.Parse(text)
			if err != nil {
				panic("relations.tsv: " + err.Error()) // TestFormulas parses all
			}
			return f
		})
		r.apply = func(m *members) {
			if m.applies(when) {
				m.compute(names, parse())
			}
		}
		all = append(all, r)
	}
	return all
}

// applies reports whether a row that is for some objects only is for this one.
func (m *members) applies(when string) bool {
	switch when {
	case "success":
		return !m.r.g.options.Errors && !m.isExample(0)
	case "reply":
		return !m.r.g.options.Errors && len(m.r.path) <= m.r.top
	case "sent":
		for part, names := range m.row.parts[1:] {
			if names[0] != '!' && names[0] != '?' && !m.isSent(part+1) {
				return false
			}
		}
	}
	return true
}

// compute sets the first part to the value of a formula over the named parts. A formula that does not apply to the
// values returns null, or fails.
func (m *members) compute(names []string, f *formula.Formula) {
	object := make(map[string]any, len(f.Reads()))
	for _, read := range f.Reads() {
		name, view, isView := strings.Cut(read, "_")
		part := slices.Index(names, name)
		switch {
		case part < 0 || !m.has(part):
		case isView:
			object[read] = views[view](m, part)
		default:
			object[read] = plainAmount(m.value(part))
		}
	}
	switch v, err := f.Value(object); v := v.(type) {
	case nil:
	case json.Number:
		if n, ok := numberOf(v); ok && err == nil {
			m.setAmount(0, n)
		}
	default:
		if err == nil {
			m.set(0, v)
		}
	}
}

// plainAmount returns the number of an amount that is a text or an object, and other values unchanged.
func plainAmount(v any) any {
	if object, isObject := v.(map[string]any); isObject && len(object) > 3 {
		return v
	}
	if n, ok := sums.Of(v); ok {
		return n
	}
	return v
}

// views are what formulas may read of a part beside its value; nil means that there is none.
var views = map[string]func(m *members, part int) any{
	// plain is the local part of an address that a name makes; first and last take its first and last word only.
	"plain": func(m *members, part int) any { return localPart(m.text(part)) },
	"first": func(m *members, part int) any { return localPart(strings.SplitN(m.text(part), " ", 2)[0]) },
	"last": func(m *members, part int) any {
		text := m.text(part)
		at := strings.LastIndexByte(text, ' ')
		if at < 0 {
			return nil
		}
		return localPart(text[at+1:])
	},
	"slug": func(m *members, part int) any { return textOrNil(slugOf(m.text(part))) },
	// currency is the currency of a country.
	"currency": func(m *members, part int) any { return textOrNil(fields.Currency(m.text(part))) },
	// mediatype is the media type of a file by its name if the target has another, and renames the name of the
	// target's file with the ending of a media type.
	"mediatype": func(m *members, part int) any {
		kind := samplefile.OfExtension(extensionOf(m.text(part)))
		own, _, _ := strings.Cut(m.text(0), ";")
		if kind == nil || !strings.Contains(own, "/") || samplefile.OfType(own) == kind {
			return nil
		}
		return kind.Type()
	},
	"renames": func(m *members, part int) any {
		base, _, _ := strings.Cut(m.text(part), ";")
		kind, extension := samplefile.OfType(base), extensionOf(m.text(0))
		if kind == nil || extension == "" || samplefile.OfExtension(extension) == kind {
			return nil
		}
		return strings.TrimSuffix(m.text(0), extension) + kind.Extension
	},
}

// sumRelation sets the amounts that follow from others, as package sums finds them: totals of lines, quantity × price.
func sumRelation() relation {
	return relation{
		find: func(p *objectPlan, i int) [][]int {
			if i > 0 || p.sums == nil {
				return nil
			}
			parts := []int{}
			for _, target := range p.sums.Targets() {
				parts = append(parts, slices.IndexFunc(p.named, func(e propertyPlan) bool { return e.name == target }))
			}
			return [][]int{parts}
		},
		apply: func(m *members) {
			for i := range m.parts {
				m.set(i, m.sh.object.sums.Values(i, m.object)...)
			}
		},
		sums: true,
	}
}

func textOrNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func localPart(name string) any { return textOrNil(formats.LocalPart(name)) }

func extensionOf(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// isExample reports whether the document has an example of a part.
func (m *members) isExample(part int) bool {
	return slices.ContainsFunc(m.plan(part).node.constraints, func(c constraint) bool {
		return c.op == conforms && m.r.g.schema.Node(c.schema).Get("example") != nil
	})
}

func slugOf(name string) string {
	isOther := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	words := strings.FieldsFunc(strings.ToLower(name), isOther)
	return strings.Join(words, "-")
}

// setAmount assigns an amount to a part, written like the one that it has.
func (m *members) setAmount(part int, f float64) {
	old, ok := sums.Of(m.value(part))
	if !ok || math.Abs(old-f) < 0.005 {
		return
	}
	m.set(part, sums.Like(m.value(part), f)...)
}

func numberOf(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}
