// Package learn compares the responses of a proxy's upstream with those that the mock would have sent, and proposes
// settings, and corrections of the document, that remove the differences. It compares what the mock decides, not the
// values that it generates.
package learn

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/auth"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/resources"
)

// Answer is a response.
type Answer struct {
	Status int
	Body   any               // decoded
	Media  *spec.MediaType   // of Body; nil if the document has none
	List   *resources.Listed // nil if it has none
}

// Exchange is a request with the response of the upstream and the mock's.
type Exchange struct {
	Operation      *spec.Operation
	Upstream, Mock Answer
	Unsent         map[string]bool    // see resources.Set.Unsent
	Findings       []exchange.Finding // on the response of the upstream
}

// Learner counts differences. It is safe for concurrent use.
type Learner struct {
	mu         sync.Mutex
	operations map[string]*operation // by method and path
	facts      int                   // of all operations
	isOld      bool                  // the document is older than OpenAPI 3.1
}

// Limits of what a Learner keeps.
const (
	maxFacts  = 20_000 // further ones are not counted
	maxValues = 16     // different ones of a fact
	maxText   = 200    // bytes of a value
	maxDepth  = 12     // of a body
)

type operation struct {
	*spec.Operation
	exchanges, differing int
	facts                map[place]*fact
}

// place is what a fact is about: a kind, and the body of a response with a JSON Pointer in it, "*" for all elements.
type place struct {
	kind    kind
	status  int // 0 if the fact is about all responses
	pointer string
}

type kind string

// The kinds of differences.
const (
	ofStatus   kind = "status"
	ofType     kind = "type"
	ofPresence kind = "presence"
	ofOrder    kind = "order"
	ofPageSize kind = "page size"
	ofTotal    kind = "total"
	ofDefault  kind = "default"
	ofEnum     kind = "enum"
	ofDocument kind = "document" // where the upstream leaves it; the mock does not
)

// fact is what is known of a place.
type fact struct {
	seen, differs int
	upstream      map[string]int  // how often it had which value
	mock          map[string]int  // likewise
	isCut         bool            // there were more values
	property      *spec.Keywords  // at the place; nil if none
	document      exchange.Place  // of the property
	orders        map[string]bool // in which all lists of the upstream are sorted; nil before the first
	times         map[string]int  // 1 for properties of their items that are times
	limit         *spec.Parameter // of a page size
	action        *action         // that corrects the document; nil if none
}

// New returns a Learner without exchanges. version is the document's version of OpenAPI.
func New(version string) *Learner {
	isOld := strings.HasPrefix(version, "2.") || strings.HasPrefix(version, "3.0")
	return &Learner{operations: map[string]*operation{}, isOld: isOld}
}

// comparison compares one exchange.
type comparison struct {
	*Exchange
	learner *Learner
	op      *operation
	differs bool
}

// Add compares an exchange.
func (l *Learner) Add(x *Exchange) {
	l.mu.Lock()
	defer l.mu.Unlock()
	name := x.Operation.Method + " " + x.Operation.Path
	op := l.operations[name]
	if op == nil {
		op = &operation{facts: map[place]*fact{}}
		l.operations[name] = op
	}
	op.Operation = x.Operation // of the current document
	op.exchanges++
	c := &comparison{x, l, op, false}
	c.note(place{kind: ofStatus}, strconv.Itoa(x.Upstream.Status), strconv.Itoa(x.Mock.Status))
	c.findings()
	if x.Upstream.Media != nil && x.Upstream.Media == x.Mock.Media && x.Upstream.Media.Schema != nil {
		c.values("", x.Upstream.Media.Schema.Keywords, []any{x.Upstream.Body}, []any{x.Mock.Body}, 0)
	}
	if x.Upstream.List != nil && x.Mock.List != nil {
		c.lists(x.Upstream.List, x.Mock.List)
	}
	if c.differs {
		op.differing++
	}
}

// note counts what both servers have at a place; what is different is a difference.
func (c *comparison) note(at place, upstream, mock string) *fact {
	return c.count(at, upstream, mock, upstream != mock)
}

