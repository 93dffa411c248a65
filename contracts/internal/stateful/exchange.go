package stateful

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// Echo holds the answer to any accepted creation or change to what was sent: it
// shows that, and defaults for what a creation left out.
func Echo(o *Options, x *checks.Exchange) []checks.Violation {
	b := o.Plan.Of(x.Case.Operation)
	if other := append(identity(o, b, x), belongs(o, b, x)...); other != nil {
		return other
	}
	if b == nil || b.Resource == nil || b.Request == nil || b.Response == nil || !x.Succeeded() || x.Case.Expected != cases.Accepted || x.Case.Value == nil {
		return nil
	}
	check := ""
	switch b.Role {
	case resource.Create:
		check = "created-shown"
	case resource.Replace, resource.Update, resource.Upsert:
		check = "update-shown"
	default:
		return nil
	}
	sent, ok := b.Request.Item(itempool.Sent(x))
	shown, also := b.Response.Item(itempool.Body(x))
	if !ok || !also {
		return nil
	}
	t := &tester{Options: *o, resource: b.Resource}
	verdicts := t.verdicts(check, t.compare(b, sent, shown, b), x)
	if b.Role != resource.Update {
		verdicts = append(verdicts, t.verdicts("default", t.defaults(b, sent, shown, b), x)...)
	}
	return verdicts
}

// identity looks whether an answer shows the item that the path names.
func identity(o *Options, b *resource.Binding, x *checks.Exchange) []checks.Violation {
	if b == nil || b.Resource == nil || b.Response == nil || b.KeyIn != resource.InPath || len(b.Lookup) > 0 || keyProperty(b.Resource) == nil || !x.Succeeded() {
		return nil
	}
	switch b.Role {
	case resource.Read, resource.Replace, resource.Update, resource.Upsert:
	default:
		return nil
	}
	asked := variables(x.Case.Operation.Path, x.Request.Path)[b.Variable]
	shown, ok := b.Response.Item(itempool.Body(x))
	if !ok || asked == "" {
		return nil
	}
	key, ok := resource.Get(shown, keyProperty(b.Resource))
	if is := itempool.Text(key); !ok || is == "" || strings.EqualFold(is, asked) || !alike(is, asked) {
		return nil
	}
	t := &tester{Options: *o, resource: b.Resource}
	return t.verdicts("identity", []difference{{"/" + strings.Join(keyProperty(b.Resource), "/"), fmt.Sprintf("is %s, and the path names %q", text(key), asked)}}, x)
}

// belongs looks whether items say that they stand below what the path names.
func belongs(o *Options, b *resource.Binding, x *checks.Exchange) []checks.Violation {
	if b == nil || b.Resource == nil || len(b.Scope) == 0 || !x.Succeeded() {
		return nil
	}
	var items []any
	switch b.Role {
	case resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert:
		if b.Response != nil {
			if item, ok := b.Response.Item(itempool.Body(x)); ok {
				items = []any{item}
			}
		}
	case resource.List:
		if b.List != nil {
			items, _ = b.List.Items.Items(itempool.Body(x))
		}
	}
	named := variables(x.Case.Operation.Path, x.Request.Path)
	t := &tester{Options: *o, resource: b.Resource}
	var found []difference
	for _, v := range b.Scope {
		if len(v.Property) == 0 || named[v.Name] == "" {
			continue
		}
		for _, item := range items {
			value, _ := resource.Get(item, v.Property)
			if is := itempool.Text(value); is != "" && !strings.EqualFold(is, named[v.Name]) && alike(is, named[v.Name]) {
				found = append(found, difference{"/" + strings.Join(v.Property, "/"), fmt.Sprintf("is %s, and the path names %q", text(value), named[v.Name])})
				break
			}
		}
	}
	return t.verdicts("identity", found, x)
}

// alike reports whether two keys are of one form, so that they can be compared: a
// name in the path may stand for a number.
func alike(a, b string) bool { return digits(a) == digits(b) && (len(a) == len(b) || digits(a)) }

func (t *tester) verdicts(check string, found []difference, x *checks.Exchange) []checks.Violation {
	c, ok := t.Check(check)
	if !ok {
		return nil
	}
	var all []checks.Violation
	for _, d := range found {
		about := "body" + dotted(d.pointer)
		all = append(all, checks.Violation{Check: c, Message: d.message, About: about, Place: x.Case.Operation.Place, Cause: about})
	}
	return all
}

// ReadBack reads what any accepted creation or change has left, and compares.
func ReadBack(ctx context.Context, o *Options, x *checks.Exchange) {
	b := o.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil || b.Request == nil || !x.Succeeded() || x.Case.Expected != cases.Accepted || x.Case.Value == nil {
		return
	}
	check := "read-back"
	switch b.Role {
	case resource.Create, resource.Upsert:
	case resource.Replace, resource.Update:
		check = "updated"
	default:
		return
	}
	sent, ok := b.Request.Item(itempool.Sent(x))
	if !ok {
		return
	}
	t := &tester{Options: *o, ctx: ctx, resource: b.Resource, test: &Test{ID: "any"}}
	i := t.named(b, x)
	if i == nil {
		return
	}
	read := t.read(i, "read what was "+check)
	value, ok := t.value(read)
	if !ok {
		return
	}
	in := t.Plan.Of(read.Case.Operation)
	t.shows(check, b, sent, value, in, x, read)
	if b.Role == resource.Create || b.Role == resource.Replace {
		for _, d := range t.defaults(b, sent, value, in) {
			t.report("default", "body"+dotted(d.pointer), d.message, x, read)
		}
	}
}

// named gives the item that an exchange of a creation or a change is about, nil
// where that cannot be told.
func (t *tester) named(b *resource.Binding, x *checks.Exchange) *item {
	texts := variables(x.Case.Operation.Path, x.Request.Path)
	scope := map[string]string{}
	for _, v := range b.Scope {
		scope[v.Name] = texts[v.Name]
	}
	if b.Role == resource.Create {
		return t.shown(b, x, scope)
	}
	if t.resource.Singleton { // which others change meanwhile
		return nil
	}
	if b.KeyIn != resource.InPath || len(b.Lookup) > 0 {
		return nil
	}
	return &item{Item: &itempool.Item{Resource: t.resource, Scope: scope, Key: texts[b.Variable]}}
}

// variables gives the texts of a template's variables in a path, of segments
// that are one variable each.
func variables(template, path string) map[string]string {
	texts := map[string]string{}
	parts, segments := strings.Split(template, "/"), strings.Split(path, "/")
	for i, part := range parts {
		if i < len(segments) && strings.HasPrefix(part, "{") && strings.HasSuffix(part, "}") {
			if text, err := url.PathUnescape(segments[i]); err == nil {
				texts[part[1:len(part)-1]] = text
			}
		}
	}
	return texts
}
