package respond

import (
	"slices"
	"strconv"
	"sync"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/prefer"
)

// Kept is a body that was written before: of a kept item, of a page of items, or a generated one. It depends on
// nothing but its key and Of, so it stays right.
type Kept struct {
	Of      any               // its inputs beside its key; nil for nothing
	Body    []byte            // before links in it lead to the host of the client
	Counted coverage.Repeated // that is in it

	contentType    string
	example        bool
	findings       []exchange.Finding // on the document's contradictions
	once           sync.Once
	sent, recorded []byte
}

// KeptKey is what a Kept is of.
type KeptKey struct {
	Of     any    // comparable: what makes the body
	Status int    // of the answer
	As     string // the media type, as Negotiate has it
	Origin string // by which the client reaches the mock
	Text   string // what else the body depends on
}

// Sent returns the body with and without credentials. make makes both at the first call.
func (k *Kept) Sent(make func(body []byte) (sent, recorded []byte)) (sent, recorded []byte) {
	k.once.Do(func() { k.sent, k.recorded = make(k.Body) })
	return k.sent, k.recorded
}

// IsRepeatable reports whether the body of an answer depends on none of the request's preferences, nor on its body.
func (q *Request) IsRepeatable() bool {
	varies := prefer.Of(prefer.Seed, prefer.Count, prefer.Dynamic, prefer.Example)
	return (q.Method == "GET" || q.Method == "HEAD") && len(q.Body) == 0 && !q.Dynamic && q.Preferences.Given&varies == 0
}

// Forget drops all bodies that are kept.
func (r *Responder) Forget() { r.kept.Clear() }

// Kept returns the body of a key, nil if none.
func (r *Responder) Kept(key KeptKey) *Kept {
	kept, _ := r.kept.Get(key)
	return kept
}

// Keep writes the body of an answer and keeps it. It counts thrice, as it may be sent and recorded in other forms, with
// the bytes of the items that it was made of: they stay in memory even if their session drops them.
func (r *Responder) Keep(q *Request, a *Answer, key KeptKey, of any, items int64) {
	known := len(a.Findings)
	if !a.pending {
		return
	}
	if r.Write(q, a); a.Status != key.Status || q.Work.Ended() != nil {
		return
	}
	contentType, _ := a.Header.Get("Content-Type")
	kept := &Kept{
		Of: of, Body: a.Body, contentType: contentType, example: a.Example, findings: slices.Clone(a.Findings[known:]),
	}
	const rest = 500 // bytes of an entry
	if r.kept.Put(key, kept, int64(3*len(a.Body)+len(key.Text)+rest)+items) {
		a.Kept = kept
	}
}

// SetKept sets a body that was written before.
func (a *Answer) SetKept(kept *Kept) {
	a.SetBytes(kept.contentType, kept.Body)
	a.mark(kept.findings)
	a.Kept, a.Example = kept, kept.example
}

// pathText writes the values of the path's variables, so that others have other texts.
func (q *Request) pathText() string {
	if len(q.Variables) == 0 {
		return ""
	}
	var text []byte
	for _, value := range q.Variables {
		text = append(strconv.AppendInt(text, int64(len(value)), 10), ' ')
		text = append(text, value...)
	}
	return string(text)
}
