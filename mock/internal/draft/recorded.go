package draft

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/replay"
)

// group is the exchanges of requests that mean the same.
type group struct {
	operation *spec.Operation
	said      map[string]any
	first     *replay.Entry
	answers   [][]tree.Pair
}

// Recorded returns a scenario file that answers the requests of recordings as they were answered. left says what it
// lacks, and which rules violate the document.
func Recorded(ctx context.Context, c *spec.Contract, o replay.Options) (text []byte, left []string, err error) {
	groups := map[[sha256.Size]byte]*group{}
	var all []*group
	note := func(e *replay.Entry, method, reason string) {
		if len(left) < replay.MaxNamed {
			left = append(left, fmt.Sprintf("%s, %s %s: %s", e, method, e.Operation.Path, reason))
		}
	}
	var size int64
	_, unread, err := replay.Each(ctx, o, func(r *replay.Request, e *replay.Entry) error {
		if size += int64(len(r.Body)+len(e.Response.Body)) + replay.EntryBytes; size > o.Most {
			return o.Full(e)
		}
		answer, reason := answerOf(r, e)
		if reason != "" {
			note(e, r.Method, reason)
			return nil
		}
		_, stable := r.Said()
		key := sha256.Sum256(jsontext.Append([]byte(r.Method+" "+r.Operation.Path+" "), stable))
		g := groups[key]
		if g == nil {
			g = &group{operation: r.Operation, said: stable, first: e}
			groups[key], all = g, append(all, g)
		}
		g.answers = append(g.answers, answer)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	queries := map[*spec.Operation]map[string]bool{}
	for _, g := range all {
		for name := range asObject(g.said[exchange.InQuery]) {
			if queries[g.operation] == nil {
				queries[g.operation] = map[string]bool{}
			}
			queries[g.operation][name] = true
		}
	}
	rules := make([]Rule, len(all))
	for i, g := range all {
		rules[i] = g.rule(queries[g.operation])
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	// A request that another one extends must not answer in its place.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(rules[b].When), len(rules[a].When)) })
	draft := New(c)
	for _, i := range order {
		switch violates, err := draft.Add(rules[i]); {
		case err != nil:
			note(all[i].first, all[i].operation.Method, err.Error())
		case violates:
			note(all[i].first, all[i].operation.Method, "the answer violates the document, and the rule says so")
		}
	}
	text, err = draft.Text("recorded in "+strings.Join(o.Paths, ", "), "")
	return text, append(unread, left...), err
}

func asObject(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

// rule returns the rule of a group. queries are the query parameters that recorded requests of the operation have.
func (g *group) rule(queries map[string]bool) Rule {
	var when []string
	if path, ok := g.said[exchange.InPath]; ok {
		when = append(when, Equal("request.params", path)...)
	}
	if query := asObject(g.said[exchange.InQuery]); len(query) > 0 {
		when = append(when, Equal("request.query", query)...)
	}
	for _, name := range slices.Sorted(maps.Keys(queries)) {
		if _, sent := asObject(g.said[exchange.InQuery])[name]; !sent {
			when = append(when, Equal("request.query", map[string]any{name: nil})...)
		}
	}
	if body, ok := g.said[exchange.InBody]; ok {
		when = append(when, Equal("request.body", body)...)
	}
	answers := g.answers
	for len(answers) > 1 && reflect.DeepEqual(answers[len(answers)-1], answers[len(answers)-2]) {
		answers = answers[:len(answers)-1] // the last one repeats
	}
	return Rule{On: g.operation, When: when, Answers: answers}
}

// answerOf returns a recorded response as an answer of a rule, or the reason why it cannot be one.
func answerOf(r *replay.Request, e *replay.Entry) (answer []tree.Pair, reason string) {
	isRequested := slices.Contains(validate.RequestedStatuses(r.Header), e.Response.Status)
	switch {
	case r.Method == "HEAD":
		return nil, "HEAD is answered as GET"
	case e.Partial:
		return nil, "the recording lacks a part of the request"
	case isRequested && e.Response.Status != 406:
		return nil, "the response is to a condition or a range"
	case !utf8.Valid(e.Response.Body):
		return nil, "the body is binary"
	}
	documented := e.Operation.Response(e.Response.Status)
	contentType, _ := e.Response.Header.Get("Content-Type")
	var header exchange.Header
	if contentType != "" && len(e.Response.Body) > 0 {
		header = exchange.Header{{Name: "Content-Type", Value: contentType}}
		if documented != nil && len(documented.Content) > 0 && documented.Content[0].Range == contentType {
			header = nil // the default
		}
	}
	for _, f := range e.Response.Header {
		isDocumented := documented != nil && slices.ContainsFunc(documented.Headers, func(p *spec.Parameter) bool {
			return strings.EqualFold(p.Name, f.Name)
		})
		if _, twice := header.Get(f.Name); isDocumented && !twice && f.Value != auth.Redacted {
			header = append(header, f)
		}
	}
	return Answer(e.Response.Status, header, jsontext.DecodeBody(contentType, e.Response.Body)), ""
}
