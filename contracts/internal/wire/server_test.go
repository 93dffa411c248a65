package wire

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// serve listens on a free port of an address and passes each connection to
// handle, with its number. The server is gone when the test ends.
func serve(t testing.TB, address string, handle func(n int, conn net.Conn)) net.Addr {
	t.Helper()
	listener, err := net.Listen("tcp", net.JoinHostPort(address, "0"))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var open []net.Conn
	wg.Go(func() {
		for n := 1; ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			open = append(open, conn)
			mu.Unlock()
			wg.Go(func() {
				defer conn.Close()
				handle(n, conn)
			})
		}
	})
	t.Cleanup(func() {
		listener.Close()
		mu.Lock()
		for _, conn := range open {
			conn.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return listener.Addr()
}

// script answers the first request of each connection with a text. After it the
// connection is closed, or left open until the client closes it ("hang"), or
// sent a text again and again.
func script(text, after string) func(int, net.Conn) {
	return func(_ int, conn net.Conn) {
		request, err := http.ReadRequest(bufio.NewReader(conn))
		if err != nil {
			return
		}
		io.Copy(io.Discard, request.Body)
		if _, err := io.WriteString(conn, text); err != nil {
			return
		}
		switch after {
		case "":
		case "hang":
			io.Copy(io.Discard, conn)
		default:
			for err == nil {
				_, err = io.WriteString(conn, after)
			}
		}
	}
}

// client makes a client of a server; it is closed when the test ends.
func client(t testing.TB, to net.Addr, o Options) *Client {
	t.Helper()
	if o.URL == nil {
		o.URL = &url.URL{Scheme: "http", Host: to.String()}
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func get(path string) *exchange.Request { return &exchange.Request{Method: "GET", Path: path} }

// send sends a GET and returns its answer.
func send(c *Client) Result { return c.Send(context.Background(), get("/")) }

// wantFault fails unless a fault has a code and a message with a text in it.
func wantFault(t *testing.T, a Result, code, message string) {
	t.Helper()
	switch {
	case a.Fault == nil && code != "":
		t.Fatalf("no fault, want %s", code)
	case a.Fault != nil && (a.Fault.Code != code || !strings.Contains(a.Fault.Message, message)):
		t.Fatalf("%s: %s; want %s: …%s…", a.Fault.Code, a.Fault.Message, code, message)
	}
}

// steady fails if more goroutines of this package's requests are left than there
// were. It returns them time to end.
func steady(t *testing.T, before int) {
	t.Helper()
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
	}
	deadline := time.Now().Add(5 * time.Second)
	for time.Now().Before(deadline) {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines, were %d\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
}
