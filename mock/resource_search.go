package mock

import (
	"strings"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
)

// searched adds to a query what the body of a search says: members that are
// named like properties choose items by them, texts as a part of theirs.
func (x *visit) searched(q *query.Query) {
	sent, ok := x.values.Body.(map[string]any)
	if !ok {
		return
	}
	k := x.operation.keeps
	for name, value := range sent {
		switch plainWord(name) {
		case "q", "search", "query", "keyword", "term", "text":
			if text, ok := value.(string); ok && k.listed[name] == nil {
				q.Search = strings.ToLower(text)
				continue
			}
		}
		schema := k.listed[name]
		if schema == nil {
			continue
		}
		filter := query.Filter{Property: []string{name}, Values: []any{value}}
		switch value := value.(type) {
		case nil, map[string]any:
			continue
		case []any:
			filter.Values = value
		case string:
			if firstOf(schema, 0) == nil && spec.Conforms(schema, value) {
				filter.Compare = resource.Contains
			}
		}
		q.Filters, q.Asked = append(q.Filters, filter), true
	}
}
