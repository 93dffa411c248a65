package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/validate"
)

// share is how many of some requests were answered as they should be.
type share struct{ good, all int }

func (s *share) count(good bool) bool {
	s.all++
	if good {
		s.good++
	}
	return good
}

func (s share) String() string {
	if s.all == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(s.good)/float64(s.all))
}

// result is what was measured on one document.
type result struct {
	Name       string
	Operations int
	Answered   share         // a conforming request gets a documented status of success
	Conforming share         // body, media type and headers of that answer are as documented
	Invalid    share         // a request with one fault is refused with 4xx
	Explained  share         // that answer, if a JSON body is documented for it, conforms and names the fault
	Anonymous  share         // a request without credentials is refused with 4xx
	Same       share         // the same request gets the same bytes
	Slowest    time.Duration // of all answers
	Start      time.Duration
	Peak       int      // memory, in MiB
	Impossible []string // operations whose request schema nothing satisfies: lint says so too
	Failures   []string
}

func (r *result) row() string {
	return fmt.Sprintf("| %s | %d | %v | %v | %v | %v | %v | %v | %d | %d | %d |",
		r.Name, r.Operations, r.Answered, r.Conforming, r.Invalid, r.Explained, r.Anonymous, r.Same,
		r.Slowest.Milliseconds(), r.Start.Milliseconds(), r.Peak)
}

func (r *result) add(o *result) {
	r.Operations += o.Operations
	for _, pair := range [][2]*share{{&r.Answered, &o.Answered}, {&r.Conforming, &o.Conforming},
		{&r.Invalid, &o.Invalid}, {&r.Explained, &o.Explained}, {&r.Anonymous, &o.Anonymous}, {&r.Same, &o.Same}} {
		pair[0].good += pair[1].good
		pair[0].all += pair[1].all
	}
	r.Slowest = max(r.Slowest, o.Slowest)
	r.Start = max(r.Start, o.Start)
	r.Peak = max(r.Peak, o.Peak)
	r.Impossible = append(r.Impossible, o.Impossible...)
	r.Failures = append(r.Failures, o.Failures...)
}

func (r *result) fail(o *spec.Operation, format string, args ...any) {
	r.Failures = append(r.Failures, o.Method+" "+o.Path+": "+fmt.Sprintf(format, args...))
}

// measure starts a document and sends its operations their requests.
func measure(ctx context.Context, d corpus.Document, start starter) (*result, error) {
	r := &result{Name: d.Name}
	contract, err := spec.Load(ctx, d.Path, spec.Options{})
	if err != nil {
		return r, err
	}
	mock, err := start(ctx, d.Path)
	if err != nil {
		return r, err
	}
	r.Start = mock.start
	c := &client{address: strings.TrimPrefix(mock.url, "http://")}
	for _, o := range contract.Operations {
		r.Operations++
		r.operation(c, o)
	}
	c.close()
	r.Slowest = c.slowest
	r.Peak, err = mock.stop()
	return r, err
}

func (r *result) operation(c *client, o *spec.Operation) {
	builder := request.New(o, generate.Options{Fill: "required"})
	valid, err := builder.Valid(generate.NewKey(1, o.ID))
	var impossible *generate.Error
	if errors.As(err, &impossible) {
		r.Impossible = append(r.Impossible, o.Method+" "+o.Path+": "+impossible.Reason)
		return
	}
	if err != nil {
		r.Answered.count(false)
		r.fail(o, "no conforming request: %v", err)
		return
	}
	if slices.ContainsFunc(o.Responses, isStream) {
		valid.Header.Set("Prefer", "wait=0") // RFC 7240: otherwise the response does not end
	}
	answer, err := c.send(valid)
	if err != nil {
		r.Answered.count(false)
		r.fail(o, "%v", err)
		return
	}
	if o.Alternatives != nil { // the request may fit another operation as well
		o = fitting(o, valid)[0]
	}
	if !r.Answered.count(documentedSuccess(o, answer.Status)) {
		r.fail(o, "%s → %d %s", describe(valid), answer.Status, answer.Body[:min(300, len(answer.Body))])
		return
	}
	if len(o.Responses) > 0 { // else the document says nothing that an answer could conform to
		findings := validate.New(o).Response(o.Method, answer)
		if !r.Conforming.count(len(findings) == 0) {
			r.fail(o, "the answer does not conform: %s", exchange.Join(findings))
		}
	}
	again, err := c.send(valid)
	if err == nil && !bytes.Equal(again.Body, answer.Body) { // the second may have passed, on which a token's end depends
		answer = again
		again, err = c.send(valid)
	}
	if !r.Same.count(err == nil && again.Status == answer.Status && bytes.Equal(again.Body, answer.Body)) {
		r.fail(o, "the same request gets other bytes")
	}
	if invalid, wrong := faulty(o, valid); invalid != nil && !fitsAnother(o, invalid) {
		r.refusal(c, o, invalid, wrong)
	}
	if needsCredentials(o) {
		anonymous := withoutCredentials(o, valid)
		answer, err := c.send(anonymous)
		if !r.Anonymous.count(err == nil && answer.Status/100 == 4) {
			r.fail(o, "no credentials: accepted (%v)", status(answer))
		}
	}
}

