package httpserver

import (
	"bytes"
	"io"
	"testing"
	"time"
)

// A throttled body is whole, takes the time of its bandwidth, and no more than
// maxThrottled.
func TestThrottled(t *testing.T) {
	for _, c := range []struct {
		length, bandwidth int
		want              time.Duration
	}{{0, 5, 0}, {10, 5, 2 * time.Second}, {1, 1, time.Second}, {64 << 10, 64 << 10, time.Second}, {6000, 1, maxThrottled}, {10, 1 << 30, 0}} {
		body := bytes.Repeat([]byte("x"), c.length)
		took := time.Duration(0)
		got, err := io.ReadAll(newThrottled(body, c.bandwidth, func(d time.Duration) { took += d }))
		if err != nil || !bytes.Equal(got, body) || took.Round(time.Millisecond) != c.want {
			t.Errorf("%d bytes at %d: %d bytes in %s, %v, want %s", c.length, c.bandwidth, len(got), took, err, c.want)
		}
	}
}
