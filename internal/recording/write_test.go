package recording

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

func sampleExchange() *Exchange {
	return &Exchange{
		Began: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Took: 1500 * time.Microsecond, Origin: "http://api.example",
		Request: &exchange.Request{
			Method: "POST", Path: "/a%20b", Query: "q=1&r=%C3%A9",
			Header: exchange.Header{{Name: "Content-Type", Value: "text/plain"}}, Body: []byte("\xff\x00"),
		},
		Response: &exchange.Response{
			Status: 201, Header: exchange.Header{{Name: "Set-Cookie", Value: "a"}, {Name: "Set-Cookie", Value: "b"}},
			Body: []byte("line\nline"),
		},
		ResponseBytes: 100,
	}
}

// What is written is read again.
func TestWriteAndRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.har")
	w, err := Create(file, "document 1", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	x := sampleExchange()
	if err := w.Add(x); err != nil {
		t.Fatal(err)
	}
	w.Close()
	entries := readAll(t, file)
	if len(entries) != 1 {
		t.Fatal(entries)
	}
	e := entries[0]
	if e.Request.Method != "POST" || e.Request.Path != x.Request.Path || e.Request.Query != x.Request.Query ||
		!bytes.Equal(e.Request.Body, x.Request.Body) || e.RequestCut || e.Origin != x.Origin || e.Took != x.Took {
		t.Errorf("the request is %+v", e)
	}
	if e.Response.Status != 201 || len(e.Response.Header.Values("Set-Cookie")) != 2 ||
		!bytes.Equal(e.Response.Body, x.Response.Body) || !e.ResponseCut {
		t.Errorf("the response is %+v", e.Response)
	}
}

func readAll(t *testing.T, file string) (entries []*Entry) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) {
		t.Fatalf("not JSON: %s", text)
	}
	for e, err := range Read(bytes.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return entries
}

// A recording is continued, wherever a crash has cut it: whole entries stay.
func TestContinue(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a.har")
	w, err := Create(file, "document 1", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		w.Add(sampleExchange())
	}
	w.Close()
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	ends := []int{bytes.Index(whole, []byte("\n{")), 0, len(whole)}
	ends[1] = ends[0] + 1 + bytes.Index(whole[ends[0]+1:], []byte(",\n"))
	for cut := range whole {
		if cut%5 != 0 && cut < len(whole)-2*len(tail) { // entries end there; elsewhere one cut is like the next
			continue
		}
		if err := os.WriteFile(file, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := Create(file, "document 1", time.Now())
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		w.Add(sampleExchange())
		w.Close()
		want := 1
		if cut >= ends[1] {
			want++
		}
		if cut >= len(whole)-len(tail) {
			want++
		}
		if got := len(readAll(t, file)); got != want {
			t.Fatalf("cut at %d: %d entries, want %d", cut, got, want)
		}
	}
	if _, err := Create(file, "document 2", time.Now()); err == nil || !strings.Contains(err.Error(), "another document") {
		t.Errorf("another document: %v", err)
	}
	if err := os.WriteFile(file, []byte(`{"log":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(file, "document 1", time.Now()); err == nil || !strings.Contains(err.Error(), "not a recording of this program") {
		t.Errorf("another file: %v", err)
	}
}

// A directory gets a file for each run.
func TestDirectory(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new") + "/"
	for i := range 2 {
		w, err := Create(folder, "", time.UnixMilli(int64(i)))
		if err != nil {
			t.Fatal(err)
		}
		w.Close()
	}
	files, err := os.ReadDir(folder)
	if err != nil || len(files) != 2 || files[0].Name() != "19700101T000000.000Z.har" {
		t.Error(files, err)
	}
}
