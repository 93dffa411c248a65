package verify

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

const (
	// maxShown is how many matches, and how many misses, a problem lists.
	maxShown = 5
	// maxValue is how many bytes a value may have that a problem shows.
	maxValue = 200
	// operationIs begins the condition on the operation.
	operationIs = "operation is "
)

// miss is an exchange that does not match, with the conditions that it fails.
type miss struct {
	*candidate
	failed []scenario.Miss
}

// distance is how many conditions fail; another operation is the farthest.
func (m miss) distance() int {
	if len(m.failed) > 0 && strings.HasPrefix(m.failed[0].Condition, operationIs) {
		return math.MaxInt
	}
	return len(m.failed)
}

// report makes the problem: the newest matches and the nearest misses. The
// fewer conditions fail the nearer; of equals the newest come first.
func report(detail string, matches []*candidate, misses []miss) *client.Problem {
	p := &client.Problem{
		Status: Unmet, Title: http.StatusText(Unmet), Detail: detail,
		Matched: len(matches), Matches: []client.Match{}, Misses: []client.Miss{},
	}
	for _, c := range matches[max(0, len(matches)-maxShown):] {
		p.Matches = append(p.Matches, c.match())
	}
	slices.SortStableFunc(misses, func(a, b miss) int {
		return cmp.Or(cmp.Compare(a.distance(), b.distance()), cmp.Compare(b.Number, a.Number))
	})
	for _, m := range misses[:min(len(misses), maxShown)] {
		shown := client.Miss{Match: m.match()}
		for _, f := range m.failed {
			failed := client.Failed{Condition: f.Condition, Failure: f.Failure}
			if f.HasValue {
				failed.Value = shorten(f.Value)
			}
			shown.Failed = append(shown.Failed, failed)
		}
		p.Misses = append(p.Misses, shown)
	}
	return p
}

func (c *candidate) match() client.Match {
	m := client.Match{Number: c.Number, Request: c.Request.Method + " " + c.Request.Path, Status: c.Response.Status}
	if c.Operation.Path != "" {
		m.Operation = c.Operation.ID
	}
	return m
}

// shorten gives a value as JSON, or a string with the beginning of its text
// where it is long.
func shorten(v any) []byte {
	text := jsontext.Append(nil, v)
	if len(text) <= maxValue {
		return text
	}
	return jsontext.AppendString(nil, strings.ToValidUTF8(string(text[:maxValue]), "")+"…")
}