func (c *comparison) count(at place, upstream, mock string, differs bool) *fact {
	f := c.op.facts[at]
	if f == nil {
		f = &fact{upstream: map[string]int{}, mock: map[string]int{}}
		if c.learner.facts < maxFacts {
			c.learner.facts++
			c.op.facts[at] = f
		}
	}
	f.seen++
	f.add(f.upstream, upstream)
	f.add(f.mock, mock)
	if differs {
		f.differs++
		c.differs = true
	}
	return f
}

func (f *fact) add(to map[string]int, value string) {
	if _, known := to[value]; len(value) > maxText || !known && len(to) >= maxValues {
		f.isCut = true
		return
	}
	to[value]++
}

// at returns the place of a pointer in the response's body.
func (c *comparison) at(k kind, pointer string) place { return place{k, c.Upstream.Status, pointer} }

// values compares the values of both servers at the same place, of which there may be several below a list.
func (c *comparison) values(pointer string, k *spec.Keywords, upstream, mock []any, depth int) {
	if depth > maxDepth || len(upstream) == 0 || len(mock) == 0 {
		return
	}
	of, ofMock := typesOf(upstream), typesOf(mock)
	f := c.count(c.at(ofType, pointer), typeText(of), typeText(ofMock), !of.Has(ofMock))
	if f.property = k; k == nil || !of.Has(ofMock) {
		return
	}
	if len(schema.Values(k)) > 1 {
		c.enum(c.at(ofEnum, pointer), k, upstream, mock)
	}
	c.objects(pointer, k, only[map[string]any](upstream), only[map[string]any](mock), depth)
	elements := func(of []any) []any { return slices.Concat(only[[]any](of)...) }
	c.values(pointer+"/*", schema.Items(k), elements(upstream), elements(mock), depth+1)
}

