package itempool

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// create creates an item; nil if the document has no way to do so, or the
// backend refuses. owner and n decide its values.
func (p *Pool) create(ctx context.Context, r *resource.Resource, scope map[string]string, owner string, n int) *Item {
	for _, b := range r.Bindings {
		creates := b.Role == resource.Create || b.Role == resource.Upsert || r.Singleton && b.Role == resource.Replace
		if !creates || p.ReadOnly {
			continue
		}
		seed := int(generate.NewKey(uint64(n), owner, r.Name) % 1_000_000_000)
		c, refers := p.creation(ctx, b, scope, seed)
		if c == nil {
			continue
		}
		x := p.Send(ctx, c)
		p.claimed.Delete(c.Request.Path)
		if x.Status() == 409 && refers && !p.Consumes(b.Operation) {
			p.Consume(b.Operation)
			if c, _ = p.creation(ctx, b, scope, seed); c == nil {
				continue
			}
			x = p.Send(ctx, c)
			p.claimed.Delete(c.Request.Path)
		}
		switch {
		case x == nil:
			return nil
		case !x.Succeeded():
			continue
		case r.Singleton:
			return &Item{Resource: r, Scope: scope}
		}
		scope = withPathDerived(scope, b, c)
		if item := Created(b, x, scope); item != nil {
			p.Settle(ctx, item)
			if p.bring(ctx, item, owner) {
				return item
			}
		}
	}
	return nil
}

// Settle waits until a created item can be read. If the first item of a resource can be read at once, or never, the
// others are not waited for.
func (p *Pool) Settle(ctx context.Context, i *Item) {
	isLate, isKnown := p.late.Load(i.Resource)
	at := slices.IndexFunc(i.Resource.Bindings, func(b *resource.Binding) bool {
		return b.Role == resource.Read && b.KeyIn == resource.InPath && len(b.Lookup) == 0 && p.Builder(b.Operation) != nil
	})
	if at < 0 || isKnown && isLate == false || p.Await == nil {
		return
	}
	read := i.Resource.Bindings[at]
	values := ScopeFor(read, i.Scope)
	values[read.Variable] = i.Key
	isThere := func() bool {
		c, err := p.Builder(read.Operation).Plain(0, nil)
		if err != nil {
			return true
		}
		c.Phase, c.Title, c.Expected = Phase, "whether a new item can be read", cases.Anything
		p.FillPath(c, values)
		return p.Send(ctx, c).Status() != 404
	}
	switch isAtOnce := isThere(); {
	case !isAtOnce:
		p.late.Store(i.Resource, p.Await(ctx, isThere))
	case !isKnown:
		p.late.LoadOrStore(i.Resource, false)
	}
}

// Prepare notes the actions that bring an item into a state in which it admits an operation. New items for the
// operation's requests are brought there; the items of before are dropped.
func (p *Pool) Prepare(o *spec.Operation, actions []*resource.Binding) {
	p.prepared.Store(nameOf(o), actions)
	p.Forget(o)
}

// Bring brings an item into the state in which it admits an operation, as far as Prepare noted how. It reports whether
// the backend accepted that.
func (p *Pool) Bring(ctx context.Context, i *Item, o *spec.Operation) bool {
	return p.bring(ctx, i, nameOf(o))
}

func (p *Pool) bring(ctx context.Context, i *Item, owner string) bool {
	noted, _ := p.prepared.Load(owner)
	actions, _ := noted.([]*resource.Binding)
	for _, b := range actions {
		references, _ := p.References(ctx, b.Operation)
		c, err := p.Builder(b.Operation).Plain(0, references)
		if err != nil {
			return false
		}
		c.Phase, c.Title = Phase, "an action for the state that "+owner+" needs"
		values := ScopeFor(b, i.Scope)
		values[b.Variable] = i.Key
		if p.FillPath(c, values); !p.Send(ctx, c).Succeeded() {
			return false
		}
	}
	return true
}

