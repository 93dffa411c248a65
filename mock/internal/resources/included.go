package resources

import (
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Members of documents and of resource objects (JSON:API 1.1 sections 7.1 and 7.2).
const (
	relationships = "relationships"
	included      = "included"
	linkage       = "data"
	typeOfItem    = "type"
)

// inclusion is how the bodies of an operation have items to which the items of the operation are related (JSON:API 1.1
// section 7.3).
type inclusion struct {
	parameter string   // of the query, that names the relationships; "" if none does
	relations []string // all relationships of the items, sorted
	required  bool     // bodies always have the property
}

func (op *Operation) inclusion() *inclusion {
	if op == nil || op.included == nil {
		return nil
	}
	return op.included()
}

// inclusionOf returns nil if the bodies of an operation have no included items.
func inclusionOf(op *Operation) *inclusion {
	media := op.Media
	if media == nil || media.Schema == nil || schema.Items(media.Schema.Members()[included]) == nil {
		return nil
	}
	inBody := op.Response
	if op.List != nil {
		inBody = &op.List.Items
	}
	if inBody == nil || len(inBody.Path) == 0 {
		return nil
	}
	relations := slices.Sorted(maps.Keys(schema.Properties(op.runtime.properties[relationships])))
	if len(relations) == 0 {
		return nil
	}
	in := &inclusion{relations: relations, required: media.Schema.Requires()[included]}
	for _, p := range op.Binding.Operation.Parameters {
		if p.In == exchange.InQuery && p.Schema != nil && (p.Name == "include" || in.names(p.Schema)) {
			in.parameter = p.Name
			break
		}
	}
	return in
}

// names reports whether the values of a list are names of relationships.
func (in *inclusion) names(s *spec.Schema) bool {
	items := schema.Items(s.Keywords)
	if items == nil {
		return false
	}
	values := schema.Values(items)
	return len(values) > 0 && !slices.ContainsFunc(values, func(v any) bool {
		text, _ := v.(string)
		return !slices.Contains(in.relations, text)
	})
}

// wanted returns the relationships whose items a request asks for.
func (in *inclusion) wanted(q *Request) []string {
	var texts []string
	switch value := q.Values.Query[in.parameter].(type) {
	case string:
		texts = strings.Split(value, ",")
	case []any:
		for _, one := range value {
			text, _ := one.(string)
			texts = append(texts, strings.Split(text, ",")...)
		}
	case nil:
		if in.parameter == "" && in.required {
			return in.relations
		}
	}
	return slices.DeleteFunc(texts, func(name string) bool { return !slices.Contains(in.relations, name) })
}

// withIncluded returns a body with the items, each once, to which items in it are related as the request asks for. The
// items are flat.
func (q *Request) withIncluded(body any, items []any) any {
	in := q.op.inclusion()
	object, isObject := body.(map[string]any)
	if in == nil || !isObject {
		return body
	}
	wanted, found, seen := in.wanted(q), []any{}, map[[2]string]bool{}
	for _, item := range items {
		for _, name := range wanted {
			data, _ := jsonvalue.Property(item, []string{relationships, name, linkage})
			references, isMany := data.([]any)
			if !isMany {
				references = []any{data}
			}
			for _, r := range references {
				if q.Work.Step() {
					return body
				}
				reference, _ := r.(map[string]any)
				if related, key := q.relatedItem(name, reference); related != nil && !seen[key] {
					seen[key] = true
					found = append(found, related)
				}
			}
		}
	}
	with := maps.Clone(object)
	if with[included] = found; len(found) == 0 && !in.required && len(wanted) == 0 {
		delete(with, included)
	}
	if !q.media.Conforms(with) {
		return body
	}
	return with
}

// relatedItem returns the item that a resource identifier object names (JSON:API 1.1 section 7.3), as bodies have it,
// and its type and key; nil if none.
func (q *Request) relatedItem(relation string, reference map[string]any) (item any, key [2]string) {
	kind, _ := reference[typeOfItem].(string)
	id, _ := jsonvalue.Text(reference["id"])
	to := q.set.related(relation, kind)
	if to == nil || id == "" {
		return nil, key
	}
	value := q.set.itemOf(q, to.Resource, id)
	if value == nil {
		return nil, key
	}
	if to.reader != nil {
		if in := to.operations[to.reader].responses[to.reader.Media]; in != nil {
			value = in.view.listed(value)
		}
	}
	return to.Nesting.Nest(value), [2]string{to.Name, id}
}

// related returns the resource of a type of items, or else of the name of a relationship; nil if none.
func (s *Set) related(relation, kind string) *Runtime {
	var named *Runtime
	for _, r := range s.Resources {
		k := s.runtimes[r]
		if k == nil || r.Singleton || k.Item == nil {
			continue
		}
		if values := schema.Values(k.properties[typeOfItem]); kind != "" && len(values) == 1 && values[0] == kind {
			return k
		}
		singular := naming.SingularName(r.Name[strings.LastIndexByte(r.Name, '/')+1:])
		if named == nil && (singular == naming.SingularName(kind) || singular == naming.SingularName(relation)) {
			named = k
		}
	}
	return named
}

// flatItems returns the items in a body of the request's operation, flat.
func (q *Request) flatItems(body any) []any {
	in := q.op.Response
	if q.op.List != nil {
		in = &q.op.List.Items
	}
	if in == nil {
		return nil
	}
	items, _ := in.Items(body)
	return items
}
