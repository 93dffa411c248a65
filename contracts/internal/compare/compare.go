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

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/credentials"
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
}

// Comparison compares two servers.
type Comparison struct {
	Plan  *resource.Plan
	A, B  *Server
	Write bool // send requests that are not safe

	operations map[*spec.Operation]*report.Operation
	found      map[string]*report.Finding
	skipped    map[string]*report.Skipped
	requests   int
	same       map[[2]string]bool // keys of A and B of the same item
}

// New makes a comparison.
func New(plan *resource.Plan, a, b *Server, write bool) *Comparison {
	for _, s := range []*Server{a, b} {
		s.items, s.own = map[*resource.Resource][]string{}, map[string]string{}
	}
	return &Comparison{Plan: plan, A: a, B: b, Write: write, operations: map[*spec.Operation]*report.Operation{},
		found: map[string]*report.Finding{}, skipped: map[string]*report.Skipped{}, same: map[[2]string]bool{}}
}

// isSafe reports whether a method changes nothing (RFC 9110 section 9.2.1).
func isSafe(method string) bool {
	return slices.Contains([]string{"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"}, method)
}

func (c *Comparison) skip(o *spec.Operation, reason string) {
	if c.skipped[reason] == nil {
		c.skipped[reason] = &report.Skipped{Phase: Phase, Reason: reason}
		if o != nil {
			c.skipped[reason].Operation = name(o)
		}
	} else if o == nil || c.skipped[reason].Operation != name(o) {
		c.skipped[reason].Operation = ""
	}
	c.skipped[reason].Cases++
}

func name(o *spec.Operation) string { return o.Method + " " + o.Path }

// request is a request as each of the servers gets it.
type request struct {
	operation   *spec.Operation
	a, b        *exchange.Request
	credentials []cases.Credential
	title       string
}

// send sends a request to both servers, to A twice if that changes nothing, and compares the responses.
func (c *Comparison) send(ctx context.Context, r request) {
	o := r.operation
	if !isSafe(o.Method) && !c.Write {
		c.skip(o, "not safe: Options.Write sends it")
		return
	}
	first := c.ask(ctx, c.A, r, r.a)
	other := c.ask(ctx, c.B, r, r.b)
	varies := variation{}
	if isSafe(o.Method) && first.Response != nil {
		again := c.ask(ctx, c.A, r, r.a)
		varies = variationOf(first, again)
	}
	if ctx.Err() != nil {
		return
	}
	operation := c.operation(o)
	operation.Cases++
	operation.Statuses[status(first)]++
	operation.Accepted = operation.Accepted || first.Succeeded()
	c.learn(o, first, other)
	d := differ{varies: varies, same: c.same}
	d.responses(o, first, other)
	for _, difference := range d.found {
		c.add(o, r.title, difference, first, other)
	}
}

func status(x *checks.Exchange) int {
	if x.Response == nil {
		return 0
	}
	return x.Response.Status
}

func (c *Comparison) ask(ctx context.Context, s *Server, r request, sent *exchange.Request) *checks.Exchange {
	one := *sent
	one.Header = slices.Clone(sent.Header)
	s.Keys.Apply(&one, r.credentials)
	c.requests++
	return &checks.Exchange{Case: &cases.Case{Operation: r.operation, Phase: Phase, Title: r.title, Request: sent,
		Credentials: r.credentials}, Request: &one, Result: s.Client.Send(ctx, &one)}
}

func (c *Comparison) operation(o *spec.Operation) *report.Operation {
	if c.operations[o] == nil {
		c.operations[o] = &report.Operation{Name: name(o), ID: o.ID, Tags: o.Tags, Place: o.Place, Statuses: map[int]int{}}
	}
	return c.operations[o]
}

// learn keeps the keys of the items that responses show.
func (c *Comparison) learn(o *spec.Operation, first, other *checks.Exchange) {
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
	of := name(o)
	if binding := c.Plan.Of(o); binding != nil && binding.Resource != nil && d.property != "" {
		of = binding.Resource.Name
	}
	cause := strings.Join([]string{d.kind, of, cmp.Or(d.property, d.about)}, "\n")
	f := c.found[cause]
	if f == nil {
		row := kindOf(d.kind)
		sum := sha256.Sum256([]byte(cause))
		f = &report.Finding{Check: d.kind, Severity: row.Severity, Operation: name(o), Phase: Phase, Title: title,
			Message: d.message, About: d.about, Place: d.place, Source: row.Source,
			Sent:        []report.Sent{c.A.Show(c.A.URL, first), c.B.Show(c.B.URL, other)},
			Fingerprint: hex.EncodeToString(sum[:6])}
		c.found[cause] = f
	}
	f.Count++
	if !slices.Contains(f.Operations, name(o)) {
		f.Operations = append(f.Operations, name(o))
		f.Faults = append(f.Faults, report.Fault{Operation: name(o), About: d.about, Fingerprint: f.Fingerprint})
		c.operation(o).Findings++
	}
}

// Report returns what was found.
func (c *Comparison) Report(r *report.Report) *report.Report {
	r.Requests = c.requests
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
	r.Phases = []report.Phase{{ID: Phase, Meaning: "the same requests to two servers", Cases: c.requests,
		Findings: len(r.Findings)}}
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
