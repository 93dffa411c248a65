package cases

import (
	"encoding/json"
	"math/big"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
)

// number writes a number out; "" where its digits have no end.
func number(r *big.Rat) json.Number {
	if r.IsInt() {
		return json.Number(r.Num().String())
	}
	digits, exact := r.FloatPrec()
	if !exact {
		return ""
	}
	return json.Number(r.FloatString(digits))
}

// step is the distance between neighbouring values that are tried.
func (f *constraints) step() *big.Rat {
	step := big.NewRat(1, 1)
	if len(f.steps) > 0 {
		step = f.steps[0]
	}
	if f.jsonTypes&isFraction != 0 && len(f.steps) == 0 {
		step = big.NewRat(1, 100)
	}
	return step
}

// proposeNumberBounds takes numbers to their bounds, a step inwards and a step
// outwards.
func proposeNumberBounds(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if f.jsonTypes&(isInteger|isFraction) == 0 || f.values != nil {
		return
	}
	if f.low != nil {
		proposeBound(f, p, f.low, f.openLow, false)
	}
	if f.high != nil {
		proposeBound(f, p, f.high, f.openHigh, true)
	}
	for _, step := range f.steps {
		half := new(big.Rat).Mul(step, big.NewRat(1, 2))
		p.refuse(essential, "multiple-of", "no multiple of "+string(number(step)), func(at any, i int) (any, bool) {
			r := rational(at)
			if r == nil || i > 3 {
				return nil, false
			}
			// Half a step or one whole number away, whichever breaks nothing else.
			by := [...]*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 1), half, new(big.Rat).Neg(half)}[i]
			return exact(number(new(big.Rat).Add(r, by)))
		})
	}
}

func exact(n json.Number) (any, bool) { return n, n != "" }

func rational(value any) *big.Rat {
	n, isNumber := value.(json.Number)
	if !isNumber {
		return nil
	}
	r, ok := new(big.Rat).SetString(boundedNumber(n))
	if !ok {
		return nil
	}
	return r
}

// proposeBound is for one bound; up says that it is the upper one.
func proposeBound(f *constraints, p *proposals, bound *big.Rat, open, up bool) {
	step := new(big.Rat).Set(f.step())
	side, code, outside := "minimum", "minimum", "below its minimum"
	if up {
		side, code, outside = "maximum", "maximum", "above its maximum"
	} else {
		step.Neg(step)
	}
	if open {
		code = "exclusive-" + code
	}
	// beyond gives the bound and i steps outwards, at a multiple of step.
	beyond := func(i int64) json.Number {
		at := new(big.Rat).Set(bound)
		if len(f.steps) > 0 {
			at = nearest(bound, f.steps[0], !up)
		}
		return number(at.Add(at, new(big.Rat).Mul(step, big.NewRat(i, 1))))
	}
	unit := big.NewRat(1, 1)
	if !up {
		unit.Neg(unit)
	}
	if open {
		p.refused(essential, code, "at its exclusive "+side, beyond(0), number(bound))
		p.refused(usual, code, outside, beyond(1), number(new(big.Rat).Add(bound, unit)))
	} else {
		p.refused(essential, code, outside, beyond(1), number(new(big.Rat).Add(bound, unit)))
		p.accepted(usual, "at its "+side, beyond(0))
	}
	million := new(big.Rat).Mul(unit, big.NewRat(1_000_000, 1))
	p.refused(exotic, code, "far "+outside, number(new(big.Rat).Add(bound, million)))
	p.accepted(usual, "just inside its "+side, beyond(-1))
	if f.jsonTypes&isFraction != 0 && len(f.steps) == 0 {
		tiny := new(big.Rat).Mul(step, big.NewRat(1, 10_000))
		p.refused(usual, code, "hardly "+outside, number(new(big.Rat).Add(bound, tiny)))
	}
}

// nearest gives the multiple of step that is nearest to the bound on its inner
// side, which is above for a lower one.
func nearest(bound, step *big.Rat, above bool) *big.Rat {
	q := new(big.Rat).Quo(bound, step)
	n := new(big.Int)
	rest := new(big.Int)
	n.DivMod(q.Num(), q.Denom(), rest)
	if above && rest.Sign() != 0 {
		n.Add(n, big.NewInt(1))
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(n), step)
}

// proposeNumbers sends numbers that programs are known to read wrong.
func proposeNumbers(_ *coverage, s *site, p *proposals) {
	f := s.constraints
	if f.jsonTypes&(isInteger|isFraction) == 0 || f.values != nil {
		return
	}
	if f.high != nil {
		p.refused(exotic, "", "of a hundred digits", json.Number(strings.Repeat("9", 100)))
		p.refused(exotic, "", "beyond every floating-point number", json.Number("1e400"))
		p.try(exotic, "with a fraction of zero", once(func(at any) (any, bool) {
			n, ok := at.(json.Number)
			return n + ".0", ok && typeOf(at) == isInteger
		}))
		if f.low != nil {
			return
		}
	}
	unbounded := Anything // what has no bound in the document has one in every program
	if f.format != "" {
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
	if f.jsonTypes&isFraction != 0 {
		p.accepted(exotic, "with a fraction", json.Number("0.5"), json.Number("1.25"))
		p.accepted(exotic, "a whole number", json.Number("1"))
	}
	if format := formats.Lookup(f.format); format != nil {
		for _, wrong := range format.WrongNumbers {
			p.refused(wrong.Rank, "format", wrong.What, json.Number(wrong.Value))
		}
	}
}
