package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/mock"
)

// kind is a kind of expectations.
type kind uint8

const (
	conforming kind = iota // a response is as the document says
	sentValues             // what was sent is shown
	keys                   // each item has a key of its own
	lists                  // what was created is listed
	changes                // what was changed is shown
	others                 // other items stay unchanged
	deletions              // what was deleted cannot be read
	kinds
)

func (k kind) String() string {
	return [...]string{"conforming", "sent values", "keys", "lists", "changes", "others", "deletions"}[k]
}

// share is how many expectations hold.
type share struct{ held, all int }

func (s share) String() string {
	if s.all == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", s.held, s.all)
}

// result is what was measured on one document.
type result struct {
	name       string
	operations int                      // of the document
	judged     map[*spec.Operation]bool // with at least one expectation
	items      int                      // kinds of items
	shares     [kinds]share
	failed     []string
	skipped    []string // kinds of items, with the reason
}

func newResult(name string) *result { return &result{name: name, judged: map[*spec.Operation]bool{}} }

// expect counts an expectation about the response to an operation.
func (r *result) expect(k kind, o *spec.Operation, holds bool, format string, args ...any) {
	r.judged[o] = true
	r.shares[k].all++
	if holds {
		r.shares[k].held++
		return
	}
	r.failed = append(r.failed, fmt.Sprintf("%s %s: %s: %s", o.Method, o.Path, k, fmt.Sprintf(format, args...)))
}

func (r *result) skip(i *item, why error) {
	r.skipped = append(r.skipped, fmt.Sprintf("%s: %v", i.path, why))
}

func (r *result) row() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %d | %d of %d |", r.name, r.items, len(r.judged), r.operations)
	var total share
	for _, s := range r.shares {
		fmt.Fprintf(&b, " %v |", s)
		total.held += s.held
		total.all += s.all
	}
	held := "–"
	if total.all > 0 {
		held = fmt.Sprintf("%.1f %%", 100*float64(total.held)/float64(total.all))
	}
	return b.String() + " " + held + " |"
}

func (r *result) add(o *result) {
	r.operations += o.operations
	r.items += o.items
	for i := range r.shares {
		r.shares[i].held += o.shares[i].held
		r.shares[i].all += o.shares[i].all
	}
	for operation := range o.judged {
		r.judged[operation] = true
	}
	for _, s := range o.skipped {
		r.skipped = append(r.skipped, o.name+": "+s)
	}
}

// measure runs the flows of a document. Unknown items are refused, so that lists have only what was created, unless the
// parents cannot be created.
func measure(ctx context.Context, d corpus.Document, state mock.StateOptions) (*result, error) {
	r := newResult(d.Name)
	contract, err := spec.Load(ctx, d.Path, spec.Options{})
	if err != nil {
		return r, err
	}
	read := &document{Contract: contract, shapes: schema.NewShapes(schema.Document{})}
	items := read.items()
	r.operations, r.items = len(contract.Operations), len(items)
	servers := map[string]*mockServer{}
	for _, unknownItems := range []string{"generate", "refuse"} {
		state.UnknownItems = unknownItems
		server, err := mock.New(ctx, mock.Options{Document: d.Path, State: state,
			Listen:  mock.ListenOptions{NoListener: true},
			Control: mock.ControlOptions{Journal: -1}, Auth: mock.AuthOptions{MutualTLS: "assume"}})
		if err != nil {
			return r, err
		}
		defer server.Close()
		servers[unknownItems] = newMockServer(server.Transport(), unknownItems)
	}
	for _, i := range items {
		f := &flow{mockServer: servers["refuse"], result: r, document: read, item: i, variables: map[string]any{}}
		if variables := len(i.read.Variables()) - min(1, len(i.keys)); len(i.parents) < variables || i.create == nil {
			f.mockServer = servers["generate"]
		}
		f.session()
		f.run()
	}
	return r, nil
}
