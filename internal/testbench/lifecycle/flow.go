package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// flow is what a client does with the items of one kind in a session of its own.
type flow struct {
	*mockServer
	*result
	document  *document
	item      *item
	variables map[string]any // of paths
}

// created is an item that the client has created.
type created struct {
	key  any            // nil if nothing shows it
	sent map[string]any // its properties
}

var (
	errNoRequest = errors.New("no conforming request can be made")
	errRefused   = errors.New("the request was refused")
)

// run creates items, reads, lists, changes and deletes them, and expects to find what was sent.
func (f *flow) run() {
	if err := f.makeParents(f.item); err != nil {
		f.skip(f.item, err)
		return
	}
	if f.item.create == nil {
		f.changeOnly()
		return
	}
	var items []*created
	for i, fill := range []string{"all", "all", "required"} {
		c, err := f.make(f.item, fill, fmt.Sprint(i))
		if err != nil {
			f.skip(f.item, err)
			return
		}
		items = append(items, c)
	}
	for i, c := range items {
		if c.key == nil {
			f.skip(f.item, errors.New("no response and no Location shows the key"))
			return
		}
		isNew := !slices.ContainsFunc(items[:i], func(o *created) bool { return jsonvalue.Same(o.key, c.key) })
		if !isNew && slices.ContainsFunc(f.item.keys, func(name string) bool { return c.sent[name] != nil }) {
			f.skip(f.item, errors.New("the client has sent the key of another item"))
			return
		}
		f.expect(keys, f.item.create, isNew, "another item has the key %s", show(c.key))
	}
	for _, c := range items {
		f.read(sentValues, f.item.create, c)
	}
	f.listed(lists, items[0], items[1], items[2])
	for _, o := range f.item.change {
		f.change(o, items[0])
		f.read(others, f.item.create, items[1])
	}
	f.remove(items[0], items[1])
}

// changeOnly changes an object of which there is one, and reads it.
func (f *flow) changeOnly() {
	for _, o := range f.item.change {
		f.change(o, &created{sent: map[string]any{}})
	}
}

// makeParents creates the items that path variables of i name. Variables that name none get a generated value.
func (f *flow) makeParents(i *item) error {
	for _, name := range i.read.Variables() {
		if _, known := f.variables[name]; known || slices.Contains(i.keys, name) {
			continue
		}
		parent := i.parents[name]
		if parent == nil {
			at := slices.IndexFunc(i.read.Parameters, func(p *spec.Parameter) bool {
				return p.In == exchange.InPath && p.Name == name
			})
			if at < 0 {
				return errNoRequest
			}
			value, err := parameterValue(i.read.Parameters[at])
			if err != nil {
				return errNoRequest
			}
			f.variables[name] = value
			continue
		}
		c, err := f.make(parent, "all", "parent")
		if err != nil {
			return err
		}
		if c.key == nil {
			return errors.New("nothing shows the key of the parent")
		}
		f.variables[name] = c.key
	}
	return nil
}

// make creates an item.
func (f *flow) make(i *item, fill, seed string) (*created, error) {
	body, response, err := f.send(i.create, fill, seed, nil)
	if err != nil {
		return nil, err
	}
	shown, _ := f.document.match(i.create, i.read, false)
	c := &created{sent: objectAt(body, shown.sent.names)}
	if m, ok := f.document.match(i.create, i.create, false); ok && i == f.item {
		f.compare(sentValues, i.create, m.shown, response.body, &created{sent: objectAt(body, m.sent.names)})
	}
	if media := responseOf(i.create); media != nil {
		for _, p := range places(f.document.shapes.Of(media.Schema.Keywords)) {
			if at := i.keyAt(p); at != nil && !p.many && c.key == nil {
				c.key, _ = valueAt(response.body, at)
			}
		}
	}
	if location, ok := response.Header.Get("Location"); ok && c.key == nil {
		location = strings.TrimRight(location, "/")
		c.key = location[strings.LastIndexByte(location, '/')+1:]
	}
	return c, nil
}

// read expects an item to show what was sent by o.
func (f *flow) read(k kind, o *spec.Operation, c *created) {
	_, response, err := f.ask(f.item.read, "", "", c.key)
	if errors.Is(err, errNoRequest) {
		return // the schema of the path has no room for the key
	}
	if err != nil {
		f.expect(k, f.item.read, false, "%v", err)
		return
	}
	if m, ok := f.document.match(o, f.item.read, false); ok {
		f.compare(k, f.item.read, m.shown, response.body, c)
	}
}

