package runner

import (
	"bytes"
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// complete fills in what a case leaves open: keys of items that exist, references to them, versions, and the
// user's header fields. It returns the request without credentials. versioned adds the version of its item also
// if the case has none. exists says that all of the path's variables name items that exist; reason says why the
// request must not be sent.
func (t *Tester) complete(ctx context.Context, c *cases.Case, versioned bool) (r exchange.Request, exists bool,
	reason string) {
	r = *c.Request
	r.Header = append(make(exchange.Header, 0, len(c.Request.Header)+2), c.Request.Header...)
	if exists, reason = t.fillPath(ctx, c, &r); reason == "" {
		reason = t.guard.Body(ctx, c, &r)
	}
	if reason != "" {
		return r, false, reason
	}
	t.replaceReferences(ctx, c, &r)
	t.setVersion(ctx, c, &r, versioned)
	for name, values := range t.Headers {
		if _, has := r.Header.Get(name); !has && !t.Transport.Keyring.Places(c.Operation, name) {
			for _, value := range values {
				r.Header = append(r.Header, exchange.Field{Name: name, Value: value})
			}
		}
	}
	return r, exists, ""
}

// fillPath fills the path's variables that the case leaves open. It reports whether all of them name items that
// exist, and why the request must not be sent. A changing request names an item that the run created or the user
// gave, or none. A deletion names the user's item if it was given for its operation, or if the run has no item.
func (t *Tester) fillPath(ctx context.Context, c *cases.Case, r *exchange.Request) (exists bool, reason string) {
	own, variable := t.guard.NeedsOwn(c), safety.ItemVariable(c.Operation)
	open, chosen := strings.Contains(r.Path, "{"), isChosen(c, r.Path)
	if !open && !own && !chosen {
		return len(c.Path) == 0, ""
	}
	found := map[string]string{}
	given, exists := t.Setup.variables(c.Operation)
	isGiven := given[variable] != "" && strings.Contains(r.Path, "{"+variable+"}")
	spares := isGiven && c.Request.Method == "DELETE" && !t.Setup.namesFor(c.Operation, variable)
	if (!exists || spares) && open {
		var items map[string]string
		items, exists = t.pool.Variables(ctx, c, own)
		maps.Copy(found, items)
		if spares = spares && found[variable] != ""; spares {
			isGiven = false
			delete(given, variable)
		}
	}
	maps.Copy(found, given)
	exists = exists || isGiven
	if open { // a read of an item's version names that item, and may run beside the plain request of its operation
		noteLacking(t, c, found)
	}
	path := r.Path
	fill := func(from map[string]string) {
		for name, text := range from {
			path = strings.ReplaceAll(path, "{"+name+"}", text)
		}
	}
	fill(found)
	lacks := strings.Contains(path, "{"+variable+"}")
	if own && lacks && c.Phase != itempool.Phase && c.Phase != "stateful" {
		exists = false
		rest := maps.Clone(c.Path)
		delete(rest, variable)
		fill(rest)
		if absent := t.pool.Absent(ctx, c.Operation, variable, path); absent != "" {
			fill(map[string]string{variable: absent})
		}
	}
	fill(c.Path)
	r.Path = path
	return exists || !open && len(c.Path) == 0, t.guard.Path(ctx, c, path, chosen, isGiven)
}

// isChosen reports whether a case has a value of its own for a variable of its path.
func isChosen(c *cases.Case, path string) bool {
	return slices.ContainsFunc(c.Operation.Variables(), func(name string) bool {
		return !strings.Contains(path, "{"+name+"}")
	})
}

// replaceReferences puts references to other items into a body whose operation
// uses up what it refers to. Items of the pool have their own already.
func (t *Tester) replaceReferences(ctx context.Context, c *cases.Case, r *exchange.Request) {
	target := t.of[c.Operation]
	value, ok := c.Value.(map[string]any)
	if c.Phase == itempool.Phase || target == nil || !ok || !t.pool.Consumes(c.Operation) {
		return
	}
	used := maps.Clone(target.references)
	maps.DeleteFunc(used, func(name string, reference any) bool { return !reflect.DeepEqual(value[name], reference) })
	if len(used) == 0 {
		return
	}
	found, _ := t.pool.References(ctx, c.Operation)
	for name, reference := range found {
		if former, ok := used[name]; ok {
			r.Body = withMember(r.Body, name, former, reference)
		}
	}
}

// withMember replaces the value of the first member of a name that has a value in the text of an object.
func withMember(body []byte, name string, former, value any) []byte {
	member := func(value any) []byte {
		return jsontext.Append(append(jsontext.AppendString(nil, name), ':'), value)
	}
	return bytes.Replace(body, member(former), member(value), 1)
}

// isAbout reports whether a case concerns a header field.
func isAbout(c *cases.Case, field string) bool {
	return slices.Contains(c.Literal, field) || strings.Contains(c.Varied, field) ||
		c.Violation != nil && c.Violation.In == exchange.InHeader && strings.EqualFold(c.Violation.Name, field)
}
