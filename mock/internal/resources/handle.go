package resources

import (
	"errors"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
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

	set       *Set
	op        *Operation
	changedAt time.Time    // of what the request changes; zero until it is asked for
	asks      *query.Query // of a list that is not made of items; nil for all of it
}

// Result is what the resources make of a request.
type Result struct {
	Answered bool             // the answer has its body, or needs none
	Refusal  *respond.Refusal // nil where the request is not refused
	Adjust   respond.Adjust   // fits an answer from the document to the request; nil where nothing is to fit
}

// errNotHandled says that the answer is made as if there were no resources.
var errNotHandled = errors.New("not handled")

// refusedError carries a refusal up to Handle.
type refusedError struct{ refusal respond.Refusal }

func (e *refusedError) Error() string { return exchange.Join(e.refusal.Findings) }

func refuse(p respond.Problem, f exchange.Finding) error {
	return &refusedError{respond.Refusal{Problem: p, Findings: []exchange.Finding{f}}}
}

// handlers do what operations of a role do. They report whether the answer has its
// body; the document's answer is made where it has not.
var handlers = [...]func(*Request, *respond.Answer) (answered bool, err error){
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

// Handle does to the items of a session what the request asks for. The answer has its
// status and its documented headers.
func (s *Set) Handle(q *Request, a *respond.Answer) Result {
	q.set, q.op = s, s.operations[q.Operation.Operation]
	answered, err := s.handle(q, a)
	var refused *refusedError
	switch {
	case errors.As(err, &refused):
		return Result{Refusal: &refused.refusal}
	case answered:
		return Result{Answered: true}
	case len(q.Variables) == 0 && q.asks == nil:
		return Result{}
	}
	return Result{Adjust: q.adjust}
}

func (s *Set) handle(q *Request, a *respond.Answer) (answered bool, err error) {
	if q.op == nil || q.Documented == nil || a.Status >= 300 || q.Preferences.Example != "" {
		return false, nil
	}
	if answered, err = s.operate(q, a); err != nil && err != errNotHandled {
		return false, err
	}
	if q.op.file == noFile || a.Status >= 300 || q.Preferences.Code != 0 {
		return answered, nil
	}
	return handleFile(q, a, answered, err == nil)
}

func (s *Set) operate(q *Request, a *respond.Answer) (answered bool, err error) {
	if content := q.Documented.Content; len(content) > 0 && !exchange.IsBodiless(a.Status) {
		if media, _ := respond.Negotiate(q.Header, content); media == nil {
			return false, errNotHandled
		}
	}
	if m := s.MissingParent(q.op, q.Session, q.pathText); m != nil {
		return false, noSuchItem(m.Runtime, m.Key, m.Deleted, exchange.InPath, m.Variable)
	}
	if handler := handlers[q.op.Role]; handler != nil {
		return handler(q, a)
	}
	return false, errNotHandled
}

func read(q *Request, a *respond.Answer) (bool, error) {
	if q.op.KeyIn != resource.InPath && !q.op.runtime.Singleton {
		return false, errNotHandled
	}
	collection := q.collection()
	item, err := findOrMissing(q, collection)
	if err != nil {
		return false, err
	}
	if isUnmodified(q, item) {
		q.set.responder.Begin(q.Request, a, 304, q.Operation.Response(304))
		a.Header.Set("ETag", etag(item.Version))
		return true, nil
	}
	return show(q, a, collection, item)
}

// act answers an action that shows the item it is about, and refuses one on an item
// that is not there.
func act(q *Request, a *respond.Answer) (bool, error) {
	if q.op.KeyIn != resource.InPath {
		return false, errNotHandled
	}
	collection := q.collection()
	item, err := findOrMissing(q, collection)
	if err == nil && (!q.op.Reads || q.op.Response == nil) {
		err = errNotHandled
	}
	if err != nil {
		return false, err
	}
	return show(q, a, collection, item)
}

// origin gives the scheme and the host by which the client reaches the mock.
func (q *Request) origin() string {
	scheme, host, _ := strings.Cut(q.set.options.URL(), "://")
	if sent, ok := q.Header.Get("Host"); ok && sent != "" {
		host = sent
	}
	return scheme + "://" + host
}
