package generate

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/fields"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/schema"
)

// numberShape is the numbers that bounds leave. Everything is exact.
type numberShape struct {
	of *schema.Bounds

	grid    grid
	floats  bool          // only such multiples whose quotient is whole in binary floating point too
	certain bool          // every number of the grid conforms
	few     []json.Number // some that conform, if the grid is not small or not certain
}

// grid is the multiples m·step for lo ≤ m ≤ hi; nil means no bound.
type grid struct {
	step   *big.Rat
	scale  int // decimals of step
	lo, hi *big.Int
	small  *smallGrid
}

// smallGrid is a grid within machine words: its numbers are m·unit/power.
type smallGrid struct {
	unit, power int64
	lo, hi      int64
}

func (s *numberShape) within(format *formats.Format) {
	if format.IsNumeric() {
		s.of.Least(format.Min, false)
		s.of.Most(format.Max, false)
		if format.Whole {
			s.of.Steps = append(s.of.Steps, big.NewRat(1, 1))
		}
	}
}

// settle works out the grid; false says that no number is left.
func (s *numberShape) settle(ks schema.Type) bool {
	bounded := s.of.Min != nil && s.of.Max != nil
	if bounded {
		if c := s.of.Min.Cmp(s.of.Max); c > 0 || c == 0 && (s.of.MinOpen || s.of.MaxOpen) {
			return false
		}
	}
	steps := slices.Clip(s.of.Steps)
	if ks&schema.Fraction == 0 {
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
	// Two decimals, more if the bounds are so near to each other that fewer than a hundred numbers lie between them.
	for scale := 2; scale <= 1100; scale++ {
		s.grid = s.over(new(big.Rat).SetFrac(big.NewInt(1), power10(scale)))
		if !bounded {
			return true
		}
		width := new(big.Int).Sub(s.grid.hi, s.grid.lo)
		if width.Cmp(big.NewInt(100)) >= 0 || width.Sign() >= 0 && s.of.Min.Cmp(s.of.Max) == 0 {
			return true
		}
	}
	return s.grid.lo.Cmp(s.grid.hi) <= 0
}

// over lays the grid of a step between the bounds.
func (s *numberShape) over(step *big.Rat) grid {
	g := grid{step: step}
	g.scale, _ = step.FloatPrec()
	if s.of.Min != nil {
		below, isMultiple := g.index(s.of.Min)
		if g.lo = below; s.of.MinOpen || !isMultiple {
			g.lo.Add(below, big.NewInt(1))
		}
	}
	if s.of.Max != nil {
		below, isMultiple := g.index(s.of.Max)
		if g.hi = below; s.of.MaxOpen && isMultiple {
			g.hi.Sub(below, big.NewInt(1))
		}
	}
	return g
}

// index returns the last m at or below a number, and whether the number is that multiple.
func (g *grid) index(r *big.Rat) (*big.Int, bool) {
	q := new(big.Rat).Quo(r, g.step)
	return new(big.Int).Div(q.Num(), q.Denom()), q.IsInt() // Div rounds down: the denominator is positive
}

func (g *grid) number(m *big.Int) json.Number {
	digits := new(big.Rat).Mul(g.step, new(big.Rat).SetInt(m)).FloatString(g.scale)
	if g.scale > 0 {
		digits = strings.TrimRight(strings.TrimRight(digits, "0"), ".")
	}
	return json.Number(digits)
}

func power10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func (s *numberShape) finish(g *Generator, sh *shape) {
	for _, k := range sh.Schemas {
		s.within(formats.Lookup(g.formatOf(k)))
	}
	if !s.settle(sh.Types) {
		if sh.fail("no number lies between its bounds"); !sh.Relaxed {
			return
		}
		sh.Min, sh.Max, sh.Steps = nil, nil, nil
		*s = numberShape{of: s.of}
		s.settle(sh.Types)
	}
	s.grid.small = s.grid.shrink()
	s.certain = sh.Types&schema.Integer != 0 && !s.floats && len(sh.failed) == 0
	if s.certain && s.grid.small != nil {
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
	maxSmallIndex = 1 << 42 // beyond times in milliseconds
	maxDecimals   = 1e15    // digits of numbers with decimals: so many survive floating point
)

// shrink returns nil for a grid that is too fine or too far away.
func (g *grid) shrink() *smallGrid {
	unit := new(big.Rat).Mul(g.step, new(big.Rat).SetInt(power10(g.scale))).Num()
	far := int64(maxSmallIndex)
	if g.scale > 0 && unit.IsInt64() {
		far = min(far, maxDecimals/unit.Int64())
	}
	limit := big.NewInt(far)
	isTooFar := func(bound *big.Int, sign int) bool {
		return bound != nil && bound.CmpAbs(limit) > 0 && bound.Sign() == sign
	}
	if g.scale > maxSmallScale || unit.Cmp(big.NewInt(maxSmallUnit)) > 0 || isTooFar(g.lo, 1) || isTooFar(g.hi, -1) {
		return nil
	}
	s := &smallGrid{unit: unit.Int64(), power: power10(g.scale).Int64(), lo: -far, hi: far}
	if g.lo != nil && g.lo.CmpAbs(limit) <= 0 {
		s.lo = g.lo.Int64()
	}
	if g.hi != nil && g.hi.CmpAbs(limit) <= 0 {
		s.hi = g.hi.Int64()
	}
	return s
}

// ordinary is the window of numbers whose names suggest nothing.
var ordinary = fields.Window{Lo: 1, Hi: 100, Scale: 1}

// scaled returns the numbers in units of 1/scale between the bounds of a grid without steps, false if none.
func (g *grid) scaled(scale int64) (smallGrid, bool) {
	s := smallGrid{unit: 1, power: scale, lo: -maxDecimals, hi: maxDecimals}
	if g.lo != nil {
		s.lo = -floorDiv(-g.small.lo*scale, g.small.power)
	}
	if g.hi != nil {
		s.hi = floorDiv(g.small.hi*scale, g.small.power)
	}
	return s, s.lo <= s.hi
}

// pick takes the number that the key says, within the window if some lie there, else near it.
func (s *smallGrid) pick(key Key, w *fields.Window) json.Number {
	const nearby = 1000
	first := max(-floorDiv(-w.Lo*s.power, s.unit*w.Scale), s.lo)
	last := min(floorDiv(w.Hi*s.power, s.unit*w.Scale), s.hi)
	switch {
	case first <= last:
	case s.hi < first:
		first, last = max(s.lo, s.hi-nearby+1), s.hi
	case first > s.lo: // the window lies between two numbers
		last = first
	default:
		last = min(s.hi, first+nearby-1)
	}
	m := first + int64(formats.Mix(uint64(key))%uint64(last-first+1))
	if s.power == 1 {
		return json.Number(strconv.FormatInt(m*s.unit, 10))
	}
	return json.Number(strconv.FormatFloat(float64(m*s.unit)/float64(s.power), 'f', -1, 64))
}

// floorDiv divides by a positive number, rounding down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// pickNumber chooses a number of the grid, within w if it can.
func (sh *shape) pickNumber(key Key, w *fields.Window) (json.Number, bool) {
	s := &sh.number
	grid := s.grid.small
	if w == nil {
		w = &ordinary
	} else if grid != nil && len(s.of.Steps) == 0 && sh.Types&schema.Fraction != 0 {
		if own, ok := s.grid.scaled(w.Scale); ok {
			grid = &own
		}
	}
	random := key
	for try := 0; grid != nil && try < 64; try++ {
		n := grid.pick(random, w)
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
					m, _ := g.index(bound)
					find(m.Sub(m, big.NewInt(2)), 5)
				}
			}
		}
	}
	start, _ := g.index(big.NewRat(ordinary.Lo, 1))
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
	return schema.TypeOf(n)&sh.Types != 0 && !sh.rejects(n)
}

// isWhole reports whether validators that compute in binary floating point take n for a multiple too: 4.35 is none of
// 0.01 for them.
func (s *numberShape) isWhole(n json.Number) bool {
	f, err := n.Float64()
	return !s.floats || err == nil && !slices.ContainsFunc(s.of.Steps, func(step *big.Rat) bool {
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
