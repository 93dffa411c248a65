package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// stalling is a reader that takes its first writes and then nothing until it is released.
type stalling struct {
	output
	takes    int
	released chan struct{}
}

func (s *stalling) Write(text []byte) (int, error) {
	if s.takes--; s.takes < 0 {
		<-s.released
	}
	return s.output.Write(text)
}

func stalled(takes int) *stalling {
	return &stalling{output{more: make(chan struct{})}, takes, make(chan struct{})}
}

// TestStalledLog checks that logging goes on while nobody reads, that dropped lines are counted and reported, and
// that the rest arrives in its order.
func TestStalledLog(t *testing.T) {
	for _, json := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			to := stalled(1)
			q := newLogQueue(to, json, 100)
			defer close(q.wake)
			fmt.Fprintln(q, "begin")
			synctest.Wait()
			fmt.Fprintln(q, "taken by the one who is blocked")
			synctest.Wait()
			for i := range 50 {
				fmt.Fprintf(q, "line %02d\n", i) // 8 bytes
			}
			if lost, err := q.flush(); lost != 50 || err != nil { // 12 wait, 38 are dropped
				t.Error(lost, err)
			}
			close(to.released)
			synctest.Wait()
			fmt.Fprintln(q, "end")
			if lost, err := q.flush(); lost != 0 || err != nil {
				t.Error(lost, err)
			}
			text, _ := to.read()
			dropped := "38 lines of the log dropped: nobody read it in time\nend\n"
			if json {
				dropped = "dropped: nobody read it in time\",\"lines\":38}\nend\n"
			}
			if !strings.Contains(text, "blocked\nline 00\nline 01\n") || !strings.HasSuffix(text, dropped) ||
				strings.Count(text, "\nline ") != 12 {
				t.Error(text)
			}
		})
	}
}

type left struct{}

func (left) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// TestClosedLog checks that logging goes on once the reader has left.
func TestClosedLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newLogQueue(left{}, false, 100)
		defer close(q.wake)
		for range 50 {
			fmt.Fprintln(q, "some line")
		}
		if _, err := q.flush(); !errors.Is(err, io.ErrClosedPipe) {
			t.Error(err)
		}
	})
}

// TestLogAtEnd holds that each answered request is in the log when the mock has ended, also of a reader that was
// behind.
func TestLogAtEnd(t *testing.T) {
	const requests = 200
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	to, ended := stalled(1), make(chan int)
	var complaints bytes.Buffer
	go func() {
		ended <- run(ctx, []string{"--port", "0", "../../openapi.yaml"}, strings.NewReader(""), to, &complaints)
	}()
	url := ""
	for url == "" {
		text, more := to.read()
		if url = urlPattern.FindString(text); url == "" {
			<-more
		}
	}
	var all sync.WaitGroup
	for i := range requests {
		all.Go(func() {
			response, err := http.Get(fmt.Sprintf("%s/request-%d/", url, i))
			if err != nil {
				t.Error(err)
				return
			}
			response.Body.Close()
		})
	}
	all.Wait()
	stop()
	close(to.released)
	if code := <-ended; code != exitFine || complaints.Len() > 0 {
		t.Error(code, complaints.String())
	}
	text, _ := to.read()
	for i := range requests {
		if line := fmt.Sprintf("GET /request-%d/ 404 ", i); strings.Count(text, line) != 1 {
			t.Errorf("%s is there %d times", line, strings.Count(text, line))
		}
	}
}

// TestInterrupt holds that a signal ends a command that does not look for one, and that what is to end in good
// order is waited for.
func TestInterrupt(t *testing.T) {
	for _, orderly := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			p, done := &program{}, make(chan struct{})
			p.orderly.Store(orderly)
			ctx, stop := context.WithCancel(t.Context())
			stop()
			go func() { <-ctx.Done(); synctest.Wait(); close(done) }()
			command := func() error { <-done; return errors.ErrUnsupported }
			if !orderly {
				command = func() error { <-t.Context().Done(); return nil }
			}
			want := map[bool]error{false: context.Canceled, true: errors.ErrUnsupported}[orderly]
			if err := p.untilInterrupted(ctx, command); !errors.Is(err, want) {
				t.Error(err)
			}
		})
	}
}
