package contracts

import (
	"time"
)

// everyProgress is how often progress is told of.
const everyProgress = 100 * time.Millisecond

// tell tells of the run's progress from one goroutine until what it gives is
// called, and then once more.
func (r *run) tell() (done func()) {
	told := r.options.Progress
	if told == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(everyProgress)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				told(r.progress())
			case <-end:
				told(r.progress())
				return
			}
		}
	}()
	return func() { close(end); <-ended }
}

// progress says how far the run is.
func (r *run) progress() Progress {
	o, t := r.options, r.tally
	left := max(0, o.MaxTime-o.Clock().Sub(r.began))
	p := Progress{
		Operations: len(r.subjects), Operation: int(r.done.Load()), Cases: int(t.sent.Load()), Findings: int(t.found.Load()), Left: left,
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if n := len(t.phases); n > 0 {
		p.Phase = t.phases[n-1].ID
	}
	return p
}
