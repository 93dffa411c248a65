package resources

import (
	"bytes"
	"iter"
	"slices"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/mock/internal/query"
)

// condition is what the items of a list must meet that a request wants. A nil one is met by all.
type condition struct {
	query   *query.Query
	parents []parent
}

// parent selects the items below one that the path of their list names, by the property that holds its key, or else by
// what is kept beside the item.
// An item without either is below what one of its relationships of JSON:API names.
type parent struct {
	hidden, property query.Filter
	relationship     []byte // as items are encoded
}

func conditionOf(q *Request, l *listView, wanted *query.Query) *condition {
	c := &condition{query: wanted}
	for _, v := range q.op.extra {
		if l.collection == "" || q.allParents {
			break // the query filters
		}
		values := []any{q.Values.Path[v.Name]}
		p := parent{
			hidden:   query.Filter{Property: hiddenProperty(v), Values: values},
			property: query.Filter{Property: v.Property, Values: values},
		}
		if v.Parent != nil && v.Property == nil {
			identifier := map[string]any{"id": q.pathText(v.Name), "type": v.Parent.Name}
			p.relationship = jsontext.Marshal(identifier)
		}
		c.parents = append(c.parents, p)
	}
	if len(c.parents) == 0 && !wanted.Narrows() {
		return nil
	}
	return c
}

func (p *parent) has(item query.Text) bool {
	same, has := p.hidden.FindText(item)
	switch {
	case has:
	case p.property.Property != nil:
		same = p.property.MatchesText(item)
	case p.relationship != nil:
		same = bytes.Contains(item.JSON, p.relationship)
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
