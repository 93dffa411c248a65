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
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// Fuzz makes requests at random, decided by the seed, without end: conforming
// ones with odd values, and ones in which a place or two are broken.
func (m *Builder) Fuzz(ctx context.Context, have map[string]any, _ int) iter.Seq[*Case] {
	return func(yield func(*Case) bool) {
		fruitless := 0
		for i := 0; fruitless < maxFruitless && ctx.Err() == nil; i++ {
			key := m.key.Child("fuzz").Child(strconv.Itoa(i))
			c := m.random(key, have)
			if c == nil {
				fruitless++
				continue
			}
			fruitless = 0
			if !yield(c) {
				return
			}
		}
	}
}

// maxFruitless is after how many attempts in a row that made no case there are
// none.
const maxFruitless = 50

// random makes one case of a key, nil where nothing came of it.
func (m *Builder) random(key generate.Key, have map[string]any) *Case {
	dice := rand.New(rand.NewPCG(uint64(key), 0))
	d, err := m.draft(key, have)
	if err != nil {
		return nil
	}
	d = d.clone()
	for _, p := range m.parameters {
		if _, sent := d.values[p]; !sent && dice.IntN(3) == 0 {
			if value, err := p.value(key.Child(p.In).Child(p.Name)); err == nil {
				d.values[p] = value
			}
		}
	}
	if len(m.bodies) > 0 {
		d.body = m.bodies[dice.IntN(len(m.bodies))]
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
	var places []place
	for range 1 + dice.IntN(2) {
		places = append(places, candidates[dice.IntN(len(candidates))])
		m.mutate(d, places[len(places)-1], dice)
	}
	r, err := m.write(d)
	if err != nil || d.hasLongAddress() {
		return nil
	}
	var c *Case
	if findings := m.findings(d, r); len(findings) > 0 {
		c = m.newCase(d, r, "a random request that does not conform")
		c.Expected, c.Violation = Refused, &findings[0]
	} else {
		title, varies := random(d, places)
		c = m.newCase(d, r, title)
		c.Expected, c.Varied = Accepted, varies
	}
	if c.Violation == nil && (oftenRefused(d) || d.uncertain()) || c.Violation != nil && isSyntax(c.Violation.Code) {
		c.Expected = Anything
	}
	c.draft, c.places, c.Random = d, places, true
	return c
}

// random names what is odd in a conforming random request, as far as it is there
// still.
func random(d *draft, places []place) (title, varies string) {
	var all []string
	for _, s := range places {
		name := s.where()
		if s.parameter == nil {
			if _, ok := jsonvalue.At(d.value, s.tokens); !ok {
				continue
			}
		} else if _, sent := d.values[s.parameter]; !sent {
			continue
		}
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) == 0 {
		return "a random request", "a random value"
	}
	slices.Sort(all)
	return "a random value of " + strings.Join(all, " and of "), all[0]
}

// isSyntax reports whether a finding is about how a value is written, which many
// programs are lenient with.
func isSyntax(code string) bool {
	switch code {
	case decode.CodeRepeatedParameter, decode.CodeMalformedParameter, decode.CodePercentEncoding,
		decode.CodeUndeclaredParameter:
		return true
	}
	return false
}

// oftenRefused reports whether a conforming draft has what many programs refuse for
// good reasons that documents do not state: names that the document does not
// know, NUL, foreign letters in addresses, numbers beyond machine words.
func oftenRefused(d *draft) bool {
	found := false
	look := func(value any) {
		for _, at := range jsonvalue.Walk(value) {
			switch v := at.(type) {
			case string:
				address := strings.ContainsAny(v, ":@") && (!ascii(v) || strings.ContainsAny(v, " \"'`<>\\^{|}"))
				found = found || address || strings.Contains(v, "\x00")
			case json.Number:
				_, err := strconv.ParseInt(v.String(), 10, 64)
				found = found || err != nil && !strings.ContainsAny(v.String(), ".eE") || strings.Contains(v.String(), "308")
			case map[string]any:
				for name := range v {
					found = found || strings.HasPrefix(name, unknownPrefix)
				}
			}
		}
	}
	for _, value := range d.values {
		look(value)
	}
	look(d.value)
	return found
}

func ascii(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) < 0
}

// unknownPrefix begins the names of properties that no document has.
const unknownPrefix = "x-odd-"

// place is a place of a draft: in a parameter, or in the body.
type place struct {
	parameter *parameter // nil: in the body
	tokens    []string
}

