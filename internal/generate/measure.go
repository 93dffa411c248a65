package generate

import "math/big"

// measurer works out which lengths matches can have.
type measurer struct {
	limit  int
	groups map[int]*pattern
	work   int
}

// maxWork bounds the additions that one pattern takes to measure: beyond it,
// its lengths are unknown, and taken for none.
const maxWork = 200_000

func (m *measurer) collect(p *pattern) {
	if p.op == opGroup {
		m.groups[p.group] = p.sub[0]
	}
	p.lengths = nil
	for _, sub := range p.sub {
		m.collect(sub)
	}
}

var one = big.NewInt(1)

func (m *measurer) measure(p *pattern) *big.Int {
	if p.lengths != nil {
		return p.lengths
	}
	p.lengths = new(big.Int) // a back reference inside its own group matches nothing
	lengths := new(big.Int)
	switch p.op {
	case opClass:
		if len(p.class) > 0 && m.limit >= 1 {
			lengths.SetBit(lengths, 1, 1)
		}
	case opGroup:
		lengths = m.measure(p.sub[0])
	case opBackref:
		lengths.SetBit(lengths, 0, 1)
		if group := m.groups[p.group]; group != nil {
			lengths = m.measure(group)
		}
	case opConcat:
		p.rests = make([]*big.Int, len(p.sub)+1)
		p.rests[len(p.sub)] = one
		for i := len(p.sub) - 1; i >= 0; i-- {
			p.rests[i] = m.sum(m.measure(p.sub[i]), p.rests[i+1])
		}
		lengths = p.rests[0]
	case opAlternate:
		for _, sub := range p.sub {
			lengths.Or(lengths, m.measure(sub))
		}
	case opRepeat:
		lengths = m.repeat(p)
	default:
		lengths.SetBit(lengths, 0, 1)
	}
	p.lengths = lengths
	return lengths
}

// repeat fills counts: counts[n] are the lengths of exactly n repetitions.
func (m *measurer) repeat(p *pattern) *big.Int {
	sub := m.measure(p.sub[0])
	total := new(big.Int)
	if sub.Cmp(big.NewInt(2)) == 0 { // one character: the count is the length
		last := m.limit
		if p.max >= 0 {
			last = min(last, p.max)
		}
		for n := p.min; n <= last; n++ {
			total.SetBit(total, n, 1)
		}
		p.counts = nil
		return total
	}
	p.counts = []*big.Int{one}
	const enough = 64 // repetitions beyond the least number
	if p.min > m.limit && sub.Bit(0) == 0 {
		return total
	}
	for n := 0; ; n++ {
		if n >= p.min {
			total.Or(total, p.counts[n])
		}
		if p.max >= 0 && n >= p.max || n >= p.min+enough || n >= maxSample {
			break
		}
		next := m.sum(p.counts[n], sub)
		if next.Sign() == 0 {
			break
		}
		p.counts = append(p.counts, next)
	}
	return total
}

// sum gives the lengths of one match after the other.
func (m *measurer) sum(a, b *big.Int) *big.Int {
	if a.BitLen() > b.BitLen() {
		a, b = b, a
	}
	total, shifted := new(big.Int), new(big.Int)
	for i := range a.BitLen() {
		if a.Bit(i) == 1 {
			if m.work++; m.work > maxWork {
				return new(big.Int)
			}
			total.Or(total, shifted.Lsh(b, uint(i)))
		}
	}
	if total.BitLen() > m.limit+1 {
		mask := new(big.Int).Lsh(one, uint(m.limit+1))
		total.And(total, mask.Sub(mask, one))
	}
	return total
}
