package respond

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
)

// Answer is a response on its way. Its body is in Response.Body, or a value that Write validates and encodes.
type Answer struct {
	exchange.Response
	Findings []exchange.Finding // why it is not the documented answer
	Ignored  prefer.Set         // preferences that it does not obey
	Counted  bool               // it has as many items as the request prefers
	Parts    []*coverage.Part   // of the body, if items of it were written before
	Kept     *Kept              // whose body it is; nil if none
	Example  bool               // the body is an example of the document
	Refused  bool               // the request was refused

	media   *spec.MediaType // of value
	as      string          // the media type to name if a range is documented; "" for its plainest member
	value   any
	pending bool   // value must still be written
	checked bool   // value conforms
	author  string // of a value that must conform; "" for the mock itself
	text    []byte // the JSON of value; nil if it is not written yet

	generatedTag string // the ETag field that says nothing of the body; "" if none

	room [4]exchange.Field // for the fields of most answers
}

// Begin begins an answer with a status and its documented headers.
func (r *Responder) Begin(q *Request, a *Answer, status int, documented *spec.Response) {
	a.begin(status)
	switch {
	case documented == nil && status >= 400 && q.Operation != nil:
		r.undocumented(q, a, status, nil) // as if the request preferred it
		return
	case documented == nil:
		a.Header.Set(UndocumentedField, strconv.Itoa(status))
		return
	case len(documented.Content) == 0 || exchange.IsBodiless(status):
		a.Ignored |= prefer.Of(prefer.Example)
	}
	r.setHeaders(q, a, documented)
}

func (a *Answer) begin(status int) {
	a.Response = exchange.Response{Status: status, Header: a.room[:0]}
	a.pending, a.Parts, a.Kept, a.Example = false, nil, nil, false
}

// SetFields sets more fields of the answer.
func (a *Answer) SetFields(h exchange.Header) {
	for _, f := range h {
		a.Header.Set(f.Name, f.Value)
	}
}

// SetBody sets a value as the body. as is what Negotiate says.
func (a *Answer) SetBody(media *spec.MediaType, as string, value any) {
	a.media, a.as, a.value, a.pending, a.checked, a.author = media, as, value, true, false, ""
	a.text, a.Kept = nil, nil
}

// SetConforming is SetBody for a value that is known to conform.
func (a *Answer) SetConforming(media *spec.MediaType, as string, value any) {
	a.SetBody(media, as, value)
	a.checked = true
}

// SetText returns the JSON of the value that was set last, so that it needs not be written.
func (a *Answer) SetText(text []byte) { a.text = text }

// SetBytes sets a body that is written already.
func (a *Answer) SetBytes(contentType string, body []byte) {
	a.pending, a.Body, a.Kept = false, body, nil
	a.Header.Set("Content-Type", contentType)
}

// Write validates a body that was made for this request and encodes it. A body that does not conform leaves the mock
// only if the mock made it, which it does if the document contradicts itself: the answer says so. That of a
// scenario, and any with Options.Strict, is refused.
func (r *Responder) Write(q *Request, a *Answer) {
	if !a.pending {
		return
	}
	a.pending = false
	if !a.checked && !a.media.Conforms(a.value) {
		findings := a.media.Check(a.value)
		for i := range findings {
			findings[i].Message = cmp.Or(a.author, "the answer") + " breaks the document: " + findings[i].Message
		}
		if len(findings) > 0 && (r.strict || a.author != "") {
			r.Refuse(q, a, &Refusal{Status: 500, Findings: findings})
			return
		}
		a.mark(q.hide(findings))
	}
	if a.Body != nil {
		return // written already, and only to be validated
	}
	if contentType := contentTypeOf(a.media, a.as); a.text != nil && jsontext.IsMediaType(contentType) {
		a.SetBytes(contentType, a.text)
		return
	}
	body, contentType, err := r.bodies[a.media].encoder().Encode(contentTypeOf(a.media, a.as), a.value)
	if err != nil {
		var ok bool
		if body, contentType, ok = r.encodeOtherwise(q, a); !ok {
			r.Unsatisfiable(q, a, err)
			return
		}
	}
	a.Body = body
	a.Header.Set("Content-Type", contentType)
}

