package generate

import (
	"encoding/json"
	"math"
	"math/big"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
)

// numberShape is what is said of numbers. Everything is exact.
type numberShape struct {
	min, max         *big.Rat
	minOpen, maxOpen bool // the bound itself is excluded
	steps            []*big.Rat
	grid             *grid
	certain          bool // every number of the grid conforms
}

func (s *numberShape) merge(k *schema.Keywords) bool {
	s.least(k.Minimum, false)
	s.least(k.ExclusiveMinimum, true)
	s.most(k.Maximum, false)
	s.most(k.ExclusiveMaximum, true)
	if k.MultipleOf != nil && k.MultipleOf.Sign() > 0 {
		s.steps = append(s.steps, k.MultipleOf)
	}
	if k.Format != nil {
		s.within(formats.Lookup(k.Format.Name))
	}
	return k.Minimum != nil || k.ExclusiveMinimum != nil || k.Maximum != nil || k.ExclusiveMaximum != nil ||
		k.MultipleOf != nil
}

// within adds the bounds of a format.
func (s *numberShape) within(format *formats.Format) {
	if format.IsNumeric() {
		s.least(format.Min, false)
		s.most(format.Max, false)
	}
}

func (s *numberShape) least(bound *big.Rat, open bool) {
	if bound == nil {
		return
	}
	if s.min != nil {
		if c := bound.Cmp(s.min); c < 0 || c == 0 && !open {
			return
		}
	}
	s.min, s.minOpen = bound, open
}

func (s *numberShape) most(bound *big.Rat, open bool) {
	if bound == nil {
		return
	}
	if s.max != nil {
		if c := bound.Cmp(s.max); c > 0 || c == 0 && !open {
			return
		}
	}
	s.max, s.maxOpen = bound, open
}

// settle works out the grid; false says that no number is left.
func (s *numberShape) settle(ks kinds) bool {
	steps := s.steps
	if ks&fraction == 0 {
		steps = append(steps[:len(steps):len(steps)], big.NewRat(1, 1))
	}
	if len(steps) > 0 {
		step := steps[0]
		for _, other := range steps[1:] {
			step = leastCommonMultiple(step, other)
		}
		g := s.over(step)
		g.floats = g.scale > 0
		s.grid = g
		return g.lo == nil || g.hi == nil || g.lo.Cmp(g.hi) <= 0
	}
	// Two decimals, more where the bounds are so near to each other that fewer
	// than a hundred numbers lie between them.
	for scale := 2; scale <= 1100; scale++ {
		s.grid = s.over(new(big.Rat).SetFrac(big.NewInt(1), power10(scale)))
		if s.grid.lo == nil || s.grid.hi == nil {
			return true
		}
		width := new(big.Int).Sub(s.grid.hi, s.grid.lo)
		if width.Cmp(big.NewInt(100)) >= 0 {
			return true
		}
		if s.min.Cmp(s.max) >= 0 && width.Sign() >= 0 || s.min.Cmp(s.max) > 0 {
			return width.Sign() >= 0
		}
		if s.min.Cmp(s.max) == 0 && (s.minOpen || s.maxOpen) {
			return false
		}
	}
	return s.grid.lo.Cmp(s.grid.hi) <= 0
}

// over lays the grid of a step between the bounds.
func (s *numberShape) over(step *big.Rat) *grid {
	scale, _ := step.FloatPrec()
	unit := new(big.Int).Mul(step.Num(), power10(scale))
	unit.Quo(unit, step.Denom())
	g := &grid{unit: unit, scale: scale}
	exact := new(big.Rat).SetFrac(unit, power10(scale))
	if s.min != nil {
		q := new(big.Rat).Quo(s.min, exact)
		g.lo = ceiling(q)
		if s.minOpen && q.IsInt() {
			g.lo.Add(g.lo, big.NewInt(1))
		}
	}
	if s.max != nil {
		q := new(big.Rat).Quo(s.max, exact)
		g.hi = floor(q)
		if s.maxOpen && q.IsInt() {
			g.hi.Sub(g.hi, big.NewInt(1))
		}
	}
	return g
}

