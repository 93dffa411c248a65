package main

import (
	"bufio"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/mock"
)

// TestLogFollows follows a mock: the exchanges that it has, those that come, and its end.
func TestLogFollows(t *testing.T) {
	server, err := mock.New(t.Context(), mock.Options{Auth: mock.AuthOptions{Mode: "off"}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	go server.Run(t.Context())
	send := func(body string) {
		t.Helper()
		r, err := http.Post(server.URL()+"/plants", "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
	}
	send(`{"id": 1}`)
	send(`{"id": 1, "name": "Fern"}`)
	read, write := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- run(t.Context(), []string{"log", "--follow", "--status", "4XX", server.URL()}, nil, write, write)
		write.Close()
	}()
	lines := bufio.NewScanner(read)
	expect := func(pattern string) {
		t.Helper()
		if !lines.Scan() || !regexp.MustCompile(pattern).MatchString(lines.Text()) {
			t.Errorf("%q, want %s", lines.Text(), pattern)
		}
	}
	expect(`^\d\d:\d\d:\d\d\.\d{3} POST /plants 400 \S+s$`)
	expect(`^  body\.name: required property is missing  \(plant-store\.yaml:\d+:\d+\)$`)
	send(`{"id": 2, "name": "Oak"}`)
	send(`{"id": "2", "name": "Oak"}`)
	expect(`POST /plants 400 `)
	expect(`^  body\.id: got string, want integer`)
	server.Close()
	if code := <-ended; code != exitFine {
		t.Errorf("exit code %d", code)
	}
}
