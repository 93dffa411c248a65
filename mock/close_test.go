package mock

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"syscall"
	"testing"
)

// TestDrain stops the server while a request waits for its delayed answer: it
// gets it, at once, and only then Run returns.
func TestDrain(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s, err := New(t.Context(), Options{Log: LogOptions{To: log}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	conn, err := net.Dial("tcp", s.http.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\nPrefer: delay=60000\r\nContent-Length: %d\r\n\r\n%s", len(rose), rose)
	log.wait(t, 0)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || r.StatusCode != 200 {
		t.Fatal(r, err)
	}
	if _, err := net.Dial("tcp", s.http.Addr().String()); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Error(err)
	}
}

// TestCloseHanging stops the server while a connection hangs by a fault.
func TestCloseHanging(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{Log: LogOptions{To: log}, Scenarios: []string{write(t, "hang.yaml", "rules: [ { on: POST /plants, fault: hang } ]")}})
	conn, err := net.Dial("tcp", s.http.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer token\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(rose), rose)
	log.wait(t, 0)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if text, _ := io.ReadAll(conn); len(text) > 0 {
		t.Errorf("%q", text)
	}
}

func TestCloseWithoutRun(t *testing.T) {
	t.Parallel()
	s, err := New(t.Context(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := s.Run(t.Context()); err != nil {
		t.Error(err)
	}
}