func (s *numberShape) finish(g *Generator, sh *shape) {
	for _, k := range sh.schemas {
		s.within(formats.Lookup(g.formatOf(k)))
	}
	if !s.settle(sh.kinds) {
		sh.fail("no number lies between its bounds")
		return
	}
	s.grid.small = s.grid.shrink()
	s.certain = sh.kinds&integer != 0 && !s.grid.floats && len(sh.failed) == 0
	if s.certain {
		return
	}
	if _, ok := sh.pickNumber(Key(1), nil); !ok {
		sh.fail("no number was found that conforms")
	}
}

// window is a range of numbers that look right.
type window struct {
	lo, hi int64
}

var ordinary = window{1, 100}

// pickNumber chooses a number of the grid, within w where it can.
func (sh *shape) pickNumber(key Key, w *window) (json.Number, bool) {
	s := &sh.number
	g := s.grid
	if w == nil {
		w = &ordinary
	}
	accepts := func(n json.Number, strict bool) bool {
		return s.certain || sh.acceptsNumber(n) && (!strict || !g.floats || s.wholeInFloats(n))
	}
	if g.small != nil {
		if n := g.small.pick(key, *w); accepts(n, true) {
			return n, true
		}
	}
	lo, width := g.within(*w)
	m := new(big.Int)
	for try := range 64 {
		m.SetUint64(formats.Mix(uint64(key.at(try))) % width)
		if n := g.number(m.Add(m, lo)); accepts(n, try <= 40) {
			return n, true
		}
	}
	for _, n := range s.besides(sh.failed) {
		if sh.acceptsNumber(n) {
			return n, true
		}
	}
	// What is left is rare: look at every number from the lowest.
	if m.Set(lo); g.lo != nil {
		m.Set(g.lo)
	}
	for i := 0; i < 2000 && (g.hi == nil || m.Cmp(g.hi) <= 0); i++ {
		if n := g.number(m); sh.acceptsNumber(n) {
			return n, true
		}
		m.Add(m, big.NewInt(1))
	}
	return "", false
}

// besides gives numbers of the grid around the bounds of schemas that must not
// hold.
func (s *numberShape) besides(failed []*schema.Keywords) []json.Number {
	var list []json.Number
	for _, k := range failed {
		for part := range schema.All(k) {
			for _, bound := range []*big.Rat{part.Minimum, part.Maximum, part.ExclusiveMinimum, part.ExclusiveMaximum} {
				if bound == nil {
					continue
				}
				around := &numberShape{min: bound}
				m := around.over(s.grid.step()).lo
				for i := int64(-2); i <= 2; i++ {
					n := new(big.Int).Add(m, big.NewInt(i))
					if (s.grid.lo == nil || n.Cmp(s.grid.lo) >= 0) && (s.grid.hi == nil || n.Cmp(s.grid.hi) <= 0) {
						list = append(list, s.grid.number(n))
					}
				}
			}
		}
	}
	return list
}

func (sh *shape) acceptsNumber(n json.Number) bool {
	return kindOf(n)&sh.kinds != 0 && !sh.rejects(n)
}

// wholeInFloats reports whether validators that compute in binary floating
// point take n for a multiple too: 4.35 is none of 0.01 for them.
func (s *numberShape) wholeInFloats(n json.Number) bool {
	f, err := n.Float64()
	if err != nil {
		return false
	}
	for _, step := range s.steps {
		d, _ := step.Float64()
		if q := f / d; q != math.Trunc(q) {
			return false
		}
	}
	return true
}

// leastCommonMultiple of a/b and c/d is lcm(a, c) / gcd(b, d).
func leastCommonMultiple(x, y *big.Rat) *big.Rat {
	gcd := new(big.Int).GCD(nil, nil, x.Num(), y.Num())
	num := new(big.Int).Mul(x.Num(), y.Num())
	num.Quo(num, gcd)
	return new(big.Rat).SetFrac(num, new(big.Int).GCD(nil, nil, x.Denom(), y.Denom()))
}

// rat gives the number's exact value, nil for one whose exponent is out of
// reach.
func rat(n json.Number) *big.Rat {
	if i := strings.IndexAny(string(n), "eE"); i >= 0 && len(n)-i > 6 {
		return nil
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok {
		return nil
	}
	return r
}
