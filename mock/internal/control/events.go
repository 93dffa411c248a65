package control

import (
	"fmt"
	"net/http"
	"time"

	"github.com/coldframe/coldframe/mock/internal/journal"
)

const (
	// feedBuffer is how many exchanges a slow reader may be behind.
	feedBuffer = 256
	// feedPause is how long nothing may be heard of a feed.
	feedPause = 15 * time.Second
)

// follow streams the exchanges as server-sent events (HTML section 9.2).
func (h *Handler) follow(c *call) Answer {
	if h.Journal == nil {
		return noJournal()
	}
	a := written("text/event-stream", nil)
	a.Header.Set("Cache-Control", "no-store")
	if c.request.Method == http.MethodHead {
		return a
	}
	after := h.Journal.Last()
	if sent, ok := c.Values.Header["Last-Event-ID"]; ok {
		after = uint64(number(sent, 0))
	}
	feed := h.Journal.Subscribe(feedBuffer, after)
	if feed == nil {
		return problem(503, fmt.Sprintf("there are %d feeds already", journal.MaxFeeds))
	}
	a.Stream = func(write func([]byte) error) {
		defer feed.Close()
		pause := time.NewTicker(feedPause)
		defer pause.Stop()
		text := []byte(": exchanges as they come\n\n")
		for write(text) == nil {
			select {
			case <-h.Done:
				return
			case <-pause.C:
				text = []byte(":\n\n")
			case e := <-feed.Entries:
				text = event(e, feed.Lost())
			}
		}
	}
	return a
}

// event writes one exchange, and before it how many were lost.
func event(e *journal.Entry, lost int) []byte {
	var text []byte
	if lost > 0 {
		text = fmt.Appendf(nil, "event: lost\ndata: {\"lost\":%d}\n\n", lost)
	}
	data, err := e.MarshalJSON()
	if err != nil {
		return text
	}
	return fmt.Appendf(text, "event: exchange\nid: %d\ndata: %s\n\n", e.Number, data)
}
