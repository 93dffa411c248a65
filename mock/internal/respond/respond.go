// Package respond makes answers from the document alone: it chooses the status
// and the media type, serves examples, generates bodies and headers, and puts the
// reasons of refusals into the API's own error bodies. It keeps no state.
package respond

import (
	"cmp"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/prefer"
	"github.com/coldframe/coldframe/mock/internal/recent"
)

// UndocumentedField says, in an answer that the document does not describe, which status that is.
const UndocumentedField = "Coldframe-Undocumented"

// FindingField says why a request is refused if the body of the answer has no place for it.
const FindingField = "Coldframe-Finding"

// NonconformingField names, in an answer without a conforming body, the first place that violates the document: a JSON
// Pointer into the body as a URI fragment (RFC 6901 section 6), "#" for the whole.
const NonconformingField = "Coldframe-Nonconforming"

// Options say how bodies are made.
type Options struct {
	Strict   bool            // bodies that do not conform are refused with a 500
	Examples string          // which are served: "valid", "as-is" or "off"
	Cache    *generate.Cache // of the document
	Fill     string          // which optional properties are generated: "all" or "required"

	ImageURLs bool          // as generate.Options
	URL       func() string // where the server answers
	Share     int           // bytes for bodies that were written before
}

// Responder makes the answers of one document. It is safe for concurrent use.
type Responder struct {
	examples   string
	strict     bool
	operations map[*spec.Operation]*Operation
	bodies     map[*spec.MediaType]*Body
	headers    map[*spec.Parameter]*header
	methods    map[string][]string // of the operations by path
	prevailing *spec.MediaType     // of error bodies; nil if the document has none
	kept       *recent.Cache[KeptKey, *Kept]
	url        func() string
}

// Operation is an operation with its answer when all is well.
type Operation struct {
	*spec.Operation
	Success    int            // the status
	Documented *spec.Response // of that status; nil if none is
	// Item says what requests and responses say of items of a resource; nil if that is not known.
	Item *resource.Binding
	// About is what the operation does to the items of a resource, kept or not; nil if that is not known.
	About *resource.Binding
	// Codes are the codes of error bodies by a correction of the inference: by status or by the code of a finding.
	Codes   map[string]string
	Kept    bool // a resource keeps the items that it concerns
	creates bool // it is named as a creation, or answers as one
	// words are the words of the literal segments of the document's paths, in the singular.
	words func() map[string]bool
}

// Request is what an answer depends on.
type Request struct {
	*exchange.Request
	Operation *Operation // nil if the request matches none
	// Variables are the values of the path's variables as they were sent, in the path's order.
	Variables   []string
	Values      decode.Values
	Preferences *prefer.Preferences // never nil
	Seed        uint64              // of generated values
	Dynamic     bool                // values are fresh ones, and no examples
	Now         time.Time           // of errors; zero leaves the times in them as they are generated
	Secrets     *auth.Secrets
	Unpacked    bool // Body is without its Content-Encoding
	// Replaces is the name of the kept file that an upload without a name replaces; "" if none.
	Replaces string
}

// New compiles what the answers of a document need. Generators are made when they are first used.
func New(c *spec.Contract, o Options) *Responder {
	r := &Responder{
		examples:   o.Examples,
		strict:     o.Strict,
		operations: make(map[*spec.Operation]*Operation, len(c.Operations)),
		bodies:     map[*spec.MediaType]*Body{},
		headers:    map[*spec.Parameter]*header{},
		methods:    map[string][]string{},
		prevailing: prevailing(c),
		kept:       recent.New[KeptKey, *Kept](o.Share),
		url:        o.URL,
	}
	pathWords := sync.OnceValue(func() map[string]bool { return wordsOfPaths(c) })
	for _, op := range c.Operations {
		compiled := &Operation{Operation: op, words: pathWords}
		compiled.Success, compiled.Documented = success(op)
		compiled.creates = compiled.Success == 201 || resource.NamesCreation(op)
		r.operations[op] = compiled
		r.methods[op.Path] = append(r.methods[op.Path], op.Method)
		for _, response := range op.Responses {
			options := generate.Options{Fill: o.Fill, Examples: o.Examples != "off", Cache: o.Cache}
			if first, _ := response.Code(); first >= 400 || response != compiled.Documented {
				options.Fill, options.Errors = "all", true // errors need room for their reason
			}
			for _, h := range response.Headers {
				r.headers[h] = newHeader(h, options)
			}
			options.ImageURLs = o.ImageURLs
			for _, media := range response.Content {
				r.bodies[media] = newBody(op, media, response.Content[0], options, o.Examples)
			}
		}
	}
	return r
}

