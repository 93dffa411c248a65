package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
)

// Statistic is a member of an answer that follows from the items of a list: how many there are, how many have a value,
// a number of them for each value, or the sum or the mean of a number.
type Statistic struct {
	Path     []string // of the member in the answer
	Of       *Binding // the list
	Kind     StatisticKind
	Property string // that is counted, added up or grouped by; "" if all items are counted
	Value    string // the value that items have which are counted; "" for any
	// Set: items are counted in which the property is not null.
	Set bool
	// Whole is what a share is of all items: 1, or 100 for a percentage; 0 for a number of items.
	Whole float64
	// Values are the values that the document lists for a property that is grouped by; nil for the values that items have.
	Values []string
	// Element has the names of the members for the value and the number of an array of groups; "" for a map.
	Element [2]string
}

// StatisticKind is how a statistic follows from items.
type StatisticKind uint8

const (
	ItemCount StatisticKind = iota
	ItemSum
	ItemMean
	ItemGroups
)

// The words of names of statistics.
var (
	meanWords  = words.RoleOf("mean-word")
	countWords = words.RoleOf("count-word")
)

// statisticsDeep is how deep in an answer statistics are looked for.
const statisticsDeep = 2

// findShares finds what part of all items others of the found numbers are: completion_rate, from 0 to 1, beside
// completed. The names begin alike, and the document says the bounds.
func (s *statistician) findShares(v view, path []string) {
	for _, m := range v.members() {
		at := append(slices.Clone(path), m.name)
		whole := wholeOf(m.view)
		if whole == 0 || slices.ContainsFunc(s.found, func(f Statistic) bool { return slices.Equal(f.Path, at) }) {
			continue
		}
		var share Statistic
		for _, f := range s.found {
			name := f.Path[len(f.Path)-1]
			if f.Kind == ItemCount && f.Property != "" && len(f.Path) == len(at) && beginAlike(m.folded, naming.Fold(name)) {
				share = f
				share.Path, share.Whole = at, whole
			}
		}
		if share.Whole != 0 {
			s.found = append(s.found, share)
		}
	}
}

// wholeOf returns the largest value of a number between 0 and 1, or 100; 0 for other values.
func wholeOf(v view) float64 {
	k := v.plain().k
	if k == nil || v.kind() != schema.Number || k.Minimum == nil || k.Minimum.Sign() != 0 || k.Maximum == nil {
		return 0
	}
	if most, _ := k.Maximum.Float64(); most == 1 || most == 100 {
		return most
	}
	return 0
}

// beginAlike reports whether two names have the same first letters, most of the shorter name.
func beginAlike(a, b string) bool {
	const least = 4
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= least && 3*n >= 2*min(len(a), len(b))
}

// findStatistics finds the answers that summarize the items of lists: GET /tickets/stats answers {total, by_status}.
// One member at least has to be about values that items have, unless path and answer are named like a count: GET
// /tickets/count answers {count}.
func (in *inference) findStatistics(plan *Plan) {
	for _, o := range in.operations {
		b := o.binding
		isPlain := o.Method == "GET" && b.Role == Action && !b.Declared && !b.Reads
		if !isPlain || o.at.parent == nil || o.at.last.variable() || o.answer.kind() != schema.Object {
			continue
		}
		s := statistician{in: in, own: in.listBeside(o)}
		if len(o.variables()) == 0 {
			for _, other := range plan.Bindings {
				if other.Role == List && other.List != nil && !other.Subset && len(other.Scope) == 0 {
					s.lists = append(s.lists, other)
				}
			}
		}
		s.find(o.answer, nil)
		isCount := s.own != nil && countWords.Has(naming.Fold(o.at.last.text)) && len(o.answer.members()) == 1
		if !s.isSure && !(isCount && len(s.found) == 1) {
			continue
		}
		s.findShares(o.answer, nil)
		b.Statistics = s.found
		if r := s.found[0].Of.Resource; b.Resource == nil {
			b.Resource = r
			r.Bindings = append(r.Bindings, b)
		}
		names := make([]string, len(s.found))
		for i, found := range s.found {
			names[i] = strings.Join(found.Path, ".")
		}
		saw := strings.Join(names, ", ")
		b.Reason += "; counts " + b.Resource.Name
		b.Evidence = append(b.Evidence, Evidence{"statistics", "members about values of items", 1, saw})
	}
}

