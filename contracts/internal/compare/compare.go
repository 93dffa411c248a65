// Package compare sends the same requests to two servers, and says where their responses differ in what the document
// describes.
package compare

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"mime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
	"github.com/coldframe/coldframe/contracts/internal/findings"
	"github.com/coldframe/coldframe/contracts/internal/itempool"
	"github.com/coldframe/coldframe/contracts/internal/safety"
	"github.com/coldframe/coldframe/contracts/internal/wire"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/report"
)

// Phase is the phase of the findings.
const Phase = "compare"

// Server is one of the two servers.
type Server struct {
	URL    string // without a password
	Client *wire.Client
	Keys   *credentials.Keyring
	Show   func(base string, x *checks.Exchange) report.Sent

	items map[*resource.Resource][]string // keys of its items
	own   map[string]string               // the key that it has created for a recorded one
	pool  *itempool.Pool                  // what the comparison has created
	guard *safety.Guard
}

// Options say what is compared.
type Options struct {
	Contract    *spec.Contract
	Plan        *resource.Plan
	Operations  []*spec.Operation // that are compared
	A, B        *Server
	Write       bool // send requests that are not safe
	Destructive bool // send also what may change what the comparison did not create
	Workers     int  // requests at a time, of those that change nothing
	Seed        uint64
}

// Comparison compares two servers.
type Comparison struct {
	Options
	operations map[*spec.Operation]*report.Operation
	found      map[string]*report.Finding
	skipped    map[string]*report.Skipped
	requests   atomic.Int64
	same       map[[2]string]bool // keys of A and B of the same item
}

// New makes a comparison.
func New(o Options) *Comparison {
	c := &Comparison{Options: o, operations: map[*spec.Operation]*report.Operation{},
		found: map[string]*report.Finding{}, skipped: map[string]*report.Skipped{}, same: map[[2]string]bool{}}
	builder := func(o *spec.Operation) *cases.Builder { return cases.New(o, c.Seed) }
	for _, s := range []*Server{o.A, o.B} {
		s.items, s.own = map[*resource.Resource][]string{}, map[string]string{}
		send := func(ctx context.Context, made *cases.Case) *checks.Exchange {
			r := request{operation: made.Operation, credentials: made.Credentials, title: made.Title}
			x := c.ask(ctx, s, r, made.Request)
			s.pool.See(x)
			return x
		}
		s.pool = &itempool.Pool{Plan: o.Plan, ReadOnly: true, Builder: builder, Send: send}
		s.guard = safety.New(safety.Options{
			Plan: o.Plan, Operations: o.Contract.Operations, Pool: s.pool, Keyring: s.Keys, Destructive: o.Destructive,
			Builder: builder, Send: send, Try: send,
			IsTested: func(o *spec.Operation) bool { return slices.Contains(c.Operations, o) },
			Note:     func(o *spec.Operation, _, reason string) { c.skip(o, reason) },
		})
	}
	return c
}

// Begin looks at what exists before something is changed. Finish restores the values that are not items of a list.
func (c *Comparison) Begin(ctx context.Context) {
	if c.Write {
		c.A.guard.Survey(ctx)
		c.B.guard.Survey(ctx)
	}
}

// Finish undoes what a comparison has changed in values that existed before.
func (c *Comparison) Finish(ctx context.Context) {
	c.A.guard.Restore(ctx)
	c.B.guard.Restore(ctx)
}

// isSafe reports whether a method changes nothing (RFC 9110 section 9.2.1).
func isSafe(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"}, method)
}

func (c *Comparison) skip(o *spec.Operation, reason string) {
	if c.skipped[reason] == nil {
		c.skipped[reason] = &report.Skipped{Phase: Phase, Reason: reason}
		if o != nil {
			c.skipped[reason].Operation = findings.OperationName(o)
		}
	} else if o == nil || c.skipped[reason].Operation != findings.OperationName(o) {
		c.skipped[reason].Operation = ""
	}
	c.skipped[reason].Cases++
}

