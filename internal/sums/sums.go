// Package sums works out the amounts of an object that follow from its other values and from the objects in its lists:
// the total of a line is its quantity times its price, the total of an order is the sum of its lines, the amount due is
// the total less what is paid.
//
//	p := sums.Compile(order.Members(), isComputed)
//	p.Apply(map[string]any{"lines": …, "total": 0})
//
// The rows of relations.tsv (package words) say which names have which relation. If a row leaves the choice open, the
// types decide: an object with a quantity, a price and one other amount that is a sum by its name is a line.
package sums

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formula"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// Plan says which amounts of the objects of one schema follow from others. It is immutable and safe for concurrent use;
// nil computes nothing.
type Plan struct {
	properties map[string]*schema.Keywords
	lists      []*list
	rules      []rule
	money      []string // computed amounts that are objects with a currency
}

// list is a list of lines.
type list struct {
	name     string
	members  map[string]*schema.Keywords // of its elements
	plan     *Plan                       // of its elements; nil if nothing in them follows from anything else
	isLines  bool                        // the elements have a quantity and a price
	total    string                      // the member with the amount of a line, "" if none
	quantity string
}

// rule computes one amount.
type rule struct {
	target  string
	formula *formula.Formula
	parts   []value
	list    *list  // that is added up; nil if none
	member  string // of the list's elements that is added up, without a formula
}

// value is a property that a formula reads as one of its parts.
type value struct {
	part, property string
	required       bool
}

// Compile finds the amounts of an object that follow from others. computed reports whether a property, or a member of
// the elements of a list, can be computed: clients do not send it. Compile returns nil if none.
func Compile(properties map[string]*schema.Keywords, computed func(path ...string) bool) *Plan {
	p := &Plan{properties: properties}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		element := schema.Items(properties[name])
		if element == nil {
			continue
		}
		members := schema.Properties(element)
		if len(members) == 0 {
			continue
		}
		p.lists = append(p.lists, newList(name, members, func(path ...string) bool { return computed(name, path[0]) }))
	}
	p.compile(computed)
	for _, l := range p.lists {
		if l.plan != nil {
			return p
		}
	}
	if len(p.rules) == 0 {
		return nil
	}
	return p
}

func newList(name string, members map[string]*schema.Keywords, computed func(path ...string) bool) *list {
	l := &list{name: name, members: members, plan: &Plan{properties: members}}
	l.plan.compile(computed)
	byName := l.plan.byName()
	l.quantity = find(byName, names().quantity)
	isPriced := l.quantity != "" && find(byName, names().price) != ""
	for _, r := range l.plan.rules {
		if slices.ContainsFunc(r.parts, func(v value) bool { return v.part == "quantity" }) {
			l.total = r.target
		}
	}
	if l.total == "" && isPriced {
		l.total = find(byName, names().line)
	}
	l.isLines = isPriced
	if len(l.plan.rules) == 0 {
		l.plan = nil
	}
	return l
}

// Computes reports whether the plan computes a property.
func (p *Plan) Computes(property string) bool {
	return p != nil && slices.ContainsFunc(p.rules, func(r rule) bool { return r.target == property })
}

// byName returns the amounts and the lists of an object by their names as rows have them.
func (p *Plan) byName() map[string]string {
	all := map[string]string{}
	for name, property := range p.properties {
		if isAmount(property) || schema.Items(property) != nil {
			all[Name(name)] = name
		}
	}
	return all
}

func find(byName map[string]string, names []string) string {
	for _, name := range names {
		if found := byName[name]; found != "" {
			return found
		}
	}
	return ""
}

// isAmount reports whether a property holds a number, text that may be one, or an object with an amount.
func isAmount(property *schema.Keywords) bool {
	types := schema.CertainTypes(property) &^ schema.Null
	switch {
	case len(schema.Values(property)) > 0, types == 0:
		return false
	case types&^schema.Number == 0:
		return true
	case types == schema.String:
		return property.Format == nil || property.Format.Name == "decimal"
	case types == schema.Object:
		return isMoney(property)
	}
	return false
}

// isMoney reports whether a property holds objects such as {amount, currency}.
func isMoney(property *schema.Keywords) bool {
	const most = 3 // members of such objects
	members := schema.Properties(property)
	return len(members) <= most && named(members, amountNames()...) != ""
}

