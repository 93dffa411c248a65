package generate

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
)

// numberShape is what is said of numbers. Everything is exact.
type numberShape struct {
	min, max         *big.Rat
	minOpen, maxOpen bool // the bound itself is excluded
	steps            []*big.Rat

	grid    grid
	floats  bool          // only such multiples whose quotient is whole in binary floating point too
	certain bool          // every number of the grid conforms
	few     []json.Number // some that conform, where the grid is not small or not certain
}

// grid is the numbers unit·m/10^scale for lo ≤ m ≤ hi, where a nil bound is none.
type grid struct {
	unit   *big.Int
	scale  int
	lo, hi *big.Int

	// The same in machine words, where they hold it; power is 10^scale, bounds that are none are far away.
	small                    bool
	unit64, power, low, high int64
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
	if isTighter(bound, s.min, 1, open) {
		s.min, s.minOpen = bound, open
	}
}

func (s *numberShape) most(bound *big.Rat, open bool) {
	if isTighter(bound, s.max, -1, open) {
		s.max, s.maxOpen = bound, open
	}
}

// isTighter compares a bound with the one that is known; sign is 1 for lower bounds and -1 for upper ones.
func isTighter(bound, known *big.Rat, sign int, open bool) bool {
	if bound == nil || known == nil {
		return bound != nil
	}
	c := bound.Cmp(known) * sign
	return c > 0 || c == 0 && open
}

// settle works out the grid; false says that no number is left.
func (s *numberShape) settle(ks kinds) bool {
	bounded := s.min != nil && s.max != nil
	if bounded {
		if c := s.min.Cmp(s.max); c > 0 || c == 0 && (s.minOpen || s.maxOpen) {
			return false
		}
	}
	steps := slices.Clip(s.steps)
	if ks&fraction == 0 {
		steps = append(steps, big.NewRat(1, 1))
	}
	if len(steps) > 0 {
		step := steps[0]
		for _, other := range steps[1:] {
			step = leastCommonMultiple(step, other)
		}
		s.grid = s.over(step)
		s.floats = s.grid.scale > 0
		return !bounded || s.grid.lo.Cmp(s.grid.hi) <= 0
	}
	// Two decimals, more where the bounds are so near to each other that fewer than a hundred numbers lie between them.
	for scale := 2; scale <= 1100; scale++ {
		s.grid = s.over(new(big.Rat).SetFrac(big.NewInt(1), power10(scale)))
		if !bounded {
			return true
		}
		width := new(big.Int).Sub(s.grid.hi, s.grid.lo)
		if width.Cmp(big.NewInt(100)) >= 0 || width.Sign() >= 0 && s.min.Cmp(s.max) == 0 {
			return true
		}
	}
	return s.grid.lo.Cmp(s.grid.hi) <= 0
}

// over lays the grid of a step between the bounds.
func (s *numberShape) over(step *big.Rat) grid {
	scale, _ := step.FloatPrec()
	unit := new(big.Int).Mul(step.Num(), power10(scale))
	g := grid{unit: unit.Quo(unit, step.Denom()), scale: scale}
	if s.min != nil {
		g.lo = g.index(s.min)
		if s.minOpen && g.rat(g.lo).Cmp(s.min) == 0 {
			g.lo.Add(g.lo, big.NewInt(1))
		}
	}
	if s.max != nil {
		g.hi = g.index(s.max)
		if c := g.rat(g.hi).Cmp(s.max); c > 0 || s.maxOpen && c == 0 {
			g.hi.Sub(g.hi, big.NewInt(1))
		}
	}
	return g
}

// index gives the first m at or above a number.
func (g *grid) index(r *big.Rat) *big.Int {
	q := new(big.Rat).Quo(r, g.rat(big.NewInt(1)))
	m := new(big.Int).Neg(q.Num())
	m.Div(m, q.Denom()) // Euclidean: the denominator is positive
	return m.Neg(m)
}

func (g *grid) rat(m *big.Int) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).Mul(m, g.unit), power10(g.scale))
}

func (g *grid) number(m *big.Int) json.Number {
	return decimal(new(big.Int).Mul(m, g.unit).Append(nil, 10), g.scale)
}

// decimal writes digits/10^scale without zeros at its end.
func decimal(digits []byte, scale int) json.Number {
	sign := 0
	if digits[0] == '-' {
		sign = 1
	}
	for len(digits)-sign <= scale {
		digits = slices.Insert(digits, sign, '0')
	}
	point := len(digits) - scale
	fraction := bytes.TrimRight(digits[point:], "0")
	if len(fraction) == 0 {
		return json.Number(digits[:point])
	}
	return json.Number(slices.Insert(digits[:point+len(fraction)], point, '.'))
}

func power10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func (s *numberShape) finish(g *Generator, sh *shape) {
	for _, k := range sh.schemas {
		s.within(formats.Lookup(g.formatOf(k)))
	}
	if !s.settle(sh.kinds) {
		sh.fail("no number lies between its bounds")
		return
	}
	s.grid.shrink()
	s.certain = sh.kinds&integer != 0 && !s.floats && len(sh.failed) == 0
	if s.certain && s.grid.small {
		return
	}
	if s.few = sh.findNumbers(true); len(s.few) == 0 {
		s.few = sh.findNumbers(false)
	}
	if _, ok := sh.pickNumber(Key(1), nil); !ok {
		sh.fail("no number was found that conforms")
	}
}