// listed expects the list to have items.
func (f *flow) listed(k kind, items ...*created) {
	o := f.item.list
	if o == nil || hasQuery(o, f.unknownItems == "refuse") {
		return
	}
	m, _ := f.document.match(f.item.create, o, true)
	at := f.item.keyAt(m.shown)
	if at == nil {
		return
	}
	have, err := f.keysOf(o, m.shown, at)
	for _, c := range items {
		isListed := slices.ContainsFunc(have, func(key any) bool { return jsonvalue.Same(key, c.key) })
		f.expect(k, o, err == nil && isListed, "%s is not listed: %v %v", show(c.key), have, err)
	}
}

// keysOf returns the keys that a list shows.
func (f *flow) keysOf(o *spec.Operation, p place, at []string) (have []any, err error) {
	_, response, err := f.ask(o, "", "", nil)
	if err != nil {
		return nil, err
	}
	list, _ := valueAt(response.body, p.array)
	elements, _ := list.([]any)
	for _, element := range elements {
		if key, ok := valueAt(element, at); ok {
			have = append(have, key)
		}
	}
	return have, nil
}

// change sends other values, and expects to read them.
func (f *flow) change(o *spec.Operation, c *created) {
	body, response, err := f.send(o, "all", "change"+o.Method, c.key)
	if errors.Is(err, errNoRequest) {
		return
	}
	if f.expect(changes, o, err == nil, "%v", err); err != nil {
		return
	}
	m, _ := f.document.match(o, f.item.read, false)
	values := objectAt(body, m.sent.names)
	if o.Method == "PATCH" {
		c.sent = jsonvalue.Merge(c.sent, values).(map[string]any)
	} else {
		c.sent = values
	}
	if m, ok := f.document.match(o, o, false); ok {
		f.compare(changes, o, m.shown, response.body, &created{sent: objectAt(body, m.sent.names)})
	}
	f.read(changes, o, c)
}

// remove deletes an item, and expects to find it no more, and the other one still.
func (f *flow) remove(c, other *created) {
	if f.item.remove == nil {
		return
	}
	_, _, err := f.ask(f.item.remove, "required", "", c.key)
	if errors.Is(err, errNoRequest) {
		return
	}
	if f.expect(deletions, f.item.remove, err == nil, "%v", err); err != nil {
		return
	}
	_, _, err = f.ask(f.item.read, "", "", c.key)
	f.expect(deletions, f.item.read, errors.Is(err, errRefused), "%s is still there", show(c.key))
	f.read(others, f.item.create, other)
}

// compare expects the object at p to have the properties of c that its schema lists.
func (f *flow) compare(k kind, o *spec.Operation, p place, body any, c *created) {
	object := objectAt(body, p.names)
	for _, name := range slices.Sorted(maps.Keys(c.sent)) {
		m := p.shape.Member(name)
		_, isVariable := f.variables[name]
		if m == nil || m.ReadOnly() || m.WriteOnly() || isVariable || slices.Contains(f.item.keys, name) ||
			!spec.Conforms(m.Schema, c.sent[name]) || m.Shape().Bounds().Format == "password" {
			continue // it is the server's to say, or not to be shown
		}
		want := visible(c.sent[name], m.Shape())
		f.expect(k, o, has(object[name], want), "%q is %s, not %s", name, show(object[name]), show(want))
	}
}

// visible returns a value without the members of its objects that a shape does not list or never shows.
func visible(value any, s *schema.Shape) any {
	switch value := value.(type) {
	case map[string]any:
		if len(s.Names()) == 0 {
			return value
		}
		shown := map[string]any{}
		for name, member := range value {
			if m := s.Member(name); m != nil && !m.ReadOnly() && !m.WriteOnly() {
				shown[name] = visible(member, m.Shape())
			}
		}
		return shown
	case []any:
		shown := slices.Clone(value)
		for i := range shown {
			if items := s.Items(); items != nil {
				shown[i] = visible(shown[i], items)
			}
		}
		return shown
	}
	return value
}

// has reports whether a value has everything of another: the server may add to the objects in it.
func has(value, of any) bool {
	switch of := of.(type) {
	case map[string]any:
		object, ok := value.(map[string]any)
		for name, member := range of {
			ok = ok && has(object[name], member)
		}
		return ok
	case []any:
		list, ok := value.([]any)
		ok = ok && len(list) == len(of)
		for i := range of {
			ok = ok && has(list[i], of[i])
		}
		return ok
	}
	return jsonvalue.Equals(value, of)
}

