package main

import (
	"runtime"
	"runtime/debug"

	"github.com/coldframe/coldframe/cmd/coldframe/pace"
)

// slackShare is the part of --memory by which the heap may grow under load before garbage is collected, beside what
// is in use: a mock of a small document would else collect its few megabytes hundreds of times a second. A quarter,
// 128 MiB by default, halves the collector's work beside 48 MiB where 100,000 items are kept.
const slackShare = 4

// testSlack is the same for a contract test, in bytes. A run on GitHub's document (43,445 requests, a constant backend)
// takes 7.5 s of CPU in place of 9.5, and 510 MB of memory in place of 390; one on the Plant Store never collects.
const testSlack = 128 << 20

// slack is memory that is never touched and so takes none, but counts as in use when the collector is paced.
type slack struct{ bytes []byte }

// settleTest is settle for a contract test; nil where the environment sets the pace.
func settleTest() *slack {
	if !pace.IsOwn() {
		return nil
	}
	return settle(testSlack)
}

// settle sets the pace for serving and testing, and gives the slack. What loading left over goes back to the system
// while the first requests are served: of the 75 MiB that GitHub's document takes else, 8. It takes no more CPU
// time: the slack has garbage collected once in any case. A document that was loaded without a collection left too
// little to give back: the first one comes when the slack would be full. That saves a quarter of the CPU time until
// the Plant Store is served.
func settle(bytes int64) *slack {
	s := &slack{}
	var now runtime.MemStats
	if runtime.ReadMemStats(&now); now.NumGC > 0 {
		s.give(bytes)
		go func() {
			debug.FreeOSMemory()
			debug.SetGCPercent(100)
		}()
		return s
	}
	debug.SetGCPercent(max(100, int(bytes/(leastHeap/100))))
	first := new(slack) // until the first collection
	runtime.SetFinalizer(first, func(*slack) {
		s.give(bytes)
		debug.SetGCPercent(100)
	})
	return s
}

// leastHeap is the size at which a heap is collected first at a pace of 100 percent, and in proportion at others.
const leastHeap = 4 << 20

// give gives the slack, and stops the collector: it is to count the slack before it is paced by it.
func (s *slack) give(bytes int64) {
	debug.SetGCPercent(-1)
	s.bytes = make([]byte, bytes)
}
