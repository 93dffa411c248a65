package control

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock/client"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
	"github.com/coldframe/coldframe/mock/internal/verify"
)

const (
	// defaultLimit is the default length of a list of exchanges.
	defaultLimit = 100
	// feedBuffer is the number of exchanges that a slow reader of a stream may be behind.
	feedBuffer = 256
	// feedPause is the longest silence of a stream.
	feedPause = 15 * time.Second
)

// withJournal refuses an operation if there is no journal.
func withJournal(do handlerFunc) handlerFunc {
	return func(h *Handler, c *call) (any, error) {
		if h.Served().Journal == nil {
			return nil, &Failure{Status: 404, Detail: "no journal is kept (option journal)"}
		}
		return do(h, c)
	}
}

// filter returns the filter in a query.
func (h *Handler) filter(c *call) (f journal.Filter, err error) {
	f = journal.Filter{
		Operation: c.query("operation"), Status: c.query("status"), Session: c.session(),
		Finding: c.query("finding"), Method: c.query("method"), Path: c.query("path"),
		Consumer: c.query("consumer"), Text: c.query("text"), Before: uint64(integer(c.Query["before"], 0)),
	}
	if f.Operation != "" {
		if _, err := scenario.FindOperation(h.Served().Contract, f.Operation); err != nil {
			return f, invalid(400, exchange.Finding{
				Code: scenario.CodeOperation, Message: err.Error(), In: exchange.InQuery, Name: "operation",
			})
		}
	}
	return f, nil
}

func (h *Handler) listRequests(c *call) (any, error) {
	f, err := h.filter(c)
	if err != nil {
		return nil, err
	}
	entries, lost := h.Served().Journal.Entries()
	chosen := f.Choose(entries)
	matched := len(chosen)
	chosen = chosen[max(0, matched-integer(c.Query["limit"], defaultLimit)):]
	if c.query("format") == "har" {
		return h.archive(chosen)
	}
	return struct {
		Matched  int              `json:"matched"`
		Lost     uint64           `json:"lost"`
		Requests []*journal.Entry `json:"requests"`
	}{matched, lost, chosen}, nil
}

// archive returns exchanges as HAR 1.2.
func (h *Handler) archive(entries []*journal.Entry) (any, error) {
	comment := "document sha256:" + h.Served().Contract.Hash()
	text, err := recording.Archive(comment, func(yield func(*recording.Exchange) bool) {
		for _, e := range entries {
			x := &recording.Exchange{
				Began: e.Time, Took: e.Duration, Origin: h.URL(), Request: &e.Request, Response: &e.Response,
				RequestBytes: e.RequestSize, ResponseBytes: e.ResponseSize, Comment: e.Consumer,
			}
			if !yield(x) {
				return
			}
		}
	})
	if err != nil {
		return nil, &Failure{Status: 500, Detail: err.Error()}
	}
	return written("application/har+json", text), nil
}

func (h *Handler) getRequest(c *call) (any, error) {
	j := h.Served().Journal
	n := uint64(integer(c.Path["number"], 0))
	if e := j.Entry(n); e != nil {
		return e, nil
	}
	detail := fmt.Sprintf("the journal does not have exchange %d", n)
	if entries, _ := j.Entries(); len(entries) > 0 {
		detail += fmt.Sprintf("; it has %d to %d", entries[0].Number, entries[len(entries)-1].Number)
	}
	return nil, &Failure{Status: 404, Detail: detail}
}

func (h *Handler) clearRequests(c *call) (any, error) {
	j := h.Served().Journal
	switch session := c.session(); {
	case session == nil:
		j.Clear()
	case *session == state.Default:
		j.ClearSession("")
	default:
		j.ClearSession(*session)
	}
	return nil, nil
}

// followRequests streams the exchanges as server-sent events (HTML section 9.2).
func (h *Handler) followRequests(c *call) (any, error) {
	f, err := h.filter(c)
	if err != nil {
		return nil, err
	}
	j := h.Served().Journal
	a := written("text/event-stream", nil)
	a.Header.Set("Cache-Control", "no-store")
	if c.request.Method == http.MethodHead {
		return a, nil
	}
	after := j.Last()
	if sent, ok := c.Values.Header["Last-Event-ID"]; ok {
		after = uint64(integer(sent, 0))
	}
	feed := j.Subscribe(feedBuffer, after, f)
	if feed == nil {
		return nil, &Failure{Status: 503, Detail: "there are " + strconv.Itoa(journal.MaxFeeds) + " feeds already"}
	}
	known, most := j.Last(), integer(c.Query["most"], math.MaxInt)
	a.Stream = func(write func([]byte) error) {
		defer feed.Close()
		pause := time.NewTicker(feedPause)
		defer pause.Stop()
		var began time.Time
		sent := 0 // since began
		text := []byte(": exchanges as they come\n\n")
		for write(text) == nil {
			if sent >= most { // what comes meanwhile and does not fit into the buffer is lost
				select {
				case <-h.Done:
					return
				case <-time.After(time.Until(began.Add(time.Second))):
				}
				sent = 0
			}
			select {
			case <-h.Done:
				return
			case <-pause.C:
				text = []byte(":\n\n")
			case e := <-feed.Entries:
				feed.Took(e)
				text = event(e, feed.Lost())
				if e.Number <= known {
					continue
				}
				if now := time.Now(); sent == 0 || now.Sub(began) > time.Second {
					began, sent = now, 0
				}
				sent++
			}
		}
	}
	return a, nil
}

// event writes one exchange, preceded by the number of lost ones.
func event(e *journal.Entry, lost int) []byte {
	var text []byte
	if lost > 0 {
		text = fmt.Appendf(nil, "event: lost\ndata: {\"lost\":%d}\n\n", lost)
	}
	data, err := e.MarshalJSON()
	if err != nil {
		return text
	}
	return fmt.Appendf(text, "event: exchange\nid: %d\ndata: %s\n\n", e.Number, visible.Bytes(data))
}

func (h *Handler) verify(c *call, e client.Expectation) (any, error) {
	matched, problem, findings := verify.Check(c.request.Work, h.Served().Evidence, e)
	switch {
	case len(findings) > 0:
		return nil, invalid(422, findings...)
	case problem == nil:
		return map[string]int{"matched": matched}, nil
	}
	return problemWith(problem.Status, problem.Detail, map[string]any{
		"matched": problem.Matched, "matches": problem.Matches, "misses": problem.Misses,
	}), nil
}
