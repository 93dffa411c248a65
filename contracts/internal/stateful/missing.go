package stateful

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// absent gives a key of the form of another that no item has, and that is none
// of those that were made up before.
func (t *tester) absent(b *resource.Binding, variable, like string, before ...string) (string, bool) {
	for _, candidate := range []string{moved(like), movedBy(like, 2), movedBy(like, 3), "00000000-0000-4000-8000-0c01df4a3e00", "00000000-0000-4000-8000-0c01df4a3e01", "2147480000", "2147480001", "999999", "999998", "coldframe-none", "coldframe-nothing"} {
		if candidate == like || candidate == "" || slices.Contains(before, candidate) {
			continue
		}
		for _, p := range b.Operation.Parameters {
			if p.In != exchange.InPath || p.Name != variable || p.Schema == nil {
				continue
			}
			if p.Schema.Check(candidate, "", "") == nil || digits(candidate) && p.Schema.Check(json.Number(candidate), "", "") == nil {
				return candidate, true
			}
		}
	}
	return "", false
}

// moved changes the letters and digits of a key, so that its form stays.
func moved(key string) string { return movedBy(key, 1) }

// movedBy is moved a number of steps: other steps make another key.
func movedBy(key string, steps int) string {
	if digits(key) && len(key) < 9 {
		return "9" + strings.Repeat(string(rune('8'-steps)), max(len(key), 6)) // beyond what a test makes
	}
	shift := byte(steps - 1)
	b := []byte(key)
	for i := len(b) - 1; i >= 0 && i >= len(b)-6; i-- {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			b[i] = '0' + (c-'0'+5+shift)%10
		case c >= 'a' && c <= 'f':
			b[i] = 'a' + (c-'a'+3+shift)%6
		case c >= 'g' && c <= 'z':
			b[i] = 'g' + (c-'g'+7+shift)%20
		}
	}
	return string(b)
}

func digits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// missing asks for an item that does not exist.
func missing(t *tester) {
	i := t.create(nil, request{title: "create an item"})
	if i == nil && t.binding(resource.Read) == nil && t.binding(resource.List) == nil {
		return // the document has no way to find out which there are
	}
	scope := map[string]string(nil)
	like := ""
	if i != nil {
		scope, like = i.Scope, i.Key
	}
	for _, role := range []resource.Role{resource.Read, resource.Replace, resource.Update, resource.Delete} {
		b := t.binding(role)
		if b == nil || b.KeyIn != resource.InPath || !documents(b.Operation, 404, 410) {
			continue
		}
		if scope == nil {
			if scope = t.scope(b, ""); scope == nil {
				return
			}
		}
		key, ok := t.absent(b, b.Variable, like)
		if !ok {
			continue
		}
		var x *checks.Exchange
		if x = t.send(b, request{scope: scope, key: key, title: "an item that does not exist", absent: true}); x == nil || !x.Succeeded() {
			continue
		}
		if other, ok := t.absent(b, b.Variable, like, key); !ok || t.boundless(t.resource, scope, other) {
			return // or where no other key can be made: the backend may have an item for each
		}
		t.report("missing", b.Role.String(), fmt.Sprintf("an item that does not exist is answered %d", x.Status()), x)
	}
}

// references creates an item that refers to something which does not exist.
func references(t *tester) {
	b := t.binding(resource.Create)
	if b == nil || b.Request == nil || b.Request.Value == nil {
		return
	}
	found, _ := t.Pool.References(t.ctx, b.Operation)
	for _, name := range sortedNames(found) {
		other := elsewhere(found[name])
		if other == nil || !denies(b.Operation, t.Plan.Referred(name)) {
			continue
		}
		x := t.send(b, request{scope: t.scope(b, ""), have: map[string]any{name: other}, title: "an item whose " + name + " refers to nothing", absent: true})
		if x != nil && x.Succeeded() && !t.boundless(t.Plan.Referred(name), nil, itempool.Text(other)) {
			t.report("reference", "body."+name, fmt.Sprintf("a creation that refers to %s, which does not exist, is answered %d", text(other), x.Status()), x)
		}
		if x != nil && x.Status()/100 == 4 {
			t.misled(name, other, x)
		}
	}
}

// denies reports whether the document says of an operation that what its body
// refers to must be there: in words that name the thing, of the operation or of a
// refusal.
func denies(o *spec.Operation, r *resource.Resource) bool {
	if r == nil || !documents(o, 404, 409, 422) {
		return false
	}
	name := strings.ToLower(r.Name[strings.LastIndexByte(r.Name, '/')+1:])
	said := []string{o.Summary + " " + o.Description}
	for _, status := range []int{404, 409, 422} {
		if response := o.Response(status); response != nil && response.Status != "default" {
			said = append(said, response.Description)
		}
	}
	return slices.ContainsFunc(said, func(text string) bool {
		text = strings.ToLower(text)
		return strings.Contains(text, strings.TrimSuffix(name, "s")) && slices.ContainsFunc(denials, func(word string) bool { return strings.Contains(text, word) })
	})
}

// denials are words by which a description says that something must be there.
var denials = []string{"not exist", "must exist", "unknown", "not found", "no such", "does not know"}