// wordsOfPaths returns the words of the literal segments of a document's paths, in the singular.
func wordsOfPaths(c *spec.Contract) map[string]bool {
	all := map[string]bool{}
	for _, op := range c.Operations {
		for segment := range strings.SplitSeq(op.Path, "/") {
			if strings.Contains(segment, "{") {
				continue
			}
			for _, word := range naming.Words(segment) {
				all[naming.Singular(word)] = true
			}
		}
	}
	return all
}

// Operation returns an operation of the document.
func (r *Responder) Operation(o *spec.Operation) *Operation { return r.operations[o] }

// Prevailing returns the media type of most operations' error bodies; nil if the document has none.
func (r *Responder) Prevailing() *spec.MediaType { return r.prevailing }

// Body returns what makes the bodies of a media type of a documented response.
func (r *Responder) Body(media *spec.MediaType) *Body { return r.bodies[media] }

// Status chooses the status of an answer when all is well, with what the document says of it: the preferred
// one, or else the operation's own. A preferred one that is not documented is refused unless it is an error's, which
// Undocumented answers.
func Status(q *Request) (status int, documented *spec.Response, refused *Refusal) {
	code := q.Preferences.Code
	if code == 0 {
		return q.Operation.Success, q.Operation.Documented, nil
	}
	if documented = q.Operation.Response(code); documented == nil && code < 400 {
		return 0, nil, RefusePreference(q.undocumentedCode())
	}
	return code, documented, nil
}

func (q *Request) undocumentedCode() exchange.Finding {
	names := make([]string, len(q.Operation.Responses))
	for i, r := range q.Operation.Responses {
		names[i] = r.Status
	}
	return q.Preferences.Finding(prefer.Code, "undocumented-status", fmt.Sprintf(
		"status %d is not documented for this operation; documented: %s", q.Preferences.Code, strings.Join(names, ", ")))
}

// Undocumented answers a preferred error that the operation does not document: in the error body that most operations
// have, else with problem details.
func (r *Responder) Undocumented(q *Request, a *Answer) {
	f := q.undocumentedCode()
	f.Severity = exchange.Warning
	r.undocumented(q, a, q.Preferences.Code, []exchange.Finding{f})
	a.Ignored = prefer.Of(prefer.Example)
	a.Findings = append(a.Findings, f)
}

// undocumented makes an error that the operation does not document. Problem details list the findings.
func (r *Responder) undocumented(q *Request, a *Answer, status int, findings []exchange.Finding) {
	why := explanation{reason: StatusText(status)}
	if media := r.prevailing; media != nil {
		a.begin(status)
		b := r.bodies[media]
		value, _ := b.explain(q, b.Key(q, status), status, why)
		a.SetBody(media, "", value)
		a.Header.Set(UndocumentedField, strconv.Itoa(status))
		return
	}
	why.findings = findings
	a.problemDetails(status, why)
}

// Adjust fits a body that was made from the document to the request, and reports
// whether that changes it. It may set fields of the answer.
type Adjust func(media *spec.MediaType, body any) (any, bool)

// Respond completes an answer that Begin has begun: with an example, or with a
// generated body. adjust may be nil; byPath says that what it does depends on the request's path alone.
func (r *Responder) Respond(q *Request, a *Answer, documented *spec.Response, adjust Adjust, byPath bool) {
	if documented == nil || len(documented.Content) == 0 || exchange.IsBodiless(a.Status) {
		return
	}
	media, as := q.Negotiate(documented.Content)
	switch {
	case media != nil:
	case a.Status >= 400:
		media = documented.Content[0] // an error in another form helps more than none
	default:
		r.Refuse(q, a, notAcceptable(q, documented))
		return
	}
	b, name := r.bodies[media], q.Preferences.Example
	example, key := b.Example(name), KeptKey{}
	isRepeatable := byPath && a.Status < 300 && q.IsRepeatable()
	if isRepeatable {
		key = KeptKey{b, a.Status, as, q.OriginAt(r.url()), q.pathText()}
		if kept := r.Kept(key); kept != nil {
			a.SetKept(kept)
			return
		}
	}
	switch {
	case a.Status < 300 && b.respondChanged(q, a, as):
	case example != nil && !q.Dynamic && b.respondExample(q, a, as, example, adjust):
	case name != "":
		r.Refuse(q, a, b.unknownExample(q, a.Status, name))
	case a.Status >= 400:
		reason := cmp.Or(documented.Description, StatusText(a.Status))
		r.explain(q, a, a.Status, documented, explanation{reason: reason})
	default:
		r.respondGenerated(q, a, b, as, adjust)
	}
	if isRepeatable {
		r.Keep(q, a, key, nil, 0)
	}
}

