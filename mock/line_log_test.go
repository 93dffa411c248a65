package mock

import (
	"bytes"
	"sync"
	"testing"
	"time"
)

// lineLog is a log that tests can wait on.
type lineLog struct {
	mu      sync.Mutex
	text    bytes.Buffer
	lines   int
	waiters []chan struct{}
}

func (l *lineLog) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines += bytes.Count(text, []byte("\n"))
	for _, w := range l.waiters {
		close(w)
	}
	l.waiters = nil
	return l.text.Write(text)
}

func (l *lineLog) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines
}

func (l *lineLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// patience is how long tests wait for a line before they fail.
const patience = time.Minute

// wait returns when there are more lines than before.
func (l *lineLog) wait(t testing.TB, before int) {
	t.Helper()
	l.until(t, func(string) bool { return l.lines > before })
}

// until returns when the text is as wanted.
func (l *lineLog) until(t testing.TB, wanted func(text string) bool) {
	t.Helper()
	enough := time.NewTimer(patience)
	defer enough.Stop()
	for {
		l.mu.Lock()
		text := l.text.String()
		if wanted(text) {
			l.mu.Unlock()
			return
		}
		more := make(chan struct{})
		l.waiters = append(l.waiters, more)
		l.mu.Unlock()
		select {
		case <-more:
		case <-enough.C:
			t.Fatalf("the log has not what was waited for:\n%s", text)
		}
	}
}
