package cases

import (
	"maps"
	"slices"
	"strconv"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
)

// location is where a value of a draft is: in a parameter, or in the body.
type location struct {
	parameter *parameter // nil: in the body
	tokens    []string   // of the JSON Pointer from the value's root
}

func (s location) root(d *draft) (value any, sent bool) {
	if s.parameter == nil {
		return d.value, true
	}
	value, sent = d.values[s.parameter]
	return value, sent
}

func (s location) setRoot(d *draft, value any) {
	if s.parameter == nil {
		d.value = value
	} else {
		d.values[s.parameter] = value
	}
}

func (s location) of(d *draft) (any, bool) {
	value, sent := s.root(d)
	if !sent {
		return nil, false
	}
	return jsonvalue.At(value, s.tokens)
}

func (s location) put(d *draft, value any) (*draft, bool) {
	changed := d.clone()
	root, _ := s.root(d)
	root, ok := jsonvalue.With(root, s.tokens, value)
	s.setRoot(changed, root)
	if s.parameter != nil && s.parameter.In == exchange.InPath {
		changed.own[s.parameter.Name] = true
	}
	return changed, ok
}

// edit changes the value at the location within d itself. If change reports false, the value is taken out of
// what holds it; edit reports whether anything is left.
func (s location) edit(d *draft, change func(any) (any, bool)) bool {
	root, _ := s.root(d)
	inner, ok := jsonvalue.At(root, s.tokens)
	if !ok {
		return true
	}
	if inner, keep := change(inner); keep {
		root, _ = jsonvalue.With(root, s.tokens, inner)
	} else if len(s.tokens) == 0 {
		return false
	} else {
		root, _, _ = jsonvalue.Remove(root, s.tokens)
	}
	s.setRoot(d, root)
	return true
}

func (s location) finding() exchange.Finding {
	f := exchange.Finding{In: exchange.InBody}
	if s.parameter != nil {
		f.In, f.Name = s.parameter.In, s.parameter.Name
		if f.In == "querystring" {
			f.In = exchange.InQuery
		}
	}
	for _, token := range s.tokens {
		f.Pointer += "/" + exchange.EscapePointer(token)
	}
	return f
}

// site is a location whose value is changed: a parameter, a body, or something within one.
type site struct {
	location
	body            *body // nil for a location in a parameter; both nil: the request as a whole
	schema          *spec.Schema
	constraints     *constraints
	value           any           // what stands there in the template
	minimal         bool          // a minimal value has it too
	repeated        bool          // an element whose schema another element has, too
	optional        bool          // what is around it can be without it
	alternativeBody bool          // of a media type that says the same as the one of plain requests
	branchTaken     []branchTaken // the branches that the template takes around it
	variant         *variant      // of a branch that the template does not take; nil for the template's own
}

// at says where the site stands, or what token leads to from it.
func (s *site) at(token string) exchange.Finding {
	f := s.finding()
	if s.parameter == nil && s.body == nil {
		f.In = exchange.InRequest
	}
	if token != "" {
		f.Pointer += "/" + exchange.EscapePointer(token)
	}
	return f
}

// text reports whether values travel as text there: types that look alike cannot be distinguished.
func (s *site) text() bool {
	return s.parameter != nil && s.parameter.Content == nil || s.body != nil && !s.body.IsJSON()
}

// unicode reports whether every character can stand there.
func (s *site) unicode() bool { return s.parameter == nil || s.parameter.In == exchange.InQuery }

// opaque reports whether the schema says nothing of the form of what stands
// there: a file, or text of a media type of its own.
func (s *site) opaque() bool {
	if s.body == nil || len(s.tokens) == 0 {
		return s.body != nil && !s.body.structured()
	}
	_, file := s.body.files[s.tokens[0]]
	return file || !s.body.structured()
}

type walker struct {
	minimal func([]string) bool
	found   []*site
	round   map[*spec.Keywords]int // schemas around the place
}

func sitesOf(root site, value any, minimal func([]string) bool) []*site {
	w := &walker{minimal: minimal, round: map[*spec.Keywords]int{}}
	var all []*spec.Keywords
	if root.schema != nil {
		all = []*spec.Keywords{root.schema.Keywords}
	}
	w.visit(root, value, all)
	slices.SortStableFunc(w.found, func(a, b *site) int { return len(a.tokens) - len(b.tokens) })
	return w.found
}

// visit finds a site, and those within. s is it, without its value.
func (w *walker) visit(s site, value any, schemas []*spec.Keywords) {
	if len(w.found) >= maxSites || len(s.tokens) > maxDepth ||
		slices.ContainsFunc(schemas, func(k *spec.Keywords) bool { return w.round[k] >= maxRounds }) {
		return
	}
	for _, k := range schemas {
		w.round[k]++
		defer func() { w.round[k]-- }()
	}
	f := constraintsOf(schemas, value)
	s.constraints, s.value, s.minimal = f, value, w.minimal(s.tokens)
	s.branchTaken = f.branchesTaken(value, s.tokens, s.branchTaken)
	w.found = append(w.found, &s)
	inside := func(token string, repeated, optional bool) site {
		inner := s
		inner.tokens = append(slices.Clip(s.tokens), token)
		inner.repeated, inner.optional = s.repeated || repeated, optional
		return inner
	}
	switch v := value.(type) {
	case map[string]any:
		declared, others := f.PropertyNames(), 0
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if !declared[name] {
				others++
			}
			if declared[name] || others <= 2 {
				again := !declared[name] && others > 1
				schemas, _ := f.Property(name)
				w.visit(inside(name, again, !f.Requires(name)), v[name], schemas)
			}
		}
	case []any:
		for i, item := range v {
			again := i > 0 && i >= f.Prefix()
			if !again || i == len(v)-1 {
				w.visit(inside(strconv.Itoa(i), again, false), item, f.Item(i))
			}
		}
	}
}
