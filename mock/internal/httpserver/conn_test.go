package httpserver

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Each of several requests that are sent at once has its Sent called.
func TestSentOfPipelinedRequests(t *testing.T) {
	sent := make(chan string, 3)
	core := &Core{MaxBody: 1, Stopped: t.Context(), Serve: func(r *exchange.Request) Answer {
		a := Answer{Response: &exchange.Response{Status: 204}}
		if r.Path != "/silent" {
			a.Sent = func() { sent <- r.Path }
		}
		return a
	}}
	server, err := Listen(core, "127.0.0.1", 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	go server.Run()
	defer server.Close()
	conn, err := net.Dial("tcp", server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	paths := []string{"/a", "/b", "/silent"}
	for i, path := range paths {
		paths[i] = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n"
	}
	if _, err := io.WriteString(conn, strings.Join(paths, "")); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(conn)
	for range paths {
		if r, err := http.ReadResponse(answers, nil); err != nil || r.StatusCode != 204 {
			t.Fatal(r, err)
		}
	}
	if first, second := <-sent, <-sent; first != "/a" || second != "/b" {
		t.Error(first, second)
	}
}