func (b *Body) respondExample(q *Request, a *Answer, as string, example *spec.Example, adjust Adjust) bool {
	value, changed := example.Value, false
	a.Example = true
	if q.Preferences.Has(prefer.Count) && a.Status < 300 {
		value, a.Counted = b.resized(q, b.Key(q, a.Status), value, func(int) any { return example.Value })
		changed = a.Counted
	}
	if adjust != nil && q.Preferences.Example == "" {
		adjusted, other := adjust(b.media, value)
		if value, changed = adjusted, changed || other; other {
			a.Counted = a.Counted && b.isCounted(q, value)
		}
	}
	if changed {
		a.SetBody(b.media, as, value)
		return true
	}
	body, ok := b.exampleBytes(example)
	if ok {
		a.SetBytes(contentTypeOf(b.media, as), body)
	}
	return ok
}

// respondGenerated answers with a generated body.
func (r *Responder) respondGenerated(q *Request, a *Answer, b *Body, as string, adjust Adjust) {
	if r.respondFile(q, a, b, as) {
		return
	}
	value, counted := b.Generate(q, b.Key(q, a.Status))
	if adjust != nil {
		value, _ = adjust(b.media, value)
		counted = counted && b.isCounted(q, value)
	}
	a.Counted = counted
	a.SetBody(b.media, as, value)
}

func notAcceptable(q *Request, documented *spec.Response) *Refusal {
	accept, _ := q.Header.Get("Accept")
	names := make([]string, len(documented.Content))
	for i, media := range documented.Content {
		names[i] = media.Range
	}
	return &Refusal{Problem: NotAcceptable, Findings: []exchange.Finding{{
		Code:     "not-acceptable",
		Message:  fmt.Sprintf("none of %s is acceptable by %q", strings.Join(names, ", "), exchange.Shorten(accept, 200)),
		In:       exchange.InHeader,
		Name:     "Accept",
		Document: documented.Place,
	}}}
}

// Key is the key of the body's generated values.
func (b *Body) Key(q *Request, status int) generate.Key {
	return q.key(strconv.Itoa(status), b.keyed)
}

func (q *Request) key(parts ...string) generate.Key {
	key := generate.NewKey(q.Seed, q.Operation.ID)
	for _, part := range parts {
		key = key.Child(part)
	}
	for _, value := range q.Variables {
		key = key.Child(value)
	}
	return key
}

func (q *Request) change() (map[string]any, bool) {
	if q.Method != "PUT" && q.Method != "PATCH" || !q.Values.HasBody {
		return nil, false
	}
	sent, ok := q.Values.Body().(map[string]any)
	return sent, ok
}

// StatusText returns the reason phrase of a status.
func StatusText(status int) string {
	return cmp.Or(http.StatusText(status), "Status "+strconv.Itoa(status))
}

// success returns the status of a successful answer: resource.Success, else the lowest documented one.
func success(o *spec.Operation) (int, *spec.Response) {
	status, response := resource.Success(o)
	if response != nil {
		return status, response
	}
	for _, r := range o.Responses {
		if first, _ := r.Code(); first >= 200 {
			return first, r
		}
	}
	return 200, nil
}

// prevailing returns the error body that more than half of the operations have, or more than half of those with error
// bodies if these are several; nil if none.
func prevailing(c *spec.Contract) *spec.MediaType {
	type use struct {
		media *spec.MediaType
		last  *spec.Operation // that was counted
		count int
	}
	uses := map[string]*use{} // by the place of the schema
	documenting := 0
	for _, o := range c.Operations {
		documents := false
		for _, r := range o.Responses {
			if first, count := r.Code(); count > 0 && first < 400 {
				continue
			}
			for _, media := range r.Content {
				if media.Schema == nil || !media.IsJSON() {
					continue
				}
				name := media.Schema.Keywords.Location
				if ref := media.Schema.Keywords.Ref; ref != nil {
					name = ref.Location
				}
				u := uses[name]
				if u == nil {
					u = &use{media: media}
					uses[name] = u
				}
				if documents = true; u.last != o {
					u.last = o
					u.count++
				}
			}
		}
		if documents {
			documenting++
		}
	}
	var best *use
	for _, u := range uses {
		if best == nil || u.count > best.count || u.count == best.count && u.media.Place.Pointer < best.media.Place.Pointer {
			best = u
		}
	}
	if best == nil || 2*best.count <= documenting || best.count == 1 && len(c.Operations) > 1 {
		return nil
	}
	return best.media
}