// creation returns a plain request that creates an item; nil if none.
// refers reports whether its body refers to other items.
func (p *Pool) creation(ctx context.Context, b *resource.Binding, scope map[string]string, seed int,
) (c *cases.Case, refers bool) {
	builder := p.Builder(b.Operation)
	if builder == nil {
		return nil, false
	}
	references, _ := p.References(ctx, b.Operation)
	c, err := builder.Plain(seed, references)
	if err != nil {
		return nil, false
	}
	c.Phase, c.Title = Phase, "an item for other requests"
	values := ScopeFor(b, scope)
	for _, v := range b.Scope {
		if _, ok := values[v.Name]; ok || v.Parent == nil {
			continue
		}
		if parent := p.take(ctx, v.Parent, values, wanted{}); parent != nil {
			values[v.Name] = parent.Key
		}
	}
	if b.KeyIn == resource.InPath {
		key := p.absentKey(ctx, b, builder, c, values, seed)
		if key == "" {
			return nil, false
		}
		c.Path[b.Variable] = key
	}
	p.FillPath(c, values)
	return c, len(references) > 0
}

const (
	// maxTriedKeys is how many generated keys are tried until one is absent, maxVaried how many that differ from the first
	// one by letters and digits: each takes a request.
	maxTriedKeys = 20
	maxVaried    = 2
)

// absentKey returns the key of a creation by its path: the case's own if no item has it, else another; "" if none
// is known to be absent. No other creation gets the key until this one is answered.
func (p *Pool) absentKey(ctx context.Context, b *resource.Binding, builder *cases.Builder, c *cases.Case,
	values map[string]string, seed int) string {
	path := c.Request.Path
	for name, text := range values {
		path = strings.ReplaceAll(path, "{"+name+"}", url.PathEscape(text))
	}
	for name, text := range c.Path {
		if name != b.Variable {
			path = strings.ReplaceAll(path, "{"+name+"}", text)
		}
	}
	tried := map[string]bool{}
	isFree := func(key string) bool {
		whole := strings.ReplaceAll(path, "{"+b.Variable+"}", key)
		if tried[key] {
			return false
		}
		tried[key] = true
		if _, isClaimed := p.claimed.LoadOrStore(whole, true); isClaimed {
			return false
		}
		is := !p.owns(b, pathVariables(b.Operation.Template(), whole)) && p.MayChange(ctx, b.Operation, whole)
		if !is {
			p.claimed.Delete(whole)
		}
		return is
	}
	own, varied := c.Path[b.Variable], 0
	for n := range maxTriedKeys {
		if n == 0 && isFree(own) {
			return own
		}
		key := own
		if other, err := builder.Plain(seed+n+1, nil); err == nil {
			key = other.Path[b.Variable]
		}
		if tried[key] && varied < maxVaried { // all are generated alike
			key = builder.OtherKey(b.Variable, own, seed+n)
			varied++
		}
		if isFree(key) {
			return key
		}
	}
	return p.Absent(ctx, b.Operation, b.Variable, path)
}

// Renew changes the key of a creation by its path if the run has already created an item with that key.
func (p *Pool) Renew(b *resource.Binding, c *cases.Case) {
	own, builder := c.Path[b.Variable], p.Builder(b.Operation)
	isOpen := strings.Contains(c.Request.Path, "{"+b.Variable+"}")
	for n := 0; isOpen && n < maxTriedKeys; n++ {
		path := strings.ReplaceAll(c.Request.Path, "{"+b.Variable+"}", c.Path[b.Variable])
		if !p.owns(b, pathVariables(b.Operation.Template(), path)) {
			return
		}
		c.Path[b.Variable] = builder.OtherKey(b.Variable, own, n)
	}
}

// withPathDerived adds to a scope the values that a case has for variables whose
// parents the document does not describe: the item is below these alone.
func withPathDerived(scope map[string]string, b *resource.Binding, c *cases.Case) map[string]string {
	for _, v := range b.Scope {
		text, err := url.PathUnescape(c.Path[v.Name])
		if v.Parent == nil && err == nil && text != "" && scope[v.Name] == "" {
			with := map[string]string{v.Name: text}
			maps.Copy(with, scope)
			scope = with
		}
	}
	return scope
}

