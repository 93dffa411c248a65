package resources

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/query"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Request is a request with the session that it belongs to.
type Request struct {
	*respond.Request
	Documented *spec.Response // of the answer that was begun
	Session    *state.State
	Base       *state.View // what sessions begin with
	Replies    *Replies    // of the session
	User       string      // key of the item of the user who is logged in; "" if none
	Account    *Account    // nil if nobody asks for it

	set        *Set
	op         *Operation
	key        string         // of the item that the request concerns, if the request does not name it; else ""
	source     map[string]any // properties that a new item takes from another one; nil if none
	created    Item           // the first that the request created
	answer     *respond.Answer
	media      *spec.MediaType // of the answer's body; nil if it has none that the request accepts
	as         string          // as respond.Negotiate has it
	collection string          // of the operation; "" for the items of all parents
	allParents bool            // the path names fewer parents than the list's own path
	changedAt  time.Time       // of what the request changes; zero until it is asked for
	asks       *query.Query    // of a list without kept items; nil for all of it
}

// Result is what the resources make of a request.
type Result struct {
	Answered bool             // the answer has its body, or needs none
	Refusal  *respond.Refusal // nil if the request is not refused
	Adjust   respond.Adjust   // fits an answer from the document to the request; nil if there is nothing to fit
	ByPath   bool             // Adjust depends on the path alone
	Created  Item             // the first item that the request created; without a value if it created none
	Uploaded bool             // a file is kept, and the answer concerns it
	Stream   *Stream          // continues the answer; nil if the answer is whole
}

var (
	// errNotHandled says that the answer is made as if there were no resources.
	errNotHandled = errors.New("not handled")
	// errNoBody says that the items are dealt with, and that the body is the document's.
	errNoBody = errors.New("no body of items")
)

func refuse(p respond.Problem, f exchange.Finding) error {
	return &respond.Refusal{Problem: p, Findings: []exchange.Finding{f}}
}

// refuseAs refuses a request for a conflict, with the error code of the document that says so; "" if none does.
func refuseAs(code string, f exchange.Finding) error {
	refusal := &respond.Refusal{Problem: respond.Conflict, Findings: []exchange.Finding{f}}
	if code != "" {
		refusal.Codes = []string{code}
	}
	return refusal
}

// handlers run the operations of each role. They return nil if the answer has its body.
var handlers = [...]func(*Request) error{
	resource.Create:     create,
	resource.Read:       read,
	resource.Action:     act,
	resource.List:       list,
	resource.Replace:    change,
	resource.Update:     change,
	resource.Upsert:     change,
	resource.Delete:     remove,
	resource.DeleteMany: removeMany,
}

// Handle does to the items of a session what the request asks for. The answer has its status and its documented
// headers.
func (s *Set) Handle(q *Request, a *respond.Answer) Result {
	q.set, q.op, q.answer = s, s.operations[q.Operation.Operation], a
	if own := s.own[q.Operation.Operation]; own != nil && q.User != "" {
		q.op, q.key = own, q.User
	}
	stream, answered, full := s.stream(q)
	if stream != nil || full != nil {
		return Result{Stream: stream, Answered: answered, Refusal: full}
	}
	err := handle(q)
	q.account(err == nil || err == errNoBody)
	var refusal *respond.Refusal
	switch {
	case errors.As(err, &refusal):
		return Result{Refusal: refusal}
	case err == nil:
		return Result{Answered: true, Created: q.created}
	case q.op != nil && q.op.file == uploads && q.created.Value == nil:
		return Result{Adjust: q.adjust, Uploaded: true}
	case len(q.Variables) == 0 && q.asks == nil && q.op.inclusion() == nil:
		return Result{Created: q.created, ByPath: true}
	}
	isByPath := q.asks == nil && q.key == "" && q.op.inclusion() == nil
	return Result{Adjust: q.adjust, ByPath: isByPath, Created: q.created}
}

