// Package memory limits the memory of everything that grows while the mock runs. Growth is added to a counter without
// a lock; shrinking is not subtracted. When the counter reaches the limit, everything is counted again, and if it is
// really too much, the parts drop data in order.
package memory

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Part is one kind of data that grows.
type Part struct {
	Name string // in the plural
	// Drop drops the least valuable data until so many bytes are free or none is left.
	Drop func(bytes int64) (dropped int, freed int64)
}

// Loss counts the dropped data of one part since the start.
type Loss struct {
	Name    string
	Dropped int
	Bytes   int64
}

// Budget is a limit in bytes, shared by parts. It is safe for concurrent use.
type Budget struct {
	limit int64
	used  func() int64
	parts []Part // the first is dropped first
	count atomic.Int64

	mu     sync.Mutex // held while everything is counted
	losing sync.Mutex // guards lost
	lost   []Loss     // by part
}

// New returns a budget. used returns the present use; it may be slow.
func New(limit int64, used func() int64, parts ...Part) *Budget {
	b := &Budget{limit: limit, used: used, parts: parts}
	for _, p := range parts {
		b.lost = append(b.lost, Loss{Name: p.Name})
	}
	return b
}

// Grow adds newly used bytes.
func (b *Budget) Grow(bytes int64) { b.count.Add(bytes) }

// IsFull reports whether the limit may be exceeded: call Relieve then.
func (b *Budget) IsFull() bool { return b.count.Load() > b.limit }

// Relieve drops data beyond the limit, and an eighth of the limit more, so that it is not called again soon. It
// returns the losses. The caller must hold no lock that a Part takes.
func (b *Budget) Relieve() (losses []Loss) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.IsFull() {
		return nil // another goroutine has done it
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

// recount sets the counter to the present use plus later growth.
func (b *Budget) recount() int64 {
	before := b.count.Load()
	used := b.used()
	b.count.Add(used - before)
	return used
}

// Lost adds data that another limit has dropped.
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

// Usage returns the present use, the limit and the losses since the start.
func (b *Budget) Usage() (used, limit int64, lost []Loss) {
	b.mu.Lock()
	defer b.mu.Unlock()
	used = b.recount()
	b.losing.Lock()
	defer b.losing.Unlock()
	return used, b.limit, slices.Clone(b.lost)
}