// ScopeFor returns the values of a scope by the names that an operation has for its variables. If operations
// of a resource name a variable differently, its place in the path counts.
func ScopeFor(b *resource.Binding, scope map[string]string) map[string]string {
	values := map[string]string{}
	for at, v := range b.Scope {
		for _, other := range append([]*resource.Binding{b}, b.Resource.Bindings...) {
			if at >= len(other.Scope) {
				continue
			}
			if text, ok := scope[other.Scope[at].Name]; ok {
				values[v.Name] = text
				break
			}
		}
	}
	return values
}

// fromList takes an item that the backend lists.
func (p *Pool) fromList(ctx context.Context, r *resource.Resource, scope map[string]string) *Item {
	for _, b := range r.Bindings {
		builder := p.Builder(b.Operation)
		if b.Role != resource.List || b.List == nil || b.Subset || builder == nil {
			continue
		}
		c, err := builder.Plain(0, nil)
		if err != nil {
			continue
		}
		c.Phase, c.Title = Phase, "a list of the items that exist"
		p.FillPath(c, ScopeFor(b, scope))
		x := p.Send(ctx, c)
		if !x.Succeeded() || KeyOf(r) == nil {
			continue
		}
		if items, _ := b.List.Items.Items(Body(x)); len(items) > 0 {
			if key, ok := jsonvalue.Property(items[0], KeyOf(r)); ok {
				return &Item{Resource: r, Key: strings.Clone(Text(key)), Scope: scope, Value: kept(x, items[0])}
			}
		}
	}
	return nil
}

// FillPath puts values in place of variables of a case's path, and the case's own
// values in place of the rest.
func (p *Pool) FillPath(c *cases.Case, values map[string]string) {
	for name, text := range values {
		if p.fits(c.Operation, name, text) {
			c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", url.PathEscape(text))
		}
	}
	for name, text := range c.Path {
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+name+"}", text)
	}
}

// Created returns the item that a creation concerns; nil if its key is unknown, or if a job creates it later.
func Created(b *resource.Binding, x *checks.Exchange, scope map[string]string) *Item {
	location := locationOf(x)
	if location != nil && x.Status() != 201 && !NamesItem(b.Resource, location.EscapedPath()) {
		if x.Status() == 202 {
			return nil // the body's key may be the key of the job to which Location leads (RFC 9110 section 15.3.3)
		}
		location = nil
	}
	item := &Item{Resource: b.Resource, Scope: scope}
	var sent any
	if b.Request != nil {
		sent, _ = b.Request.Item(decoded(x.Request.Header, x.Request.Body))
	}
	if body := Body(x); body != nil && b.Response != nil {
		item.Value, _ = b.Response.Item(body)
	}
	if item.Key = createdKey(b, x, item.Value, sent, location); item.Key == "" {
		return nil
	}
	item.nameParts(b, sent)
	item.Key, item.Value = strings.Clone(item.Key), kept(x, item.Value)
	return item
}

// largeBody is from how many bytes on a body is not kept for the sake of an item that it shows.
const largeBody = 64 << 10

// kept returns the value of an item as it may be kept: without the large body that it stands in; nil if it is large
// itself.
func kept(x *checks.Exchange, value any) any {
	if value == nil || len(x.Response.Body) <= largeBody {
		return value
	}
	text := jsontext.Append(nil, value)
	if len(text) > largeBody {
		return nil
	}
	value, _ = jsontext.Decode(string(text))
	return value
}

// createdKey returns the key of a created item: that in the request's path, the response's body, its Location, or the
// request's body; "" if none has it. Any of item, sent and location may be nil.
func createdKey(b *resource.Binding, x *checks.Exchange, item, sent any, location *url.URL) string {
	property := KeyOf(b.Resource)
	if b.KeyIn == resource.InPath {
		if key := cmp.Or(PathVariables(x)[b.Variable], lastSegment(x.Request.Path)); key != "" {
			return key
		}
	}
	if property != nil {
		if key := keyAt(item, property); key != "" {
			return key
		}
	}
	for _, other := range b.Resource.Bindings { // POST /plants answers {plantId}, as /plants/{plantId} has it
		if other.KeyIn == resource.InPath {
			if key := keyAt(Body(x), []string{other.Variable}); key != "" {
				return key
			}
		}
	}
	if location != nil {
		if key := lastSegment(location.EscapedPath()); key != "" {
			return key
		}
	}
	if property != nil {
		return keyAt(sent, property)
	}
	return ""
}

