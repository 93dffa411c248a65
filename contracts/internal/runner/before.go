package runner

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
)

// kept is a value that the backend has taken for a property of a resource.
type kept struct {
	resource       *resource.Resource
	property, text string
}

// keptValues are the values that cases were about and that the backend has taken, with the first request of each.
// A later request with the same value may fail for that. It is safe for concurrent use.
type keptValues struct {
	mu sync.Mutex
	by map[kept]*checks.Exchange
}

// Bounds of what is remembered.
const (
	maxKept     = 2_000 // values
	maxKeptText = 200   // bytes of each, behind which its length tells it from others
	minOwnText  = 8     // bytes of a text in a query that means what was kept; any number is out of range by itself
)

func (k *keptValues) note(r *resource.Resource, x *checks.Exchange) {
	in, name, text := aboutOf(x)
	if in != "body" || !x.Succeeded() || x.Request.Method != x.Case.Operation.Method {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[kept]*checks.Exchange{}
	}
	value := kept{r, name, text}
	if k.by[value] == nil && len(k.by) < maxKept {
		k.by[value] = x.Kept()
	}
}

// find returns the request with which the backend has taken the value that another is about; nil for none.
func (k *keptValues) find(r *resource.Resource, x *checks.Exchange) *checks.Exchange {
	in, name, text := aboutOf(x)
	isOwn := len(text) >= minOwnText && strings.Trim(text, "0123456789") != ""
	if in == "" || in == "query" && !isOwn {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	parts := strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(".[]", r) }) // where.email.eq
	for _, property := range append(parts, name) {
		if by := k.by[kept{r, property, text}]; by != nil {
			return by
		}
	}
	return nil
}

// aboutOf returns the part of the request that a case is about, the name of the property or parameter, and its value as
// text: body, email and "a@b". in is "" if it is about no value.
func aboutOf(x *checks.Exchange) (in, name, text string) {
	place, _, _ := strings.Cut(x.Case.Title, " ")
	in, name, _ = strings.Cut(place, ".")
	switch in {
	case "query":
		query, err := url.ParseQuery(x.Request.Query)
		if values := query[name]; err == nil && len(values) == 1 {
			return in, name, values[0]
		}
	case "body":
		tokens := strings.Split(name, ".")
		value, has := jsonvalue.At(x.Case.Value, tokens)
		text, _ = jsonvalue.Text(value)
		if text = cmp.Or(text, string(jsontext.Append(nil, value))); len(text) > maxKeptText {
			text = fmt.Sprint(text[:maxKeptText], len(text))
		}
		if has {
			return in, tokens[len(tokens)-1], text
		}
	}
	return "", "", ""
}

// withBefore puts before the exchanges that show a fault those without which they do not show it at a fresh backend:
// the creations of the items that they name, and, of a server error, the request that has left the same value there.
func withBefore(t *Tester, check string, sent []*checks.Exchange) []*checks.Exchange {
	var all []*checks.Exchange
	add := func(more ...*checks.Exchange) {
		for _, x := range more {
			if !slices.ContainsFunc(all, x.Is) && !slices.ContainsFunc(sent, x.Is) {
				all = append(all, x)
			}
		}
	}
	for _, x := range sent {
		if b := t.Plan.Of(x.Case.Operation); check == "server-error" && b != nil && b.Resource != nil {
			if by := t.kept.find(b.Resource, x); by != nil {
				add(append(t.pool.Origins(by), by)...)
			}
		}
		add(t.pool.Origins(x)...)
	}
	return append(all, sent...)
}

// noteKept remembers what a request has left at the backend.
func noteKept(t *Tester, x *checks.Exchange) {
	if b := t.Plan.Of(x.Case.Operation); b != nil && b.Resource != nil && x.Case.Expected != cases.NotAllowed &&
		x.Case.Phase != itempool.Phase {
		t.kept.note(b.Resource, x)
	}
}
