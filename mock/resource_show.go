package mock

import (
	"maps"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// show answers with an item: the part of it that the response lists, at the
// place where the response has it. What the item does not have is generated
// where the response insists.
func (x *visit) show(status int, documented *spec.Response, collection string, item stored) outcome {
	x.stateHeaders(documented, item)
	if len(documented.Content) == 0 || bodiless(status) {
		return changed
	}
	media := x.negotiate(documented.Content)
	if media == nil {
		return changed
	}
	b, k := x.operation.binding, x.operation.keeps
	value := withoutHidden(item.value)
	shape := k.others[media]
	if media == b.Media {
		shape = b.Response
	}
	if media.Schema != nil && shape == nil {
		value = x.in.responder.Body(media).WithoutWriteOnly(value)
	}
	key := x.itemKey(k, collection, item.key)
	if media.Schema == nil {
		x.body(media, value)
		return answered
	}
	if shape != nil {
		shown := k.project(value, shape.Value)
		if body := x.around(b, shape, shown); media.Conforms(body) {
			x.body(media, body)
			return answered
		}
		if filled, ok := k.fill(key, value, shape.Value); ok {
			if body := x.around(b, shape, filled); media.Conforms(body) {
				x.body(media, body)
				return answered
			}
		}
	}
	have, unsent := k.listedOf(value, media.Schema.Members())
	if len(have) == 0 && b.Response == nil {
		return changed
	}
	body, err := x.in.responder.Body(media).Fill(key, have, unsent...)
	if err != nil {
		x.unsatisfiable(err)
		return answered
	}
	x.body(media, body)
	return answered
}

// around puts an item into the answer that stands around it.
func (x *visit) around(b *resource.Binding, shape *resource.Shape, item any) any {
	if len(shape.Path) == 0 {
		return shape.Wrap(item)
	}
	return shape.Put(x.operation.keeps.bases[b](), item)
}

// showAll answers with several items.
func (x *visit) showAll(documented *spec.Response, items []stored) outcome {
	b, k := x.operation.binding, x.operation.keeps
	media := x.negotiate(documented.Content)
	if media != b.Media || media == nil || b.Response == nil {
		return changed
	}
	collection := x.collection()
	shown := make([]any, len(items))
	for i, item := range items {
		value := withoutHidden(item.value)
		one := k.project(value, b.Response.Value)
		shown[i] = one
		if s := k.shown[b.Response.Value]; s != nil && !spec.Conforms(s.schema.Keywords, one) {
			if filled, ok := k.fill(x.itemKey(k, collection, item.key), value, b.Response.Value); ok {
				shown[i] = filled
			}
		}
	}
	var body any = shown
	if len(b.Response.Path) > 0 {
		body = resource.Set(k.bases[b](), b.Response.Path, shown)
	}
	if !media.Conforms(body) {
		return changed
	}
	x.body(media, body)
	return answered
}

// project gives the properties of an item that a part of an answer lists.
func (k *keeping) project(item map[string]any, as *spec.Keywords) map[string]any {
	s := k.shown[as]
	if s == nil || len(s.listed) == 0 {
		return item
	}
	item = s.veil().overItem(item)
	have, _ := k.listedOf(item, s.listed)
	return k.withOthers(s, fitting(have, s.listed, s.schema), item)
}

// listedOf gives the properties of an item that are listed, and the names of
// those that the item could have and has not.
func (k *keeping) listedOf(item map[string]any, listed map[string]*spec.Keywords) (have map[string]any, unsent []string) {
	have = make(map[string]any, len(listed))
	for name := range listed {
		if value, ok := item[name]; ok {
			have[name] = value
		} else if k.listed[name] != nil {
			unsent = append(unsent, name)
		}
	}
	return have, unsent
}

// fitting leaves out what does not conform to what is listed. Where a schema has
// alternatives, another than the listed one may have it so: have stays whole
// where it conforms as a whole.
func fitting(have map[string]any, listed map[string]*spec.Keywords, in *spec.Schema) map[string]any {
	whole := have
	for name, value := range whole {
		if spec.Conforms(listed[name], value) {
			continue
		}
		if len(have) == len(whole) {
			if spec.Conforms(in.Keywords, whole) {
				return whole
			}
			have = maps.Clone(whole)
		}
		delete(have, name)
	}
	return have
}

// fill gives an item as a part of an answer insists on it.
func (k *keeping) fill(key generate.Key, item map[string]any, as *spec.Keywords) (any, bool) {
	s := k.shown[as]
	if s == nil {
		return nil, false
	}
	item = s.veil().overItem(item)
	have, unsent := k.listedOf(item, s.listed)
	value, err := s.maker().Fill(key, k.withOthers(s, have, item), unsent...)
	return value, err == nil
}

// stateHeaders sets the fields that say something of the item.
func (x *visit) stateHeaders(documented *spec.Response, item stored) {
	b := x.operation.binding
	for _, h := range documented.Headers {
		text := ""
		switch {
		case strings.EqualFold(h.Name, "ETag"):
			if item.version > 0 {
				text = etag(item.version)
			}
		case strings.EqualFold(h.Name, "Location") && (b.Role == resource.Create || b.Role == resource.Upsert):
			text = x.location(item.key)
			if text != "" && !conformsTo(h, text) {
				text = x.origin() + text // the document wants a URI
			}
		case strings.EqualFold(h.Name, "Last-Modified"):
			if at, ok := x.operation.keeps.lastModified(item); ok {
				text = at.UTC().Format(httpTime)
			}
		}
		if text != "" && conformsTo(h, text) {
			x.response.Header.Set(h.Name, text)
		}
	}
}

// httpTime is the form of times in fields (RFC 9110 section 5.6.7).
const httpTime = "Mon, 02 Jan 2006 15:04:05 GMT"

// origin gives the scheme and the host by which the client reaches the mock.
func (x *visit) origin() string {
	scheme, rest, _ := strings.Cut(x.URL(), "://")
	if host, ok := x.request.Header.Get("Host"); ok && host != "" {
		rest = host
	}
	return scheme + "://" + rest
}

func etag(version uint64) string { return `"` + strconv.FormatUint(version, 36) + `"` }

// tags reads a list of entity tags (RFC 9110 section 8.8.3) and reports whether
// one of them is the item's. Weak ones count where weak is allowed.
func tags(field string, item stored, weak bool) bool {
	for tag := range splitQuoted(field, ',') {
		tag = strings.TrimSpace(tag)
		if tag == "*" && item.value != nil {
			return true
		}
		if weak {
			tag = strings.TrimPrefix(tag, "W/")
		}
		if tag == etag(item.version) || `"`+tag+`"` == etag(item.version) { // some clients leave the quotes out
			return true
		}
	}
	return false
}

// unmodified answers a conditional read whose client has the item already.
func (x *visit) unmodified(item stored) bool {
	b := x.operation.binding
	field, ok := x.request.Header.Get(b.Headers.IfNoneMatch)
	if b.Headers.IfNoneMatch == "" || !ok || !tags(field, item, true) {
		return false
	}
	x.in.responder.Begin(x.ask, x.response, 304, x.operation.Response(304))
	x.response.Header.Set("ETag", etag(item.version))
	return true
}

// current refuses a change whose client knows another version of the item. An
// item that nobody has made has no version.
func (x *visit) current(item stored, gone bool) bool {
	h := x.operation.binding.Headers
	if _, ok := x.request.Header.Get(h.IfMatch); h.IfMatch != "" && ok && item.value == nil && (gone || x.closed()) { // RFC 9110 section 13.1.1
		x.stale(item)
		return false
	}
	if field, ok := x.request.Header.Get(h.IfMatch); h.IfMatch != "" && ok && item.version > 0 && !tags(field, item, false) {
		x.stale(item)
		return false
	}
	if field, ok := x.request.Header.Get(h.IfNoneMatch); h.IfNoneMatch != "" && ok && x.request.Method != "GET" && item.version > 0 && tags(field, item, true) {
		x.stale(item)
		return false
	}
	return true
}

func (x *visit) stale(item stored) {
	message := "the item has the version " + etag(item.version)
	if item.version == 0 {
		message = "there is no such item"
	}
	x.refuse(stalePrecondition, []exchange.Finding{{
		Code: "stale-precondition", In: exchange.InHeader, Name: x.precondition(),
		Message: message,
	}})
}

func (x *visit) precondition() string {
	h := x.operation.binding.Headers
	if _, ok := x.request.Header.Get(h.IfMatch); ok && h.IfMatch != "" {
		return h.IfMatch
	}
	return h.IfNoneMatch
}