func handle(q *Request) error {
	if q.op == nil || q.Documented == nil || q.answer.Status >= 300 || q.Preferences.Example != "" {
		return errNotHandled
	}
	q.collection = q.op.Collection(q.pathText)
	err := operate(q)
	isRefused := err != nil && err != errNotHandled && err != errNoBody
	if isRefused || q.op.file == noFile || q.answer.Status >= 300 || q.Preferences.Code != 0 {
		return err
	}
	return handleFile(q, err)
}

func operate(q *Request) error {
	q.negotiate()
	if q.media == nil && len(q.Documented.Content) > 0 && !exchange.IsBodiless(q.answer.Status) {
		return errNotHandled
	}
	if m := q.set.MissingParent(q.op, q.get, q.pathText); m != nil {
		return noSuchItem(m.Runtime, m.Key, m.Deleted, exchange.InPath, m.Variable)
	}
	if err := q.checkParentState(); err != nil {
		return err
	}
	if q.media != nil && resource.IsExport(q.media) {
		return export(q)
	}
	if q.op.Bulk != nil && q.op.Role == resource.Action {
		return bulk(q)
	}
	if q.op.Statistics != nil {
		return statistics(q)
	}
	if handler := handlers[q.op.Role]; handler != nil {
		return handler(q)
	}
	return errNotHandled
}

func (q *Request) get(collection, key string) (item *state.Item, deleted bool) {
	return q.Session.Get(collection, key)
}

func (q *Request) view() *state.View { return q.Session.View() }

func (q *Request) negotiate() { q.media, q.as = q.Negotiate(q.Documented.Content) }

func read(q *Request) error {
	if named, _ := requestKey(q); named == "" {
		return errNotHandled
	}
	key, isKept := q.keptKey()
	if isKept && q.showKept(key) {
		return nil
	}
	find := findOrMissing
	if q.op.runtime.Singleton && q.isBelowCreated() {
		find = findOrGenerate
	}
	item, err := find(q)
	if err != nil {
		return err
	}
	if known, sent := q.Header.Get(q.op.Headers.IfNoneMatch); sent && matchesTag(known, item, true) {
		q.set.responder.Begin(q.Request, q.answer, 304, q.Operation.Response(304))
		q.answer.Header.Set("ETag", etag(item.Version))
		return nil
	}
	err = show(q, item)
	if err == nil && isKept {
		kept := key.Of.(keptItem).item
		q.set.responder.Keep(q.Request, q.answer, key, nil, int64(len(kept.JSON)))
	}
	return err
}

// act answers an action that shows the item it concerns, changed as the action says, and refuses one on an item that is
// not there.
func act(q *Request) error {
	if key, _ := requestKey(q); key == "" || q.op.KeyIn != resource.InPath && q.op.KeyPath == nil && !q.op.changesItem() {
		return errNotHandled
	}
	if q.op.makes != nil {
		return makeAnother(q)
	}
	find, otherwise := findOrMissing, errNotHandled
	if q.op.changesItem() {
		find, otherwise = actOn, errNoBody
	}
	item, err := find(q)
	if err == nil && !q.op.changesItem() {
		err = checkPreconditions(q, item, false)
	}
	switch {
	case err != nil:
		return err
	case !q.op.Reads || q.op.Response == nil, answersOthers(q.op.Binding) && !q.op.changesItem():
		return otherwise
	}
	return show(q, item)
}

