package resource

import (
	"path"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// IsTable reports whether a media type is rows of columns: CSV (RFC 4180) or tab-separated values.
func IsTable(m *spec.MediaType) bool {
	switch m.Subtype {
	case "csv", "tab-separated-values":
		return m.Type == "text" || m.Type == "application"
	}
	return false
}

// findExports finds the operations that answer the items of a list as a table: GET of a path that names the list and
// says no more than that, as /plants.csv, /plants/export or /plants-export, and that answers nothing but tables.
func (in *inference) findExports() {
	for _, o := range in.operations {
		b := o.binding
		if o.Method != "GET" || b.Declared || b.Media != nil || b.Success == nil ||
			!slices.ContainsFunc(b.Success.Content, IsTable) {
			continue
		}
		list := in.exported(o)
		if list == nil || b.Resource != nil && b.Resource != list.Resource {
			continue
		}
		properties := propertiesOf(list.itemView(in))
		b.Role, b.Exports, b.Scope = Action, list, list.Scope
		b.List = &Listing{Items: list.List.Items, Params: in.listParams(o.Operation, properties), Order: list.List.Order}
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

// exported returns the list whose path the path of an operation names.
func (in *inference) exported(o *operation) *Binding {
	own, last := path.Split(o.Path)
	for _, other := range in.operations {
		b := other.binding
		if other == o || b.Role != List || other.Method != "GET" || b.List == nil || b.List.Items.Value == nil {
			continue
		}
		in, name := path.Split(other.Path)
		switch {
		case strings.TrimSuffix(own, "/") == other.Path && !strings.Contains(last, "{"), // /plants/export
			o.Path != other.Path && strings.TrimSuffix(o.Path, path.Ext(last)) == other.Path, // /plants.csv
			own == in && extends(naming.Words(last), naming.Words(name)):                     // /plants-export
			return b
		}
	}
	return nil
}

// extends reports whether words are others with one more.
func extends(w, others []string) bool {
	return len(w) == len(others)+1 && len(others) > 0 && slices.Equal(w[:len(others)], others)
}
