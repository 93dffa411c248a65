package control

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

const (
	// maxShown is how many exchanges an answer of verify shows.
	maxShown = 5
	// maxValue is how many bytes a value may have that it shows.
	maxValue = 200
)

// nearMiss is an exchange that does not match and why.
type nearMiss struct {
	*witness
	misses []scenario.Miss
}

// distance is how many conditions fail; another operation is the farthest.
func (n nearMiss) distance() int {
	if len(n.misses) > 0 && strings.HasPrefix(n.misses[0].Condition, operationIs) {
		return math.MaxInt
	}
	return len(n.misses)
}

// disappointment says that the journal is not as expected: which exchanges
// match, and which nearly do. The fewer conditions fail the nearer; of equals
// the newest come first.
func disappointment(detail string, matched int, matches []*witness, near []nearMiss, lost uint64) Answer {
	if lost > 0 {
		detail += fmt.Sprintf("; the journal no longer has %d older exchanges, see --journal", lost)
	}
	slices.SortStableFunc(near, func(a, b nearMiss) int {
		return cmp.Or(cmp.Compare(a.distance(), b.distance()), cmp.Compare(b.Number, a.Number))
	})
	misses := []any{}
	for _, n := range near[:min(len(near), maxShown)] {
		failed := make([]any, len(n.misses))
		for i, m := range n.misses {
			f := map[string]any{"condition": m.Condition}
			if m.HasValue {
				f["value"] = shown(m.Value)
			}
			if m.Failure != "" {
				f["failure"] = m.Failure
			}
			failed[i] = f
		}
		object := n.shown()
		object["failed"] = failed
		misses = append(misses, object)
	}
	seen := []any{}
	for _, w := range matches[max(0, len(matches)-maxShown):] {
		seen = append(seen, w.shown())
	}
	return problemWith(417, detail, map[string]any{"matched": matched, "matches": seen, "misses": misses})
}

// shown gives what a reader needs to know an exchange by.
func (w *witness) shown() map[string]any {
	object := map[string]any{
		"number":  w.Number,
		"request": w.Request.Method + " " + w.Request.Path,
		"status":  w.Response.Status,
	}
	if w.Operation.Path != "" {
		object["operation"] = w.Operation.ID
	}
	return object
}

// shown gives a value, or the beginning of its text where it is long.
func shown(v any) any {
	text := string(jsontext.Append(nil, v))
	if len(text) <= maxValue {
		return v
	}
	return string([]rune(text[:maxValue])) + "…"
}