// locationOf returns the Location of a response, nil if it has none.
func locationOf(x *checks.Exchange) *url.URL {
	text, ok := x.Response.Header.Get("Location")
	base := url.URL{Path: x.Request.Path}
	location, err := base.Parse(text)
	if !ok || err != nil {
		return nil
	}
	return location
}

// nameParts adds to an item's scope what other operations have in their paths beside the key: properties of the item
// of that name, if a key has several parts, as in /hosts/{ip}/{port}.
func (i *Item) nameParts(by *resource.Binding, sent any) {
	for _, b := range i.Resource.Bindings {
		for _, v := range b.Scope[min(len(by.Scope), len(b.Scope)):] {
			name := []string{v.Name}
			text := cmp.Or(keyAt(i.Value, name), keyAt(sent, name))
			isKey := slices.Equal(name, KeyOf(i.Resource)) // {id} of /teams/{id}/gardeners is the id of a team
			if v.Parent == nil && i.Scope[v.Name] == "" && text != "" && !isKey {
				i.Scope = maps.Clone(i.Scope)
				if i.Scope == nil {
					i.Scope = map[string]string{}
				}
				i.Scope[v.Name] = text
			}
		}
	}
}

// NamesItem reports whether a path is the path of an item's read, also below another base.
func NamesItem(r *resource.Resource, path string) bool {
	return slices.ContainsFunc(r.Bindings, func(b *resource.Binding) bool {
		segments, parts := strings.Split(b.Operation.Path, "/"), strings.Split(strings.TrimSuffix(path, "/"), "/")
		if b.Role != resource.Read || b.KeyIn != resource.InPath || len(parts) < len(segments) ||
			!strings.HasSuffix(b.Operation.Path, "{"+b.Variable+"}") {
			return false
		}
		for i, part := range parts[len(parts)-len(segments)+1:] {
			if segment := segments[i+1]; segment != part && !strings.HasPrefix(segment, "{") {
				return false
			}
		}
		return true
	})
}

// keyAt returns the key in an item, "" if a text or a number is not there.
func keyAt(item any, property []string) string {
	value, _ := jsonvalue.Property(item, property)
	switch value.(type) {
	case string, json.Number:
		return Text(value)
	}
	return ""
}

// lastSegment returns the key at the end of a path.
func lastSegment(path string) string {
	path = strings.TrimSuffix(path, "/")
	key, _ := url.PathUnescape(path[strings.LastIndexByte(path, '/')+1:])
	return key
}

// Sent returns the value of a request's JSON body as it was sent, else as the case
// has it; nil if none or it is unknown.
func Sent(x *checks.Exchange) any {
	if len(x.Request.Body) == 0 {
		return nil
	}
	if value := decoded(x.Request.Header, x.Request.Body); value != nil {
		return value
	}
	if x.Case.Random {
		return nil // forms do not distinguish all values
	}
	object, ok := x.Case.Value.(map[string]any)
	if !ok {
		return x.Case.Value
	}
	object = maps.Clone(object)
	maps.DeleteFunc(object, func(_ string, value any) bool { return value == nil }) // forms have no null
	return object
}

// Body returns the JSON body of a response, nil if it has none.
func Body(x *checks.Exchange) any {
	body := x.Response.Body
	if encoding, ok := x.Response.Header.Get("Content-Encoding"); ok {
		body, _ = decode.Decompress(encoding, body, maxBody, new(bodies.Share))
	}
	return decoded(x.Response.Header, body)
}

// maxBody is the largest body that is decompressed, in bytes.
const maxBody = 16 << 20

func decoded(h exchange.Header, body []byte) any {
	media, _ := h.Get("Content-Type")
	if !strings.Contains(strings.ToLower(media), "json") || len(body) == 0 {
		return nil
	}
	value, _ := jsontext.DecodeLoosely(string(body))
	return value
}

// Text returns a key as the value of a path's variable.
func Text(value any) string {
	if text, ok := jsonvalue.Text(value); ok || value == nil {
		return text
	}
	return string(jsontext.Append(nil, value))
}
