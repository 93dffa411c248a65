package mock

import (
	"io"
	"time"
)

// maxThrottled is the longest time that a body is drawn out to.
const maxThrottled = 10 * time.Minute

// throttled reads a body no faster than a bandwidth.
type throttled struct {
	body      []byte
	bandwidth int // bytes a second
	wait      func(time.Duration)
}

func newThrottled(body []byte, bandwidth int, wait func(time.Duration)) *throttled {
	return &throttled{body, max(bandwidth, len(body)/int(maxThrottled/time.Second)), wait}
}

// Read takes the time of what it gives, a tenth of a second at a time.
func (t *throttled) Read(p []byte) (int, error) {
	if len(t.body) == 0 {
		return 0, io.EOF
	}
	n := copy(p, t.body[:min(len(t.body), max(1, t.bandwidth/10))])
	t.body = t.body[n:]
	t.wait(time.Duration(n) * time.Second / time.Duration(t.bandwidth))
	return n, nil
}
