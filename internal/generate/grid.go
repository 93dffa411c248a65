package generate

import (
	"encoding/json"
	"math/big"
	"strconv"
)

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
	s := &smallGrid{unit: g.unit.Int64(), power: power10(g.scale).Int64(), scale: g.scale, lo: -maxSmallIndex, hi: maxSmallIndex}
	fits := func(bound *big.Int, into *int64) bool {
		if bound == nil {
			return true
		}
		if bound.CmpAbs(big.NewInt(maxSmallIndex)) > 0 {
			// A bound so far away is as good as none, unless the other side lies there too.
			return (bound.Sign() > 0) == (into == &s.hi)
		}
		*into = bound.Int64()
		return true
	}
	if !fits(g.lo, &s.lo) || !fits(g.hi, &s.hi) || s.lo > s.hi {
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
	m := first + int64(mix(uint64(key))%uint64(last-first+1))
	return s.number(m * s.unit)
}

// number writes v/10^scale without zeros at its end.
func (s *smallGrid) number(v int64) json.Number {
	if s.scale == 0 {
		return json.Number(strconv.FormatInt(v, 10))
	}
	var buffer [32]byte
	b := buffer[:0]
	if v < 0 {
		b, v = append(b, '-'), -v
	}
	b = strconv.AppendInt(b, v/s.power, 10)
	part := v % s.power
	if part == 0 {
		return json.Number(b)
	}
	b = append(b, '.')
	for power := s.power / 10; part > 0; power /= 10 {
		b = append(b, byte('0'+part/power))
		part %= power
	}
	return json.Number(b)
}

// floorDiv divides by a positive number, rounding down.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
