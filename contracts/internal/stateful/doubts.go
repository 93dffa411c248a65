package stateful

import (
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// severity returns Error for a certain violation, Warning for an uncertain one.
func severity(isCertain bool) exchange.Severity {
	if isCertain {
		return exchange.Error
	}
	return exchange.Warning
}

// textsOf returns what an operation says of itself and of its success.
func textsOf(o *spec.Operation) []string {
	texts := []string{o.Summary, o.Description}
	for _, r := range o.Responses {
		if code, _ := r.Code(); code/100 == 2 {
			texts = append(texts, r.Description)
		}
	}
	return texts
}

// describe returns the descriptions of a schema.
func describe(k *spec.Keywords) (all []string) {
	if k == nil {
		return nil
	}
	for part := range schema.All(k) {
		all = append(all, part.Description)
	}
	return all
}

// doubtOf returns the sentence of an operation's own description that may excuse it in a class; "" if none. A word
// counts in a sentence that names the items, a segment of the operation's path, or one of some names.
func (t *tester) doubtOf(class doubt.Class, o *spec.Operation, names ...string) string {
	return doubt.In(class, append(names, t.itemNames(o)...), textsOf(o)...)
}

// doubtOfForm returns the sentence of an operation's own description by which something with one of some names is kept
// in another form; "" if none.
func (t *tester) doubtOfForm(o *spec.Operation, names ...string) string {
	return doubt.About(doubt.Form, append(names, t.itemNames(o)...), textsOf(o)...)
}

// itemNames returns the names of an operation's items.
func (t *tester) itemNames(o *spec.Operation) []string {
	names := []string{lastSegment(t.resource.Name)}
	for segment := range strings.SplitSeq(o.Path, "/") {
		if segment != "" && segment[0] != '{' {
			names = append(names, segment)
		}
	}
	return names
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// doubtOfProperty returns the sentence that may excuse how a property is shown; "" if none. It reads the property's
// own descriptions, and the descriptions of operations and of other properties if they name the property.
func (t *tester) doubtOfProperty(class doubt.Class, name string, schemas []*spec.Keywords, by ...*resource.Binding,
) string {
	var own, others []string
	schemas = append(schemas, schema.Property(t.resource.Value, name))
	for _, b := range t.resource.Bindings { // each may describe it or not
		schemas = append(schemas, properties(b.Request)[name], properties(b.Response)[name])
	}
	for _, k := range schemas {
		own = append(own, describe(k)...)
	}
	if said := doubt.In(class, nil, own...); said != "" {
		return said
	}
	for _, b := range by {
		others = append(others, textsOf(b.Operation)...)
	}
	for _, p := range t.resource.Properties {
		if p.Name != name {
			others = append(others, describe(schema.Property(t.resource.Value, p.Name))...)
		}
	}
	return doubt.About(class, []string{name}, others...)
}

// doubtOfParameter returns the sentence of a parameter's own description that may excuse a list in a class.
func doubtOfParameter(class doubt.Class, p *spec.Parameter) string {
	texts := []string{p.Description}
	if p.Schema != nil {
		texts = append(texts, describe(p.Schema.Keywords)...)
	}
	return doubt.In(class, nil, texts...)
}

// observed returns the severity of what exchanges show: a change that was only accepted may show later or never (RFC
// 9110 section 15.3.3), and a response may come out of a cache (RFC 9111 section 4.2).
func observed(sent exchanges) exchange.Severity {
	last := sent[len(sent)-1]
	switch {
	case slices.ContainsFunc(sent, func(x *checks.Exchange) bool { return x.Status() == 202 }):
		return exchange.Info
	case last != nil && last.Response != nil && isCached(last.Response.Header):
		return exchange.Warning
	}
	return exchange.Error
}

func isCached(h exchange.Header) bool {
	age, _ := h.Get("Age")
	if n, err := strconv.Atoi(age); err == nil && n > 0 {
		return true
	}
	control, _ := h.Get("Cache-Control")
	control = strings.ToLower(control)
	_, seconds, has := strings.Cut(control, "max-age=")
	return has && !strings.HasPrefix(seconds, "0") && !strings.Contains(control, "no-cache") &&
		!strings.Contains(control, "no-store")
}

// listsAll reports whether nothing in the document's structure says that a list leaves items out: no filter has a
// default, and none is required.
func listsAll(b *resource.Binding) bool {
	for _, p := range b.Operation.Parameters {
		isPage := slices.ContainsFunc(b.List.Params, func(known resource.Param) bool {
			return known.Parameter == p && known.Role != resource.Filter && known.Role != resource.Search ||
				known.Parameter == p && known.All != nil
		})
		hasDefault := p.Schema != nil && p.Schema.Default(p.Schema.Keywords) != nil
		if p.In == exchange.InQuery && !isPage && (p.Required || hasDefault) {
			return false
		}
	}
	return true
}

// mayShowLess reports whether a request may ask for a view of an item: it has an optional query parameter or header
// field. What such a response shows is not compared with what was sent.
func mayShowLess(x *checks.Exchange) bool {
	return slices.ContainsFunc(x.Case.Operation.Parameters, func(p *spec.Parameter) bool {
		_, isSent := x.Case.Request.Header.Get(p.Name)
		return !p.Required && (p.In == exchange.InQuery && strings.Contains(x.Case.Request.Query, p.Name) ||
			p.In == exchange.InHeader && isSent)
	})
}
