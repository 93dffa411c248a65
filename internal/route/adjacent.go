package route

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// adjacent are two variables of a path without text between them, {name}{extension}. The values in an enum of one of
// them decide where the first one ends. Without an enum, the first takes all but one character.
type adjacent struct {
	first      int      // index of the operation's variable
	begin, end []string // enum values of the first variable, and of the second
}

// adjacentOf returns the adjacent variables of an operation that have an enum.
func adjacentOf(o *spec.Operation) (all []adjacent) {
	path := o.Template()
	for i, name := range o.Variables() {
		_, after, _ := strings.Cut(path, "{"+name+"}")
		next, _, _ := strings.Cut(strings.TrimPrefix(after, "{"), "}")
		if strings.HasPrefix(after, "{") {
			pair := adjacent{i, listed(o, name), listed(o, next)}
			if len(pair.begin)+len(pair.end) > 0 {
				all = append(all, pair)
			}
		}
	}
	return all
}

// listed returns the enum values of a path parameter, the longest first.
func listed(o *spec.Operation, name string) (texts []string) {
	for _, p := range o.Parameters {
		if p.In != exchange.InPath || p.Name != name || p.Schema == nil || p.Schema.Keywords == nil {
			continue
		}
		for k := p.Schema.Keywords; k != nil; k = k.Ref {
			if k.Enum == nil {
				continue
			}
			for _, value := range k.Enum.Values {
				if text, ok := value.(string); ok && text != "" {
					texts = append(texts, text)
				}
			}
		}
	}
	slices.SortStableFunc(texts, func(a, b string) int { return len(b) - len(a) })
	return texts
}

// divide moves the border between the two values.
func (a *adjacent) divide(values []string) {
	both := values[a.first] + values[a.first+1]
	for _, text := range a.end {
		if before, ok := strings.CutSuffix(both, text); ok && before != "" {
			values[a.first], values[a.first+1] = before, text
			return
		}
	}
	for _, text := range a.begin {
		if after, ok := strings.CutPrefix(both, text); ok && after != "" {
			values[a.first], values[a.first+1] = text, after
			return
		}
	}
}