// The bounds that keep products within 63 bits.
const (
	maxSmallUnit  = 1 << 20
	maxSmallScale = 6
	maxSmallIndex = 1 << 40
)

// shrink works out the grid in machine words, where it is neither too fine nor too far away.
func (g *grid) shrink() {
	within := func(bound *big.Int, sign int64) (int64, bool) {
		switch {
		case bound == nil || bound.CmpAbs(big.NewInt(maxSmallIndex)) > 0 && bound.Sign() == int(sign):
			return sign * maxSmallIndex, true
		case bound.CmpAbs(big.NewInt(maxSmallIndex)) > 0:
			return 0, false
		}
		return bound.Int64(), true
	}
	low, hasLow := within(g.lo, -1)
	high, hasHigh := within(g.hi, 1)
	if hasLow && hasHigh && g.scale <= maxSmallScale && g.unit.CmpAbs(big.NewInt(maxSmallUnit)) <= 0 {
		g.small, g.unit64, g.power, g.low, g.high = true, g.unit.Int64(), power10(g.scale).Int64(), low, high
	}
}

// window is a range of numbers that look right.
type window struct {
	lo, hi int64
}

var ordinary = window{1, 100}

// pick takes the number of a small grid that the key says, within the window where some lie there, else near it.
func (g *grid) pick(key Key, w window) json.Number {
	const nearby = 1000
	first := max(-floorDiv(-w.lo*g.power, g.unit64), g.low)
	last := min(floorDiv(w.hi*g.power, g.unit64), g.high)
	switch {
	case first <= last:
	case g.high < first:
		first, last = max(g.low, g.high-nearby+1), g.high
	default:
		last = min(g.high, first+nearby-1)
	}
	m := first + int64(formats.Mix(uint64(key))%uint64(last-first+1))
	var buffer [40]byte
	return decimal(strconv.AppendInt(buffer[:0], m*g.unit64, 10), g.scale)
}

// floorDiv divides by a positive number, rounding down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// pickNumber chooses a number of the grid, within w where it can.
func (sh *shape) pickNumber(key Key, w *window) (json.Number, bool) {
	s := &sh.number
	if w == nil {
		w = &ordinary
	}
	random := key
	for try := 0; s.grid.small && try < 64; try++ {
		n := s.grid.pick(random, *w)
		if s.certain || sh.acceptsNumber(n) && (try > 41 || s.isWhole(n)) {
			return n, true
		}
		random = key.at(try)
	}
	if len(s.few) == 0 {
		return "", false
	}
	return s.few[key.intN(len(s.few))], true
}

// findNumbers looks for numbers around the bounds of schemas that must not hold, then from the ordinary ones on.
func (sh *shape) findNumbers(whole bool) []json.Number {
	const enough = 100
	g := &sh.number.grid
	var found []json.Number
	find := func(m *big.Int, count int) {
		for ; count > 0 && len(found) < enough; count-- {
			if (g.lo == nil || m.Cmp(g.lo) >= 0) && (g.hi == nil || m.Cmp(g.hi) <= 0) {
				if n := g.number(m); sh.acceptsNumber(n) && (!whole || sh.number.isWhole(n)) {
					found = append(found, n)
				}
			}
			m.Add(m, big.NewInt(1))
		}
	}
	for _, k := range sh.failed {
		for part := range schema.All(k) {
			for _, bound := range []*big.Rat{part.Minimum, part.Maximum, part.ExclusiveMinimum, part.ExclusiveMaximum} {
				if bound != nil {
					m := g.index(bound)
					find(m.Sub(m, big.NewInt(2)), 5)
				}
			}
		}
	}
	start := g.index(big.NewRat(ordinary.lo, 1))
	if g.hi != nil && start.Cmp(g.hi) > 0 {
		start.Sub(g.hi, big.NewInt(enough-1))
	}
	if g.lo != nil && start.Cmp(g.lo) < 0 {
		start.Set(g.lo)
	}
	find(start, 2000)
	return found
}

func (sh *shape) acceptsNumber(n json.Number) bool {
	return kindOf(n)&sh.kinds != 0 && !sh.rejects(n)
}

// isWhole reports whether validators that compute in binary floating point take n for a multiple too: 4.35 is none of
// 0.01 for them.
func (s *numberShape) isWhole(n json.Number) bool {
	f, err := n.Float64()
	return !s.floats || err == nil && !slices.ContainsFunc(s.steps, func(step *big.Rat) bool {
		d, _ := step.Float64()
		return f/d != math.Trunc(f/d)
	})
}

// leastCommonMultiple of a/b and c/d is lcm(a, c) / gcd(b, d).
func leastCommonMultiple(x, y *big.Rat) *big.Rat {
	num := new(big.Int).Mul(x.Num(), y.Num())
	num.Quo(num, new(big.Int).GCD(nil, nil, x.Num(), y.Num()))
	return new(big.Rat).SetFrac(num, new(big.Int).GCD(nil, nil, x.Denom(), y.Denom()))
}

// rat gives the number's exact value, nil for one whose exponent is out of reach.
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