// where names a place as Finding.Where does; of a parameter, all of it.
func (s place) where() string {
	if s.parameter != nil {
		return s.parameter.In + "." + s.parameter.Name
	}
	return strings.Join(append([]string{"body"}, s.tokens...), ".")
}

// maxPlaces bounds the places of one draft that are looked at.
const maxPlaces = 500

// placesOf gives the places of a draft, the outermost first. Those of path
// variables are left out: another value there is another item.
func (m *Builder) placesOf(d *draft) []place {
	var all []place
	add := func(p *parameter, value any) {
		for tokens := range jsonvalue.Walk(value) {
			if len(all) == maxPlaces {
				return
			}
			all = append(all, place{p, tokens})
		}
	}
	for _, p := range m.parameters {
		if value, sent := d.values[p]; sent && p.In != "path" {
			add(p, value)
		}
	}
	if d.body != nil {
		add(nil, d.value)
	}
	return all
}

// mutate puts an odd value at a place.
func (m *Builder) mutate(d *draft, s place, dice *rand.Rand) {
	change := func(value any) (any, bool) { return mutated(value, dice) }
	if s.parameter != nil {
		if value, keep := changeAt(d.values[s.parameter], s.tokens, change); keep {
			d.values[s.parameter] = value
		} else if !s.parameter.Required {
			delete(d.values, s.parameter)
		}
		return
	}
	if value, keep := changeAt(d.value, s.tokens, change); keep {
		d.value = value
	}
}

// changeAt gives a value with another one where tokens lead. change says whether
// that is kept; otherwise it is taken out of what holds it. keep is false where
// nothing is left.
func changeAt(value any, tokens []string, change func(any) (any, bool)) (changed any, keep bool) {
	inner, ok := jsonvalue.At(value, tokens)
	if !ok {
		return value, true
	}
	if inner, keep = change(inner); keep {
		changed, _ = jsonvalue.With(value, tokens, inner)
		return changed, true
	}
	if len(tokens) == 0 {
		return nil, false
	}
	changed, _, _ = jsonvalue.Remove(value, tokens)
	return changed, true
}

// edgeTexts are strings that programs trip over.
var edgeTexts = []string{"", " ", "0", "null", "true", "\t", "a\nb", "𝔘𝔫𝔦", "👩‍👩‍👧", "שלום", "e\u0301", "\u0000", "\u202eabc", "ﬀ", "İ", "'\"`<>&;", "%00", "../..", "{{7*7}}", strings.Repeat("a", 300), strings.Repeat("ü", 1025)}

// edgeNumbers are numbers at the edges of machine words.
var edgeNumbers = []string{"0", "-0", "-1", "1", "0.1", "1e2", "2147483647", "2147483648", "-2147483649", "4294967296", "9007199254740991", "9007199254740993",
	"9223372036854775807", "9223372036854775808", "-9223372036854775809", "1e308", "-1e-308",
	"123456789012345678901234567890"}

// mutated gives an mutated value in place of another; false takes it out.
func mutated(value any, dice *rand.Rand) (any, bool) {
	if dice.IntN(4) == 0 {
		return anyValue(dice), dice.IntN(3) > 0
	}
	switch v := value.(type) {
	case string:
		switch dice.IntN(4) {
		case 0:
			return v + edgeTexts[dice.IntN(len(edgeTexts))], true
		case 1:
			return strings.ToUpper(v), true
		}
		return edgeTexts[dice.IntN(len(edgeTexts))], true
	case json.Number:
		return json.Number(edgeNumbers[dice.IntN(len(edgeNumbers))]), true
	case bool:
		return !v, true
	case []any:
		switch {
		case len(v) == 0:
			return []any{anyValue(dice)}, true
		case dice.IntN(3) == 0:
			return v[:len(v)-1], true
		}
		return append(slices.Clip(v), v[dice.IntN(len(v))]), true
	case map[string]any:
		copied := maps.Clone(v)
		copied[unknownPrefix+strconv.Itoa(dice.IntN(100))] = anyValue(dice)
		return copied, true
	}
	return anyValue(dice), true
}

// anyValue gives a small value of any type.
func anyValue(dice *rand.Rand) any {
	switch dice.IntN(7) {
	case 0:
		return nil
	case 1:
		return dice.IntN(2) == 0
	case 2:
		return json.Number(edgeNumbers[dice.IntN(len(edgeNumbers))])
	case 3:
		return []any{}
	case 4:
		return map[string]any{}
	case 5:
		return []any{json.Number("1"), "a"}
	}
	return edgeTexts[dice.IntN(len(edgeTexts))]
}