func isStream(r *spec.Response) bool {
	return slices.ContainsFunc(r.Content, func(m *spec.MediaType) bool { return m.Subtype == "event-stream" })
}

// fitting returns the operations that a request fits best, among those with the method and path of o.
func fitting(o *spec.Operation, r *exchange.Request) []*spec.Operation {
	var match route.Match
	route.New(&spec.Contract{Operations: o.Alternatives}).Find(r.Method, r.Path, &match)
	var all []*validate.Validator
	for _, other := range o.Alternatives {
		all = append(all, validate.New(other))
	}
	return validate.Fitting(r, match.Values, all)
}

// fitsAnother reports whether a request is one to another operation.
func fitsAnother(o *spec.Operation, r *exchange.Request) bool {
	return o.Alternatives != nil && fitting(o, r)[0] != o
}

// refusal sends an invalid request and reads the answer as its client would.
func (r *result) refusal(c *client, o *spec.Operation, invalid *exchange.Request, wrong fault) {
	answer, err := c.send(invalid)
	if !r.Invalid.count(err == nil && answer.Status/100 == 4) {
		r.fail(o, "%s %s: accepted (%v) %s", wrong.part, wrong.how, status(answer), describe(invalid))
		return
	}
	documented := o.Response(answer.Status)
	if documented == nil || !slices.ContainsFunc(documented.Content, (*spec.MediaType).IsJSON) {
		return
	}
	findings := validate.New(o).Response(o.Method, answer)
	finding, _ := answer.Header.Get("Coldframe-Finding") // where the body has no room for a reason
	explained := strings.Contains(string(answer.Body), wrong.part) || strings.Contains(finding, wrong.part)
	if !r.Explained.count(len(findings) == 0 && explained) {
		r.fail(o, "%s %s: the answer does not say so, or does not conform: %s %s", wrong.part, wrong.how,
			answer.Body[:min(300, len(answer.Body))], exchange.Join(findings))
	}
}

// needsCredentials reports whether no alternative lets anonymous requests in;
// mutualTLS cannot be seen by a server that does not speak TLS.
func needsCredentials(o *spec.Operation) bool {
	return len(o.Security) > 0 && !slices.ContainsFunc(o.Security, func(alternative spec.Requirement) bool {
		return !slices.ContainsFunc(alternative, func(n spec.Need) bool { return n.Scheme.Type != "mutualTLS" })
	})
}

func status(answer *exchange.Response) int {
	if answer == nil {
		return 0
	}
	return answer.Status
}

// documentedSuccess reports whether a status is a documented 2xx, or, if the
// document has none, any that it documents.
func documentedSuccess(o *spec.Operation, status int) bool {
	if o.Response(status) == nil {
		return len(o.Responses) == 0
	}
	if status/100 == 2 {
		return true
	}
	return !slices.ContainsFunc(o.Responses, func(r *spec.Response) bool {
		return r.Status[0] == '2' ||
			r.Status == "default"
	})
}

func describe(r *exchange.Request) string {
	text := r.Method + " " + r.Path
	if r.Query != "" {
		text += "?" + r.Query
	}
	return text + " " + string(r.Body[:min(200, len(r.Body))])
}
