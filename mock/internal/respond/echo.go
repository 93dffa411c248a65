package respond

import (
	"time"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
)

// Echo completes the answer to a POST that creates something which no resource keeps, or to an upload: what was sent in
// the shape of the response, created now. It reports false if the operation does not look like a creation: nothing of
// what was sent has a place in the answer, and its name says nothing of one.
func (r *Responder) Echo(q *Request, a *Answer, documented *spec.Response, now time.Time) bool {
	creates := q.Operation.creates
	if q.Method != "POST" && q.Upload() == nil || a.Status >= 300 || !q.Values.HasBody && !creates ||
		q.Preferences.Has(prefer.Example) {
		return false
	}
	if r.echoFlat(q, a, documented) {
		return true
	}
	var sent map[string]any
	if q.Values.HasBody {
		sent, _ = q.Values.Body().(map[string]any)
	}
	if sent == nil && q.Upload() == nil && !creates {
		return false
	}
	if len(documented.Content) == 0 {
		return q.Values.HasBody
	}
	media, as := q.Negotiate(documented.Content)
	if media == nil || !media.IsJSON() && media.Type != "*" {
		return false
	}
	return r.bodies[media].echo(q, a, as, sent, now)
}

func (b *Body) echo(q *Request, a *Answer, as string, sent map[string]any, now time.Time) bool {
	p, creates := b.projection(q), q.Operation.creates
	sent = b.sentItem(q, p, sent)
	shown := q.WithUpload(p.Show(sent), p.Properties)
	if len(shown) == 0 && p.binding == nil && !creates {
		return false
	}
	SetDefaults(shown, p.defaults)
	if len(shown) == 0 && (!creates || len(p.Properties) == 0) {
		return false
	}
	if p.shape == nil && len(shown) > 0 && p.isComplete(shown) && b.media.Conforms(shown) {
		a.SetConforming(b.media, as, shown)
		return true
	}
	if p.shape == nil {
		shown = b.withPathValues(q, shown)
	}
	shown = p.withParents(q, shown)
	unsent := p.unsent(sent)
	value, ok := b.onExample(q, p, shown, unsent, now)
	if !ok {
		fresh, absent := p.beginnings(shown)
		value = b.fill(p, b.Key(q, a.Status), fresh, append(unsent, absent...), now)
	}
	a.SetBody(b.media, as, value)
	return true
}

// echoFlat is Echo for what can be copied.
func (r *Responder) echoFlat(q *Request, a *Answer, documented *spec.Response) bool {
	object := q.Values.Flat()
	if object == nil {
		return false
	}
	media, as := q.Negotiate(documented.Content)
	if media == nil || !media.IsJSON() {
		return false
	}
	b := r.bodies[media]
	body := b.projection(q).flat.show(object)
	if body == nil {
		return false
	}
	a.SetBytes(contentTypeOf(media, as), body)
	return true
}

// respondChanged answers a change of something which no resource keeps with the documented example and what
// was sent. It reports false if the answer is another.
func (b *Body) respondChanged(q *Request, a *Answer, as string) bool {
	change, ok := q.change()
	if !ok || q.Operation.Kept || q.Preferences.Has(prefer.Example) || len(b.media.Examples) == 0 {
		return false
	}
	p := b.projection(q)
	sent := b.sentItem(q, p, change)
	have := p.Show(sent)
	if len(have) == 0 || len(p.Properties) == 0 {
		return false
	}
	var unsent []string
	if q.Method == "PUT" {
		SetDefaults(have, p.defaults)
		unsent = p.unsent(sent)
	}
	value, ok := b.onExample(q, p, p.withParents(q, have), unsent, time.Time{})
	if ok {
		a.SetBody(b.media, as, value)
	}
	return ok
}
