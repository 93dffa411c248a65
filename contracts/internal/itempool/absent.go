package itempool

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// MayChange reports whether a request with this path changes nothing that the run did not create: the path names an
// item of the run, what is below one, or an item that a read in this run did not find. That must hold for each way in
// which a backend may read the last key: 1, 01, 1.0, 1e0 and %31 may all name the item 1.
func (p *Pool) MayChange(ctx context.Context, o *spec.Operation, path string) bool {
	template := o.Template()
	segments, variables, at := strings.Split(path, "/"), pathVariables(template, path), lastVariable(template)
	if at < 0 || at >= len(segments) || strings.Contains(path, "{") {
		return false
	}
	name, parts := variableOf(strings.Split(template, "/")[at])
	all := readings(variables[name])
	for i, text := range all {
		named := maps.Clone(variables)
		named[name] = text
		if p.owns(p.Plan.Of(o), named) {
			continue
		}
		if i > 0 { // the first is the path's own
			segments[at] = parts[0] + url.PathEscape(text) + parts[1]
		}
		if p.standingOf(ctx, o, strings.Join(segments[:at+1], "/"), named) != absent {
			return false
		}
	}
	return len(all) > 0
}

// owns reports whether the run created the item that variables of a path name, or its parent if they name no item.
func (p *Pool) owns(b *resource.Binding, variables map[string]string) bool {
	if b == nil || b.Resource == nil {
		return false
	}
	r, name, above := b.Resource, b.Variable, b.Scope
	if b.KeyIn != resource.InPath {
		last := len(b.Scope) - 1
		if last < 0 || b.Scope[last].Parent == nil {
			return false
		}
		r, name, above = b.Scope[last].Parent, b.Scope[last].Name, b.Scope[:last]
	}
	scope := map[string]string{}
	for _, v := range above {
		scope[v.Name] = variables[v.Name]
	}
	p.seeing.Lock()
	defer p.seeing.Unlock()
	if len(b.Lookup) > 0 && r == b.Resource {
		return slices.ContainsFunc(p.created, func(i *Item) bool {
			return i.Resource == r && keyAt(i.Value, b.Lookup) == variables[name]
		})
	}
	return p.keysOf(r).own[identify(r, variables[name], scope)]
}

// standing is what a run knows of an item that it has not created.
type standing int

const (
	unknown standing = iota
	absent
	taken
)

// standingOf looks for the item that a path names, by a read. Without such a read, the lists that were seen decide.
func (p *Pool) standingOf(ctx context.Context, o *spec.Operation, path string, variables map[string]string) standing {
	if known, ok := p.standings.Load(path); ok {
		return known.(standing)
	}
	wanted := strings.Join(strings.Split(shapeOf(o), "/")[:strings.Count(path, "/")+1], "/")
	at := slices.IndexFunc(p.Plan.Bindings, func(b *resource.Binding) bool {
		return b.Operation.Method == "GET" && shapeOf(b.Operation) == wanted
	})
	if at < 0 {
		return p.listed(o, variables)
	}
	read := p.Plan.Bindings[at]
	builder := p.Builder(read.Operation)
	if builder == nil {
		return unknown
	}
	c, err := builder.Plain(0, nil)
	if err != nil {
		return unknown
	}
	c.Phase, c.Title, c.Expected, c.Request.Path = Phase, "whether a key names an item", cases.Anything, path
	x := p.Send(ctx, c)
	if x == nil {
		return unknown
	}
	name, _ := variableOf(strings.Split(read.Operation.Template(), "/")[strings.Count(path, "/")])
	text := pathVariables(read.Operation.Template(), path)[name]
	is := unknown
	switch {
	case x.Status() == 404, x.Status() == 410, p.showsOwn(read, x), x.Status()/100 == 4 &&
		!slices.Contains([]int{401, 403, 429}, x.Status()) && !builder.Fits(name, text):
		is = absent
	case x.Succeeded():
		is = taken
	}
	p.standings.Store(path, is)
	return is
}

// showsOwn reports whether a read by another spelling of a key shows an item that the run created.
func (p *Pool) showsOwn(read *resource.Binding, x *checks.Exchange) bool {
	if read.Resource == nil || read.Response == nil || !x.Succeeded() || KeyOf(read.Resource) == nil {
		return false
	}
	item, _ := read.Response.Item(Body(x))
	variables := pathVariables(read.Operation.Template(), x.Request.Path)
	variables[read.Variable] = keyAt(item, KeyOf(read.Resource))
	return p.owns(read, variables)
}

// listed looks for an item in the lists that were seen.
func (p *Pool) listed(o *spec.Operation, variables map[string]string) standing {
	b := p.Plan.Of(o)
	if b == nil || b.Resource == nil || b.KeyIn != resource.InPath {
		return unknown
	}
	scope := map[string]string{}
	for _, v := range b.Scope {
		scope[v.Name] = variables[v.Name]
	}
	p.seeing.Lock()
	defer p.seeing.Unlock()
	switch k := p.keysOf(b.Resource); {
	case k.shown[identify(b.Resource, variables[b.Variable], scope)]:
		return taken
	case k.listed:
		return absent
	}
	return unknown
}

