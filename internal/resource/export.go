package resource

import (
	"path"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// IsTable reports whether a media type is rows of columns: CSV (RFC 4180), tab-separated values or a spreadsheet.
func IsTable(m *spec.MediaType) bool {
	switch m.Subtype {
	case "csv", "tab-separated-values":
		return m.Type == "text" || m.Type == "application"
	case "vnd.openxmlformats-officedocument.spreadsheetml.sheet", "vnd.ms-excel":
		return m.Type == "application"
	}
	return false
}

// IsExport reports whether a media type is the items of a list, one after the other: a table, or JSON in lines.
func IsExport(m *spec.MediaType) bool { return IsTable(m) || m.IsJSONLines() }

// findExports finds the operations that answer the items of a list as rows: GET of a path that names the list and
// says no more than that, as /plants.csv, /plants/export, /plants-export or /exports/plants, and that answers nothing
// but rows.
func (in *inference) findExports() {
	for _, o := range in.operations {
		b := o.binding
		if o.Method != "GET" || b.Declared || b.Media != nil || b.Success == nil ||
			!slices.ContainsFunc(b.Success.Content, IsExport) {
			continue
		}
		list := in.exported(o)
		if list == nil || b.Resource != nil && b.Resource != list.Resource {
			continue
		}
		properties := propertiesOf(list.itemView(in))
		b.Role, b.Exports = Action, list
		if len(o.variables()) > 0 {
			b.Scope = list.Scope
		}
		b.List = &Listing{Items: list.List.Items, Order: list.List.Order}
		b.List.setParams(in, o, properties)
		b.Confidence, b.Reason = list.Confidence, "table of "+list.Operation.Path
		if b.Resource == nil {
			b.Resource = list.Resource
			b.Resource.Bindings = append(b.Resource.Bindings, b)
		}
	}
}

func (b *Binding) itemView(in *inference) view {
	for _, o := range in.operations {
		if o.binding == b {
			return o.answer.of(b.List.Items.Value)
		}
	}
	return view{}
}

// exported returns the list whose path the path of an operation names; nil if none, or if it names several lists in
// the same way.
func (in *inference) exported(o *operation) *Binding {
	own, last := path.Split(o.Path)
	stem := strings.TrimSuffix(last, path.Ext(last))
	var below, beside, named, ofAll []*Binding
	for _, other := range in.operations {
		b := other.binding
		if other == o || b.Role != List || other.Method != "GET" || b.List == nil || b.List.Items.Value == nil {
			continue
		}
		in, name := path.Split(other.Path)
		rest, isBelow := strings.CutPrefix(o.Path, other.Path)
		switch {
		case isBelow && isExtension(rest):
			below = append(below, b)
		case own == in && extends(naming.Words(stem), naming.Words(name)): // /plants-export
			beside = append(beside, b)
		case stem == name &&
			!slices.ContainsFunc(other.variables(), func(v string) bool { return o.pathParameter(v) == nil }):
			named = append(named, b) // /exports/plants
		case stem == name && len(o.variables()) == 0 && len(b.Scope) == 1 && !b.Resource.Scoped:
			ofAll = append(ofAll, b) // of the plants of all owners
		}
	}
	for _, found := range [][]*Binding{below, beside, named, ofAll} {
		if len(found) > 0 {
			longest := slices.MaxFunc(found, func(a, b *Binding) int { return len(a.Operation.Path) - len(b.Operation.Path) })
			if len(found) == 1 || len(below) > 0 {
				return longest
			}
			return nil
		}
	}
	return nil
}

// isExtension reports whether the rest of a path after the path of a list names nothing but a form of the list: .csv,
// /export, /export.csv, /export/csv, :export.
func isExtension(rest string) bool {
	return rest != "" && strings.ContainsRune("./:", rune(rest[0])) && !strings.Contains(rest, "{") &&
		strings.Count(rest, "/") <= 2
}

// extends reports whether words are others with one more before or after them.
func extends(w, others []string) bool {
	if len(w) != len(others)+1 || len(others) == 0 {
		return false
	}
	return slices.Equal(w[:len(others)], others) || slices.Equal(w[1:], others)
}
