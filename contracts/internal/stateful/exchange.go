package stateful

import (
	"context"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/resource"
)

// The checks that compare what was sent with what the response shows, and with what
// a read shows then.
var (
	shownChecks = map[resource.Role]string{
		resource.Create:  "created-shown",
		resource.Replace: "update-shown", resource.Update: "update-shown", resource.Upsert: "update-shown",
	}
	storedChecks = map[resource.Role]string{
		resource.Create: "read-back", resource.Upsert: "read-back", resource.Replace: "updated", resource.Update: "updated",
	}
)

// CheckShown checks what the response to any request shows: the item that the path
// names, and after a creation or a change what was sent, with defaults for what was
// omitted.
func CheckShown(o *Options, x *checks.Exchange) []checks.Violation {
	b := o.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil || !x.Succeeded() {
		return nil
	}
	t := &tester{Options: o, resource: comparer{b.Resource}}
	if found := violations(t, "identity", comparePath(t, b, x), x); found != nil {
		return found
	}
	sent, check := acceptedItem(b, x), shownChecks[b.Role]
	if sent == nil || check == "" || b.Response == nil {
		return nil
	}
	shown, ok := b.Response.Item(itempool.Body(x))
	if !ok {
		return nil
	}
	found := violations(t, check, t.resource.compare(b, sent, shown, b), x)
	if b.Role != resource.Update {
		found = append(found, violations(t, "default", t.resource.compareDefaults(b, sent, shown, b), x)...)
	}
	return found
}

// acceptedItem gives the item in a request that was rightly accepted; nil where there is none.
func acceptedItem(b *resource.Binding, x *checks.Exchange) map[string]any {
	if !x.Succeeded() || x.Case.Expected != cases.Accepted || x.Case.Value == nil {
		return nil
	}
	return sentItem(b, x)
}

// comparePath checks that a response shows the item that the path names, or items below
// the parents that it names.
func comparePath(t *tester, b *resource.Binding, x *checks.Exchange) []difference {
	var items []any
	variables := b.Scope
	switch b.Role {
	case resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert:
		if b.Response != nil {
			item, _ := b.Response.Item(itempool.Body(x))
			items = []any{item}
		}
		if b.KeyIn == resource.InPath && len(b.Lookup) == 0 && b.Role != resource.Create {
			variables = append([]resource.Variable{{Name: b.Variable, Property: t.resource.key()}}, variables...)
		}
	case resource.List:
		if b.List != nil {
			items, _ = b.List.Items.Items(itempool.Body(x))
		}
	}
	named := pathVariables(x.Case.Operation.Path, x.Request.Path)
	var all []difference
	for _, v := range variables {
		for _, item := range items {
			if found := compareNamed(item, v.Property, named[v.Name]); found != nil {
				all = append(all, found...)
				break
			}
		}
	}
	return all
}

// compareNamed compares a key that an item shows with the one that the path names.
// Keys of different form are not compared: a name in the path may stand for a
// number.
func compareNamed(item any, property []string, named string) []difference {
	if len(property) == 0 || named == "" {
		return nil
	}
	value := valueAt(item, property)
	shown := itempool.Text(value)
	sameForm := isDigits(shown) == isDigits(named) && (len(shown) == len(named) || isDigits(shown))
	if shown == "" || strings.EqualFold(shown, named) || !sameForm {
		return nil
	}
	return []difference{{property, fmt.Sprintf("is %s, and the path names %q", text(value), named)}}
}

func violations(t *tester, check string, found []difference, x *checks.Exchange) []checks.Violation {
	c, ok := t.Check(check)
	if !ok {
		return nil
	}
	var all []checks.Violation
	for _, d := range found {
		all = append(all, checks.Violation{
			Check: c, Message: d.message, About: d.about(), Cause: d.about(), Place: x.Case.Operation.Place,
		})
	}
	return all
}

// CheckStored reads the item after any accepted creation or change, and compares it
// with what was sent.
func CheckStored(ctx context.Context, o *Options, x *checks.Exchange) {
	b := o.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil {
		return
	}
	check := storedChecks[b.Role]
	t := &tester{Options: o, ctx: ctx, resource: comparer{b.Resource}, test: &Test{ID: "any"}}
	t.step(func() {
		sent := acceptedItem(b, x)
		t.require(check != "" && sent != nil)
		read := must(t, t.readItem(must(t, itemOf(t, b, x)), "read the stored item"))
		t.reportDifferences(check, t.resource.compare(b, sent, read.item, read.by), x, read.Exchange)
		if b.Role == resource.Create || b.Role == resource.Replace {
			t.reportDifferences("default", t.resource.compareDefaults(b, sent, read.item, read.by), x, read.Exchange)
		}
	})
}

// itemOf gives the item that a creation or a change is about, nil where it is unknown.
func itemOf(t *tester, b *resource.Binding, x *checks.Exchange) *item {
	values := pathVariables(x.Case.Operation.Path, x.Request.Path)
	scope := map[string]string{}
	for _, v := range b.Scope {
		scope[v.Name] = values[v.Name]
	}
	switch {
	case b.Role == resource.Create:
		return t.createdBy(b, x, scope)
	case t.resource.Singleton, b.KeyIn != resource.InPath, len(b.Lookup) > 0: // others change a singleton meanwhile
		return nil
	}
	return &item{Item: &itempool.Item{Resource: t.resource.Resource, Scope: scope, Key: values[b.Variable]}}
}
