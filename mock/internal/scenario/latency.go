package scenario

import (
	"math"
	"strconv"
	"time"
)

// latency is how long a rule delays an answer: low to high with every value as
// likely, or lognormal where median is given.
type latency struct {
	low, high time.Duration
	median    time.Duration
	sigma     float64 // standard deviation of the logarithm
	longest   time.Duration
}

// drawn reports whether requests are delayed differently.
func (l *latency) drawn() bool { return l != nil && (l.median > 0 || l.low != l.high) }

// of gives the delay of a request that reached the rule as the n-th.
func (l *latency) of(seed, key, n uint64) time.Duration {
	switch {
	case l == nil:
		return 0
	case !l.drawn():
		return l.low
	case l.median == 0:
		return l.low + time.Duration(draw(seed, mix(key+1), n)*float64(l.high-l.low))
	}
	// Box and Muller make two even draws one of the normal distribution.
	radius := math.Sqrt(-2 * math.Log(1-draw(seed, mix(key+1), n)))
	normal := radius * math.Cos(2*math.Pi*draw(seed, mix(key+2), n))
	return time.Duration(min(float64(l.median)*math.Exp(l.sigma*normal), float64(l.longest)))
}

// maxSigma bounds the spread of a lognormal delay.
const maxSigma = 5

// The keys of a delay that is a distribution.
var (
	delayKeys     = []string{"uniform", "lognormal", "max"}
	lognormalKeys = []string{"median", "sigma"}
)

// latency reads delay.
func (p *parser) latency(n *node) *latency {
	if n.kind != kindMap {
		d := p.duration(n, "delay")
		return &latency{low: d, high: d}
	}
	l := &latency{longest: maxDelay}
	keys := p.keys(n, "delay", delayKeys)
	uniform, lognormal, longest := keys["uniform"], keys["lognormal"], keys["max"]
	switch {
	case (uniform == nil) == (lognormal == nil):
		p.fail(n, CodeRule, "delay needs either uniform or lognormal")
	case uniform != nil && longest != nil:
		p.fail(longest, CodeRule, "max is about lognormal; uniform has its own end")
	case uniform != nil && (uniform.kind != kindList || len(uniform.items) != 2):
		p.fail(uniform, CodeValue, "uniform must be a list of the shortest and the longest delay, is %s", uniform.describe())
	case uniform != nil:
		l.low, l.high = p.duration(uniform.items[0], "uniform"), p.duration(uniform.items[1], "uniform")
		if l.low > l.high {
			p.fail(uniform, CodeValue, "uniform must have the shortest delay first")
		}
	default:
		if longest != nil {
			l.longest = p.duration(longest, "max")
		}
		p.lognormal(lognormal, l)
	}
	return l
}

func (p *parser) lognormal(n *node, l *latency) {
	keys := p.keys(n, "lognormal", lognormalKeys)
	if keys == nil {
		return
	}
	median, sigma := keys["median"], keys["sigma"]
	if median == nil || sigma == nil {
		p.fail(n, CodeRule, "lognormal needs median and sigma")
		return
	}
	if l.median = p.duration(median, "median"); l.median == 0 {
		p.fail(median, CodeValue, "median must be more than 0")
	}
	var err error
	l.sigma, err = strconv.ParseFloat(sigma.text, 64)
	if sigma.kind != kindNumber || err != nil || l.sigma < 0 || l.sigma > maxSigma {
		p.fail(sigma, CodeValue, "sigma must be a number from 0 to %d, is %s", maxSigma, sigma.describe())
	}
}
