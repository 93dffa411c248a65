package generate

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// isIdentity reports whether a property with a folded name identifies the items of a list. The document's example is
// one item.
func isIdentity(folded string) bool { return words.Members.Has(folded, "identity") }

// isIdentifier reports whether a property with a folded name is unique in a list.
func isIdentifier(folded string) bool { return words.Members.Has(folded, "identifier") }

// vary returns an element of a list with other identities and times, if an element before it has the same. It returns
// false if none.
func (r *run) vary(n *node, list []any, v any, at valueContext) (any, bool) {
	object, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	m := r.g.see(n)
	for m.choice != nil {
		i := m.choice.named(v)
		if i < 0 {
			i = slices.IndexFunc(m.choice.branches, func(b *node) bool { return r.admits(b, v) })
		}
		if i < 0 {
			return nil, false
		}
		m = r.g.see(m.choice.branches[i])
	}
	if m.shape.Listed {
		return nil, false
	}
	changed := maps.Clone(object) // which may be the document's example
	for i := range m.shape.object.named {
		e := &m.shape.object.named[i]
		value, has := changed[e.name]
		if !has || value == nil || !isRepeated(list, e.name, value) {
			continue
		}
		m.shape.object.hinted()
		if other, ok := r.another(e, value, at, list); ok && r.admits(e.node, other) {
			changed[e.name] = other
		}
	}
	r.relate(m.shape, changed, at, nil, false)
	return changed, r.admits(n, changed) && !contains(list, changed) && !sameItem(list, changed)
}

// RepeatsIdentifier reports whether a list has an element with the same identifier as another value.
func RepeatsIdentifier(list []any, v any) bool {
	object, _ := v.(map[string]any)
	for name, value := range object {
		if value != nil && isIdentifier(naming.Fold(name)) && isRepeated(list, name, value) {
			return true
		}
	}
	return false
}

// Another returns an element for the end of a list: one like another, with other identities and times if the list
// has those already. It returns false if the list would have an identifier twice. g is of the elements; nil if nothing
// describes them.
func Another(g *Generator, key Key, list []any, like any) (any, bool) {
	best, found := like, !RepeatsIdentifier(list, like)
	if found && !contains(list, like) && !sameItem(list, like) {
		return like, true
	}
	for try := range 20 {
		v, ok := g.like(list, like, key.at(try))
		switch repeats := RepeatsIdentifier(list, v); {
		case !ok || repeats || contains(list, v):
		case !sameItem(list, v):
			return v, true
		case !found:
			best, found = v, true
		}
	}
	return best, found
}

// like returns a value like another: the same text with other digits, or another value of the same property if it has
// no digits.
func (g *Generator) like(list []any, v any, key Key) (any, bool) {
	object, isObject := v.(map[string]any)
	if g == nil {
		if isObject {
			return variedMembers(object, list, key), true
		}
		return varied(v, key)
	}
	r := runs.Get().(*run)
	defer r.release()
	r.begin(g, 0, nil)
	r.steps = maxSteps
	at := valueContext{key: key, object: key, fresh: true}
	if !isObject {
		if other, ok := varied(v, key); ok && r.admits(g.root, other) {
			return other, true
		}
		return r.generate(g.root, at)
	}
	changed := variedMembers(object, list, key)
	if !r.admits(g.root, changed) {
		changed = object
	}
	if other, ok := r.vary(g.root, list, changed, at); ok {
		return other, true
	}
	return changed, true
}

// variedMembers returns an object with other identities in place of those that a list has already, by their digits,
// even if they are a segment of a link.
func variedMembers(object map[string]any, list []any, key Key) map[string]any {
	changed, renamed := maps.Clone(object), map[string]string{}
	var links []string
	for _, name := range sorted(object) {
		value := object[name]
		text, isText := jsonvalue.Text(value)
		if _, _, isTime := ReadTime(value); isTime || !isText {
			continue
		}
		if strings.Contains(text, "/") {
			links = append(links, name)
			continue
		}
		folded := naming.Fold(name)
		if !isIdentity(folded) || !isRepeated(list, name, value) {
			continue
		}
		other, ok := varied(value, key.Child(name))
		if text, isString := value.(string); !ok && isString && isIdentifier(folded) {
			other, ok = otherDigits(text, len(list), key.Child(name)), true
		}
		if ok {
			changed[name] = other
			renamed[text], _ = jsonvalue.Text(other)
		}
	}
	for _, name := range links {
		text, _ := jsonvalue.Text(object[name])
		segments := strings.Split(text, "/")
		for i, s := range segments {
			if other, ok := renamed[s]; ok {
				segments[i] = other
			}
		}
		changed[name] = strings.Join(segments, "/")
	}
	return changed
}

