// Package memory bounds by one number of bytes all that grows while the mock runs. What grows adds to a count
// without a lock. What shrinks does not: when the count is full everything is counted, and if it is too much
// indeed, the parts give way in their order.
package memory

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Part is one kind of what grows.
type Part struct {
	Name string // in the plural
	// Drop gives up the least valuable of them, until so many bytes are free or none are left.
	Drop func(bytes int64) (dropped int, freed int64)
}

// Loss says how many of one part have given way since the start, and what they took.
type Loss struct {
	Name    string
	Dropped int
	Bytes   int64
}

// Budget is a number of bytes and the parts that share it. It is safe for concurrent use.
type Budget struct {
	limit int64
	used  func() int64
	parts []Part // the first gives way first
	count atomic.Int64

	mu     sync.Mutex // of those who count everything
	losing sync.Mutex // of lost
	lost   []Loss     // of each part
}

// New makes a budget. used counts all that is in use; it may take its time.
func New(limit int64, used func() int64, parts ...Part) *Budget {
	b := &Budget{limit: limit, used: used, parts: parts}
	for _, p := range parts {
		b.lost = append(b.lost, Loss{Name: p.Name})
	}
	return b
}

// Grow counts bytes that are in use from now on.
func (b *Budget) Grow(bytes int64) { b.count.Add(bytes) }

// IsFull reports whether there may be too much: Relieve is to be called.
func (b *Budget) IsFull() bool { return b.count.Load() > b.limit }

// Relieve returns up what is too much, and an eighth of the limit beyond it, so that it is not called again soon.
// It returns what was lost. The caller holds no lock that a Part takes.
func (b *Budget) Relieve() (losses []Loss) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.IsFull() {
		return nil // another goroutine was here
	}
	used, least := b.recount(), b.limit-b.limit/8
	if used <= b.limit {
		return nil
	}
	for _, p := range b.parts {
		if used <= least {
			break
		}
		dropped, freed := p.Drop(used - least)
		if dropped == 0 {
			continue
		}
		losses = append(losses, Loss{p.Name, dropped, freed})
		b.Lost(losses[len(losses)-1])
		used = b.recount()
	}
	return losses
}

// recount replaces the count by what is in use, and what was added meanwhile.
func (b *Budget) recount() int64 {
	before := b.count.Load()
	used := b.used()
	b.count.Add(used - before)
	return used
}

// Lost counts what another limit has dropped of one of the parts.
func (b *Budget) Lost(lost Loss) {
	b.losing.Lock()
	defer b.losing.Unlock()
	for i := range b.lost {
		if b.lost[i].Name == lost.Name {
			b.lost[i].Dropped += lost.Dropped
			b.lost[i].Bytes += lost.Bytes
		}
	}
}

// Usage counts what is in use now, and gives the limit and what was lost since the start.
func (b *Budget) Usage() (used, limit int64, lost []Loss) {
	b.mu.Lock()
	defer b.mu.Unlock()
	used = b.recount()
	b.losing.Lock()
	defer b.losing.Unlock()
	return used, b.limit, slices.Clone(b.lost)
}
