package cases

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// Fuzz makes requests at random, decided by the seed, without end: conforming
// ones with odd values, and ones in which a place or two are broken.
func (m *Builder) Fuzz(ctx context.Context, have map[string]any, _ int) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		fruitless := 0
		for i := 0; fruitless < maxFruitless && ctx.Err() == nil; i++ {
			fruitless++
			if c := m.random(m.key.Child("fuzz").Child(strconv.Itoa(i)), have); c != nil {
				if fruitless = 0; !yield(c) {
					return
				}
			}
		}
	}
}

func (m *Builder) random(key generate.Key, have map[string]any) *Case {
	dice := rand.New(rand.NewPCG(uint64(key), 0))
	d, err := m.draft(key, have)
	if err != nil {
		return nil
	}
	for _, p := range m.parameters {
		if _, sent := d.values[p]; !sent && dice.IntN(3) == 0 {
			if value, err := p.value(key.Child(p.In).Child(p.Name)); err == nil {
				d.values[p] = value
			}
		}
	}
	if len(m.bodies) > 0 {
		d.body = pick(dice, m.bodies)
		fill := "required"
		if dice.IntN(2) == 0 {
			fill = "all"
		}
		if value, err := d.body.make(key.Child("body"), have, fill); err == nil {
			d.value = value
		}
	}
	candidates := m.placesOf(d)
	if len(candidates) == 0 {
		return nil
	}
	var places []location
	for range 1 + dice.IntN(2) {
		s := pick(dice, candidates)
		places = append(places, s)
		left := s.edit(d, func(value any) (any, bool) { return mutated(value, dice) })
		if !left && s.parameter != nil && !s.parameter.Required {
			delete(d.values, s.parameter)
		}
	}
	r, err := m.write(d)
	if err != nil || d.hasLongAddress() {
		return nil
	}
	c := m.randomCase(d, r, places)
	c.draft, c.places, c.Random = d, places, true
	return c
}

// randomCase is a random request with what is expected of it.
func (m *Builder) randomCase(d *draft, r *exchange.Request, places []location) *Case {
	c := m.newCase(d, r, "a random request that does not conform")
	if findings := m.findings(d, r); len(findings) > 0 {
		c.Expected, c.Violation = Refused, &findings[0]
		if slices.Contains(syntaxCodes, c.Violation.Code) || slices.Contains(limitCodes, c.Violation.Code) ||
			m.parameterMayBeRead(d, r, c.Violation) {
			c.Expected = Anything
		}
	} else {
		c.Expected = Accepted
		c.Title, c.Varied = random(d, places)
		if d.oftenRefused() || d.uncertain() || d.writesNull() {
			c.Expected = Anything
		}
	}
	return c
}

// writesNull reports whether a parameter that is text has the word null, see proposeNull, or no text, which many
// programs read as no value.
func (d *draft) writesNull() bool {
	for p, value := range d.values {
		if p.Content == nil && (value == nil || value == "null" || value == "") {
			return true
		}
	}
	return false
}

// random names what is odd in a conforming random request, if it still has it.
func random(d *draft, places []location) (title, varies string) {
	var all []string
	for _, s := range places {
		if _, sent := s.root(d); !sent {
			continue
		}
		if s.parameter != nil {
			s.tokens = nil
		} else if _, there := s.of(d); !there {
			continue
		}
		if name := s.finding().Where(); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return "a random request", "a random value"
	}
	slices.Sort(all)
	return "a random value of " + strings.Join(all, " and of "), all[0]
}

// syntaxCodes are findings about how a value is written, which many programs are lenient with.
var syntaxCodes = []string{codeOtherOperation, decode.CodeRepeatedParameter, decode.CodeMalformedParameter, decode.CodePercentEncoding,
	decode.CodeUndeclaredParameter}

// placesOf returns the places of a draft, the outermost first. Those of path
// variables are left out: another value there is another item.
func (m *Builder) placesOf(d *draft) []location {
	var all []location
	add := func(p *parameter, value any) {
		for tokens := range jsonvalue.Walk(value) {
			if len(all) == maxPlaces {
				return
			}
			all = append(all, location{p, tokens})
		}
	}
	for _, p := range m.parameters {
		if value, sent := d.values[p]; sent && p.In != exchange.InPath {
			add(p, value)
		}
	}
	if d.body != nil {
		add(nil, d.value)
	}
	return all
}

// unknownPrefix begins the names of properties that no document has.
const unknownPrefix = "x-odd-"

