package resources

import (
	"cmp"
	"encoding/csv"
	"path"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// export answers the items of a list as rows, those that the request's filters select: the list's own if it documents
// rows, or the list that the operation's path names. A read of one item in such a media type has one row.
func export(q *Request) error {
	lister := q.op
	if q.op.Exports != nil {
		lister = q.set.operations[q.op.Exports.Operation]
	}
	switch {
	case lister != nil && lister.Role == resource.Read:
		return exportItem(q)
	case lister == nil || lister.Role != resource.List || lister.elements == nil:
		return errNotHandled
	}
	as := *q
	as.op = lister
	wanted := query.Read(q.op.List, q.Values.Query)
	first := q.exported(&as)
	all := newListView(as.view(), as.collection, first, wanted.NewestFirst)
	_, items := page(&as, all, wanted, pageLinks(&as), 0)
	var shown []any
	for _, item := range decoded(&as, items) {
		shown = append(shown, showElement(&as, lister.elements, item))
	}
	if q.Work.Over() {
		return errNotHandled
	}
	writeRows(q, columnsOf(q, lister.runtime, lister.List.Items.Value), path.Base(lister.Binding.Operation.Path), shown)
	return nil
}

// exported returns what an export shows before anything is created. as is the request to the list; if the export's path
// does not name the parent of the list's items, as is set to the items of all parents.
func (q *Request) exported(as *Request) *initialList {
	k := q.op.runtime
	if len(as.op.Scope) == len(q.op.Scope) {
		return initial(as)
	}
	if as.allParents = true; q.op.listsAllParents() {
		as.collection = ""
	}
	list := &initialList{}
	if k.Scoped || q.set.options.RefuseUnknown || wasKept(as, q.view()) || q.Base.Known(as.collection) {
		return list
	}
	const some = 3
	for i := range some {
		key := k.keyOfElement(q.set.options.Seed, as.collection, i+1)
		item := generatedItem(q, key)
		list.items = append(list.items, Item{Key: key, Value: item, encoded: encoded(item)})
	}
	return list
}

// exportItem answers one item as the only row.
func exportItem(q *Request) error {
	item, err := findOrMissing(q)
	if err != nil {
		return err
	}
	name := q.op.runtime.Name[strings.LastIndexByte(q.op.runtime.Name, '/')+1:]
	writeRows(q, columnsOf(q, q.op.runtime, nil), naming.Singular(name)+"-"+item.Key, []any{WithoutHidden(item.Value)})
	return nil
}

// writeRows answers with rows: of a table, or of JSON, one value a line.
func writeRows(q *Request, columns []string, name string, items []any) {
	contentType := cmp.Or(q.as, q.media.Concrete())
	if resource.IsTable(q.media) {
		q.set.responder.SetTable(q.Request, q.answer, contentType, name, respond.Table(columns, items))
		return
	}
	var text []byte
	for _, item := range items {
		text = append(jsontext.Append(text, item), '\n')
	}
	q.answer.SetBytes(contentType, text)
}

// columnsOf returns the columns of a table of items, in the document's order, by the first of these: the header line of
// a documented example, the names that the document lists in a text, the properties of the rows in the media type's
// own schema, or all properties of the items except objects and lists of objects. listed is the schema of a list's
// items; nil if none.
func columnsOf(q *Request, k *Runtime, listed *spec.Keywords) (columns []string) {
	properties := k.properties
	if listed != nil {
		properties = schema.Properties(listed)
	}
	isColumn := func(name string) bool {
		for property := range properties {
			if naming.Fold(property) == naming.Fold(name) {
				return true
			}
		}
		return false
	}
	for _, text := range examplesOf(q.media) {
		header, err := csv.NewReader(strings.NewReader(text)).Read()
		if err == nil && !slices.ContainsFunc(header, func(name string) bool { return !isColumn(name) }) {
			return header
		}
	}
	for _, text := range columnTexts(q) {
		if columns = resource.ListedNames(text, isColumn); columns != nil {
			return columns
		}
	}
	if s := q.media.Schema; s != nil {
		if rows := schema.Items(s.Keywords); rows != nil {
			for _, m := range s.ShapeOf(rows).Members() {
				columns = append(columns, m.Name)
			}
		}
	}
	if columns != nil {
		return columns
	}
	for _, p := range k.Properties {
		of := properties[p.Name]
		if of == nil || p.Kind == schema.Object || schema.WriteOnly(of) {
			continue
		}
		if element := schema.Items(of); element == nil || schema.CertainTypes(element) != schema.Object {
			columns = append(columns, p.Name)
		}
	}
	return columns
}

// examplesOf returns the documented examples of a table: of the media type and of its schema.
func examplesOf(media *spec.MediaType) (texts []string) {
	for _, e := range media.Examples {
		if text, ok := e.Value.(string); ok {
			texts = append(texts, text)
		}
	}
	if s := media.Schema; s != nil {
		n := s.Node(s.Keywords)
		texts = append(texts, n.Get("example").Str(), n.At("/examples/0").Str())
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// columnTexts returns the texts of the document in which the columns of a table may be listed. The texts of a list that
// also answers JSON concern its parameters.
func columnTexts(q *Request) (texts []string) {
	if s := q.media.Schema; s != nil {
		texts = append(texts, s.Node(s.Keywords).Get("description").Str())
	}
	texts = append(texts, q.Documented.Description)
	if q.op.Media == nil {
		texts = append(texts, q.Operation.Summary, q.Operation.Description)
	}
	return texts
}
