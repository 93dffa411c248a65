package runner

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
)

// learnReference tries keys of items for the property that a refusal names. It reports whether that is another answer.
func (t *Tester) learnReference(ctx context.Context, target *Target, refused *checks.Exchange, n int) bool {
	_, about := checks.Refusal(refused)
	path, ok := strings.CutPrefix(about, "body.")
	if !ok {
		return false
	}
	had := target.references
	defer func() { target.references = had }()
	return t.pool.Learn(ctx, target.Operation, path, func(value any) bool {
		target.references = maps.Clone(had)
		if target.references == nil {
			target.references = map[string]any{}
		}
		target.references[path] = value
		x, err := t.plain(ctx, target, n)
		if err != nil || x == nil {
			return false
		}
		_, now := checks.Refusal(x)
		return x.Succeeded() || x.Status()/100 == 4 && now != "" && now != about
	})
}

const (
	// maxLearned is how many refusals in a row an operation learns from.
	maxLearned = 12
	// maxFormed is how many texts of a refused request get other forms.
	maxFormed = 3
)

// learn changes a refused plain request as its refusals suggest, and returns the accepted exchange; nil if none is. It
// fills what the request left out and a refusal names, at last all of the body, and writes texts that a refusal names
// or quotes in other forms. Documents often do not say what a backend requires.
func (t *Tester) learn(ctx context.Context, target *Target, refused *checks.Exchange, n int) *checks.Exchange {
	builder := target.builder
	before := builder.Needs()
	var formed []string
	for range maxLearned {
		if status := refused.Status(); status != 400 && status != 422 {
			break
		}
		leftOut := builder.LeftOut(refused.Case)
		x := t.fill(ctx, target, namedIn(refused, leftOut), n)
		if x == nil && n == maxPlain-1 && len(formed) < maxFormed {
			var place string
			if x, place = t.tryForms(ctx, target, refused, n, formed); x != nil {
				formed = append(formed, place)
			}
		}
		if x == nil && n == maxPlain-1 && slices.ContainsFunc(leftOut, isInBody) &&
			!slices.Contains(builder.Needs(), exchange.InBody) {
			x = t.fill(ctx, target, []string{exchange.InBody}, n)
		}
		if x == nil {
			break
		}
		if x.Succeeded() {
			return x
		}
		refused = x
	}
	builder.SetNeeds(before)
	for _, place := range formed {
		in, name, _ := strings.Cut(place, ".")
		builder.Unset(in, name)
	}
	return nil
}

// fill sends a plain request that fills more places; nil if none.
func (t *Tester) fill(ctx context.Context, target *Target, more []string, n int) *checks.Exchange {
	if len(more) == 0 {
		return nil
	}
	target.builder.SetNeeds(append(slices.Clone(target.builder.Needs()), more...))
	x, _ := t.plain(ctx, target, n)
	return x
}

// tryForms sends plain requests with other forms of a text that a refusal names or quotes, until one is accepted or
// refused for another reason. It returns that exchange and the place of the text, which keeps the form; nil if none is.
func (t *Tester) tryForms(ctx context.Context, target *Target, refused *checks.Exchange, n int, formed []string,
) (*checks.Exchange, string) {
	builder := target.builder
	reason, _ := checks.Refusal(refused)
	tried := 0
	places := textsIn(refused)
	isNamed := len(places) > 0
	if !isNamed { // a time may be too early
		places = allTexts(refused)
	}
	for _, place := range places {
		in, name, _ := strings.Cut(place, ".")
		name = general(name)
		forms := builder.TextForms(refused.Case, place, t.Transport.Budget.clock.Now())
		if !isNamed && len(forms) > maxTimeForms {
			continue
		}
		if slices.Contains(formed, in+"."+name) || in == exchange.InBody && builder.HasValue(name) || len(forms) == 0 {
			continue
		}
		if tried++; tried > maxFormed {
			break
		}
		for _, form := range forms {
			builder.SetValues(in, map[string]any{name: form})
			x, err := t.plain(ctx, target, n)
			if err != nil || x == nil || x.Status()/100 == 5 {
				continue
			}
			if now, _ := checks.Refusal(x); x.Succeeded() || now != reason && !slices.Contains(textsIn(x), place) {
				return x, in + "." + name
			}
		}
		builder.Unset(in, name)
	}
	return nil, ""
}

// maxTimeForms is how many forms a time has: a format leaves no others.
const maxTimeForms = 2

// allTexts returns the places of the texts in the body of a request.
func allTexts(x *checks.Exchange) (places []string) {
	for tokens, value := range jsonvalue.Walk(x.Case.Value) {
		if _, isText := value.(string); isText && len(tokens) > 0 {
			places = append(places, exchange.InBody+"."+strings.Join(tokens, "."))
		}
	}
	return places
}

// general returns a path in a body with "*" in place of the numbers of elements.
func general(path string) string {
	tokens := strings.Split(path, ".")
	for i, token := range tokens {
		if strings.Trim(token, "0123456789") == "" {
			tokens[i] = "*"
		}
	}
	return strings.Join(tokens, ".")
}

// minQuoted is how long a text of a request must be, in bytes, for a refusal that has it to quote it.
const minQuoted = 3

// textsIn returns the places of the texts of a request that its refusal names or quotes.
func textsIn(x *checks.Exchange) (places []string) {
	_, about := checks.Refusal(x)
	answer := string(x.Response.Body[:min(len(x.Response.Body), maxRefusal)])
	said := wordsOf(answer)
	add := func(place, name, text string) {
		isQuoted := len(text) >= minQuoted &&
			(strings.Contains(answer, text) || strings.Contains(answer, string(jsontext.Append(nil, text))))
		if place == about || isQuoted || said[naming.Fold(name)] {
			places = append(places, place)
		}
	}
	for tokens, value := range jsonvalue.Walk(x.Case.Value) {
		if text, isText := value.(string); isText && len(tokens) > 0 {
			at := len(tokens) - 1
			for at > 0 && strings.Trim(tokens[at], "0123456789") == "" { // of a list
				at--
			}
			add(exchange.InBody+"."+strings.Join(tokens, "."), tokens[at], text)
		}
	}
	query, _ := url.ParseQuery(x.Request.Query)
	for _, name := range slices.Sorted(maps.Keys(query)) {
		add(exchange.InQuery+"."+name, name, query.Get(name))
	}
	return places
}

func isInBody(place string) bool { return strings.HasPrefix(place, exchange.InBody+".") }

// namedIn returns the places whose name is a word of a refusal, and not of a text that was sent.
func namedIn(x *checks.Exchange, places []string) []string {
	answer := string(x.Response.Body[:min(len(x.Response.Body), maxRefusal)])
	for _, value := range jsonvalue.Walk(x.Case.Value) {
		if text, isText := value.(string); isText && text != "" {
			answer = strings.ReplaceAll(answer, text, " ")
		}
	}
	said := wordsOf(answer)
	return slices.DeleteFunc(slices.Clone(places), func(place string) bool {
		return !said[naming.Fold(place[strings.LastIndexByte(place, '.')+1:])]
	})
}

// wordsOf returns the words of a text without case and hyphens.
func wordsOf(text string) map[string]bool {
	said := map[string]bool{}
	isBetween := func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		said[naming.Fold(word)] = true
	}
	return said
}

// maxRefusal is how much of a refusal is read, in bytes.
const maxRefusal = 4 << 10
