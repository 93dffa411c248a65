package resources

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
)

// show answers with an item: the part of it that the response lists, at the place
// where the response has it. What the response requires and the item does not have is
// generated.
func show(q *Request, a *respond.Answer, collection string, item Item) (bool, error) {
	setItemHeaders(q, a, item)
	if len(q.Documented.Content) == 0 || exchange.IsBodiless(a.Status) {
		return false, nil
	}
	media, as := respond.Negotiate(q.Header, q.Documented.Content)
	if media == nil {
		return false, nil
	}
	k, value := q.op.runtime, WithoutHidden(item.Value)
	if media.Schema == nil {
		a.SetBody(media, as, value)
		return true, nil
	}
	key := k.ValueKey(q.set.options.Seed, collection, item.Key)
	in := q.op.responses[media]
	if in != nil {
		if body := q.op.wrap(in, in.view.project(value)); media.Conforms(body) {
			a.SetBody(media, as, body)
			return true, nil
		}
		if filled, ok := in.view.fill(key, value); ok {
			if body := q.op.wrap(in, filled); media.Conforms(body) {
				a.SetBody(media, as, body)
				return true, nil
			}
		}
	}
	body := q.set.responder.Body(media)
	if in == nil {
		value = body.WithoutWriteOnly(value)
	}
	have, unsent := k.listed(value, media.Schema.Members())
	if len(have) == 0 && q.op.Response == nil {
		return false, nil
	}
	filled, err := body.Fill(key, have, unsent...)
	if err != nil {
		q.set.responder.Unsatisfiable(q.Request, a, err)
		return true, nil
	}
	a.SetBody(media, as, filled)
	return true, nil
}

func (op *Operation) wrap(in *itemInBody, item any) any {
	if len(in.Path) == 0 {
		return in.Wrap(item)
	}
	return in.Put(op.around(), item)
}

func showAll(q *Request, a *respond.Answer, items []Item) (bool, error) {
	media, as := respond.Negotiate(q.Header, q.Documented.Content)
	in := q.op.responses[media]
	if media != q.op.Media || in == nil {
		return false, nil
	}
	collection := q.collection()
	shown := make([]any, len(items))
	for i, item := range items {
		shown[i] = showElement(q, in.view, collection, item)
	}
	body := any(shown)
	if len(in.Path) > 0 {
		body = resource.Set(q.op.around(), in.Path, shown)
	}
	if !media.Conforms(body) {
		return false, nil
	}
	a.SetBody(media, as, body)
	return true, nil
}

func showElement(q *Request, view *itemView, collection string, item Item) any {
	value := WithoutHidden(item.Value)
	shown := view.project(value)
	if view.conforms(shown) {
		return shown
	}
	if filled, ok := view.fill(q.op.runtime.ValueKey(q.set.options.Seed, collection, item.Key), value); ok {
		return filled
	}
	return shown
}

// setItemHeaders sets the fields that say something of the item.
func setItemHeaders(q *Request, a *respond.Answer, item Item) {
	for _, h := range q.Documented.Headers {
		text := ""
		switch strings.ToLower(h.Name) {
		case "etag":
			if item.Version > 0 {
				text = etag(item.Version)
			}
		case "location":
			if q.op.Role != resource.Create && q.op.Role != resource.Upsert {
				continue
			}
			text = location(q, item.Key)
			if text != "" && !allowsText(h, text) {
				text = q.origin() + text // the document demands a URI
			}
		case "last-modified":
			if at, ok := q.op.runtime.lastModified(item); ok {
				text = at.UTC().Format(httpTime)
			}
		}
		if text != "" && allowsText(h, text) {
			a.Header.Set(h.Name, text)
		}
	}
}

// httpTime is the form of times in fields (RFC 9110 section 5.6.7).
const httpTime = "Mon, 02 Jan 2006 15:04:05 GMT"

func hasLocation(r *spec.Response) bool {
	if r != nil {
		for _, h := range r.Headers {
			if strings.EqualFold(h.Name, "Location") {
				return true
			}
		}
	}
	return false
}

func allowsText(h *spec.Parameter, text string) bool {
	if h.Schema == nil {
		return true
	}
	_, ok := respond.Typed(text, h.Schema.Keywords)
	return ok
}