// findFacets finds what the answers of lists say of all items that the filters choose: {hits, facets: {color: [{value,
// count}]}}.
func (in *inference) findFacets() {
	for _, o := range in.operations {
		b := o.binding
		if b.Role != List || b.List == nil || len(b.List.Items.Path) != 1 || b.Resource == nil {
			continue
		}
		s := statistician{in: in, own: b}
		s.find(o.answer, nil)
		for _, found := range s.found {
			if found.Kind == ItemGroups && found.Of == b {
				b.List.Facets = append(b.List.Facets, found)
			}
		}
	}
}

// listBeside returns the list at the path above an operation's, or the only one beside it below an item; nil if none.
func (in *inference) listBeside(o *operation) (found *Binding) {
	isList := func(n *node) *Binding {
		if get := n.method("GET"); get != nil && get.binding.Role == List && get.binding.List != nil {
			return get.binding
		}
		return nil
	}
	if above := isList(o.at.parent); above != nil {
		return above
	}
	if !o.at.parent.last.variable() {
		return nil
	}
	for _, beside := range o.at.parent.children {
		list := isList(beside)
		if list != nil && found != nil {
			return nil
		}
		if list != nil {
			found = list
		}
	}
	return found
}

// statistician finds the statistics of an answer.
type statistician struct {
	in     *inference
	own    *Binding   // the list that the path concerns; nil if none
	lists  []*Binding // others, which names of members name
	found  []Statistic
	isSure bool
}

func (s *statistician) find(v view, path []string) {
	if len(path) > statisticsDeep {
		return
	}
	for _, m := range v.members() {
		at := append(slices.Clone(path), m.name)
		list, w := s.about(naming.Words(m.name))
		if list == nil {
			continue
		}
		statistic := Statistic{Path: at, Of: list}
		switch kind := m.view.kind(); {
		case kind == schema.Integer || kind == schema.Number:
			if !statistic.isNumber(w, len(w) < len(naming.Words(m.name))) {
				continue
			}
			s.isSure = s.isSure || statistic.Property != ""
		case kind == schema.Array:
			if !statistic.isGroups(w, m.view.element()) {
				continue
			}
			s.isSure = true
		case kind == schema.Object && len(m.view.members()) > 0:
			outer := s.own
			s.own = list
			s.find(m.view, at)
			s.own = outer
			continue
		case kind == schema.Object && isNumbers(m.view):
			if !statistic.isMap(w) {
				continue
			}
			s.isSure = true
		default:
			continue
		}
		s.found = append(s.found, statistic)
	}
}

// about returns the list that the words of a member name, and its other words.
func (s *statistician) about(w []string) (*Binding, []string) {
	for _, list := range append([]*Binding{s.own}, s.lists...) {
		if list == nil {
			continue
		}
		name := list.Resource.Name
		noun := naming.SingularName(name[strings.LastIndexByte(name, '/')+1:])
		for n := len(w); n > 0; n-- {
			for from := 0; from+n <= len(w); from++ {
				if naming.SingularName(strings.Join(w[from:from+n], "")) == noun {
					return list, slices.Concat(w[:from], w[from+n:])
				}
			}
		}
	}
	return s.own, w
}

