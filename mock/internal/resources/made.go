package resources

import (
	"slices"

	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// makeAnother answers an action below an item that creates another one, as a copy or the order of a cart. The new item
// has what the request says, and else the properties that both have. The action changes the first item as well if the
// document says how.
func makeAnother(q *Request) error {
	find := findOrGenerate
	if q.op.changesItem() {
		find = actOn
	}
	source, err := find(q)
	if err != nil {
		return err
	}
	making := *q
	making.op = q.op.makes
	making.collection = making.op.Collection(q.pathText)
	making.source = q.op.takenBy(making.op.runtime, source)
	sent, _, err := sentItems(&making)
	if err != nil {
		return err
	}
	item, err := createOne(&making, sent[0])
	if err != nil {
		return err
	}
	if making.op.runtime == q.op.runtime {
		q.copyFiles(&making, source.Key, item.Key)
	}
	q.created = item
	return show(&making, item)
}

// takeFrom notes what a new item takes from another one, and returns the change of the other; nil if there is none.
func takeFrom(q *Request) (*Request, error) {
	if q.op.source == nil {
		return nil, nil
	}
	source := *q
	source.op = q.op.source
	source.collection = source.op.Collection(q.pathText)
	if key, _ := requestKey(&source); key == "" {
		return nil, nil
	}
	from, err := findOrGenerate(&source)
	if err == nil {
		err = checkNotDone(&source, from.Value)
	}
	if err != nil {
		return nil, err
	}
	q.source = source.op.takenBy(q.op.runtime, from)
	return &source, nil
}

// copyFiles keeps the files of an item as files of another as well.
func (q *Request) copyFiles(to *Request, from, key string) {
	parts := []string{fileName}
	for _, op := range q.op.runtime.operations {
		if op.file != noFile && op.KeyIn == resource.InPath {
			parts = append(parts, op.filePart())
		}
	}
	slices.Sort(parts)
	for _, part := range slices.Compact(parts) {
		if file, _ := q.get(state.Below(q.collection, from, part), SingletonKey); file != nil {
			at := state.Below(to.collection, key, part)
			if _, _, err := q.put(at, SingletonKey, file.JSON, 0, state.Any); err != nil {
				q.set.options.StoreFull()
			}
		}
	}
}

// findOrGenerate finds the item that the request names, or generates it.
func findOrGenerate(q *Request) (Item, error) {
	item, err := findOrMissing(q)
	if err == errNotHandled {
		item.Value, err = withParents(q, generatedItem(q, item.Key)), nil
	}
	return item, err
}

// takenBy returns what a new item of a resource takes from the item of the operation: properties of the same
// name, lists of similar elements, and its key. The key, the state and the times of a new item are its own.
func (op *Operation) takenBy(k *Runtime, source Item) map[string]any {
	taken := map[string]any{}
	for _, p := range k.Properties {
		value, has := source.Value[p.Name]
		switch {
		case k.isOwn(p.Name):
		case has && p.Kind != schema.Array:
			taken[p.Name] = value
		case p.Kind == schema.Array:
			if elements, ok := op.runtime.elementsFor(k.properties[p.Name], p.Name, source.Value); ok {
				taken[p.Name] = elements
			}
		case k.referred(p.Name) == op.Resource:
			taken[p.Name], _ = jsonvalue.Property(source.Value, op.runtime.KeyProperty())
		}
		if value, has := taken[p.Name]; has && !spec.Conforms(k.properties[p.Name], value) {
			delete(taken, p.Name)
		}
	}
	return taken
}

// isOwn reports whether a property belongs to its item alone: the key, unique properties, the state, the times,
// the version, links, and what actions set.
func (k *Runtime) isOwn(name string) bool {
	state, _ := k.States()
	if key := k.KeyProperty(); len(key) > 0 && key[0] == name {
		return true
	}
	sets := func(b *resource.Binding) bool {
		return slices.ContainsFunc(b.Sets, func(s resource.Assignment) bool { return s.Property == name })
	}
	if slices.Contains(k.linkable, name) {
		return true
	}
	return name == state || name == k.Created || name == k.Updated || name == k.Version ||
		slices.Contains(k.Unique, name) || slices.ContainsFunc(k.Bindings, sets) ||
		k.isTime(name) && k.isSetByServer(name)
}

// elementsFor returns the elements of an item for a list of another: of the list of the same name, or else of the only
// list whose elements have at least half of the properties that the others require. Each element has only what both
// describe.
func (k *Runtime) elementsFor(list *spec.Keywords, name string, item map[string]any) ([]any, bool) {
	theirs := schema.Items(list)
	if values, ok := item[name].([]any); ok {
		return elementsAs(theirs, values), true
	}
	members, required := schema.Properties(theirs), schema.Required(theirs)
	if len(required) == 0 {
		return nil, false
	}
	from := ""
	for _, p := range k.Properties {
		if p.Kind != schema.Array {
			continue
		}
		shared := 0
		for own := range schema.Properties(schema.Items(k.properties[p.Name])) {
			if members[own] != nil && required[own] {
				shared++
			}
		}
		if 2*shared < len(required) {
			continue
		}
		if from != "" {
			return nil, false
		}
		from = p.Name
	}
	values, ok := item[from].([]any)
	return elementsAs(theirs, values), ok
}

// elementsAs returns elements without the properties that a schema does not describe.
func elementsAs(element *spec.Keywords, values []any) []any {
	members := schema.Properties(element)
	elements := make([]any, len(values))
	for i, value := range values {
		if object, ok := value.(map[string]any); ok && len(members) > 0 {
			value = respond.Listed(object, members)
		}
		elements[i] = value
	}
	return elements
}