// otherDigits returns the text for place n of a list: with another digit in the place of each, or with the place behind
// it if there are none.
func otherDigits(text string, n int, key Key) string {
	other := []byte(text)
	for i, c := range other {
		if c >= '0' && c <= '9' {
			other[i] = '0' + (c-'0'+byte(1+key.at(i).intN(9)))%10
		}
	}
	if string(other) == text {
		return text + "-" + strconv.Itoa(n+1)
	}
	return string(other)
}

// Alike returns an identifier like another: each letter and digit behind its last sign of another kind is replaced by
// one of the same kind. What stands before that sign says what is identified: tr_ of tr_5B8c.
func Alike(text string, key Key) string {
	other := []byte(text)
	isSign := func(c byte) bool { return kindOf(c) == "" }
	for i := len(other) - 1; i >= 0 && !isSign(other[i]); i-- {
		kind := kindOf(other[i])
		other[i] = kind[key.at(i).intN(len(kind))]
	}
	return string(other)
}

// kindOf returns the letters or digits of which a byte is one; "" for another byte.
func kindOf(c byte) string {
	for _, kind := range []string{formats.Digits, formats.LowerAZ, upperAZ} {
		if strings.IndexByte(kind, c) >= 0 {
			return kind
		}
	}
	return ""
}

func isRepeated(list []any, name string, value any) bool {
	return slices.ContainsFunc(list, func(other any) bool {
		object, _ := other.(map[string]any)
		return jsonvalue.Equals(object[name], value)
	})
}

// another returns a value for the next of several items that have the same value of an identifying property.
func (r *run) another(e *propertyPlan, value any, at valueContext, list []any) (any, bool) {
	if schema.TypeOf(value)&(schema.String|schema.Number) == 0 {
		return nil, false
	}
	if when, write, isTime := ReadTime(value); isTime {
		return write(when.Add(-time.Duration(len(list)) * 29 * time.Hour)), true
	}
	if !e.identity {
		return nil, false
	}
	inner := r.inside(e, at, nil)
	inner.fresh = true
	v, ok := r.generate(e.node, inner)
	for try := 0; ok && try < 4 && isRepeated(list, e.name, v); try++ {
		inner.key, inner.object = inner.key.at(try), inner.object.at(try)
		v, ok = r.generate(e.node, inner)
	}
	return v, ok
}

// sample returns one of the document's examples; if that is of another item, one that is like it, false if there is
// none.
func (sh *shape) sample(at valueContext) (any, bool) {
	if at.value != nil {
		return nil, false // which says more
	}
	sample := sh.samples[at.key.intN(len(sh.samples))]
	if !at.fresh {
		return sample, true
	}
	other, ok := varied(sample, at.key)
	return other, ok && sh.admits(other)
}

// varied returns a value like a documented example, but another: its last digits are different. It returns false if the
// example has none.
func varied(sample any, key Key) (any, bool) {
	switch v := sample.(type) {
	case json.Number:
		if n, err := strconv.ParseInt(v.String(), 10, 32); err == nil {
			return json.Number(strconv.FormatInt(n+int64(1+key.intN(900)), 10)), true
		}
	case string:
		end := strings.LastIndexAny(v, "0123456789") + 1
		begin := end
		for begin > 0 && end-begin < 6 && v[begin-1] >= '0' && v[begin-1] <= '9' {
			begin--
		}
		if width := end - begin; width > 1 {
			limit := 1
			for range width {
				limit *= 10
			}
			n, _ := strconv.Atoi(v[begin:end])
			digits := strconv.Itoa((n + 1 + key.intN(limit-1)) % limit)
			return v[:begin] + strings.Repeat("0", width-len(digits)) + digits + v[end:], true
		}
	}
	return nil, false
}

// isOther reports whether the request names another item than the one that the document's examples describe: by a key
// that is none of theirs, nor the first that is counted.
func (r *run) isOther(p *objectPlan, at valueContext, sent map[string]any) bool {
	if !at.given || len(sent) == 0 || len(r.path) != r.top {
		return false
	}
	for i := range p.named {
		e := &p.named[i]
		key, isSent := sent[e.name]
		if !isSent || !e.isKey {
			continue
		}
		text, _ := jsonvalue.Text(key)
		return text != "1" && !contains(r.g.see(e.node).shape.samples, key)
	}
	return false
}
