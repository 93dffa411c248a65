package scenario

import "hash/fnv"

// counter is what makes a rule depend on the requests before: its limits, its
// place in a sequence and its named states. What it remembers is in a State,
// the number of its applications in any case.
type counter struct {
	times   uint64   // how often the rule applies at most; 0 is without limit
	every   uint64   // it applies to each every-th request; at least 1
	chance  float64  // share of these that it applies to; 0 is all
	machine *machine // of the named states; nil where the rule has none
	state   int      // the one that it requires; -1 is any
	then    int      // the one that it sets; -1 is none
	limit   *limit   // the rule applies only over it; nil is always
	key     uint64   // what draws depend on besides seed and ordinal
	free    bool     // it only counts: the requests before mean nothing
}

// always reports whether the rule applies to each request that reaches it.
func (c *counter) always() bool {
	return c.times == 0 && c.every == 1 && c.chance == 0 && c.state < 0 && c.limit == nil
}

// whole reports whether the decision has several parts that must be taken at
// once, together with those of the other rules for the operation: a request
// sees one state, and leaves it before another one sees it.
func (c *counter) whole() bool { return c.machine != nil || c.chance > 0 || c.limit != nil }

// newCounter gives a counter that lets everything through.
func (p *parser) newCounter(number int) *counter {
	h := fnv.New64a()
	h.Write([]byte(p.scenario.Name))
	return &counter{every: 1, state: -1, then: -1, key: mix(h.Sum64() + uint64(number))}
}

// draw gives a number from 0 to below 1 that depends on the arguments alone.
func draw(seed, key, ordinal uint64) float64 {
	return float64(mix(mix(seed^key)+ordinal*0x9e3779b97f4a7c15)>>11) / (1 << 53)
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable
// pseudorandom number generators, 2014).
func mix(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