// request is a request as each of the servers gets it.
type request struct {
	operation   *spec.Operation
	a, b        *exchange.Request
	credentials []cases.Credential
	title       string

	first, again, other *checks.Exchange // the responses of A and B; again is nil if A was not asked twice
}

// mayBeSent reports whether a request may be sent to both servers; value is its body. It notes the reason if not.
func (c *Comparison) mayBeSent(ctx context.Context, r *request, value any) bool {
	if !isSafe(r.operation.Method) && !c.Write {
		c.skip(r.operation, "not safe: Options.Write sends it")
		return false
	}
	for i, s := range []*Server{c.A, c.B} {
		sent := []*exchange.Request{r.a, r.b}[i]
		made := &cases.Case{Operation: r.operation, Phase: Phase, Title: r.title, Request: sent, Value: value}
		reason := cmp.Or(s.guard.Harm(made), s.guard.Path(ctx, made, sent.Path, false, false))
		if reason == "" && !isSafe(sent.Method) {
			reason = s.guard.Body(ctx, made, sent)
		}
		if reason != "" {
			if !safety.IsSpared(reason) {
				reason += " (Options.Destructive sends it)"
			}
			c.skip(r.operation, reason)
			return false
		}
	}
	return true
}

// send sends requests to both servers, to A twice if that changes nothing, and compares the responses. Each of the
// lists is sent in its order, several lists at the same time.
func (c *Comparison) send(ctx context.Context, lists ...[]*request) {
	var running sync.WaitGroup
	free := make(chan bool, max(c.Workers, 1))
	for _, list := range lists {
		free <- true
		running.Go(func() {
			for _, r := range list {
				first, other := c.ask(ctx, c.A, *r, r.a), c.ask(ctx, c.B, *r, r.b)
				if isSafe(r.operation.Method) && first.Response != nil {
					r.again = c.ask(ctx, c.A, *r, r.a)
				}
				if ctx.Err() == nil {
					r.first, r.other = first, other
				}
			}
			<-free
		})
	}
	running.Wait()
	for _, r := range slices.Concat(lists...) {
		if r.first != nil {
			c.compare(r)
		}
	}
}

// compare compares the responses to a request.
func (c *Comparison) compare(r *request) {
	o := r.operation
	d := differ{same: c.same}
	if r.again != nil {
		d.varies = variationOf(r.first, r.again)
	}
	operation := c.operation(o)
	operation.Cases++
	operation.Statuses[r.first.Status()]++
	operation.Accepted = operation.Accepted || r.first.Succeeded()
	c.learn(o, r.first, r.other)
	d.responses(o, r.first, r.other)
	for _, difference := range d.found {
		c.add(o, r.title, difference, r.first, r.other)
	}
}

func (c *Comparison) ask(ctx context.Context, s *Server, r request, sent *exchange.Request) *checks.Exchange {
	one := *sent
	one.Header = slices.Clone(sent.Header)
	s.Keys.Apply(&one, r.credentials)
	c.requests.Add(1)
	return &checks.Exchange{Case: &cases.Case{Operation: r.operation, Phase: Phase, Title: r.title, Request: sent,
		Credentials: r.credentials}, Request: &one, Result: s.Client.Send(ctx, &one)}
}

func (c *Comparison) operation(o *spec.Operation) *report.Operation {
	if c.operations[o] == nil {
		c.operations[o] = &report.Operation{Name: findings.OperationName(o), ID: o.ID, Tags: o.Tags, Place: o.Place,
			Statuses: map[int]int{}}
	}
	return c.operations[o]
}

