package stateful

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/contracts/internal/doubt"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// Experiment finds out what a backend makes of a property that it shows otherwise than it was sent, and returns the
// violation with the severity that follows. It sends the request of the exchanges again, and then with other values
// of the property alone. sent are the exchanges that show the violation. Nothing else may be sent meanwhile.
//
// A function that is stable and idempotent is a warning if it has a name (see explain), and so are a value that the
// backend chooses and a change of what only an unusual value has. A loss is an error: other values are shown alike,
// what is shown would be shown in another way if it was sent, or only some of equal requests have the value.
func Experiment(ctx context.Context, o *Options, v checks.Violation, sent []*checks.Exchange) checks.Violation {
	e := newExperiment(ctx, o, v, sent)
	if e == nil {
		return v
	}
	severity, reason := v.Severity, ""
	// Until a plain value is changed as well.
	if value := e.value(e.item); !isExact(e.k) && differs(value, plainOf(value), nil) {
		severity = max(severity, exchange.Warning)
	}
	e.step(func() { severity, reason = e.run(severity, v.Severity) })
	if reason == "" {
		v.Severity = max(v.Severity, severity)
		return v
	}
	v.Severity = max(severity, v.Check.Severity, observed(sent))
	if v.Doubt != "" && !(severity == exchange.Error && isOfForm(v.Doubt)) { // another form is not a loss
		v.Severity = v.Severity.Lower()
	}
	v.Message += "; " + reason
	return v
}

// isOfForm reports whether a sentence excuses only another form of a value.
func isOfForm(said string) bool {
	says := func(class doubt.Class) bool { return doubt.In(class, nil, said) != "" }
	return says(doubt.Form) && !says(doubt.Value) && !says(doubt.Named)
}

// experiment varies one property of the requests of an operation.
type experiment struct {
	*tester
	by   *resource.Binding
	name string         // of the property that requests have
	path []string       // of what is shown otherwise, in the item that is shown
	k    *spec.Keywords // the schema of that
	item map[string]any // the one that was sent
}

// newExperiment returns the experiment for a violation; nil if it compares nothing that a request can vary.
func newExperiment(ctx context.Context, o *Options, v checks.Violation, sent []*checks.Exchange) *experiment {
	about, isBody := strings.CutPrefix(v.About, exchange.InBody+".")
	if !isBody || o.ReadOnly {
		return nil
	}
	e := &experiment{path: strings.Split(about, ".")}
	for i, name := range e.path {
		e.path[i] = exchange.UnescapePointer(name)
	}
	for _, x := range slices.Backward(sent) {
		b := o.Plan.Of(x.Case.Operation)
		if b == nil || b.Resource == nil || b.Request == nil {
			continue
		}
		compared := comparisons[b.Role]
		if v.Check.ID != compared.shown && v.Check.ID != compared.stored || o.Builder(b.Operation) == nil {
			continue
		}
		e.by, e.item, e.name = b, acceptedItem(b, x), e.path[0]
		for name, as := range b.Rename {
			if as == e.path[0] {
				e.name = name
			}
		}
		break
	}
	if e.by == nil {
		return nil
	}
	schemaOf := func() *spec.Keywords {
		return schema.At(e.by.Request.Value, append([]string{e.name}, e.path[1:]...))
	}
	for e.k = schemaOf(); e.k == nil && len(e.path) > 1; e.k = schemaOf() { // a member of a map: all of it is varied
		e.path = e.path[:len(e.path)-1]
	}
	if e.k == nil || e.value(e.item) == nil {
		return nil
	}
	quiet := *o
	quiet.Report = func(checks.Violation, []*checks.Exchange) {}
	e.tester = &tester{Options: &quiet, ctx: ctx, resource: e.by.Resource, test: &Test{ID: "experiment"}}
	e.requests = int(generate.NewKey(o.Seed, e.by.Operation.Method, e.by.Operation.Path, about) % 1_000_000)
	return e
}

// value returns the value of the property in an item that is sent.
func (e *experiment) value(item map[string]any) any {
	return valueAt(item, append([]string{e.name}, e.path[1:]...))
}

// outcome is what became of a value.
type outcome struct {
	before, shown any  // in the item before and after the request
	isMissing     bool // the item is shown without the property
	echoed        bool // the response to the request showed the value as it was sent
}

func (o outcome) text() string {
	if o.isMissing {
		return "not at all"
	}
	return "as " + text(o.shown)
}

// isLike reports whether two values are shown alike.
func (o outcome) isLike(other outcome) bool {
	return o.isMissing == other.isMissing && !differs(o.shown, other.shown, nil)
}

// try sends the request with a value of the property, for an item of its own, and reads the item. Only what must be
// unique differs as well. It ends the experiment if that is impossible. isKept says that the value is shown as it was
// sent.
func (e *experiment) try(value any) (o outcome, isKept bool) {
	r := request{mayFail: true, title: "vary " + strings.Join(e.path, ".")}
	r.have = maps.Clone(object(jsonvalue.WithProperty(any(e.item), append([]string{e.name}, e.path[1:]...), value)))
	maps.DeleteFunc(r.have, func(name string, _ any) bool {
		return name != e.name && (e.by.Role == resource.Update || e.isKey(name) || slices.Contains(e.resource.Unique, name))
	})
	i := &item{}
	if e.by.Role == resource.Replace || e.by.Role == resource.Update {
		i = must(e.tester, e.create(request{title: "create an item"}))
		o.before = valueAt(must(e.tester, e.readItem(i, "read it")).item, e.path)
		r.item = i
	} else {
		r.scope = e.mustScope(e.by)
	}
	if e.by.Role == resource.Update {
		r.body = e.by.Request.Wrap(r.have)
	}
	x := e.mustSend(e.by, r)
	e.require(jsonvalue.Equals(e.value(sentItem(e.by, x)), value))
	if r.item == nil {
		i = must(e.tester, e.createdBy(e.by, x, r.scope))
	}
	response := e.shown(x)
	if response != nil {
		is, has := jsonvalue.Property(response.item, e.path)
		o.echoed = has && !differs(value, is, e.k)
	}
	read := e.readItem(i, "read it")
	if read == nil {
		read = must(e.tester, response)
	}
	is, has := jsonvalue.Property(read.item, e.path)
	o.shown, o.isMissing = is, !has
	return o, has && !differs(value, is, e.k)
}

