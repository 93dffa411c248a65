package resources

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/words"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// eventStream describes the events of an operation.
type eventStream struct {
	forms []*eventForm // empty if no item of the API is in the events
}

// eventForm is one form of events: what its data is, and how it names what happened to an item.
type eventForm struct {
	of    *Runtime
	view  *respond.View // of the data; nil if the document does not describe it, then it is the item
	at    string        // the member of the data that is the item; "" for the data itself
	names []string      // of the events by their schema; nil for any
	types *typeMember   // the member of the data that names what happened; nil if none
}

type typeMember struct {
	name   string
	values []string
}

// changeWords are the meanings of words for what happened to an item.
var changeWords = func() map[string]state.ChangeKind {
	kinds := map[string]state.ChangeKind{"created": state.Created, "changed": state.Changed, "deleted": state.Deleted}
	all := map[string]state.ChangeKind{}
	for row := range words.Outcomes.Rows() {
		if kind, ok := kinds[row[1]]; ok {
			all[row[0]] = kind
		}
	}
	return all
}()

// usualNames are the words for what happened in events that the document does not name.
var usualNames = [...]string{state.Created: "created", state.Changed: "updated", state.Deleted: "deleted"}

func (s *eventStream) runtimes() (all []*Runtime) {
	for _, f := range s.forms {
		if !slices.Contains(all, f.of) {
			all = append(all, f.of)
		}
	}
	return all
}

// eventStreamOf finds which items the events of the request's operation concern: by the types of the events, or else
// by the path, if the document does not describe the events.
func (s *Set) eventStreamOf(q *Request) *eventStream {
	if known, ok := s.streams.Load(q.media); ok {
		return known.(*eventStream)
	}
	found := &eventStream{}
	described := q.media.Item
	if described == nil && q.media.Schema != nil {
		described = q.media.Schema
		if items := schema.Items(described.Keywords); items != nil {
			described = respond.Part(described, items)
		}
	}
	switch {
	case described == nil, schema.CertainTypes(described.Keywords) == schema.String && described.Keywords.Enum == nil:
		for _, k := range s.streamedBy(q) {
			found.forms = append(found.forms, &eventForm{of: k})
		}
	default:
		for _, branch := range branches(described.Keywords) {
			found.forms = append(found.forms, s.formsOf(respond.Part(described, branch))...)
		}
	}
	known, _ := s.streams.LoadOrStore(q.media, found)
	return known.(*eventStream)
}

// branches returns the alternatives of a schema, or the schema itself.
func branches(k *spec.Keywords) []*spec.Keywords {
	resolved := schema.Resolve(k)
	if alternatives := append(slices.Clone(resolved.OneOf), resolved.AnyOf...); len(alternatives) > 0 {
		return alternatives
	}
	return []*spec.Keywords{k}
}

// eventMembers are the members of an event (OpenAPI 3.2 section 4.14.4.3).
var eventMembers = []string{"event", "id", "retry", "data"}

// formsOf returns the forms of events of a schema: of the event, or of its data.
func (s *Set) formsOf(of *spec.Schema) (forms []*eventForm) {
	members, data := of.Members(), of
	var names []string
	if isEvent := members["data"] != nil && !slices.ContainsFunc(namesOf(members), func(name string) bool {
		return !slices.Contains(eventMembers, name)
	}); isEvent {
		names = textsOf(members["event"])
		inner := members["data"]
		if inner.ContentSchema != nil {
			inner = inner.ContentSchema
		}
		data = respond.Part(of, inner)
	}
	for _, branch := range branches(data.Keywords) {
		part := respond.Part(data, branch)
		form := eventForm{view: respond.NewView(part, s.options.Generate), names: names}
		properties := part.Members()
		for _, name := range namesOf(properties) {
			values := textsOf(properties[name])
			if form.types == nil && slices.ContainsFunc(values, func(v string) bool { _, ok := changeOf(v); return ok }) {
				form.types = &typeMember{name, values}
			}
		}
		if form.of = s.runtimeOfType(branch); form.of != nil {
			forms = append(forms, &form)
			continue
		}
		for _, name := range namesOf(properties) {
			for _, member := range branches(properties[name]) {
				if k := s.runtimeOfType(member); k != nil {
					inMember := form
					inMember.of, inMember.at = k, name
					forms = append(forms, &inMember)
				}
			}
		}
	}
	return forms
}

// runtimeOfType returns the resource whose items have a schema, nil if none.
func (s *Set) runtimeOfType(k *spec.Keywords) *Runtime {
	if k == nil {
		return nil
	}
	at := schema.Resolve(k).Location
	for _, r := range s.Resources {
		if r.Value != nil && schema.Resolve(r.Value).Location == at && len(schema.Properties(k)) > 0 {
			return s.runtimes[r]
		}
	}
	return nil
}