// learn keeps the keys of the items that responses show.
func (c *Comparison) learn(o *spec.Operation, first, other *checks.Exchange) {
	for i, s := range []*Server{c.A, c.B} {
		x := []*checks.Exchange{first, other}[i]
		s.pool.See(x)
		s.guard.NoteChange(x)
	}
	binding := c.Plan.Of(o)
	if binding == nil || binding.Resource == nil || binding.Resource.Key == nil {
		return
	}
	keys := [2][]string{c.keysIn(binding, first), c.keysIn(binding, other)}
	for i, s := range []*Server{c.A, c.B} {
		for _, key := range keys[i] {
			if !slices.Contains(s.items[binding.Resource], key) && len(s.items[binding.Resource]) < maxKeys {
				s.items[binding.Resource] = append(s.items[binding.Resource], key)
			}
		}
	}
	if binding.Role == resource.Create && len(keys[0]) == 1 && len(keys[1]) == 1 {
		c.same[[2]string{keys[0][0], keys[1][0]}] = true
		for i, s := range []*Server{c.A, c.B} { // later requests are about the item that was created last
			all := slices.DeleteFunc(s.items[binding.Resource], func(key string) bool { return key == keys[i][0] })
			s.items[binding.Resource] = append([]string{keys[i][0]}, all...)
		}
	}
}

// maxKeys is how many keys are kept for a resource.
const maxKeys = 100

// keysIn returns the keys of the items that a success shows.
func (c *Comparison) keysIn(b *resource.Binding, x *checks.Exchange) (keys []string) {
	if !x.Succeeded() {
		return nil
	}
	if b.Role == resource.Create {
		if created := itempool.Created(b, x, nil); created != nil && created.Key != "" {
			return []string{created.Key}
		}
	}
	body, err := jsontext.Decode(string(x.Response.Body))
	if err != nil {
		return nil
	}
	var items []any
	switch {
	case b.List != nil:
		items, _ = b.List.Items.Items(body)
	case b.Response != nil:
		if item, ok := b.Response.Item(body); ok {
			items = []any{item}
		}
	}
	for _, item := range items {
		if key, ok := keyOf(item, b.Resource.Key.Property); ok {
			keys = append(keys, key)
		}
	}
	return keys
}

func keyOf(item any, path []string) (string, bool) {
	for _, property := range path {
		object, _ := item.(map[string]any)
		item = object[property]
	}
	switch item.(type) {
	case nil, map[string]any, []any, bool:
		return "", false
	}
	return text(item), len(path) > 0
}

// text returns a scalar as a path has it.
func text(value any) string {
	if s, ok := value.(string); ok {
		return s
	}
	return string(jsontext.Marshal(value))
}

// add adds a difference to the finding with the same cause: the same kind of difference at the same property of the
// same resource.
func (c *Comparison) add(o *spec.Operation, title string, d difference, first, other *checks.Exchange) {
	name := findings.OperationName(o)
	of := name
	if binding := c.Plan.Of(o); binding != nil && binding.Resource != nil && d.property != "" {
		of = binding.Resource.Name
	}
	cause := strings.Join([]string{d.kind, of, cmp.Or(d.property, d.about)}, "\n")
	f := c.found[cause]
	if f == nil {
		row := kindOf(d.kind)
		f = &report.Finding{Check: d.kind, Severity: row.Severity, Operation: name, Phase: Phase, Title: title,
			Message: d.message, About: d.about, Place: d.place, Source: row.Source,
			Sent:        []report.Sent{c.A.Show(c.A.URL, first), c.B.Show(c.B.URL, other)},
			Fingerprint: fingerprint(cause)}
		c.found[cause] = f
	}
	f.Count++
	if !slices.Contains(f.Operations, name) {
		f.Operations = append(f.Operations, name)
		f.Faults = append(f.Faults, report.Fault{Operation: name, About: d.about,
			Fingerprint: fingerprint(cause + "\n" + name)})
		c.operation(o).Findings++
	}
}

