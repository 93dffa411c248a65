package runner

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/exchange"
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

// maxLearned is how many refusals in a row an operation learns from.
const maxLearned = 8

// learnNeeds fills what a refused plain request left out and the refusal names, at last all of the body, and returns
// the exchange that is accepted then; nil if none is. Documents often do not say what a backend requires.
func (t *Tester) learnNeeds(ctx context.Context, target *Target, refused *checks.Exchange, n int) *checks.Exchange {
	builder := target.builder
	before := builder.Needs()
	needs := slices.Clone(before)
	for range maxLearned {
		if status := refused.Status(); status != 400 && status != 422 {
			break
		}
		more := namedIn(refused, builder.LeftOut(refused.Case))
		if len(more) == 0 && n == maxPlain-1 && !slices.Contains(needs, exchange.InBody) &&
			slices.ContainsFunc(builder.LeftOut(refused.Case), isInBody) {
			more = []string{exchange.InBody}
		}
		if len(more) == 0 {
			break
		}
		needs = append(needs, more...)
		builder.SetNeeds(slices.Clone(needs))
		x, err := t.plain(ctx, target, n)
		if err != nil || x == nil {
			break
		}
		if x.Succeeded() {
			return x
		}
		refused = x
	}
	builder.SetNeeds(before)
	return nil
}

func isInBody(place string) bool { return strings.HasPrefix(place, exchange.InBody+".") }

// namedIn returns the places whose name is a word of a refusal.
func namedIn(x *checks.Exchange, places []string) []string {
	said := map[string]bool{}
	isBetween := func(r rune) bool { return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	text := string(x.Response.Body[:min(len(x.Response.Body), maxRefusal)])
	for word := range strings.FieldsFuncSeq(text, isBetween) {
		said[naming.Fold(word)] = true
	}
	return slices.DeleteFunc(slices.Clone(places), func(place string) bool {
		return !said[naming.Fold(place[strings.LastIndexByte(place, '.')+1:])]
	})
}

// maxRefusal is how much of a refusal is read, in bytes.
const maxRefusal = 4 << 10
