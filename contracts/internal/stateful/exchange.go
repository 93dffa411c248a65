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

// comparisons are the checks that compare what was sent with what the response
// shows, and with what a read shows then.
var comparisons = map[resource.Role]struct{ shown, stored string }{
	resource.Create:  {"created-shown", "read-back"},
	resource.Replace: {"update-shown", "updated"},
	resource.Update:  {"update-shown", "updated"},
	resource.Upsert:  {"update-shown", "read-back"},
}

// CheckShown checks what the response to any request shows: the item that the path
// names, and after a creation or a change what was sent, with defaults for what was
// omitted.
func CheckShown(o *Options, x *checks.Exchange) (all []checks.Violation) {
	b := o.Plan.Of(x.Case.Operation)
	if b == nil || b.Resource == nil || !x.Succeeded() {
		return nil
	}
	collecting := *o
	collecting.Report = func(v checks.Violation, _ []*checks.Exchange) { all = append(all, v) }
	t := &tester{Options: &collecting, resource: b.Resource}
	if t.reportEach("identity", comparePath(t, b, x), x); len(all) > 0 {
		return all
	}
	check, sent, shown := comparisons[b.Role].shown, acceptedItem(b, x), t.shown(x)
	if check == "" || sent == nil || shown == nil {
		return nil
	}
	t.reportEach(check, t.compare(b, sent, shown), x)
	if b.Role != resource.Update {
		t.reportEach("default", compareDefaults(t, b, sent, shown), x)
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
	t := &tester{Options: o, ctx: ctx, resource: b.Resource, test: &Test{ID: "any"}}
	t.step(func() {
		check, sent := comparisons[b.Role].stored, acceptedItem(b, x)
		t.require(check != "" && sent != nil)
		read := must(t, t.readItem(must(t, itemOf(t, b, x)), "read the stored item"))
		t.reportEach(check, t.compare(b, sent, read), x, read.Exchange)
		if b.Role == resource.Create || b.Role == resource.Replace {
			t.reportEach("default", compareDefaults(t, b, sent, read), x, read.Exchange)
		}
	})
}

// acceptedItem gives the item in a request that was rightly accepted; nil where there is none.
func acceptedItem(b *resource.Binding, x *checks.Exchange) map[string]any {
	if !x.Succeeded() || x.Case.Expected != cases.Accepted || x.Case.Value == nil {
		return nil
	}
	return sentItem(b, x)
}

// itemOf gives the item that a creation or a change is about, nil where it is unknown.
func itemOf(t *tester, b *resource.Binding, x *checks.Exchange) *item {
	values, scope := pathVariables(x), map[string]string{}
	for _, v := range b.Scope {
		scope[v.Name] = values[v.Name]
	}
	switch {
	case b.Role == resource.Create:
		return t.createdBy(b, x, scope)
	case t.resource.Singleton, b.KeyIn != resource.InPath, len(b.Lookup) > 0: // others change a singleton meanwhile
		return nil
	}
	return &item{Item: &itempool.Item{Resource: t.resource, Scope: scope, Key: values[b.Variable]}}
}

// comparePath checks that a response shows the item that the path names, or items below
// the parents that it names.
func comparePath(t *tester, b *resource.Binding, x *checks.Exchange) (all []difference) {
	var items []any
	variables := b.Scope
	switch b.Role {
	case resource.Create, resource.Read, resource.Replace, resource.Update, resource.Upsert:
		if r := t.shown(x); r != nil {
			items = []any{r.item}
		}
		if b.KeyIn == resource.InPath && len(b.Lookup) == 0 && b.Role != resource.Create {
			variables = append([]resource.Variable{{Name: b.Variable, Property: t.key()}}, variables...)
		}
	case resource.List:
		if b.List != nil {
			items, _ = b.List.Items.Items(itempool.Body(x))
		}
	}
	named := pathVariables(x)
	for _, v := range variables {
		for _, item := range items {
			if value := valueAt(item, v.Property); len(v.Property) > 0 && namesAnother(named[v.Name], itempool.Text(value)) {
				message := fmt.Sprintf("is %s, and the path names %q", text(value), named[v.Name])
				all = append(all, difference{v.Property, message})
				break
			}
		}
	}
	return all
}

// namesAnother reports whether the key that a path names is another than the one that an
// item shows. Keys of different form are not compared: a name in the path may stand for
// a number.
func namesAnother(named, shown string) bool {
	sameForm := isDigits(shown) == isDigits(named) && (len(shown) == len(named) || isDigits(shown))
	return named != "" && shown != "" && sameForm && !strings.EqualFold(shown, named)
}