// streamedBy returns the resources that a path names: the one whose list the path is below, those below the item that
// it names, or all of them.
func (s *Set) streamedBy(q *Request) (found []*Runtime) {
	path := q.Operation.Path
	longest := ""
	for _, r := range s.Resources {
		for _, b := range r.Bindings {
			list := b.Operation.Path
			if b.Role == resource.List && strings.HasPrefix(path, list+"/") && len(list) > len(longest) &&
				!strings.Contains(path[len(list):], "{") {
				longest, found = list, []*Runtime{s.runtimes[r]}
			}
		}
	}
	if found != nil {
		return found
	}
	above := path[:strings.LastIndexByte(path, '/')+1]
	for _, r := range s.Resources {
		isBelow := func(b *resource.Binding) bool {
			return strings.HasPrefix(b.Operation.Path, above) && b.Operation.Path != path
		}
		if !r.Singleton && r.Value != nil && (!strings.Contains(above, "{") || slices.ContainsFunc(r.Bindings, isBelow)) &&
			r.Has(resource.Create) {
			found = append(found, s.runtimes[r])
		}
	}
	return found
}

func namesOf(members map[string]*spec.Keywords) []string {
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// textsOf returns the texts that a schema's enum or const allows, nil for any.
func textsOf(k *spec.Keywords) (texts []string) {
	if k == nil {
		return nil
	}
	for part := range schema.All(k) {
		if part.Const != nil {
			if text, ok := (*part.Const).(string); ok {
				texts = append(texts, text)
			}
		}
		if part.Enum != nil {
			for _, value := range part.Enum.Values {
				if text, ok := value.(string); ok {
					texts = append(texts, text)
				}
			}
		}
	}
	return texts
}

// changeOf returns what a name of an event says that happened: message.created.
func changeOf(name string) (state.ChangeKind, bool) {
	w := naming.Words(name)
	for i := len(w) - 1; i >= 0; i-- {
		if kind, ok := changeWords[w[i]]; ok {
			return kind, true
		}
	}
	return 0, false
}

// eventName returns the name among several that says what happened to an item of a resource. ok is false if there is
// none. Names that say nothing of what happened are for new and changed items.
func eventName(values []string, k *Runtime, kind state.ChangeKind) (name string, ok bool) {
	singular := naming.SingularName(k.Name[strings.LastIndexByte(k.Name, '/')+1:])
	best, tells := 0, false
	for _, value := range values {
		of, named := changeOf(value)
		tells = tells || named
		if named && of != kind {
			continue
		}
		score := 1
		switch w := naming.Words(value); {
		case slices.Contains(w, singular) || strings.Contains(naming.Fold(value), singular):
			score = 3
		case named && len(w) == 1:
			score = 2
		}
		if named {
			score += 3
		}
		if score > best {
			best, name = score, value
		}
	}
	if tells {
		_, named := changeOf(name)
		return name, name != "" && named
	}
	return name, name != "" && kind != state.Deleted
}

// make returns the name and the data of an event. ok is false if the form has none for what happened.
func (f *eventForm) make(
	q *Request, kind state.ChangeKind, id string, item map[string]any,
) (name string, data any, ok bool) {
	if f.view == nil {
		singular := naming.SingularName(f.of.Name[strings.LastIndexByte(f.of.Name, '/')+1:])
		return singular + "." + usualNames[kind], respond.Listed(item, f.of.properties), true
	}
	if f.names != nil {
		if name, ok = eventName(f.names, f.of, kind); !ok {
			return "", nil, false
		}
	}
	have := map[string]any{}
	if f.types != nil {
		value, named := eventName(f.types.values, f.of, kind)
		if !named {
			return "", nil, false
		}
		if have[f.types.name] = value; name == "" {
			name = value
		}
	}
	switch {
	case f.at != "":
		have[f.at] = item
		f.setTimes(q, have)
	default:
		for member, value := range respond.Listed(item, f.view.Properties) {
			if have[member] == nil {
				have[member] = value
			}
		}
	}
	data, err := f.view.Fill(q.set.responder.Body(q.media).Key(q.Request, 200).Child("event").Child(id), have)
	if err != nil || !f.view.Conforms(data) {
		return "", nil, false
	}
	return name, data, true
}

// setTimes sets the times of an event by the clock of the session.
func (f *eventForm) setTimes(q *Request, have map[string]any) {
	for name, property := range f.view.Properties {
		if have[name] == nil && property.Format != nil && property.Format.Name == "date-time" {
			have[name] = q.set.Now(q.Session, q.Dynamic).UTC().Format("2006-01-02T15:04:05Z")
		}
	}
}