func (p *Plan) compile(computed func(path ...string) bool) {
	byName := p.byName()
	for name, property := range p.properties {
		if isMoney(property) && computed(name) {
			p.money = append(p.money, name)
		}
	}
	slices.Sort(p.money)
	for i := range rows() {
		r := &rows()[i]
		for _, target := range p.targets(r, byName, computed) {
			if made, ok := p.rule(r, target, byName); ok {
				p.rules = append(p.rules, made)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.properties)) {
		if p.Computes(name) || !computed(name) || !isAmount(p.properties[name]) {
			continue
		}
		made, ok := p.memberSum(name)
		if !ok {
			made, ok = p.moneySum(name)
		}
		if ok {
			p.rules = append(p.rules, made)
		}
	}
}

// targets returns the computed properties that a row may compute: by their names, or for the totals of a line and of
// lines, the only one that is a sum by a word of its name.
func (p *Plan) targets(r *row, byName map[string]string, computed func(path ...string) bool) (found []string) {
	for _, name := range r.targets {
		target := byName[name]
		if target != "" && computed(target) && isAmount(p.properties[target]) && !p.Computes(target) {
			found = append(found, target)
		}
	}
	isLine, isSum := r.part("quantity") != nil, slices.Contains(r.formula.Reads(), "lines_sum")
	if len(found) > 0 || !isLine && (!isSum || find(byName, names().net) != "") {
		return found
	}
	lines := p.linesOf(r.parts[0].names)
	isCount := func(name string) bool { // a total of what has no quantity and price may be their number
		return isSum && (lines == nil || !lines.isLines) && slices.Contains(names().totals, name)
	}
	for _, name := range names().totals {
		if target := byName[name]; isSum && !isCount(name) && target != "" && computed(target) && !p.Computes(target) {
			return []string{target}
		}
	}
	for name, property := range p.properties {
		if !computed(name) || !isAmount(property) || p.Computes(name) || names().others[Name(name)] || isCount(Name(name)) {
			continue
		}
		own, isTotal := fields.Words(name), func(word string) bool { return words.Parts.Has(word, "sum") }
		if !slices.Contains(own, "count") && slices.ContainsFunc(own, isTotal) {
			found = append(found, name)
		}
	}
	if len(found) > 1 {
		return nil
	}
	return found
}

// rule returns the rule of a row for a target; false if a part is missing.
func (p *Plan) rule(r *row, target string, byName map[string]string) (rule, bool) {
	made := rule{target: target, formula: r.formula}
	isTarget := func(name string) bool { return byName[name] == target }
	for _, part := range r.parts {
		property := find(byName, slices.DeleteFunc(slices.Clone(part.names), isTarget))
		if part.name == "lines" {
			if made.list = p.linesOf(part.names); made.list == nil {
				return rule{}, false
			}
			continue
		}
		switch {
		case part.mark == '!' && property != "", part.mark == 0 && property == "":
			return rule{}, false
		case part.mark != '!' && property != "":
			made.parts = append(made.parts, value{part.name, property, part.mark == 0})
		}
	}
	return made, true
}

// linesOf returns the list of lines: one of some names, or else the only list whose elements have a quantity and a
// price.
func (p *Plan) linesOf(names []string) *list {
	var only *list
	for _, name := range names {
		for _, l := range p.lists {
			if Name(l.name) == name {
				return l
			}
		}
	}
	for _, l := range p.lists {
		switch {
		case !l.isLines:
		case only != nil:
			return nil
		default:
			only = l
		}
	}
	return only
}

// memberSum returns the rule of a property that adds up a member of the elements of a list by its name: total_minutes
// of minutes, and item_count or ticket_count of quantities, if the elements refer to tickets.
func (p *Plan) memberSum(name string) (rule, bool) {
	own := fields.Words(name)
	var rest []string
	last := len(own) - 1
	switch {
	case last < 1:
		return rule{}, false
	case words.Parts.Has(own[0], "sum"):
		rest = own[1:]
	case words.Parts.Has(own[last], "sum"):
		rest = own[:last]
	case own[last] == "count":
		return p.quantitySum(name, naming.Singular(strings.Join(own[:last], "")))
	default:
		return rule{}, false
	}
	wanted, found := naming.Singular(strings.Join(rest, "")), rule{}
	for _, l := range p.lists {
		for member, property := range l.members {
			if isAmount(property) && naming.Singular(strings.Join(fields.Words(member), "")) == wanted {
				if found.list != nil {
					return rule{}, false
				}
				found = rule{target: name, list: l, member: member}
			}
		}
	}
	return found, found.list != nil
}

// moneySum returns the rule of the only amount with a currency if it is a sum by its name: of the only such amount of
// the elements of the only list that has any.
func (p *Plan) moneySum(name string) (rule, bool) {
	isSum := func(word string) bool { return words.Parts.Has(word, "sum") }
	if !slices.Equal(p.money, []string{name}) || !slices.ContainsFunc(fields.Words(name), isSum) {
		return rule{}, false
	}
	found := rule{target: name}
	for _, l := range p.lists {
		for member, property := range l.members {
			if schema.CertainTypes(property)&schema.Object == 0 || !isMoney(property) {
				continue
			}
			if found.list != nil {
				return rule{}, false
			}
			found.list, found.member = l, member
		}
	}
	return found, found.list != nil
}

// quantitySum returns the rule of a property that counts pieces by its name: of what the lines refer to, or of items,
// each line being for a quantity of one.
func (p *Plan) quantitySum(name, counted string) (rule, bool) {
	lines := p.linesOf(nil)
	if lines == nil {
		return rule{}, false
	}
	isPieces := words.Parts.Has(counted, "piece")
	for member := range lines.members {
		own := fields.Words(member)
		isReference := len(own) > 1 && own[len(own)-1] == "id"
		isPieces = isPieces || isReference && naming.Singular(own[0]) == counted
	}
	return rule{target: name, list: lines, member: lines.quantity}, isPieces
}

// Targets returns the properties that the plan computes, in the order in which they follow from each other.
func (p *Plan) Targets() []string {
	if p == nil {
		return nil
	}
	names := make([]string, len(p.rules))
	for i, r := range p.rules {
		names[i] = r.target
	}
	return names
}

// Values returns the ways to write the amount of the i-th target that follows from an object's other values, the
// best first; nil if it does not follow.
func (p *Plan) Values(i int, object map[string]any) []any {
	r := &p.rules[i]
	f, like, ok := r.compute(object)
	if !ok {
		return nil
	}
	return written(f, like, object[r.target])
}

// Apply returns an object with the amounts that follow from its other values. The object itself is not changed.
func (p *Plan) Apply(object map[string]any) map[string]any {
	if p == nil {
		return object
	}
	var currency any
	for _, l := range p.lists {
		elements, isList := object[l.name].([]any)
		if !isList || l.plan == nil {
			continue
		}
		after := slices.Clone(elements)
		for i, element := range elements {
			if line, ok := element.(map[string]any); ok {
				after[i] = l.plan.Apply(line)
			}
		}
		if !jsonvalue.Same(elements, after) {
			object = jsonvalue.WithMember(object, l.name, after)
		}
	}
	for i := range p.rules {
		r := &p.rules[i]
		value, like, ok := r.compute(object)
		if !ok {
			continue
		}
		money, _ := like.(map[string]any)
		if of := money[named(money, "currency")]; of != nil {
			currency = of
		}
		object = p.assign(object, r.target, value, like)
	}
	if currency == nil {
		return object
	}
	for _, name := range p.money {
		money, _ := object[name].(map[string]any)
		its := named(schema.Properties(p.properties[name]), "currency")
		if money == nil || jsonvalue.Same(money[its], currency) {
			continue
		}
		if other := jsonvalue.WithMember(money, its, currency); its != "" && schema.Conforms(p.properties[name], other) {
			object = jsonvalue.WithMember(object, name, other)
		}
	}
	return object
}

// assign sets a property to an amount, written like another or like the one that it has.
func (p *Plan) assign(object map[string]any, name string, f float64, like any) map[string]any {
	for _, value := range written(f, like, object[name]) {
		if schema.Conforms(p.properties[name], value) {
			if jsonvalue.Equals(object[name], value) {
				return object
			}
			return jsonvalue.WithMember(object, name, value)
		}
	}
	return object
}

// written returns the ways to write an amount, the best first: like another amount that is an object, like the old one,
// and as a number.
func written(f float64, like, old any) (values []any) {
	if _, isObject := like.(map[string]any); isObject {
		values = Like(like, f)
	}
	if _, ok := Of(old); ok {
		values = append(values, Like(old, f)...)
	}
	return append(values, Like(nil, f)...)
}

// compute returns the amount of a rule, and a value with the same currency; false if it does not apply.
func (r *rule) compute(object map[string]any) (f float64, like any, ok bool) {
	have := make(map[string]any, len(r.parts)+1)
	if r.list != nil {
		lines, isList := object[r.list.name].([]any)
		if !isList {
			return 0, nil, false
		}
		sum, tax, isTaxed := 0.0, 0.0, len(lines) == 0
		for _, element := range lines {
			line, _ := element.(map[string]any)
			amount, has := r.amountOf(line)
			if !has {
				return 0, nil, false
			}
			if rate, taxed := LineRate(line); taxed {
				tax, isTaxed = tax+amount*rate, true
			}
			sum += amount
			if like == nil {
				like = r.likeOf(line)
			}
		}
		if r.formula == nil {
			return sum, like, true
		}
		if have["lines_sum"] = sum; isTaxed {
			have["lines_tax"] = tax
		}
	}
	for _, v := range r.parts {
		amount, has := Of(object[v.property])
		switch {
		case has:
			have[v.part] = amount
		case v.required:
			return 0, nil, false
		}
		if _, isObject := object[v.property].(map[string]any); isObject && like == nil {
			like = object[v.property]
		}
	}
	value, err := r.formula.Value(have)
	number, isNumber := value.(json.Number)
	if err != nil || !isNumber {
		return 0, nil, false
	}
	f, err = number.Float64()
	return f, like, err == nil
}

// likeOf returns an amount of a line that is written as the sum is.
func (r *rule) likeOf(line map[string]any) any {
	if r.formula == nil {
		return line[r.member]
	}
	return line[r.list.total]
}

// amountOf returns what a line adds to the sum.
func (r *rule) amountOf(line map[string]any) (float64, bool) {
	switch {
	case r.formula == nil:
		return Of(line[r.member])
	case r.list.total != "":
		if f, ok := Of(line[r.list.total]); ok {
			return f, true
		}
	}
	return LineAmount(line)
}
