package generate

import (
	"encoding/json"
	"math"
	"math/big"
	"strconv"

	"github.com/coldframe/coldframe/internal/formats"
)

// grid is the numbers unit·m/10^scale for lo ≤ m ≤ hi, where a nil bound is
// none.
type grid struct {
	unit   *big.Int
	scale  int
	lo, hi *big.Int
	floats bool // only such multiples whose quotient is whole in binary floating point too
	small  *smallGrid
}

// step gives the distance between neighbours.
func (g *grid) step() *big.Rat { return new(big.Rat).SetFrac(g.unit, power10(g.scale)) }

// within gives the part of the grid nearest to the window: its lowest m and how
// many there are.
func (g *grid) within(w window) (lo *big.Int, width uint64) {
	const many = 1000
	start := g.index(w.lo, true)
	first, last := new(big.Int).Set(start), g.index(w.hi, false)
	clamp := func() {
		if g.lo != nil && first.Cmp(g.lo) < 0 {
			first.Set(g.lo)
		}
		if g.hi != nil && last.Cmp(g.hi) > 0 {
			last.Set(g.hi)
		}
	}
	clamp()
	if first.Cmp(last) > 0 { // the window lies outside, or between two steps
		if g.hi != nil && g.hi.Cmp(start) < 0 {
			first.Sub(g.hi, big.NewInt(many-1))
			last.Set(g.hi)
		} else {
			last.Add(first, big.NewInt(many-1))
		}
		clamp()
	}
	last.Sub(last, first)
	if !last.IsUint64() || last.Uint64() == math.MaxUint64 {
		return first, math.MaxUint64
	}
	return first, last.Uint64() + 1
}

// index gives the first m at or above v, or the last at or below it.
func (g *grid) index(v int64, up bool) *big.Int {
	m := new(big.Int).Mul(big.NewInt(v), power10(g.scale))
	q, r := new(big.Int).DivMod(m, g.unit, new(big.Int))
	if up && r.Sign() != 0 {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// number writes unit·m/10^scale.
func (g *grid) number(m *big.Int) json.Number {
	return decimal(new(big.Int).Mul(m, g.unit).Append(nil, 10), g.scale)
}

// decimal writes digits/10^scale without zeros at its end.
func decimal(digits []byte, scale int) json.Number {
	if scale == 0 {
		return json.Number(digits)
	}
	sign := 0
	if digits[0] == '-' {
		sign = 1
	}
	for len(digits)-sign <= scale {
		digits = append(digits, 0)
		copy(digits[sign+1:], digits[sign:])
		digits[sign] = '0'
	}
	point, end := len(digits)-scale, len(digits)
	for end > point && digits[end-1] == '0' {
		end--
	}
	if end == point {
		if string(digits[:point]) == "-0" {
			return "0"
		}
		return json.Number(digits[:point])
	}
	digits = append(digits[:end], 0)
	copy(digits[point+1:], digits[point:])
	digits[point] = '.'
	return json.Number(digits)
}

func power10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func floor(r *big.Rat) *big.Int {
	return new(big.Int).Div(r.Num(), r.Denom()) // Euclidean: the denominator is positive
}

func ceiling(r *big.Rat) *big.Int {
	n := new(big.Int).Neg(r.Num())
	n.Div(n, r.Denom())
	return n.Neg(n)
}

// smallGrid is a grid that machine words hold.
type smallGrid struct {
	unit, power int64 // power is 10^scale
	scale       int
	lo, hi      int64 // of m; where the grid is open, far away
}

// The bounds that keep products within 63 bits.
const (
	maxSmallUnit  = 1 << 20
	maxSmallScale = 6
	maxSmallIndex = 1 << 40
)

// shrink gives nil where the grid is too fine or too far away.
func (g *grid) shrink() *smallGrid {
	if !g.unit.IsInt64() || g.unit.Int64() > maxSmallUnit || g.scale > maxSmallScale {
		return nil
	}
	s := &smallGrid{unit: g.unit.Int64(), power: power10(g.scale).Int64(), scale: g.scale}
	s.lo, s.hi = -maxSmallIndex, maxSmallIndex
	for _, b := range []struct {
		bound *big.Int
		into  *int64
		sign  int // of bounds so far away that they are as good as none
	}{{g.lo, &s.lo, -1}, {g.hi, &s.hi, 1}} {
		switch {
		case b.bound == nil:
		case b.bound.CmpAbs(big.NewInt(maxSmallIndex)) <= 0:
			*b.into = b.bound.Int64()
		case b.bound.Sign() != b.sign:
			return nil
		}
	}
	if s.lo > s.hi {
		return nil
	}
	return s
}

// pick takes the number of the grid that the key says, within the window where
// some lie there, else near the window.
func (s *smallGrid) pick(key Key, w window) json.Number {
	first := max(-floorDiv(-w.lo*s.power, s.unit), s.lo)
	last := min(floorDiv(w.hi*s.power, s.unit), s.hi)
	if first > last {
		const many = 1000
		if s.hi < first {
			first, last = max(s.lo, s.hi-many+1), s.hi
		} else {
			last = min(s.hi, first+many-1)
		}
	}
	m := first + int64(formats.Mix(uint64(key))%uint64(last-first+1))
	var buffer [40]byte
	return decimal(strconv.AppendInt(buffer[:0], m*s.unit, 10), s.scale)
}

// floorDiv divides by a positive number, rounding down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