func (c *comparison) objects(pointer string, k *spec.Keywords, upstream, mock []map[string]any, depth int) {
	declared := schema.Properties(k)
	if len(upstream) == 0 || len(mock) == 0 || len(declared) == 0 { // names of maps are values
		return
	}
	names := map[string]bool{}
	for _, object := range slices.Concat(upstream, mock) {
		for name := range object {
			names[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		inner := pointer + resource.Pointer([]string{name})
		of, ofMock := member(upstream, name), member(mock, name)
		if c.isDefault(inner, declared[name], of, ofMock) {
			continue
		}
		has, mockHas := presence(len(of), len(upstream)), presence(len(ofMock), len(mock))
		c.count(c.at(ofPresence, inner), has, mockHas, has != mockHas && has != someHave && mockHas != someHave)
		c.values(inner, declared[name], of, ofMock, depth+1)
	}
}

// isDefault compares the values of a property that a creation did not send, if requests may have it or it is an enum.
// It reports false for others, and for objects and lists.
func (c *comparison) isDefault(pointer string, k *spec.Keywords, upstream, mock []any) bool {
	maySend, isUnsent := c.Unsent[pointer]
	types := typesOf(slices.Concat(upstream, mock))
	if !isUnsent || k == nil || !maySend && len(schema.Values(k)) < 2 || types&^schema.Scalar != 0 {
		return false
	}
	if slices.Contains(upstream, any(auth.Redacted)) {
		return true // nothing is known of it
	}
	text := func(values []any) string {
		if len(values) == 0 {
			return absent
		}
		return textOf(values[0])
	}
	f := c.note(c.at(ofDefault, pointer), text(upstream), text(mock))
	if n := c.Upstream.Media.Schema.Node(schema.Resolve(k)); f.property == nil && n != nil {
		f.property, f.document = k, n.Place()
	}
	return true
}

// enum counts the values of an enum: the mock differs if it has one that the upstream was not seen to have.
func (c *comparison) enum(at place, k *spec.Keywords, upstream, mock []any) {
	var used map[string]int
	if f := c.op.facts[at]; f != nil {
		used = f.upstream
	}
	isUsed := func(value any) bool {
		text := textOf(value)
		return used[text] > 0 || slices.ContainsFunc(upstream, func(other any) bool { return textOf(other) == text })
	}
	f := c.count(at, textOf(upstream[0]), textOf(mock[0]), !isUsed(mock[0]))
	for _, other := range upstream[1:] {
		f.add(f.upstream, textOf(other))
	}
	f.property = k
}

// lists compares order and pages.
func (c *comparison) lists(upstream, mock *resources.Listed) {
	if !upstream.IsSorted {
		common := func(keys, others []string) string {
			return strings.Join(slices.DeleteFunc(slices.Clone(keys), func(key string) bool {
				return key == "" || !slices.Contains(others, key)
			}), "\x00")
		}
		f := c.count(place{kind: ofOrder}, "", "", common(upstream.Keys, mock.Keys) != common(mock.Keys, upstream.Keys))
		f.sortedBy(upstream.Items)
	}
	c.note(place{kind: ofTotal}, presence(count(upstream.HasTotal), 1), presence(count(mock.HasTotal), 1))
	if upstream.Size > 0 {
		c.note(place{kind: ofPageSize}, strconv.Itoa(upstream.Size), strconv.Itoa(upstream.Usual)).limit = upstream.Limit
	}
}

// sortedBy keeps the orders that a list has, too: name, or -name for a descending one.
func (f *fact) sortedBy(items []map[string]any) {
	if len(items) < 2 {
		f.seen-- // it says nothing
		return
	}
	orders := map[string]bool{}
	for name := range items[0] {
		values := make([]any, len(items))
		for i, item := range items {
			values[i] = item[name]
		}
		rises := slices.IsSortedFunc(values, compare)
		slices.Reverse(values)
		falls := slices.IsSortedFunc(values, compare)
		orders[name], orders["-"+name] = rises && !falls, falls && !rises
	}
	f.times = map[string]int{}
	for name, value := range items[0] {
		if text, _ := value.(string); len(text) > 0 {
			if _, err := time.Parse(time.RFC3339, text); err == nil {
				f.times[name] = 1
			}
		}
	}
	for order, has := range orders {
		orders[order] = has && (f.orders == nil || f.orders[order])
	}
	f.orders = orders
}

// compare compares numbers or texts; other values are not in order.
func compare(a, b any) int {
	switch schema.TypeOf(a) | schema.TypeOf(b) {
	case schema.String:
		return cmp.Compare(a.(string), b.(string))
	case schema.Integer, schema.Fraction, schema.Number:
		number := func(value any) float64 {
			n, _ := strconv.ParseFloat(textOf(value), 64)
			return n
		}
		return cmp.Compare(number(a), number(b))
	}
	return -1
}

const (
	absent   = "absent"
	someHave = "in some"
)

func presence(have, of int) string {
	switch have {
	case 0:
		return absent
	case of:
		return "present"
	}
	return someHave
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

func member(objects []map[string]any, name string) (values []any) {
	for _, object := range objects {
		if value, has := object[name]; has {
			values = append(values, value)
		}
	}
	return values
}

func only[T any](values []any) (found []T) {
	for _, value := range values {
		if v, is := value.(T); is {
			found = append(found, v)
		}
	}
	return found
}

func textOf(value any) string { return string(jsontext.Marshal(value)) }

func typesOf(values []any) (types schema.Type) {
	for _, value := range values {
		if of := schema.TypeOf(value); schema.Number.Has(of) {
			types |= schema.Number
		} else {
			types |= of
		}
	}
	return types
}

// typeNames are the types of JSON Schema.
var typeNames = []struct {
	of   schema.Type
	name string
}{
	{schema.Null, "null"}, {schema.Boolean, "boolean"}, {schema.Number, "number"}, {schema.String, "string"},
	{schema.Array, "array"}, {schema.Object, "object"},
}

func typeText(types schema.Type) string {
	var names []string
	for _, row := range typeNames {
		if types.Has(row.of) {
			names = append(names, row.name)
		}
	}
	return strings.Join(names, " or ")
}