// isNumber sets what a number says by its words without the name of the items; isNamed says whether they were named.
func (s *Statistic) isNumber(w []string, isNamed bool) bool {
	rest := slices.DeleteFunc(slices.Clone(w), func(word string) bool { return countWords.Has(word) })
	isCount := len(rest) < len(w) || isNamed
	if len(rest) == 0 {
		return isCount
	}
	for property, states := range s.Of.Resource.stateProperties() {
		for _, state := range states {
			if naming.Fold(state) == strings.Join(rest, "") {
				s.Property, s.Value = property, state
				return true
			}
		}
	}
	for _, p := range s.Of.Resource.Properties {
		if p.Kind == schema.Boolean && strings.TrimPrefix(naming.Fold(p.Name), "is") == strings.Join(rest, "") {
			s.Property, s.Value = p.Name, "true"
			return true
		}
		isTime := strings.HasPrefix(p.Format, "date") && spec.Conforms(p.Schema, nil)
		if isTime && isTimeOf(naming.Fold(p.Name), []string{strings.Join(rest, "")}) {
			s.Property, s.Set = p.Name, true
			return true
		}
	}
	isMean := func(word string) bool { return meanWords.Has(word) }
	name := strings.Join(slices.DeleteFunc(slices.Clone(rest), isMean), "")
	p := s.Of.Resource.folded(name)
	switch isNumber := p != nil && (p.Kind == schema.Integer || p.Kind == schema.Number); {
	case isNumber && slices.ContainsFunc(rest, isMean):
		s.Property, s.Kind = p.Name, ItemMean
	case isNumber && len(rest) < len(w):
		s.Property, s.Kind = p.Name, ItemSum
	default:
		return false
	}
	return true
}

// isMap sets the property whose values the names of a map are, by the map's words: by_status, statuses, status_counts.
func (s *Statistic) isMap(w []string) bool {
	rest := slices.DeleteFunc(slices.Clone(w), func(word string) bool { return word == "by" || countWords.Has(word) })
	name := strings.Join(rest, "")
	for _, folded := range []string{name, naming.Singular(name)} {
		p := s.Of.Resource.folded(folded)
		if p == nil || p.Kind != schema.String && p.Kind != schema.Boolean && p.Kind != schema.Array {
			continue
		}
		values := p.Schema
		if p.Kind == schema.Array { // of texts, each of which is counted
			if values = schema.Items(p.Schema); values == nil || schema.CertainTypes(values) != schema.String {
				continue
			}
		}
		s.Kind, s.Property = ItemGroups, p.Name
		for _, value := range schema.Values(values) {
			if text, ok := value.(string); ok {
				s.Values = append(s.Values, text)
			}
		}
		return true
	}
	return false
}

// isGroups is isMap for an array of objects with a value and a number.
func (s *Statistic) isGroups(w []string, element view) bool {
	members := element.members()
	if len(members) != len(s.Element) || !s.isMap(w) {
		return false
	}
	for _, m := range members {
		at := 0
		if m.view.kind() == schema.Integer || m.view.kind() == schema.Number {
			at = 1
		}
		s.Element[at] = m.name
	}
	return s.Element[0] != "" && s.Element[1] != ""
}

// isNumbers reports whether the members of an object that lists none are numbers.
func isNumbers(v view) bool {
	other := v.schema.ShapeOf(v.k).Additional()
	return other != nil && (other.Types() == schema.Integer || other.Types() == schema.Number)
}

func (r *Resource) folded(name string) *Property {
	i := slices.IndexFunc(r.Properties, func(p Property) bool { return naming.Fold(p.Name) == name })
	if i < 0 || name == "" {
		return nil
	}
	return &r.Properties[i]
}

// isFilterOf reports whether a query parameter filters the items of an operation's statistics.
func (b *Binding) isFilterOf(name string) bool {
	return slices.ContainsFunc(b.Statistics, func(s Statistic) bool {
		return slices.ContainsFunc(s.Of.List.Params, func(p Param) bool {
			return p.Role == Filter && p.Parameter.In == exchange.InQuery && p.Parameter.Name == name
		})
	})
}