// again is how often equal requests are sent.
const again = 2

// run returns the severity of the difference, and why; "" if nothing was learned. given is the severity that it had.
func (e *experiment) run(severity, given exchange.Severity) (exchange.Severity, string) {
	value := e.value(e.item)
	first, isKept := e.try(value)
	if isKept {
		return severity, ""
	}
	loss := exchange.Error
	if first.isMissing { // a response may have a reason to show less
		loss = given
	}
	isChosen := false
	for range again {
		next, isKept := e.try(value)
		if isKept {
			return exchange.Error, "of equal requests, one has it shown as it was sent, and another " + first.text()
		}
		isChosen = isChosen || !first.isLike(next)
	}
	isUnchanged := e.by.Role != resource.Create && !differs(first.before, first.shown, nil)
	how := explain(value, first.shown)
	switch {
	case isUnchanged && isChosen:
		return exchange.Error, "the request leaves it unchanged"
	case isChosen:
		return exchange.Warning, "the backend chooses it: equal requests have it shown differently"
	case how != "" && first.echoed:
		return exchange.Error, "the response to the request shows it as it was sent"
	case isPresent(first.shown) && !isPresent(value):
		return exchange.Warning, "it is shown as the present time"
	}
	if other := withOtherSign(value); how == "" && other != nil && schema.Conforms(e.k, other) {
		if seen, isKept := e.try(other); !isKept && first.isLike(seen) {
			return loss, text(other) + " is shown alike"
		}
	}
	if how == "" && !isExact(e.k) {
		if plain := e.plain(value); plain != nil {
			if _, isKept := e.try(plain); isKept {
				return exchange.Warning, text(plain) + " is shown as it was sent"
			}
			severity = loss
		}
	}
	if how != masks {
		if other := e.other(value); other != nil {
			if seen, isKept := e.try(other); !isKept && first.isLike(seen) {
				return loss, text(other) + " is shown alike"
			}
		}
	}
	if how != escapes && !first.isMissing && schema.Conforms(e.k, first.shown) {
		if seen, isKept := e.try(first.shown); !isKept {
			return exchange.Error, "sent as it is shown, it is shown " + seen.text()
		}
	}
	return severity, ""
}

// plain returns a value like one that a backend may have a reason to change; nil if it has none, or the schema does
// not take the other.
func (e *experiment) plain(value any) any {
	plain := plainOf(value)
	if isComposite(value) && isCleared(value) || value == "" {
		plain = e.other(value)
	}
	if plain == nil || !differs(value, plain, nil) || !schema.Conforms(e.k, plain) {
		return nil
	}
	return plain
}

// other returns a value of the property that differs from one by more than its form; nil if none.
func (e *experiment) other(value any) any {
	isOther := func(v any) bool {
		return v != nil && differs(value, v, e.k) && explain(value, v) == "" && schema.Conforms(e.k, v)
	}
	candidates := slices.Clone(schema.Values(e.k))
	if is, isBool := value.(bool); isBool {
		candidates = append(candidates, !is)
	}
	if is, isText := value.(string); isText {
		candidates = append(candidates, withOtherLetter(is))
	}
	for range 3 {
		r := request{all: true}
		if e.by.Role == resource.Update || e.by.Role == resource.Replace {
			r.item = e.create(request{title: "create an item"})
		} else {
			r.scope = e.mustScope(e.by)
		}
		if c := e.build(e.by, r); c != nil {
			built, _ := e.by.Request.Item(c.Value)
			candidates = append(candidates, e.value(object(built)))
		}
	}
	if at := slices.IndexFunc(candidates, isOther); at >= 0 {
		return candidates[at]
	}
	return nil
}

// withOtherSign returns a text with its first sign beyond ASCII replaced by one of another script; nil if it has none.
func withOtherSign(value any) any {
	text, _ := value.(string)
	at := strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII })
	if at < 0 {
		return nil
	}
	first, size := utf8.DecodeRuneInString(text[at:])
	other := "ж"
	if first == 'ж' {
		other = "木"
	}
	return text[:at] + other + text[at+size:]
}

// withOtherLetter returns a text with its first ASCII letter or digit replaced; unchanged if it has none.
func withOtherLetter(text string) string {
	at := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(lettersOfASCII, r) })
	if at < 0 {
		return text
	}
	next := strings.IndexByte(lettersOfASCII, text[at]) + 1
	return text[:at] + lettersOfASCII[next:next+1] + text[at+1:]
}

// lettersOfASCII has each letter and digit before another of its kind.
const lettersOfASCII = "01234567890abcdefghijklmnopqrstuvwxyzaABCDEFGHIJKLMNOPQRSTUVWXYZA"
