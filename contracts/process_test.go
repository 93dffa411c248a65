package contracts

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// serveAt names the variable with the address at which TestServe serves, as another process.
const serveAt = "COLDFRAME_TEST_SERVE"

// TestServe is a backend that ends when an existing note is deleted.
func TestServe(t *testing.T) {
	address := os.Getenv(serveAt)
	if address == "" {
		t.Skip("only as the process of TestProcess")
	}
	var b *notes.Backend
	b = notes.New(t, func(_ http.ResponseWriter, r *http.Request) bool {
		id, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/notes/"))
		if r.Method == "DELETE" && err == nil && r.Header.Get("Authorization") == "Bearer good" && b.Has(id) {
			os.Exit(3)
		}
		return false
	})
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("listening")
	t.Fatal(http.Serve(listener, b))
}

// TestProcess has a backend whose process ends with one operation's requests, however many are on their way: it is
// started again, the run goes on without that operation, and the finding names it.
func TestProcess(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	starts := 0
	start := func(context.Context) error {
		starts++
		c := exec.Command(os.Args[0], "-test.run=^TestServe$", "-test.timeout=2m")
		c.Env = append(os.Environ(), serveAt+"="+address)
		output, err := c.StdoutPipe()
		if err != nil {
			return err
		}
		if err := c.Start(); err != nil {
			return err
		}
		_, err = bufio.NewReader(output).ReadString('\n') // it listens
		ended := make(chan struct{})
		go func() { c.Wait(); close(ended) }()
		t.Cleanup(func() { c.Process.Kill(); <-ended })
		return err
	}
	if err := start(t.Context()); err != nil {
		t.Fatal(err)
	}
	o := Options{Document: "notes.yaml", Text: []byte(notes.Document), URL: "http://" + address, Credentials: Credentials{Token: "good"},
		Limits: Limits{FuzzCases: 20, Workers: 8, Timeout: 10 * time.Second}, Restart: start}
	report := mustRun(t, t.Context(), o)
	found := findingsOf(report, "answer")
	if len(found) != 1 || found[0].Operation != "DELETE /notes/{id}" || len(found[0].Sent) != 1 || report.Ended != "" {
		t.Errorf("ended %q, %d findings, %+v", report.Ended, len(found), found)
	}
	if starts > 12 || report.Requests < 200 {
		t.Errorf("%d starts, %d requests", starts, report.Requests)
	}
	for _, o := range report.Operations {
		t.Log(o.Name, o.Cases, o.Statuses)
	}
	t.Log(starts, report.Skipped)
}
