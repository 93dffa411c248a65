package resources

import (
	"iter"
	"slices"

	"github.com/coldframe/coldframe/mock/internal/query"
)

// condition is what the items of a list must meet that a request wants. A nil one is met by all.
type condition struct {
	query   *query.Query
	parents []parent
}

// parent selects the items below one that the path of their list names, by the property that holds its key, or else by
// what is kept beside the item.
type parent struct{ hidden, property query.Filter }

func conditionOf(q *Request, l *listView, wanted *query.Query) *condition {
	c := &condition{query: wanted}
	for _, v := range q.op.extra {
		if l.collection == "" {
			break // the query filters
		}
		values := []any{q.Values.Path[v.Name]}
		c.parents = append(c.parents, parent{
			query.Filter{Property: hiddenProperty(v), Values: values}, query.Filter{Property: v.Property, Values: values},
		})
	}
	if len(c.parents) == 0 && !wanted.Narrows() {
		return nil
	}
	return c
}

func (p *parent) has(item query.Text) bool {
	same, has := p.hidden.FindText(item)
	if !has && p.property.Property != nil {
		same = p.property.MatchesText(item)
	}
	return same
}

func (c *condition) meets(item Item) bool {
	isOther := func(p parent) bool { return item.Version > 0 && !p.has(item.text()) }
	return c == nil || !slices.ContainsFunc(c.parents, isOther) && c.query.MatchesText(item.text())
}

// among returns the items that meet the condition, as long as there is time.
func (c *condition) among(q *Request, items iter.Seq[Item]) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for item := range items {
			if q.Work.Step() || c.meets(item) && !yield(item) {
				return
			}
		}
	}
}
