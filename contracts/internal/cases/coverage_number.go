package cases

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
)

func plus(r, by *big.Rat) json.Number { return number(new(big.Rat).Add(r, by)) }

// step is the distance between neighbouring values that are tried.
func (f *constraints) step() *big.Rat {
	switch {
	case len(f.Steps) > 0:
		return f.Steps[0]
	case f.Types&schema.Fraction != 0:
		return big.NewRat(1, 100)
	}
	return big.NewRat(1, 1)
}

// proposeNumberBounds takes numbers to their bounds, a step inwards and a step outwards.
func proposeNumberBounds(s *site, p *proposals) {
	f := s.constraints
	if f.Min != nil {
		proposeBound(f, p, f.Min, f.MinOpen, false)
	}
	if f.Max != nil {
		proposeBound(f, p, f.Max, f.MaxOpen, true)
	}
	for _, step := range f.Steps {
		half := new(big.Rat).Mul(step, big.NewRat(1, 2))
		// Half a step or one whole number away, whichever breaks nothing else.
		away := []*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 1), half, new(big.Rat).Neg(half)}
		p.refuse(essential, "multiple-of", "no multiple of "+string(number(step)), func(at any, try func(any) bool) {
			r := rational(at)
			for _, by := range away {
				if r == nil || !try(plus(r, by)) {
					return
				}
			}
		})
	}
}

// proposeBound is for one bound; up says that it is the upper one.
func proposeBound(f *constraints, p *proposals, bound *big.Rat, open, up bool) {
	side, outside, outwards := "minimum", "below its minimum", int64(-1)
	if up {
		side, outside, outwards = "maximum", "above its maximum", 1
	}
	code := side
	if open {
		code = "exclusive-" + code
	}
	// away returns n times a distance outwards.
	away := func(n int64, distance *big.Rat) *big.Rat {
		return new(big.Rat).Mul(distance, big.NewRat(outwards*n, 1))
	}
	first := bound
	if len(f.Steps) > 0 {
		first = nearest(bound, f.Steps[0], !up)
	}
	unit, step := big.NewRat(1, 1), f.step()
	beyond := func(n int64) json.Number { return plus(first, away(n, step)) }
	if open {
		p.refused(essential, code, "at its exclusive "+side, beyond(0), number(bound))
		p.refused(usual, code, outside, beyond(1), plus(bound, away(1, unit)))
	} else {
		p.refused(essential, code, outside, beyond(1), plus(bound, away(1, unit)))
		p.accepted(usual, "at its "+side, beyond(0)).on(Bound)
	}
	p.refused(exotic, code, "far "+outside, plus(bound, away(1_000_000, unit)))
	p.accepted(usual, "just inside its "+side, beyond(-1))
	if f.Types&schema.Fraction != 0 && len(f.Steps) == 0 {
		tiny := new(big.Rat).Mul(step, big.NewRat(1, 10_000))
		p.refused(usual, code, "hardly "+outside, plus(bound, away(1, tiny)))
	}
}

// nearest returns the multiple of step that is nearest to the bound on its inner
// side, which is above for a lower one.
func nearest(bound, step *big.Rat, above bool) *big.Rat {
	q := new(big.Rat).Quo(bound, step)
	n, rest := new(big.Int).DivMod(q.Num(), q.Denom(), new(big.Int))
	if above && rest.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), step)
}

// proposeNumbers sends numbers that programs are known to read wrong.
func proposeNumbers(s *site, p *proposals) {
	f := s.constraints
	if f.Max != nil {
		p.refused(exotic, "", "of a hundred digits", json.Number(strings.Repeat("9", 100)))
		p.refused(exotic, "", "beyond every floating-point number", json.Number("1e400"))
		p.add(exotic, Anything, "", "with a fraction of zero", onceOf(func(n json.Number) (any, bool) {
			return n + ".0", schema.TypeOf(n) == schema.Integer
		}))
		if f.Min != nil {
			return
		}
	}
	unbounded := Anything // what has no bound in the document has one in every program
	if f.Format != "" {
		unbounded = Accepted
	}
	for _, edge := range []struct {
		what  string
		value json.Number
		want  Outcome
	}{
		{"zero", "0", Accepted},
		{"negative", "-1", Accepted},
		{"the largest of 32 bits", "2147483647", Accepted},
		{"the least of 32 bits", "-2147483648", Accepted},
		{"beyond 32 bits", "2147483648", unbounded},
		{"beyond 53 bits", "9007199254740993", unbounded},
		{"the largest of 64 bits", "9223372036854775807", unbounded},
		{"the least of 64 bits", "-9223372036854775808", unbounded},
		{"beyond 64 bits", "9223372036854775808", Anything},
		{"of a hundred digits", json.Number(strings.Repeat("9", 100)), Anything},
		{"beyond every floating-point number", "1e400", Anything},
		{"written 1.0", "1.0", Anything},
	} {
		p.add(exotic, edge.want, "", edge.what, constants(edge.value))
	}
	if s.parameter == nil && s.isReference() { // the others may be keys of items by now, which were created with them
		p.accepted(exotic, "of an item that hardly exists", json.Number("1987654321"))
	}
	if f.Types&schema.Fraction != 0 {
		p.accepted(exotic, "with a fraction", json.Number("0.5"), json.Number("1.25"))
		p.accepted(exotic, "a whole number", json.Number("1"))
	}
	if format := formats.Lookup(f.Format); format != nil {
		for _, wrong := range format.WrongNumbers {
			p.refused(wrong.Rank, "format", wrong.What, json.Number(wrong.Value))
		}
	}
}
