package cases

import "iter"

// spread gives the numbers below total in an order of which the first most are
// evenly spread, so that the last places of a large request are tested as well as
// the first: every eighth, say, and then what is between them, with every
// distance half of the one before. All are in order where total is not above
// most, or most is 0.
func spread(total, most int) iter.Seq[int] {
	return func(yield func(int) bool) {
		stride := 1
		for most > 0 && total > most*stride {
			stride *= 2
		}
		for i := 0; i < total; i += stride {
			if !yield(i) {
				return
			}
		}
		for ; stride > 1; stride /= 2 {
			for i := stride / 2; i < total; i += stride {
				if !yield(i) {
					return
				}
			}
		}
	}
}
