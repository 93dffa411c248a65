package main

import (
	"bytes"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	maxQueued = 2 << 20     // bytes of the log that may wait for their reader
	logChunk  = 64 << 10    // bytes per write
	stallTime = time.Second // a reader that takes nothing for this long is stalled
)

// logQueue writes in the background, so that a reader who stalls or leaves neither blocks nor ends the mock. Write
// waits for a slow reader. If a reader is stalled, lines that do not fit are dropped and counted, and the count is
// logged.
type logQueue struct {
	to      io.Writer
	json    bool // the line about dropped lines is JSON
	limit   int  // of pending, in bytes
	mu      sync.Mutex
	pending []byte
	dropped int           // lines since the last report
	busy    bool          // a write is in progress
	stalled bool          // for stallTime
	failed  error         // the error after which the reader is gone
	moved   chan struct{} // closed and replaced whenever the reader takes something
	wake    chan struct{} // receives a value when something is pending
}

func newLogQueue(to io.Writer, json bool, limit int) *logQueue {
	q := &logQueue{to: to, json: json, limit: limit, moved: make(chan struct{}), wake: make(chan struct{}, 1)}
	go q.run()
	return q
}

// Write never fails, and waits at most stallTime for a reader that takes nothing.
func (q *logQueue) Write(text []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	hasRoom := func() bool { return q.failed != nil || len(q.pending) == 0 || len(q.pending)+len(text) <= q.limit }
	q.await(hasRoom)
	if q.failed != nil || !hasRoom() {
		q.dropped += max(1, bytes.Count(text, []byte("\n")))
		return len(text), nil
	}
	q.pending = append(q.pending, text...)
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return len(text), nil
}

// flush waits until everything is written. It returns the number of lines that were lost because the reader stalled
// or left.
func (q *logQueue) flush() (lost int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.await(func() bool { return q.failed != nil || len(q.pending) == 0 && !q.busy })
	return q.dropped + bytes.Count(q.pending, []byte("\n")), q.failed
}

// await waits until done returns true or the reader stalls. The lock is held before and after.
func (q *logQueue) await(done func() bool) {
	for !done() && !q.stalled {
		moved := q.moved
		q.mu.Unlock()
		timer := time.NewTimer(stallTime)
		select {
		case <-moved:
		case <-timer.C:
		}
		timer.Stop()
		q.mu.Lock()
		q.stalled = q.moved == moved
	}
}

func (q *logQueue) run() {
	var text []byte
	for range q.wake {
		q.mu.Lock()
		text, q.pending = q.pending, text[:0]
		if q.dropped > 0 {
			text = append(text, q.droppedLine(q.dropped)...)
			q.dropped = 0
		}
		q.busy = true
		q.mu.Unlock()
		for rest := text; len(rest) > 0 && q.failed == nil; {
			n := min(len(rest), logChunk)
			_, err := q.to.Write(rest[:n])
			rest = rest[n:]
			q.mu.Lock()
			q.failed, q.busy, q.stalled = err, len(rest) > 0, false
			close(q.moved)
			q.moved = make(chan struct{})
			q.mu.Unlock()
		}
	}
}

func (q *logQueue) droppedLine(lines int) string {
	const reason = "of the log dropped: nobody read it in time"
	if !q.json {
		return exchange.Count(lines, "line") + " " + reason + "\n"
	}
	var b bytes.Buffer
	slog.New(slog.NewJSONHandler(&b, nil)).Warn("lines "+reason, slog.Int("lines", lines))
	return b.String()
}