// answer is a response with its decoded body.
type answer struct {
	*exchange.Response
	body any
}

// send is ask, but tries other values if they are refused, as another item may have one of them.
func (f *flow) send(o *spec.Operation, fill, seed string, key any) (sent any, a *answer, err error) {
	const attempts = 5
	for attempt := range attempts {
		if sent, a, err = f.ask(o, fill, seed+strings.Repeat("'", attempt), key); !errors.Is(err, errRefused) {
			break
		}
	}
	return sent, a, err
}

// ask sends a valid request. It returns the body of the request, and the response if that is a documented success.
func (f *flow) ask(o *spec.Operation, fill, seed string, key any) (sent any, a *answer, err error) {
	operation := f.operation(o)
	have := map[string]any{}
	if m, ok := f.document.match(o, f.item.read, false); ok && len(m.sent.names) == 0 {
		shape := m.sent.shape
		for name, value := range f.variables {
			if shape.Member(name) != nil {
				have[name] = value
			}
		}
		for _, name := range f.item.keys {
			if shape.Member(name) != nil && key != nil {
				have[name] = key
			}
		}
	}
	builder := operation.builder(fill)
	r, err := builder.ValidWith(generate.NewKey(1, seed, o.ID), have)
	if err != nil {
		return nil, nil, errNoRequest
	}
	r.Path = o.Template()
	var path []string
	for _, name := range o.Variables() {
		value, ok := f.variables[name]
		if !ok {
			value = key
		}
		at := slices.IndexFunc(o.Parameters, func(p *spec.Parameter) bool {
			return p.In == exchange.InPath && p.Name == name
		})
		if at < 0 || value == nil {
			return nil, nil, errNoRequest
		}
		text, err := decode.Encode(o.Parameters[at], convert(value, o.Parameters[at]))
		if err != nil {
			return nil, nil, errNoRequest
		}
		path = append(path, text)
		r.Path = strings.ReplaceAll(r.Path, "{"+name+"}", text)
	}
	values, findings := operation.validator.Request(r, path)
	if len(findings) > 0 {
		return nil, nil, errNoRequest
	}
	if media := responseOf(o); media != nil {
		r.Header.Set("Accept", media.Concrete())
	}
	response, err := f.mockServer.send(r)
	if err != nil {
		return nil, nil, err
	}
	described := fmt.Sprintf("%s %s %s → %d %s", r.Method, r.Path, cutText(r.Body), response.Status,
		cutText(response.Body))
	if response.Status >= 300 {
		return nil, nil, fmt.Errorf("%w: %s", errRefused, described)
	}
	wrong := operation.validator.Response(r.Method, response)
	f.expect(conforming, o, len(wrong) == 0, "%s: %s", exchange.Join(wrong), described)
	a = &answer{Response: response}
	a.body, _ = jsontext.Decode(string(response.Body))
	return values.Body(), a, nil
}

// parameterValue makes a value of a parameter that can be written.
func parameterValue(p *spec.Parameter) (any, error) {
	s := p.ValueSchema()
	if s == nil {
		return "text", nil
	}
	const attempts = 20
	err := errNoRequest
	for i := range attempts {
		value, failed := generate.New(s, generate.Options{}).Value(generate.NewKey(uint64(i), p.In, p.Name))
		if failed != nil {
			return nil, failed
		}
		var text string
		if text, err = decode.Encode(p, value); err == nil && text != "" {
			return value, nil
		}
	}
	return nil, err
}

// convert returns a value as a parameter takes it: a number may be a text, a text a number.
func convert(value any, p *spec.Parameter) any {
	text, ok := jsonvalue.Text(value)
	if !ok || p.Schema == nil || spec.Conforms(p.Schema.Keywords, value) {
		return value
	}
	if typed, err := jsontext.Decode(text); err == nil && spec.Conforms(p.Schema.Keywords, typed) {
		return typed
	}
	return text
}

func valueAt(value any, names []string) (any, bool) {
	for _, name := range names {
		object, _ := value.(map[string]any)
		member, ok := object[name]
		if !ok {
			return nil, false
		}
		value = member
	}
	return value, value != nil
}

func objectAt(value any, names []string) map[string]any {
	found, _ := valueAt(value, names)
	object, _ := found.(map[string]any)
	return object
}

func show(value any) string { return cutText(jsontext.Append(nil, value)) }

func cutText(text []byte) string {
	const most = 120
	return string(text[:min(most, len(text))])
}