// SetRecorded sets a response that another server made, as it is. The findings say where it leaves the document.
func (a *Answer) SetRecorded(r *exchange.Response, documented bool, findings []exchange.Finding) {
	a.Response = exchange.Response{Status: r.Status, Header: slices.Clone(r.Header), Body: r.Body}
	a.pending, a.Parts, a.Kept, a.Example = false, nil, nil, false
	a.mark(findings)
	if !documented {
		a.Header.Set(UndocumentedField, strconv.Itoa(r.Status))
	}
}

// mark says of an answer that it does not conform, and at which place first.
func (a *Answer) mark(findings []exchange.Finding) {
	a.Findings = append(a.Findings, findings...)
	if len(findings) > 0 {
		a.Header.Set(NonconformingField, "#"+(&url.URL{Fragment: findings[0].Pointer}).EscapedFragment())
	}
}

// Patch applies a merge patch (RFC 7396) to a body that is made for a documented response. The author answers for the
// result, which need not conform if it may violate the document. It reports whether there is a body to patch.
func (r *Responder) Patch(
	q *Request, a *Answer, documented *spec.Response, patch any, author string, violates bool,
) bool {
	media, as, value := a.media, a.as, a.value
	if !a.pending {
		if media, as = q.Negotiate(documented.Content); media == nil || !media.IsJSON() {
			return false
		}
		var err error
		if value, err = jsontext.Decode(string(a.Body)); err != nil && len(a.Body) > 0 {
			return false
		}
		a.Body = nil
	}
	a.SetBody(media, as, jsonvalue.Merge(value, patch))
	a.checked, a.author = violates, author
	return true
}

// Change changes the value of a body that is made for a documented response, if the result conforms. It returns the
// body's media type and value; nil if there is no body.
func (r *Responder) Change(
	q *Request, a *Answer, documented *spec.Response, change func(media *spec.MediaType, value any) any,
) (*spec.MediaType, any) {
	media, as, value := a.media, a.as, a.value
	if !a.pending {
		if len(documented.Content) == 0 || exchange.IsBodiless(a.Status) {
			return nil, nil
		}
		if media, as = q.Negotiate(documented.Content); media == nil {
			return nil, nil
		}
		if media.IsJSON() {
			value, _ = jsontext.Decode(string(a.Body))
		} else {
			b := r.bodies[media]
			value, _ = b.Generate(q, b.Key(q, a.Status))
		}
	}
	if changed := change(media, value); media.Conforms(changed) || !media.Conforms(value) {
		value = changed
		a.Body = nil
		a.SetBody(media, as, value)
	}
	return media, value
}

// Validate has Write validate a body that its author has written already.
func (a *Answer) Validate(media *spec.MediaType, value any, author string) {
	a.media, a.value, a.pending, a.checked, a.author = media, value, true, false, author
}

// encodeOtherwise encodes a body that its media type cannot hold, as XML cannot
// hold the character NUL (XML 1.0 section 2.2): in another documented media type
// that the request accepts, or else with U+FFFD for such characters.
func (r *Responder) encodeOtherwise(q *Request, a *Answer) (body []byte, contentType string, ok bool) {
	var content []*spec.MediaType
	if q.Operation != nil {
		if documented := q.Operation.Response(a.Status); documented != nil {
			content = documented.Content
		}
	}
	accept, sent := q.Header.Get("Accept")
	sent = sent && strings.TrimSpace(accept) != ""
	accepted := parseAccept(strings.Join(q.Header.Values("Accept"), ","))
	for _, media := range content {
		if media == a.media || media.IsRange() || !media.Conforms(a.value) {
			continue
		}
		if quality, _, _ := match(accepted, media); quality == 0 && sent {
			continue
		}
		if body, contentType, err := r.bodies[media].encoder().Encode(media.Concrete(), a.value); err == nil {
			return body, contentType, true
		}
	}
	value := jsonvalue.WithTexts(a.value, func(text string) string { return strings.Map(replaceForXML, text) })
	if !a.media.Conforms(value) {
		return nil, "", false
	}
	body, contentType, err := r.bodies[a.media].encoder().Encode(contentTypeOf(a.media, a.as), value)
	return body, contentType, err == nil
}

func replaceForXML(r rune) rune {
	if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
		return '\uFFFD'
	}
	return r
}
