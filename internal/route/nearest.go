package route

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/spec"
)

// Limits of a suggestion; only the beginning of a longer path is compared.
const (
	nearestSegments = 16
	nearestBytes    = 48 // per segment
)

// Costs of a suggestion. A segment that is missing, additional or entirely different costs different.
const (
	different   = 100
	asVariable  = 10 // a value in the place of a variable: less certain than a literal
	otherMethod = 5  // breaks ties between equal paths
)

type suggester struct {
	operations []*spec.Operation
	templates  [][]int  // for each operation: indexes into literals, -1 for a variable or pattern
	literals   []string // distinct, lower case
}

func newSuggester(operations []*spec.Operation, templates []template) suggester {
	n := suggester{operations: operations, templates: make([][]int, len(operations))}
	index := map[string]int{}
	for i, t := range templates {
		for _, s := range t.segments[:min(len(t.segments), nearestSegments)] {
			literal, ok := s.literal()
			if !ok {
				n.templates[i] = append(n.templates[i], -1)
				continue
			}
			literal = strings.ToLower(literal)
			at, ok := index[literal]
			if !ok {
				at = len(n.literals)
				index[literal] = at
				n.literals = append(n.literals, literal)
			}
			n.templates[i] = append(n.templates[i], at)
		}
	}
	return n
}

// Nearest suggests an operation for a request without one: the operation whose template differs least, in segments
// and in the letters of segments. It returns nil if more than half differs.
func (r *Router) Nearest(method, path string) *spec.Operation {
	best, least := (*spec.Operation)(nil), different*nearestSegments
	var tried []string
	for i := range r.bases {
		rest, ok := r.bases[i].cut("/" + strings.TrimPrefix(path, "/"))
		if !ok || slices.Contains(tried, rest) {
			continue
		}
		tried = append(tried, rest)
		if op, cost := r.nearest.find(method, rest); cost < least {
			best, least = op, cost
		}
		if len(tried) == 4 { // base paths that are prefixes of others
			break
		}
	}
	return best
}

func (n *suggester) find(method, path string) (*spec.Operation, int) {
	sent := splitPath(path)
	distances := make([]int, 0, len(sent)*len(n.literals))
	for _, segment := range sent {
		for _, literal := range n.literals {
			distances = append(distances, distance(segment, literal))
		}
	}
	var best *spec.Operation
	least := different * (nearestSegments + 1)
	for i, op := range n.operations {
		want := n.templates[i]
		limit := different * max(len(sent), len(want)) / 2
		if (max(len(sent), len(want))-min(len(sent), len(want)))*different > min(limit, least) {
			continue
		}
		cost := n.align(sent, want, distances)
		if cost > limit {
			continue
		}
		if op.Method != method {
			cost += otherMethod
		}
		if cost < least {
			best, least = op, cost
		}
	}
	return best, least
}

func splitPath(path string) []string {
	var segments []string
	for path != "" && len(segments) < nearestSegments {
		var segment string
		segment, path = next(path)
		if segment == "" && path == "" && len(segments) > 0 {
			break // a trailing slash
		}
		segments = append(segments, strings.ToLower(unescape(segment[:min(len(segment), 3*nearestBytes)])))
	}
	return segments
}

// align returns the cost of turning one path into the other, segment by segment (edit distance of Wagner and
// Fischer).
func (n *suggester) align(sent []string, want []int, distances []int) int {
	var rows [2][nearestSegments + 1]int
	row, above := &rows[0], &rows[1]
	for j := range want {
		row[j+1] = (j + 1) * different
	}
	for i, segment := range sent {
		row, above = above, row
		row[0] = (i + 1) * different
		for j, literal := range want {
			cost := asVariable
			switch {
			case literal >= 0:
				cost = distances[i*len(n.literals)+literal]
			case segment == "":
				cost = different
			}
			row[j+1] = min(above[j]+cost, above[j+1]+different, row[j]+different)
		}
	}
	return row[len(want)]
}

// distance returns the difference of two segments in percent: their edit distance in bytes over the length of the
// longer one. More than half counts as 100.
func distance(a, b string) int {
	a, b = a[:min(len(a), nearestBytes)], b[:min(len(b), nearestBytes)]
	if a == b {
		return 0
	}
	if percent := different * nearest.Distance(a, b) / max(len(a), len(b)); percent <= different/2 {
		return percent
	}
	return different // not a typing mistake
}
