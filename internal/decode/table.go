package decode

import (
	"encoding/csv"
	"errors"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
)

// isTable reports whether bodies are the rows of a table (RFC 4180): CSV whose schema is a list of objects.
func (m *mediaType) isTable(s shape) bool {
	isCSV := m.subtype == "csv" && (m.kind == "text" || m.kind == "application")
	return isCSV && s.kinds()&^schema.Null == schema.Array && s.items().names(schema.Object)
}

// encodeTable writes a list of objects as rows. The schema's properties are the first columns, in the document's
// order.
func (e *entry) encodeTable(value any) (string, error) {
	var columns []string
	for _, m := range e.shape().Items().Members() {
		columns = append(columns, m.Name)
	}
	for _, item := range listed(value) {
		object, ok := item.(map[string]any)
		if !ok {
			return "", errors.New("a row of a table is an object")
		}
		var others []string
		for name := range object {
			if !slices.Contains(columns, name) {
				others = append(others, name)
			}
		}
		slices.Sort(others)
		columns = append(columns, others...)
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	w.Write(columns)
	for _, item := range listed(value) {
		row := make([]string, len(columns))
		for i, name := range columns {
			if field, ok := item.(map[string]any)[name]; ok && field != nil {
				text, err := nestedText(field)
				if err != nil {
					return "", err
				}
				row[i] = text
			}
		}
		w.Write(row)
	}
	w.Flush()
	return b.String(), w.Error()
}