var (
	// edgeTexts are strings that programs often handle wrongly.
	edgeTexts = []string{"", " ", "0", "null", "true", "\t", "a\nb", "𝔘𝔫𝔦", "👩‍👩‍👧", "שלום", "e\u0301", "\u0000", "\u202eabc",
		"ﬀ", "İ", "'\"`<>&;", "%00", "../..", "{{7*7}}", strings.Repeat("a", 300), strings.Repeat("ü", 1025)}
	// edgeNumbers are numbers at the edges of machine words.
	edgeNumbers = []json.Number{"0", "-0", "-1", "1", "0.1", "1e2", "2147483647", "2147483648", "-2147483649", "4294967296",
		"9007199254740991", "9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775809",
		"1e308", "-1e-308", "123456789012345678901234567890"}
)

func pick[T any](dice *rand.Rand, all []T) T { return all[dice.IntN(len(all))] }

// mutated returns an odd value in place of another; false takes it out.
func mutated(value any, dice *rand.Rand) (any, bool) {
	if dice.IntN(4) == 0 {
		return anyValue(dice), dice.IntN(3) > 0
	}
	switch v := value.(type) {
	case string:
		switch dice.IntN(4) {
		case 0:
			return v + pick(dice, edgeTexts), true
		case 1:
			return strings.ToUpper(v), true
		}
		return pick(dice, edgeTexts), true
	case json.Number:
		return pick(dice, edgeNumbers), true
	case bool:
		return !v, true
	case []any:
		switch {
		case len(v) == 0:
			return []any{anyValue(dice)}, true
		case dice.IntN(3) == 0:
			return v[:len(v)-1], true
		}
		return append(slices.Clip(v), pick(dice, v)), true
	case map[string]any:
		copied := maps.Clone(v)
		copied[unknownPrefix+strconv.Itoa(dice.IntN(100))] = anyValue(dice)
		return copied, true
	}
	return anyValue(dice), true
}

func anyValue(dice *rand.Rand) any {
	switch dice.IntN(7) {
	case 0:
		return nil
	case 1:
		return dice.IntN(2) == 0
	case 2:
		return pick(dice, edgeNumbers)
	case 3:
		return []any{}
	case 4:
		return map[string]any{}
	case 5:
		return []any{json.Number("1"), "a"}
	}
	return pick(dice, edgeTexts)
}

// Smaller returns cases like a random one whose requests are simpler in one place
// each: something optional left out, a list or a text shortened, a number
// nearer to zero. Each wants what the case wants and breaks what it breaks.
func (m *Builder) Smaller(c *Case) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		if c.draft == nil {
			return
		}
		for _, p := range m.parameters {
			if _, sent := c.draft.values[p]; !sent || p.Required {
				continue
			}
			d := c.draft.clone()
			delete(d.values, p)
			if s := m.like(c, d); s != nil && !yield(s) {
				return
			}
		}
		for _, place := range m.placesOf(c.draft) {
			for _, change := range simplifications {
				smaller := false
				d := c.draft.clone()
				left := place.edit(d, func(value any) (any, bool) {
					simple, keep, ok := change(value)
					smaller = ok
					return simple, keep
				})
				if !left || !smaller {
					continue
				}
				if s := m.like(c, d); s != nil && !yield(s) {
					return
				}
			}
		}
	}
}

// simplifications are the ways to make a value simpler. ok is false if a value is as
// simple as it gets, keep where it is to be taken out of what holds it.
var simplifications = []func(value any) (smaller any, keep, ok bool){
	func(any) (any, bool, bool) { return nil, false, true },
	func(value any) (any, bool, bool) {
		switch v := value.(type) {
		case string:
			runes := []rune(v)
			return string(runes[:len(runes)/2]), true, len(runes) > 1
		case []any:
			return v[:len(v)/2], true, len(v) > 1
		case json.Number:
			return json.Number("0"), true, v != "0" && v != "1"
		}
		return value, true, false
	},
	func(value any) (any, bool, bool) {
		switch v := value.(type) {
		case string:
			return "a", true, v != "" && v != "a"
		case json.Number:
			return json.Number("1"), true, v != "0" && v != "1"
		}
		return value, true, false
	},
}

// like makes a case of a draft that wants what another wants; nil if the
// draft does not come to that.
func (m *Builder) like(c *Case, d *draft) *Case {
	r, err := m.write(d)
	if err != nil {
		return nil
	}
	made := m.newCase(d, r, c.Title)
	findings := m.findings(d, r)
	switch c.Expected {
	case Accepted:
		if len(findings) > 0 {
			return nil
		}
		var varies string
		if made.Title, varies = random(d, c.places); !d.uncertain() {
			made.Expected, made.Varied = Accepted, varies
		}
	case Refused:
		at := slices.IndexFunc(findings, func(f exchange.Finding) bool {
			return f.Code == c.Violation.Code && f.In == c.Violation.In && f.Name == c.Violation.Name &&
				f.Pointer == c.Violation.Pointer
		})
		if at < 0 {
			return nil
		}
		made.Expected, made.Violation = Refused, &findings[at]
	}
	made.draft, made.places, made.Phase, made.Random = d, c.places, c.Phase, true
	return made
}
