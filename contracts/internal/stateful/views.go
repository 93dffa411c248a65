package stateful

import (
	"encoding/csv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// views changes an item, and looks at it in all the ways that the document has: the list, filters, tables.
func views(t *tester) {
	list := must(t, t.operation(resource.List))
	must(t, t.keyedOperation(resource.Read))
	i := must(t, t.create(request{all: true, title: "create an item to be looked at"}))
	before := must(t, t.readItem(i, "read it"))
	t.step(func() { compareTypes(t, i, before) })
	tables := slices.DeleteFunc(slices.Clone(t.resource.Bindings), func(b *resource.Binding) bool {
		return b.Operation.Method != "GET" || !t.tested(b) || b.Role != resource.List && b.Exports == nil
	})
	for _, b := range tables {
		t.step(func() { findInTable(t, i, b, before, before) })
		t.step(func() { compareLines(t, i, b) })
		t.step(func() { findQuotedInTable(t, b) })
	}
	change := must(t, t.itemOperation(resource.Replace, resource.Update))
	have := maps.Clone(i.sent) // what is not changed stays
	maps.DeleteFunc(have, func(name string, _ any) bool { return t.Plan.Referred(name) == nil })
	x := t.mustSend(change, request{item: i, all: true, have: have, title: "change it"})
	after := must(t, awaitItem(t, i, "read the changed item", x, func(r *reading) bool {
		return r != nil && t.isSettled(change, sentItem(change, x), x, r)
	}))
	t.step(func() { compareTypes(t, i, after) })
	t.step(func() { compareTimes(t, i, before, x, after) })
	t.step(func() { compareHead(t, i) })
	changed := changedBetween(t, i, before, after)
	t.step(func() { compareListed(t, i, before, x, after, changed) })
	for at := range list.List.Params {
		p := &list.List.Params[at]
		if p.Role == resource.Filter && !p.Near && p.Compare == resource.Equal && len(p.Property) == 1 &&
			slices.Contains(changed, p.Property[0]) {
			t.step(func() { filterChanged(t, i, p, before, x, after) })
		}
	}
	for _, b := range tables {
		t.step(func() { findInTable(t, i, b, before, after) })
	}
}

// compareTypes reads an item as each media type that the document has for it besides the usual one, as XML. What both
// show is the same if the item is, whatever the types by which the schemas describe it.
func compareTypes(t *tester, i *item, read *reading) {
	documented := read.by.Success.Content
	for _, media := range documented {
		c := t.build(read.by, request{item: i, title: "read it as " + media.Range, mayFail: true})
		if media == read.by.Media || media.IsRange() || media.Schema == nil || c == nil {
			continue
		}
		c.Request.Header.Set("Accept", media.Range)
		x := t.Send(t.ctx, c)
		again := must(t, t.readItem(i, "read it again"))
		t.require(x.Succeeded() && !differs(read.item, again.item, nil))
		value, as, _ := decode.NewContent(documented).Decode(x.Response.Header, x.Response.Body)
		shown, isObject := value.(map[string]any)
		if as != media || !isObject {
			continue
		}
		for _, name := range sortedNames(shown) {
			is, has := object(read.item)[name]
			if !has || itempool.Text(is) == itempool.Text(shown[name]) || isComposite(is) != isComposite(shown[name]) {
				continue
			}
			for _, d := range differences(is, shown[name], properties(read.by.Response)[name], name) {
				t.report(!d.missing,
					violation{severity: d.severity, check: "read-back", about: "body." + name,
						doubt: t.doubtOfForm(read.by.Operation, name), sent: i.after(read.Exchange, x)},
					"is %s, and %s as %s", text(is), text(shown[name]), media.Range)
			}
		}
	}
}

// maxHead is the largest body whose length HEAD is compared with, in bytes: of larger ones not all may be kept.
const maxHead = 8 << 10

// compareHead asks for an item with HEAD, if the backend offers it. Its Content-Length must be the length of GET's
// content, its entity tag should be the same (RFC 9110 sections 8.6 and 9.3.2).
func compareHead(t *tester, i *item) {
	b := must(t, t.keyedOperation(resource.Read))
	t.require(b.Operation.Method == "GET")
	first := must(t, t.readItem(i, "read it before HEAD"))
	c := must(t, t.build(b, request{item: i, title: "ask for it with HEAD"}))
	asked := *c.Request
	asked.Method, c.Request, c.Undescribed = "HEAD", &asked, true
	x := t.Send(t.ctx, c)
	t.require(x.Succeeded())
	second := must(t, t.readItem(i, "read it after HEAD"))
	size := len(first.Response.Body)
	length, has := x.Response.Header.Get("Content-Length")
	_, isEncoded := first.Response.Header.Get("Content-Encoding")
	t.require(size == len(second.Response.Body) && !isEncoded && size < maxHead)
	t.reportIf(has && length != strconv.Itoa(size), "read-back", "head", i.after(x, second.Exchange),
		"Content-Length of HEAD is %s, and GET has %d bytes", length, size)
	tag, head := tagOf(second.Exchange), tagOf(x)
	t.report(tag != "" && head != "" && tag == tagOf(first.Exchange) && tag != head,
		violation{severity: exchange.Warning, check: "condition", about: "head", sent: i.after(x, second.Exchange)},
		"ETag of HEAD is %s, and of GET %s", head, tag)
}

// compareTimes compares the times of an item before and after a change: the time of its creation stays, and the time of
// the change is not earlier.
func compareTimes(t *tester, i *item, before *reading, x *checks.Exchange, after *reading) {
	compareCreationTime(t, before, x, after)
	created, updated := timeAt(after, t.resource.Created), timeAt(after, t.resource.Updated)
	t.report(!created.IsZero() && !updated.IsZero() && updated.Before(created),
		violation{severity: exchange.Warning, check: "updated", about: "body." + t.resource.Updated,
			sent: i.after(x, after.Exchange)},
		"is %s, before the creation at %s", text(after.get(t.resource.Updated)), text(after.get(t.resource.Created)))
	was := timeAt(before, t.resource.Updated)
	t.report(!was.IsZero() && was.Nanosecond() > 0 && was.Equal(updated),
		violation{severity: exchange.Warning, check: "updated", about: "body." + t.resource.Updated,
			sent: i.after(before.Exchange, x, after.Exchange)},
		"is still %s after a change", text(after.get(t.resource.Updated)))
	t.report(!was.IsZero() && !updated.IsZero() && updated.Before(was),
		violation{severity: exchange.Warning, check: "updated", about: "body." + t.resource.Updated,
			sent: i.after(before.Exchange, x, after.Exchange)},
		"was %s, and is %s after a change", text(before.get(t.resource.Updated)), text(after.get(t.resource.Updated)))
}

// timeAt returns the time that a property of an item holds, the zero time if it holds none.
func timeAt(r *reading, property string) time.Time {
	value, _ := r.get(property).(string)
	at, _ := time.Parse(time.RFC3339, value)
	return at
}

// compareListed checks that a list shows none of the values that an item had before a change.
func compareListed(t *tester, i *item, before *reading, x *checks.Exchange, after *reading, changed []string) {
	var list *listing
	stale := func() string {
		for at, key := range list.knownKeys() {
			for _, name := range changed {
				is, has := object(list.items[at])[name]
				if key == i.Key && has && !differs(before.get(name), is, nil) {
					return name
				}
			}
		}
		return ""
	}
	t.await(x, func() bool {
		list = listWith(t, i, "list after the change")
		return list == nil || stale() == ""
	})
	t.require(list != nil && !list.keysRepeat())
	name := stale()
	t.report(name != "",
		violation{check: "updated", about: "list", doubt: t.doubtOf(doubt.List, list.by.Operation),
			sent: i.after(x, after.Exchange, list.last())},
		"the list still shows %s with %s, and a read %s", name, text(before.get(name)), text(after.get(name)))
}

// filterChanged looks for a changed item by the value of a filter that it has now, and by the one that it had.
func filterChanged(t *tester, i *item, p *resource.Param, before *reading, x *checks.Exchange, after *reading) {
	b := t.operation(resource.List)
	was, is := before.get(p.Property[0]), after.get(p.Property[0])
	matches, known := matchesFilter(p, is, was)
	t.require(known && !matches && !isComposite(is) && is != nil && was != nil)
	said := doubtOfParameter(doubt.Filter, p.Parameter)
	for _, asked := range []any{is, was} {
		value, ok := filterValue(t, b, p, asked)
		t.require(ok)
		var list *listing
		isFound := false
		t.await(x, func() bool {
			scope := itempool.ScopeFor(b, i.Scope)
			list = t.list(scope, map[string]any{p.Parameter.Name: value}, "filter after the change by "+text(asked))
			isFound = list != nil && slices.Contains(list.knownKeys(), i.Key)
			return list == nil || isFound == (text(asked) == text(is))
		})
		t.require(list != nil && list.t.key() != nil && !list.keysRepeat())
		for at, key := range list.knownKeys() { // a filter may compare in a way of its own
			value, has := jsonvalue.Property(list.items[at], p.Property)
			t.require(key == i.Key || !has || !differs(asked, value, nil))
		}
		t.report(isFound != (text(asked) == text(is)),
			violation{check: "filter", about: "query." + p.Name() + " changed", doubt: said,
				sent: i.after(x, after.Exchange, list.last())},
			"%s was changed from %s to %s, and the filter %s %s the item", p.Property[0], text(was), text(is), text(asked),
			map[bool]string{true: "still finds", false: "does not find"}[isFound])
	}
}

// findInTable looks for an item in a table of a list's items (RFC 4180), by the column that is named like the key.
// before is a read of the item before its last change; read shows it now.
func findInTable(t *tester, i *item, b *resource.Binding, before, read *reading) {
	x, rows, err := tableOf(t, i, b)
	t.require(err == nil && len(rows) > 0)
	key := slices.Index(rows[0], t.key()[0])
	t.require(key >= 0)
	n := slices.IndexFunc(rows, func(row []string) bool { return row[key] == i.Key })
	t.report(n < 0,
		violation{check: "listed", about: "table", doubt: t.doubtOf(doubt.List, b.Operation), sent: i.after(x)},
		"the item %q is not in the table", i.Key)
	t.require(n >= 0)
	for _, p := range t.resource.Properties {
		column, is := slices.Index(rows[0], p.Name), read.get(p.Name)
		if value, isText := is.(string); isText && column >= 0 && p.Format == "" { // times may have another form
			shown := rows[n][column]
			t.report(shown != value,
				violation{severity: severity(shown == before.get(p.Name)), check: "read-back", about: "table." + p.Name,
					doubt: t.doubtOfForm(b.Operation, p.Name), sent: i.after(read.Exchange, x)},
				"is %s in a read, and %q in the table", text(value), shown)
		}
	}
}

// quoted is a text that a table must quote (RFC 4180 section 2).
const quoted = `Moss, "wet"`

// findQuotedInTable looks for an item with a text that the table must quote. If the table cannot be read before, it may
// quote in a way of its own.
func findQuotedInTable(t *tester, b *resource.Binding) {
	create := must(t, t.operation(resource.Create))
	names := properties(create.Request)
	at := slices.IndexFunc(t.resource.Properties, func(p resource.Property) bool {
		k := names[p.Name]
		return k != nil && p.Format == "" && !schema.ReadOnly(k) && schema.Conforms(k, quoted)
	})
	t.require(at >= 0)
	name := t.resource.Properties[at].Name
	i := must(t, t.create(request{title: "create an item for the table"}))
	x, rows, err := tableOf(t, i, b)
	t.require(!t.warnIf(err != nil, "read-back", "table", i.after(x), "the table cannot be read (RFC 4180): %v", err))
	t.require(len(rows) > 1 && slices.Contains(rows[0], name))
	i = must(t, t.create(request{have: map[string]any{name: quoted}, title: "create an item with a text of quotes"}))
	read := must(t, t.readItem(i, "read it"))
	t.require(read.get(name) == any(quoted))
	x, _, err = tableOf(t, i, b)
	t.reportIf(err != nil, "read-back", "table", i.after(x),
		"the table cannot be read if %s is %s: %v", name, text(quoted), err)
	findInTable(t, i, b, read, read)
}

// tableOf returns the rows of a table of the items beside an item.
func tableOf(t *tester, i *item, b *resource.Binding) (x *checks.Exchange, rows [][]string, err error) {
	at := slices.IndexFunc(b.Success.Content, func(m *spec.MediaType) bool { return m.Subtype == "csv" })
	t.require(at >= 0 && len(t.key()) == 1 && !slices.ContainsFunc(b.Operation.Parameters, isPaged(b)))
	c := must(t, t.build(b, request{item: i, title: "the list as a table"}))
	c.Request.Header.Set("Accept", b.Success.Content[at].Range)
	x = t.Send(t.ctx, c)
	t.require(x.Succeeded())
	rows, err = csv.NewReader(strings.NewReader(string(x.Response.Body))).ReadAll()
	return x, rows, err
}

// compareLines compares a list as JSON Lines with the same list as JSON before and after it, whole and by filters.
func compareLines(t *tester, i *item, b *resource.Binding) {
	at := slices.IndexFunc(b.Success.Content, (*spec.MediaType).IsJSONLines)
	t.require(at >= 0 && b.List != nil && t.key() != nil && !slices.ContainsFunc(b.Operation.Parameters, isPaged(b)))
	asked := []map[string]any{nil}
	for _, p := range b.List.Params {
		if p.Role == resource.Filter && !p.Near && p.Schema != nil {
			for _, value := range schema.Values(p.Schema) {
				asked = append(asked, map[string]any{p.Parameter.Name: value})
			}
		}
	}
	for _, values := range asked {
		c := must(t, t.build(b, request{item: i, values: values, title: "the list as JSON Lines"}))
		c.Request.Header.Set("Accept", b.Success.Content[at].Range)
		before := must(t, t.list(i.Scope, values, "the list as JSON"))
		x := t.Send(t.ctx, c)
		after := must(t, t.list(i.Scope, values, "the list as JSON again"))
		t.require(x.Succeeded() && x.IsWhole())
		var lines []string
		for line := range strings.Lines(string(x.Response.Body)) {
			if value, err := jsontext.Decode(strings.TrimSpace(line)); err == nil {
				lines = append(lines, itempool.Text(valueAt(value, t.key())))
			}
		}
		first, last := before.knownKeys(), after.knownKeys()
		isMissing := func(key string) bool { return slices.Contains(last, key) && !slices.Contains(lines, key) }
		isExtra := func(key string) bool { return !slices.Contains(first, key) && !slices.Contains(last, key) }
		for _, difference := range []struct {
			at   int
			keys []string
			text string
		}{{slices.IndexFunc(first, isMissing), first, "lacks"}, {slices.IndexFunc(lines, isExtra), lines, "has"}} {
			if difference.at >= 0 {
				t.reportIf(true, "listed", "lines", i.after(before.last(), x),
					"the list as JSON Lines %s the item %q, other than the list as JSON",
					difference.text, difference.keys[difference.at])
			}
		}
	}
}

// isPaged reports whether a parameter cuts a list into pages.
func isPaged(b *resource.Binding) func(*spec.Parameter) bool {
	return func(p *spec.Parameter) bool {
		return b.List != nil && slices.ContainsFunc(b.List.Params, func(of resource.Param) bool {
			return of.Parameter == p && of.Role == resource.Limit
		})
	}
}

// burst is how many items are created at the same time.
const burst = 6

// creationsAtOnce creates items at the same time, which have keys of their own, and values of their own.
func creationsAtOnce(t *tester) {
	b := must(t, t.operation(resource.Create))
	t.require(t.Workers > 1 && !clientChoosesKey(t))
	scope := t.mustScope(b)
	var made [burst]*cases.Case
	for n := range made {
		made[n] = must(t, t.build(b, request{scope: scope, all: true, title: "create several items at the same time"}))
	}
	var sent [burst]*checks.Exchange
	var wg sync.WaitGroup
	for n, c := range made {
		wg.Go(func() { sent[n] = t.Send(t.ctx, c) })
	}
	wg.Wait()
	var created []*item
	for _, x := range sent {
		if x.Succeeded() {
			if i := t.createdBy(b, x, scope); i != nil {
				created = append(created, i)
			}
		}
	}
	for n, i := range created {
		isSame := func(other *item) bool { return other.Key == i.Key && maps.Equal(other.Scope, i.Scope) }
		first := slices.IndexFunc(created, isSame)
		t.require(itempool.Text(valueAt(i.sent, itempool.KeyOf(i.Resource))) != i.Key)
		t.require(!t.reportIf(first < n, "identity", "at once", exchanges{created[first].created, i.created},
			"two items that were created at the same time have the key %q", i.Key))
	}
	for _, i := range created {
		if read := t.readItem(i, "read an item of several"); read != nil {
			t.reportEach("read-back", t.compareStored(b, i.sent, read), " if several are created at the same time",
				i.created, read.Exchange)
		}
	}
}
