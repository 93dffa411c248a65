package httpserver

import (
	"bufio"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	wholeRequest = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
	halfBody     = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n12345"
	halfChunks   = "POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\na\r\n12345"
)

// serving starts a server that closes connections that are still busy after a drain time.
func serving(t *testing.T, core *Core, secure bool, drain time.Duration) *Server {
	t.Helper()
	var config *tls.Config
	if secure {
		certificate, err := SelfSigned("localhost")
		if err != nil {
			t.Fatal(err)
		}
		config = &tls.Config{Certificates: []tls.Certificate{certificate}}
	}
	server, err := Listen(core, "127.0.0.1", 0, config)
	if err != nil {
		t.Fatal(err)
	}
	server.drain = drain
	ended := make(chan error, 1)
	go func() { ended <- server.Run() }()
	t.Cleanup(func() {
		server.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return server
}

func dial(t *testing.T, server *Server, secure bool, text string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if secure {
		conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	return conn
}

// Clients that have sent part of a request, or none, do not keep a server from stopping: it would wait for an hour.
func TestStopWhileReading(t *testing.T) {
	tooLarge := "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\n" + strings.Repeat("a", 30)
	for name, c := range map[string]struct {
		secure bool   // the server
		speaks bool   // TLS
		text   string // that is sent
		answer bool   // to a request in the text
		rest   string // that is sent after the answer
	}{
		"nothing":         {},
		"half line":       {text: wholeRequest + "GE", answer: true},
		"half head":       {text: wholeRequest + "GET / HTTP/1.1\r\nHo", answer: true},
		"half body":       {text: wholeRequest, answer: true, rest: halfBody},
		"half chunk":      {text: wholeRequest, answer: true, rest: halfChunks},
		"first head":      {text: "GET / HTTP/1.1\r\n"},
		"first body":      {text: halfBody},
		"100-continue":    {text: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n"},
		"keep-alive":      {text: wholeRequest, answer: true},
		"TLS, nothing":    {secure: true},
		"TLS, half hello": {secure: true, text: "\x16\x03\x01\x02\x00\x01"},
		"TLS, half head":  {secure: true, speaks: true, text: wholeRequest + "GET / HT", answer: true},
		"TLS, half body":  {secure: true, speaks: true, text: wholeRequest, answer: true, rest: halfBody},
		"TLS, keep-alive": {secure: true, speaks: true, text: wholeRequest, answer: true},
		"too large":       {text: tooLarge, answer: true},
		"TLS, too large":  {secure: true, speaks: true, text: tooLarge, answer: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			plain := func(*exchange.Request) Answer { return Answer{Response: &exchange.Response{Status: 204}} }
			refusals := make(chan int, 9)
			core := &Core{MaxBody: 20, Stopped: t.Context(), Serve: plain, Unread: func(r *exchange.Request, status int) Answer {
				refusals <- status
				return plain(r)
			}}
			server := serving(t, core, c.secure, time.Hour)
			conn := dial(t, server, c.speaks, c.text)
			if c.answer {
				if r, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || r.StatusCode != 204 {
					t.Fatal(r, err)
				}
			}
			io.WriteString(conn, c.rest)
			if err := server.Close(); err != nil {
				t.Error(err)
			}
			for len(refusals) > 0 {
				if status := <-refusals; status != http.StatusRequestEntityTooLarge {
					t.Error("the half request is answered with", status)
				}
			}
			if text, _ := io.ReadAll(conn); len(text) > 0 && !strings.HasPrefix(string(text), "HTTP/1.1 100 ") {
				t.Errorf("the client gets %q", text)
			}
		})
	}
}

// A request that is read when the server begins to stop gets its answer, whole.
func TestStopWhileAnswering(t *testing.T) {
	for _, secure := range []bool{false, true} {
		asked, answer := make(chan bool), make(chan bool)
		core := &Core{MaxBody: 20, Stopped: t.Context(), Serve: func(r *exchange.Request) Answer {
			if r.Path == "/" {
				asked <- true
				<-answer
			}
			return Answer{Response: &exchange.Response{Status: 200, Body: make([]byte, 1<<20)}}
		}}
		server := serving(t, core, secure, time.Hour)
		half := dial(t, server, secure, "GET /half HTTP/1.1\r\nHost: localhost\r\n\r\nGE")
		r, err := http.ReadResponse(bufio.NewReader(half), nil)
		if err != nil {
			t.Fatal(err)
		}
		conn := dial(t, server, secure, wholeRequest)
		<-asked
		closed := make(chan error, 1)
		go func() { closed <- server.Close() }()
		io.Copy(io.Discard, r.Body)
		half.Read(make([]byte, 1)) // returns when half requests are cut off
		close(answer)
		r, err = http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(r.Body); err != nil || len(body) != 1<<20 {
			t.Error(len(body), err)
		}
		if err := <-closed; err != nil {
			t.Error(err)
		}
	}
}

// Clients that do not read their answer are cut off after the drain time, which is not an error.
func TestStopWhileWriting(t *testing.T) {
	large := make([]byte, 64<<20)
	for name, a := range map[string]Answer{
		"large":     {Response: &exchange.Response{Status: 200, Body: large}},
		"throttled": {Response: &exchange.Response{Status: 200, Body: large}, Bandwidth: 1 << 40},
		"stream": {Response: &exchange.Response{Status: 200}, Stream: func(write func([]byte) error) {
			for write(large[:1<<20]) == nil {
			}
		}},
	} {
		for _, secure := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				asked := make(chan bool, 1)
				core := &Core{MaxBody: 20, Stopped: t.Context(), Serve: func(*exchange.Request) Answer {
					asked <- true
					return a
				}}
				server := serving(t, core, secure, 300*time.Millisecond)
				dial(t, server, secure, wholeRequest)
				<-asked
				if err := server.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// An answer that is never made is an error, and does not keep the server from stopping.
func TestStopWhileStuck(t *testing.T) {
	asked, end := make(chan bool), make(chan bool)
	defer close(end)
	core := &Core{MaxBody: 20, Stopped: t.Context(), Serve: func(*exchange.Request) Answer {
		asked <- true
		<-end
		return Answer{Response: &exchange.Response{Status: 204}}
	}}
	server, err := Listen(core, "127.0.0.1", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	server.drain = time.Millisecond
	go server.Run()
	dial(t, server, false, wholeRequest)
	<-asked
	if err := server.Close(); err == nil {
		t.Error("no error says that a request is worked on")
	}
}
