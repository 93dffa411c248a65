package resource

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// locate finds where the items stand in the operation's bodies, and what the
// variables of its path are.
func (in *inference) locate(o *operation) {
	b, c := o.binding, in.candidateOf(o)
	switch b.Role {
	case List:
		in.locateList(o, c)
	case Create, Upsert, Replace, Update:
		c.locateChange(o)
	case Read:
		b.Response = c.readIn(o.answer)
	case Delete:
		b.Response = c.shownIn(o)
	case Action:
		if b.Reads {
			b.Response = c.shownIn(o)
		}
	}
	for _, s := range []*Shape{b.Request, b.Response} {
		if s != nil {
			b.Evidence = append(b.Evidence, s.evidence...)
		}
	}
	in.overrideShapes(o)
	scope := o.variables()
	if i := slices.Index(scope, b.Variable); b.KeyIn == InPath && i >= 0 {
		scope = scope[:i]
	}
	for _, name := range scope {
		b.Scope = append(b.Scope, in.scopeVariable(o, c, name))
	}
}

func (c *candidate) locateChange(o *operation) {
	b := o.binding
	b.Request = c.itemIn(o.request)
	if e := o.request.element(); b.Role == Create && o.request.kind() == Array && isItem(e) {
		b.Request = e.shape(true)
	}
	b.Response = c.shownIn(o)
	if b.Request != nil && b.Request.Many && o.answer.kind() == Array {
		b.Response = c.readIn(o.answer)
	}
	b.Rename = renames(o, c)
}

func (in *inference) scopeVariable(o *operation, c *candidate, name string) Variable {
	v := Variable{Name: name}
	var names []string
	if owner := in.ownerOf(o, name); owner != nil {
		names = owner.names
		if owner.resource != o.binding.Resource {
			v.Parent = owner.resource
		}
	}
	if v.Property = parentProperty(name, names, c.value); v.Property != nil {
		saw := "{" + name + "}=" + strings.Join(v.Property, ".")
		o.binding.Evidence = append(o.binding.Evidence, Evidence{"parent", "property named like the variable", 1, saw})
	}
	return v
}

// renames finds the properties of a request that the item spells otherwise.
func renames(o *operation, c *candidate) map[string]string {
	if o.binding.Request == nil {
		return nil
	}
	var found map[string]string
	members := c.value.members()
	for _, sent := range o.request.of(o.binding.Request.Value).members() {
		if c.value.member(sent.name).ok() {
			continue
		}
		if i := slices.IndexFunc(members, func(m member) bool { return m.folded == sent.folded }); i >= 0 {
			if found == nil {
				found = map[string]string{}
			}
			found[sent.name] = members[i].name
		}
	}
	return found
}

func (in *inference) candidateOf(o *operation) *candidate {
	if c := in.candidates[o.at]; c != nil {
		return c
	}
	return in.candidates[o.at.parent]
}

// ownerOf gives the candidate whose items a variable of an operation's path
// names, nil for none.
func (in *inference) ownerOf(o *operation, variable string) *candidate {
	depth := slices.IndexFunc(o.segments, func(s segment) bool { return slices.Contains(s.variables, variable) }) + 1
	n := o.at
	for range len(o.segments) - depth {
		n = n.parent
	}
	if c := in.candidates[n]; c != nil && c.item == n {
		return c
	}
	return nil
}

// shownIn finds the item in the answer to a change; nil where that only says how
// it went.
func (c *candidate) shownIn(o *operation) *Shape {
	s := c.itemIn(o.answer)
	if s == nil || s.Value == nil {
		return nil
	}
	v := o.answer.of(s.Value)
	if isOutcome(v) && !isOutcome(c.value) || o.binding.Role == Delete && c.value.ok() && !isSame(v, c.value) {
		return nil
	}
	return s
}

func (in *inference) locateList(o *operation, c *candidate) {
	l, _ := findList(o.answer, c.names)
	if l == nil {
		l = &Listing{Items: Shape{Many: true}}
	}
	item := c.value
	if l.Items.Value != nil {
		if v := o.answer.of(l.Items.Value); !item.ok() || len(v.members()) >= len(item.members()) {
			item = v
		}
	}
	l.Params = in.listParams(o.Operation, item)
	l.Header = pageHeaders(o.binding.Success)
	o.binding.List = l
}

// Headers are the header fields that an operation declares and that state gives
// a value or a meaning; each is the name as the document writes it, "" where it
// does not declare it.
type Headers struct {
	IfMatch, IfNoneMatch, IfModifiedSince, IfUnmodifiedSince, IdempotencyKey string // of the request
	ETag, Location, LastModified                                             string // of the answer
}

// headerRules say which header fields are meant, by their names in lower case.
var headerRules = []struct {
	field    func(*Headers) *string
	answered bool
	names    []string
}{
	{func(h *Headers) *string { return &h.IfMatch }, false, []string{"if-match"}},
	{func(h *Headers) *string { return &h.IfNoneMatch }, false, []string{"if-none-match"}},
	{func(h *Headers) *string { return &h.IfModifiedSince }, false, []string{"if-modified-since"}},
	{func(h *Headers) *string { return &h.IfUnmodifiedSince }, false, []string{"if-unmodified-since"}},
	{func(h *Headers) *string { return &h.IdempotencyKey }, false,
		[]string{"idempotency-key", "x-idempotency-key", "idempotencykey", "paypal-request-id", "x-request-idempotency-key"}},
	{func(h *Headers) *string { return &h.ETag }, true, []string{"etag"}},
	{func(h *Headers) *string { return &h.Location }, true, []string{"location"}},
	{func(h *Headers) *string { return &h.LastModified }, true, []string{"last-modified"}},
}

func headersOf(o *operation) Headers {
	var h Headers
	for _, r := range headerRules {
		declared := o.Parameters
		if r.answered {
			declared = nil
			if o.binding.Success != nil {
				declared = o.binding.Success.Headers
			}
		}
		for _, p := range declared {
			if (r.answered || p.In == exchange.InHeader) && slices.Contains(r.names, strings.ToLower(p.Name)) {
				*r.field(&h) = p.Name
			}
		}
	}
	return h
}

func (h Headers) names() []string {
	var all []string
	for _, r := range headerRules {
		if name := *r.field(&h); name != "" {
			all = append(all, name)
		}
	}
	return all
}