// MayCreate reports whether a creation names no item in its body that is there already, as far as the run knows, and
// that it did not create: some backends replace it.
func (p *Pool) MayCreate(ctx context.Context, c *cases.Case, path string) bool {
	b := p.Plan.Of(c.Operation)
	if b == nil || b.Role != resource.Create || b.Request == nil || p.IsOwn(b.Resource) || KeyOf(b.Resource) == nil {
		return true
	}
	at := slices.IndexFunc(b.Resource.Bindings, func(b *resource.Binding) bool {
		return b.KeyIn == resource.InPath && len(b.Lookup) == 0 && strings.HasSuffix(b.Operation.Template(), "}")
	})
	if at < 0 {
		return true
	}
	one := b.Resource.Bindings[at]
	items, _ := b.Request.Items(c.Value)
	for _, item := range items {
		for _, key := range keysIn(item, KeyOf(b.Resource)) {
			variables := pathVariables(c.Operation.Template(), path)
			variables[one.Variable] = key
			named := variable.Get().ReplaceAllStringFunc(one.Operation.Template(), func(in string) string {
				return url.PathEscape(variables[strings.Trim(in, "{}")])
			})
			if !p.owns(one, variables) && p.standingOf(ctx, one.Operation, named, variables) == taken {
				return false
			}
		}
	}
	return true
}

// keysIn returns the keys as which a backend may read what a body has in the place of one: some take a boolean for a
// number, and a list for its only element.
func keysIn(item any, property []string) []string {
	value, _ := jsonvalue.Property(item, property)
	if list, ok := value.([]any); ok && len(list) == 1 {
		value = list[0]
	}
	if is, ok := value.(bool); ok {
		return []string{map[bool]string{false: "0", true: "1"}[is]}
	}
	return readings(Text(value))
}

// Absent returns a key, percent-encoded, that names no item in the place of a variable which is still open in a path;
// "" if none is known to.
func (p *Pool) Absent(ctx context.Context, o *spec.Operation, name, path string) string {
	all := []string{"2147480000", "00000000-0000-4000-8000-0c01df4a3e00", "coldframe-none", "999999", "9999"}
	for _, text := range all {
		if p.fits(o, name, text) && p.MayChange(ctx, o, strings.ReplaceAll(path, "{"+name+"}", text)) {
			return text
		}
	}
	return ""
}

// leading finds the number that a lenient reader takes from the beginning of a text.
var leading = lazyregexp.New(`^[\s"'+\[(]*(-?[0-9]+)`)

// readings returns the keys as which a backend may read a text in a path, the text itself first; nil for one that may
// name several items, or none, so that the path leads elsewhere.
func readings(text string) []string {
	trimmed := strings.TrimSpace(text)
	if strings.Trim(trimmed, "./\\") == "" || strings.ContainsAny(text, "/\\*,;") {
		return nil
	}
	all := []string{text}
	add := func(other string) {
		if other != "" && !slices.Contains(all, other) {
			all = append(all, other)
		}
	}
	add(trimmed)
	if again, err := url.PathUnescape(text); err == nil {
		add(again)
	}
	if found := leading.Get().FindStringSubmatch(text); found != nil {
		if n, err := strconv.ParseInt(found[1], 10, 64); err == nil {
			add(strconv.FormatInt(n, 10))
		}
	}
	if n, err := strconv.ParseInt(trimmed, 0, 64); err == nil {
		add(strconv.FormatInt(n, 10))
	}
	if f, err := strconv.ParseFloat(trimmed, 64); err == nil && f > -1e15 && f < 1e15 {
		add(strconv.FormatInt(int64(f), 10))
	}
	return all
}

// PathVariables returns the values of the variables of a request's path.
func PathVariables(x *checks.Exchange) map[string]string {
	return pathVariables(x.Case.Operation.Template(), x.Request.Path)
}

// pathVariables returns the values that a path has for variables of a template, of segments with one variable each.
func pathVariables(template, path string) map[string]string {
	values := map[string]string{}
	parts, segments := strings.Split(template, "/"), strings.Split(path, "/")
	for i, part := range parts[:min(len(parts), len(segments))] {
		name, around := variableOf(part)
		text, begins := strings.CutPrefix(segments[i], around[0])
		text, ends := strings.CutSuffix(text, around[1])
		if text, err := url.PathUnescape(text); err == nil && name != "" && begins && ends {
			values[name] = text
		}
	}
	return values
}

// variableOf returns the name of the variable in a segment of a template, and what stands around it; "" if none.
func variableOf(segment string) (name string, around [2]string) {
	before, rest, opens := strings.Cut(segment, "{")
	name, after, closes := strings.Cut(rest, "}")
	if !opens || !closes || strings.Contains(after, "{") {
		return "", around
	}
	return name, [2]string{before, after}
}

// variable is a variable of a template.
var variable = lazyregexp.New(`\{[^{}]*\}`)

// shapeOf returns the template of an operation's path without the names of its variables.
func shapeOf(o *spec.Operation) string { return variable.Get().ReplaceAllString(o.Template(), "{}") }

// lastVariable returns the index of the last segment of a template that has a variable, -1 if none.
func lastVariable(template string) int {
	if open := strings.LastIndexByte(template, '{'); open >= 0 {
		return strings.Count(template[:open], "/")
	}
	return -1
}
