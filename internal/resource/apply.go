package resource

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// applyRole lets an override decide an operation's role.
func (in *inference) applyRole(o *operation) {
	b, over := o.binding, o.override
	if over == nil {
		return
	}
	if over.off {
		*b = Binding{Operation: b.Operation, Success: b.Success, Media: b.Media, Role: Action, Confidence: 1, Declared: true, Reason: over.from + " says that it is no resource"}
		return
	}
	if !over.hasRole {
		return
	}
	b.Role, b.Confidence, b.Reason, b.Declared, b.Reads, b.Subset = over.role, 1, over.from+" says so", true, false, false
	if f := in.familyOf(o); f != nil && b.Resource == nil {
		b.Resource = f.resource
	}
	switch b.Role {
	case Read, Replace, Update, Delete, Upsert:
		if b.KeyIn == Nowhere && b.Resource != nil && !b.Resource.Singleton && o.key() != "" {
			b.KeyIn, b.Variable = InPath, o.key()
		}
	case Create, List:
		if f := in.families[o.at]; f == nil || f.item != o.at {
			b.KeyIn, b.Variable = Nowhere, ""
		}
	}
}

// applyShapes lets an override say where items stand.
func (in *inference) applyShapes(o *operation) {
	b, over := o.binding, o.override
	if over == nil || over.off {
		return
	}
	if over.hasItems {
		inner := o.answer.at(over.items)
		if e := inner.element(); e.ok() && b.List != nil {
			b.List.Items = Shape{Path: over.items, Many: true, Value: e.plain().k}
		} else if b.Role == List {
			in.findings = append(in.findings, exchange.Finding{Code: "invalid-override", Document: over.place,
				Message: "no array stands at /" + strings.Join(over.items, "/") + " of the answer of " + o.Method + " " + o.Path})
		}
	}
	if over.hasItem && o.answer.ok() && b.Role != List {
		if inner := o.answer.at(over.item); inner.ok() {
			b.Response = &Shape{Path: over.item, Value: inner.plain().k}
		}
	}
}

// applyParents lets overrides name the parents of resources.
func (in *inference) applyParents(p *Plan) {
	for _, o := range in.ops {
		over, r := o.override, o.binding.Resource
		if over == nil || over.off || r == nil {
			continue
		}
		if over.parentKey != nil {
			r.ParentProperty = over.parentKey
		}
		if over.parent == "" {
			continue
		}
		parent := p.Resource(over.parent)
		if parent == nil {
			in.findings = append(in.findings, exchange.Finding{Code: "invalid-override", Document: over.place,
				Message: "there is no resource " + strconv.Quote(over.parent) + " to be the parent"})
			continue
		}
		r.Parent = parent
		for i := range o.binding.Scope {
			if i == len(o.binding.Scope)-1 {
				o.binding.Scope[i].Parent = parent
				if over.parentKey != nil {
					o.binding.Scope[i].Property = over.parentKey
				}
			}
		}
	}
}
