package wire

import (
	"context"
	"net"
	"net/url"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const short = 60 * time.Millisecond // for answers that do not come

// TestFaults sends one request to servers that break HTTP in one way each.
func TestFaults(t *testing.T) {
	head := "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
	for _, test := range []struct {
		name, method  string
		answer        string
		after         string // "hang", or what is sent again and again; "" closes
		options       Options
		code, message string // "" for no fault
		status        int
		body          string
	}{
		{name: "closed before an answer", code: NoAnswer, message: "the connection was closed without an answer"},
		{name: "closed in the middle of the status line", answer: "HTTP/1.", code: NoAnswer, message: "in the middle of the answer's head, after 7 bytes"},
		{name: "closed in the middle of the fields", answer: head, code: NoAnswer, message: "in the middle of the answer's head, after 43 bytes"},
		{name: "closed in the middle of the body", answer: head + "Content-Length: 10\r\n\r\nabc", code: Truncated, message: "closed in the middle of the body, after 3 bytes", status: 200, body: "abc"},
		{name: "closed before the body", answer: head + "Content-Length: 10\r\n\r\n", code: Truncated, message: "after 0 bytes", status: 200},
		{name: "closed in the middle of a large body", answer: head + "Content-Length: 99999999\r\n\r\nabc", code: Truncated, message: "after 3 bytes", status: 200, body: "abc"},
		{name: "closed in the middle of a chunk", answer: head + "Transfer-Encoding: chunked\r\n\r\n5\r\nabc", code: Truncated, message: "after 3 bytes", status: 200, body: "abc"},
		{name: "closed before the last chunk", answer: head + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", code: Truncated, message: "after 3 bytes", status: 200, body: "abc"},
		{name: "hangs before an answer", after: "hang", options: Options{Timeout: short}, code: Timeout, message: "no whole answer within 60ms"},
		{name: "hangs within the head", answer: head, after: "hang", options: Options{Timeout: short}, code: Timeout, message: "43 bytes of its head had come"},
		{name: "hangs within the body", answer: head + "Content-Length: 10\r\n\r\nabc", after: "hang", options: Options{Timeout: short}, code: Timeout, message: "3 bytes of the body had come", status: 200, body: "abc"},
		{name: "fields without end", answer: head, after: "X-Field: value\r\n", code: Garbage, message: "does not end within 1048576 bytes"},
		{name: "a line without end", answer: "HTTP/1.1 200 ", after: strings.Repeat("O", 4000), code: Garbage, message: "does not end within 1048576 bytes"},
		{name: "interim answers without end", after: "HTTP/1.1 102 Processing\r\n\r\n", code: Garbage, message: "interim answers without end"},
		{name: "a body without end", answer: head + "\r\n", after: strings.Repeat("a", 1000), options: Options{MaxBody: 1 << 20}, code: TooLarge, message: "more than 1048576 bytes", status: 200, body: "…"},
		{name: "a body that is said to be too large", answer: head + "Content-Length: 5\r\n\r\nabcde", options: Options{MaxBody: 4}, code: TooLarge, message: "more than 4 bytes", status: 200, body: "abcd"},
		{name: "a body as large as it may be", answer: head + "Content-Length: 4\r\n\r\nabcd", options: Options{MaxBody: 4}, status: 200, body: "abcd"},
		{name: "another protocol", answer: "SSH-2.0-OpenSSH_9.6\r\n", code: Garbage, message: `not an HTTP answer: malformed HTTP response "SSH-2.0-OpenSSH_9.6"`},
		{name: "a TLS alert", answer: "\x15\x03\x01\x00\x02\x02\x46\n", code: Garbage, message: "the URL should begin with https"},
		{name: "a long line of nonsense", answer: strings.Repeat("x", 5000) + "\n", code: Garbage, message: "x…"},
		{name: "a status of letters", answer: "HTTP/1.1 OK\r\n\r\n", code: Garbage, message: "not an HTTP answer"},
		{name: "a length of letters", answer: head + "Content-Length: ten\r\n\r\n", code: Garbage, message: "not an HTTP answer"},
		{name: "a length below zero", answer: head + "Content-Length: -1\r\n\r\n", code: Garbage, message: "not an HTTP answer"},
		{name: "two lengths", answer: head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", code: Garbage, message: "not an HTTP answer"},
		{name: "a field without a name", answer: head + ": x\r\n\r\n", code: Garbage, message: "not an HTTP answer"},
		{name: "a chunk's size of letters", answer: head + "Transfer-Encoding: chunked\r\n\r\nxyz\r\nabc\r\n0\r\n\r\n", code: Garbage, message: "the body cannot be read after 0 bytes", status: 200},
		{name: "a chunk's size beyond all bounds", answer: head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nabc\r\n", code: Garbage, message: "the body cannot be read after 0 bytes", status: 200},
		{name: "a chunk longer than its size", answer: head + "Transfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n", code: Garbage, message: "the body cannot be read after 2 bytes", status: 200, body: "ab"},
		{name: "more than the length", answer: head + "Content-Length: 1\r\n\r\nabc", code: ExtraBytes, message: "2 bytes follow the end of the answer", status: 200, body: "a"},
		{name: "a 204 with a body", answer: "HTTP/1.1 204 No Content\r\n\r\n{}", after: "hang", code: ExtraBytes, message: "a 204 has a body; 2 bytes", status: 204},
		{name: "a 204 with a body and the end", answer: "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n{}", code: ExtraBytes, message: "a 204 has a body", status: 204},
		{name: "a 304 with a body", answer: "HTTP/1.1 304 Not Modified\r\n\r\n{}", after: "hang", code: ExtraBytes, message: "a 304 has a body", status: 304},
		{name: "a HEAD with a body", method: "HEAD", answer: head + "Content-Length: 2\r\n\r\n{}", after: "hang", code: ExtraBytes, message: "the answer to a HEAD has a body; 2 bytes", status: 200},

		{name: "a HEAD", method: "HEAD", answer: head + "Content-Length: 2\r\n\r\n", after: "hang", status: 200},
		{name: "a 204", answer: "HTTP/1.1 204 No Content\r\n\r\n", after: "hang", status: 204},
		{name: "HTTP/1.0, up to the end", answer: "HTTP/1.0 200 OK\r\n\r\nabc", status: 200, body: "abc"},
		{name: "HTTP/1.0, with a length", answer: "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nabc", after: "hang", status: 200, body: "abc"},
		{name: "HTTP/1.1, up to the end", answer: head + "\r\nabc", status: 200, body: "abc"},
		{name: "chunks", answer: head + "Transfer-Encoding: chunked\r\n\r\n2;x=y\r\nab\r\n1\r\nc\r\n0\r\nTrailer: x\r\n\r\n", after: "hang", status: 200, body: "abc"},
		{name: "interim answers", answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head + "Content-Length: 1\r\n\r\na", after: "hang", status: 200, body: "a"},
		{name: "another protocol from here on", answer: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc", after: "hang", status: 101},
		{name: "lines that end in LF", answer: "HTTP/1.1 200\nContent-Length: 1\n\na", after: "hang", status: 200, body: "a"},
		{name: "a redirect", answer: "HTTP/1.1 302 Found\r\nLocation: http://example.com/\r\nContent-Length: 0\r\n\r\n", after: "hang", status: 302},
	} {
		t.Run(test.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			address := serve(t, "127.0.0.1", script(test.answer, test.after))
			c := client(t, address, test.options)
			method := test.method
			if method == "" {
				method = "GET"
			}
			a := c.Send(context.Background(), &exchange.Request{Method: method, Path: "/"})
			wantFault(t, a, test.code, test.message)
			status, body := 0, ""
			if a.Response != nil {
				status, body = a.Response.Status, string(a.Response.Body)
			}
			if test.body == "…" {
				if int64(len(body)) != test.options.MaxBody {
					t.Errorf("%d bytes of the body", len(body))
				}
			} else if body != test.body {
				t.Errorf("body %q", body)
			}
			if status != test.status {
				t.Errorf("status %d", status)
			}
			if a.Fault != nil && len(c.idle) > 0 {
				t.Error("a connection is kept after a fault")
			}
			c.Close()
			steady(t, before+1+1) // the server's two
		})
	}
}

func TestRefusedConnection(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr()
	listener.Close()
	wantFault(t, send(client(t, address, Options{})), Unreachable, "connection refused")
}

func TestUnknownHost(t *testing.T) {
	c := client(t, nil, Options{URL: &url.URL{Scheme: "http", Host: "nowhere.invalid"}, Timeout: 5 * time.Second})
	if a := send(c); a.Fault == nil || a.Fault.Code != Unreachable && a.Fault.Code != Timeout {
		t.Errorf("%+v", a.Fault)
	}
}

// TestStopped ends a request that is on its way: that is not a fault of the
// backend, whatever it was ended for.
func TestStopped(t *testing.T) {
	for _, answer := range []string{"", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"} {
		ctx, cancel := context.WithCancelCause(context.Background())
		address := serve(t, "127.0.0.1", func(n int, conn net.Conn) {
			conn.Read(make([]byte, 1000))
			conn.Write([]byte(answer))
			cancel(context.DeadlineExceeded)
			conn.Read(make([]byte, 1000))
		})
		wantFault(t, client(t, address, Options{}).Send(ctx, get("/")), Stopped, "the run was stopped")
	}
	late, cancel := context.WithTimeout(context.Background(), short)
	defer cancel()
	address := serve(t, "127.0.0.1", script("", "hang"))
	wantFault(t, client(t, address, Options{}).Send(late, get("/")), Stopped, "")
}
