package schema

import "time"

// maxVisits limits the (schema, value) pairs that explaining a refusal may visit. Each alternative of a choice visits
// the value again, so the number of visits can double with every level of nesting.
const maxVisits = 1 << 20

// maxReferences limits a chain of references between schemas for one value. A longer chain counts as a cycle, which
// Validate ends by itself.
const maxReferences = 64

// maxMatching limits the total time of backtracking matches for one request or response.
const maxMatching = 250 * time.Millisecond

// Backtracking is a Regexp whose matches may take time exponential in the length of the text.
type Backtracking interface {
	Regexp
	// Match is like MatchString. gaveUp is set if the match took too long, so that the result is unknown.
	Match(text string) (matches, gaveUp bool)
	// Try is like Match, but fails at once if earlier matches have taken too long. Use it if the result is
	// optional.
	Try(text string) (matches, gaveUp bool)
}

// Try reports whether a generated text matches a pattern; false if its matches have taken too long.
func Try(p Regexp, text string) bool {
	if slow, ok := p.(Backtracking); ok {
		matches, _ := slow.Try(text)
		return matches
	}
	return p.MatchString(text)
}

// Allowance limits the total time of backtracking matches for the values of one request or response. The zero value
// is a full allowance, nil a full one for each match. It is not safe for concurrent use.
type Allowance struct {
	spent   time.Duration
	sparing bool // for generated values: use Try
	// Pattern is the pattern that used up the allowance; nil before that.
	Pattern Regexp
}

func (a *Allowance) isSpent() bool { return a != nil && a.Pattern != nil }

// Unmatched returns an empty allowance: backtracking matches stay undecided.
func Unmatched() *Allowance { return &Allowance{Pattern: noPattern{}} }

type noPattern struct{}

func (noPattern) MatchString(string) bool { return true }
func (noPattern) String() string          { return "" }

// perStep is the number of enum values compared, or bytes of a text matched, that cost one step.
const perStep = 64

// steps returns the cost of a value, without the values below it.
func steps(k *Keywords, value any) int {
	n := 1
	if k.Enum != nil {
		n += len(k.Enum.Values) / perStep
	}
	switch v := value.(type) {
	case string:
		if k.Pattern != nil {
			n += len(v) / perStep
		}
	case map[string]any:
		n += len(v) * len(k.PatternProperties)
	}
	return n
}

// match reports whether a text matches, undecided if the allowance is used up.
func (a *Allowance) match(p Regexp, text string) outcome {
	slow, ok := p.(Backtracking)
	if !ok {
		return is(p.MatchString(text))
	}
	if a == nil {
		a = new(Allowance)
	}
	if a.Pattern != nil {
		return undecided
	}
	began, match := time.Now(), slow.Match
	if a.sparing {
		match = slow.Try
	}
	matches, gaveUp := match(text)
	if a.spent += time.Since(began); gaveUp || a.spent > maxMatching {
		a.Pattern = p
		return undecided
	}
	return is(matches)
}

// Affordable reports whether k.Validate(value) ends in reasonable time. It counts the branches that Validate would
// visit, and pays for the matches.
func Affordable(k *Keywords, value any, a *Allowance) bool {
	c := visitCounter{maxVisits, a}
	c.visit(k, value, 0)
	return c.left > 0 && !a.isSpent()
}

// Within is Conforms for generated values. It takes the cost from steps, and returns false if that is used up.
func Within(k *Keywords, value any, steps *int) bool {
	a := Allowance{sparing: true}
	f := fastValidator{min(*steps, maxSteps), &a}
	before := f.steps
	result := f.validate(k, value, 0)
	if *steps -= before - f.steps; result != undecided || *steps <= 0 {
		return result == valid
	}
	c := visitCounter{min(*steps/visitSteps, maxVisits), &a}
	before = c.left
	c.visit(k, value, 0)
	*steps -= (before - c.left) * visitSteps
	return c.left > 0 && a.Pattern == nil && k.Validate(value) == nil
}

// visitSteps is roughly the number of steps of the fast validator that one visit of Validate costs.
const visitSteps = 8

type visitCounter struct {
	left      int
	allowance *Allowance
}

func (c *visitCounter) match(p Regexp, text string) {
	if _, ok := p.(Backtracking); ok && c.left > 0 {
		c.allowance.match(p, text)
	}
}

func (c *visitCounter) visit(k *Keywords, value any, references int) {
	if k == nil || c.left <= 0 || c.allowance.isSpent() || references > maxReferences {
		return
	}
	c.left -= steps(k, value)
	references++
	for _, next := range [...]*Keywords{k.Ref, k.RecursiveRef, k.Not, k.If, k.Then, k.Else} {
		if next != nil {
			c.visit(next, value, references)
		}
	}
	if k.DynamicRef != nil {
		c.visit(k.DynamicRef.Ref, value, references)
	}
	for _, branches := range [...][]*Keywords{k.AllOf, k.AnyOf, k.OneOf} {
		for _, branch := range branches {
			c.visit(branch, value, references)
		}
	}
	for _, dependent := range k.DependentSchemas {
		c.visit(dependent, value, references)
	}
	switch v := value.(type) {
	case string:
		c.match(k.Pattern, v)
	case map[string]any:
		c.visitObject(k, v)
	case []any:
		for i, item := range v {
			c.visit(Item(k, i), item, 0)
			c.visit(k.Contains, item, 0)
			c.visit(k.UnevaluatedItems, item, 0)
		}
	}
}

func (c *visitCounter) visitObject(k *Keywords, object map[string]any) {
	additional, _ := k.AdditionalProperties.(*Keywords)
	if len(k.Properties)+len(k.PatternProperties) == 0 && additional == nil && k.PropertyNames == nil &&
		k.UnevaluatedProperties == nil {
		return
	}
	for name, member := range object {
		c.visit(k.Properties[name], member, 0)
		if k.PropertyNames != nil {
			c.visit(k.PropertyNames, name, 0)
		}
		for pattern, matching := range k.PatternProperties {
			c.match(pattern, name)
			c.visit(matching, member, 0)
		}
		c.visit(additional, member, 0)
		c.visit(k.UnevaluatedProperties, member, 0)
	}
}
