package mock

import (
	"bytes"
	"sync"
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

// wait returns when there are more lines than before.
func (l *lineLog) wait(before int) {
	l.until(func(string) bool { return l.lines > before })
}

// until returns when the text is as wanted.
func (l *lineLog) until(wanted func(text string) bool) {
	for {
		l.mu.Lock()
		if wanted(l.text.String()) {
			l.mu.Unlock()
			return
		}
		more := make(chan struct{})
		l.waiters = append(l.waiters, more)
		l.mu.Unlock()
		<-more
	}
}
