package respond

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// Table returns the rows of a table: a header line with the columns, and a line for each object. A column shows the
// property of its name, however that is spelt. The values of an array are separated by semicolons.
func Table(columns []string, objects []any) [][]string {
	rows := [][]string{columns}
	for _, object := range objects {
		members, _ := object.(map[string]any)
		row := make([]string, len(columns))
		for i, name := range columns {
			row[i] = cell(property(members, name))
		}
		rows = append(rows, row)
	}
	return rows
}

func property(object map[string]any, column string) any {
	if value, ok := object[column]; ok {
		return value
	}
	for name, value := range object {
		if naming.Fold(name) == naming.Fold(column) {
			return value
		}
	}
	return nil
}

func cell(value any) string {
	if list, ok := value.([]any); ok {
		cells := make([]string, len(list))
		for i, element := range list {
			cells[i] = cell(element)
		}
		return strings.Join(cells, ";")
	}
	text, _ := jsonvalue.Text(value)
	return text
}

// generatedTable returns the rows of the list that the JSON of the same response has; nil if none or it lists
// no objects.
func (r *Responder) generatedTable(q *Request, status int, b *Body) [][]string {
	documented := q.Operation.Response(status)
	if documented == nil {
		return nil
	}
	i := slices.IndexFunc(documented.Content, func(m *spec.MediaType) bool {
		return m != b.media && m.IsJSON() && m.Schema != nil
	})
	if i < 0 {
		return nil
	}
	value, _ := r.bodies[documented.Content[i]].Generate(q, b.Key(q, status))
	list, _ := value.([]any)
	if object, isObject := value.(map[string]any); isObject {
		for _, name := range slices.Sorted(maps.Keys(object)) {
			if members, ok := object[name].([]any); ok {
				list = members
				break
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	first, _ := list[0].(map[string]any)
	columns := slices.DeleteFunc(slices.Sorted(maps.Keys(first)), func(name string) bool {
		_, isScalar := jsonvalue.Text(first[name])
		return !isScalar
	})
	if len(columns) == 0 {
		return nil
	}
	return Table(columns, list)
}
