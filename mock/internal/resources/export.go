package resources

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
)

// export answers the items of a list as a table, with the rows that the request's filters select: the list's own if it
// documents a table, or the list that the operation's path names.
func export(q *Request) error {
	lister := q.op
	if q.op.Exports != nil {
		lister = q.set.operations[q.op.Exports.Operation]
	}
	if lister == nil || lister.Role != resource.List || lister.elements == nil {
		return errNotHandled
	}
	as := *q
	as.op = lister
	wanted := query.Read(q.op.List, q.Values.Query)
	all := newListView(as.view(), q.collection, initial(&as), wanted.NewestFirst)
	_, items := page(&as, all, wanted, pageLinks(&as), 0)
	columns := columnsOf(q.media, lister)
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if q.media.Subtype == "tab-separated-values" {
		w.Comma = '\t'
	}
	w.Write(columns)
	row := make([]string, len(columns))
	for _, item := range decoded(&as, items) {
		shown, _ := showElement(&as, lister.elements, item).(map[string]any)
		for i, name := range columns {
			row[i] = cell(property(shown, name))
		}
		w.Write(row)
	}
	if w.Flush(); q.Work.Over() {
		return errNotHandled
	}
	q.set.responder.SetFile(q.Request, q.answer, cmp.Or(q.as, q.media.Concrete()), b.Bytes())
	return nil
}

// columnsOf returns the columns of a table: the columns of the documented example, or else the properties of the list's
// items, except objects.
func columnsOf(media *spec.MediaType, lister *Operation) (columns []string) {
	properties := schema.Properties(lister.List.Items.Value)
	for _, example := range media.Examples {
		text, _ := example.Value.(string)
		header, err := csv.NewReader(strings.NewReader(text)).Read()
		isOther := func(name string) bool {
			for property := range properties {
				if naming.Fold(property) == naming.Fold(name) {
					return false
				}
			}
			return true
		}
		if err == nil && !slices.ContainsFunc(header, isOther) {
			return header
		}
	}
	for _, p := range lister.runtime.Properties {
		if of := properties[p.Name]; of != nil && p.Kind != schema.Object && !schema.WriteOnly(of) {
			columns = append(columns, p.Name)
		}
	}
	return columns
}

// property returns the value of an item's property whose name is a column's.
func property(item map[string]any, column string) any {
	if value, ok := item[column]; ok {
		return value
	}
	for name, value := range item {
		if naming.Fold(name) == naming.Fold(column) {
			return value
		}
	}
	return nil
}

// cell returns a value as text: the values of an array are separated by semicolons.
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