func fingerprint(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// Report returns what was found, compared with a baseline; nil for none.
func (c *Comparison) Report(r *report.Report, baseline *report.Baseline) *report.Report {
	r.Requests = int(c.requests.Load())
	for _, b := range c.Plan.Bindings {
		if o := c.operations[b.Operation]; o != nil {
			r.Operations = append(r.Operations, o)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.found)) {
		r.Findings = append(r.Findings, *c.found[key])
	}
	slices.SortStableFunc(r.Findings, func(a, b report.Finding) int {
		return cmp.Or(cmp.Compare(a.Severity, b.Severity), cmp.Compare(a.Operation, b.Operation),
			cmp.Compare(a.Check, b.Check))
	})
	for _, reason := range slices.Sorted(maps.Keys(c.skipped)) {
		r.Skipped = append(r.Skipped, *c.skipped[reason])
	}
	r.Checks = Kinds
	r.Phases = []report.Phase{{ID: Phase, Meaning: "the same requests to two servers", Cases: r.Requests,
		Findings: len(r.Findings)}}
	if baseline != nil {
		use := findings.BaselineUse{Baseline: baseline, Contract: c.Contract, Hide: func(text string) string { return text },
			Uses: isKind, RanAll: true}
		use.Mark(r)
	}
	return r
}

// Kinds are the kinds of differences, with what they mean for a client that was written for A.
var Kinds = []report.Check{
	{ID: "response-differs", Severity: exchange.Error, Meaning: "both servers respond, or none",
		Source: "RFC 9110 section 9", Certainty: "a client gets no response"},
	{ID: "status-differs", Severity: exchange.Error, Meaning: "the statuses are equal", Source: "RFC 9110 section 15",
		Certainty: "clients decide by the status"},
	{ID: "media-type-differs", Severity: exchange.Error, Meaning: "the media types are equal",
		Source: "RFC 9110 section 8.3", Certainty: "clients decode one media type"},
	{ID: "field-missing", Severity: exchange.Error, Meaning: "documented header fields of A are in B",
		Source: "OpenAPI, Response Object, headers", Certainty: "clients read documented fields"},
	{ID: "property-missing", Severity: exchange.Error, Meaning: "properties of A are in B",
		Source: "OpenAPI, Media Type Object, schema", Certainty: "clients read properties"},
	{ID: "type-differs", Severity: exchange.Error, Meaning: "values have the same type",
		Source: "OpenAPI, Media Type Object, schema", Certainty: "clients expect one type"},
	{ID: "body-differs", Severity: exchange.Warning, Meaning: "bodies that are not JSON are equal",
		Source: "OpenAPI, Media Type Object", Certainty: "the data may differ between servers"},
	{ID: "value-differs", Severity: exchange.Warning, Meaning: "values are equal, aside from values that vary",
		Source: "OpenAPI, Media Type Object, schema", Certainty: "the data may differ between servers"},
	{ID: "items-differ", Severity: exchange.Warning, Meaning: "lists have the same items",
		Source: "OpenAPI, Media Type Object, schema", Certainty: "the data may differ between servers"},
	{ID: "order-differs", Severity: exchange.Info, Meaning: "lists have the same order",
		Source: "OpenAPI, Media Type Object, schema", Certainty: "the document may leave the order open"},
	{ID: "property-added", Severity: exchange.Info, Meaning: "B has no properties beside the properties of A",
		Source: "OpenAPI, Media Type Object, schema", Certainty: "clients ignore unknown properties"},
}

func isKind(id string) bool {
	return slices.ContainsFunc(Kinds, func(c report.Check) bool { return c.ID == id })
}

func kindOf(id string) report.Check {
	return Kinds[slices.IndexFunc(Kinds, func(c report.Check) bool { return c.ID == id })]
}

// mediaType returns a media type without its parameters.
func mediaType(x *exchange.Response) string {
	value, _ := x.Header.Get("Content-Type")
	kind, _, err := mime.ParseMediaType(value)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(value))
	}
	return kind
}

func describe(x *checks.Exchange) string {
	if x.Response == nil {
		if x.Fault != nil {
			return "no response: " + x.Fault.Message
		}
		return "no response"
	}
	return fmt.Sprint(x.Response.Status)
}
