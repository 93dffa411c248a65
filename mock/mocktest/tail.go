package mocktest

import (
	"bytes"
	"sync"
)

// maxLog is how many bytes of the log are kept.
const maxLog = 64 << 10

// tail keeps the end of what is written to it, in whole lines.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (w *tail) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, b...)
	if over := len(w.text) - maxLog; over > 0 {
		end := bytes.IndexByte(w.text[over:], '\n')
		w.text = append(w.text[:0], w.text[over+end+1:]...)
	}
	return len(b), nil
}

func (w *tail) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.text)
}