// show answers with an item: the part of it that the response lists, at the place where the response has it. What the
// response requires and the item does not have is generated.
func show(q *Request, item Item) error {
	q.Account.shows(item)
	setItemHeaders(q, item)
	media, value := q.media, WithoutHidden(item.Value)
	if media == nil || exchange.IsBodiless(q.answer.Status) {
		return errNoBody
	}
	if media.Schema == nil {
		q.answer.SetBody(media, q.as, value)
		return nil
	}
	key := q.valueKey(item.Key)
	in := q.op.responses[media]
	if names := query.Fields(q.Values.Query[q.op.Fields]); len(names) > 0 && in != nil && in.view != nil {
		if some, ok := in.view.some(value, names); ok {
			q.answer.SetBody(media, q.as, q.op.wrap(in, some))
			return nil
		}
	}
	if in.isWhole(&item, value) {
		q.answer.SetConforming(media, q.as, value)
		q.answer.SetText(item.encoded.JSON)
		return nil
	}
	if in != nil {
		if body, changed, ok := q.bodyOf(in, media, key, value); ok {
			body = q.withIncluded(body, []any{value})
			q.answer.SetConforming(media, q.as, body)
			if !changed {
				q.answer.SetText(textOf(in, &item, body))
			}
			return nil
		}
	}
	view := q.set.responder.Body(media).View()
	if in == nil {
		value = view.WithoutWriteOnly(value)
	}
	have := respond.Listed(value, view.Properties)
	if len(have) == 0 && q.op.Response == nil {
		return errNoBody
	}
	filled, _ := view.Fill(key, have, q.op.runtime.unsent(value, view.Properties)...)
	if in != nil && in.view != nil && !media.Conforms(filled) {
		filled = q.op.wrap(in, in.view.listed(value)) // of two bodies that do not conform, the one with the item
	}
	q.answer.SetBody(media, q.as, filled)
	return nil
}

// bodyOf returns a body with an item: unchanged, without what does not conform, or with generated values for what is
// missing. It reports whether it has other values than the item, and whether the body conforms.
func (q *Request) bodyOf(
	in *itemInBody, media *spec.MediaType, key generate.Key, item map[string]any,
) (body any, changed, conforms bool) {
	if body = q.op.wrap(in, in.view.listed(item)); media.Conforms(body) {
		return body, false, true
	}
	if body = q.op.wrap(in, in.view.project(item)); media.Conforms(body) {
		return body, true, true
	}
	var now time.Time
	if q.op.Role == resource.Create && in.view != nil && len(in.view.begun()) > 0 {
		now = q.now()
	}
	whole, ok := in.view.fill(key, item, now)
	if !ok {
		return nil, false, false
	}
	body = q.op.wrap(in, whole)
	return body, true, media.Conforms(body)
}

func (op *Operation) wrap(in *itemInBody, item any) any {
	if len(in.Path) == 0 {
		return in.Wrap(item)
	}
	return in.Put(op.around(), item)
}

func showAll(q *Request, items []Item) error {
	media := q.op.Media
	in := q.op.responses[media]
	if media != q.media || in == nil {
		return errNoBody
	}
	shown := make([]any, len(items))
	for i, item := range items {
		shown[i] = in.Nesting.Nest(showElement(q, in.view, item))
	}
	body := any(shown)
	if len(in.Path) > 0 {
		body = jsonvalue.WithProperty(q.op.around(), in.Path, shown)
	}
	if !media.Conforms(body) {
		return errNoBody
	}
	q.answer.SetConforming(media, q.as, body)
	return nil
}

func showElement(q *Request, view *itemView, item Item) any {
	value := WithoutHidden(item.Value)
	shown := view.listed(value)
	if view.conforms(shown) {
		return shown
	}
	if shown = view.project(value); view.conforms(shown) {
		return shown
	}
	if filled, ok := view.fill(q.valueKey(item.Key), value, time.Time{}); ok {
		return filled
	}
	return shown
}

func setItemHeaders(q *Request, item Item) {
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
			text = location(q, item)
			if text != "" && !allowsText(h, text) {
				text = q.origin() + text // the document demands a URI
			}
		case "last-modified":
			if at, ok := q.op.runtime.lastModified(item, q.set.options.ByClock); ok {
				text = at.UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT") // RFC 9110 section 5.6.7
			}
		default:
			if slices.Contains(q.op.keyHeaders[q.Documented], h.Name) {
				text = item.Key
			}
		}
		if text != "" && allowsText(h, text) {
			q.answer.Header.Set(h.Name, text)
		}
	}
}

func allowsText(h *spec.Parameter, text string) bool {
	return h.Schema == nil || allows(h.Schema.Keywords, text)
}

func (q *Request) pathText(variable string) string {
	text, _ := jsonvalue.Text(q.Values.Path[variable])
	return text
}

// origin returns the scheme and the host by which the client reaches the mock.
func (q *Request) origin() string { return q.OriginAt(q.set.options.URL()) }
