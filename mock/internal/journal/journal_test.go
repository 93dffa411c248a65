package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

func entry(path string, body int) *Entry {
	return &Entry{
		Time:      time.Unix(0, 0),
		Operation: Operation{"createPlant", "POST", "/plants"},
		Request:   exchange.Request{Method: "POST", Path: path, Body: bytes.Repeat([]byte("é"), body/2)},
		Response:  exchange.Response{Status: 201},
		Findings:  []exchange.Finding{{Code: "required"}},
	}
}

func numbers(entries []*Entry) string {
	var all []uint64
	for _, e := range entries {
		all = append(all, e.Number)
	}
	return strings.Trim(fmt.Sprint(all), "[]")
}

func fixed() time.Time { return time.Unix(1, 0) }

func TestBounds(t *testing.T) {
	one := entry("/plants", 1000).size()
	for _, c := range []struct {
		name    string
		entries int
		bytes   int
		bodies  []int
		want    string
		lost    uint64
	}{
		{"room for all", DefaultEntries, DefaultBytes, []int{0, 0, 0}, "1 2 3", 0},
		{"by count, oldest first out", 2, DefaultBytes, []int{0, 0, 0, 0, 0}, "4 5", 3},
		{"by bytes, oldest first out", DefaultEntries, 2*one + 1, []int{1000, 1000, 1000}, "2 3", 1},
		{"one that is too large alone", DefaultEntries, one, []int{0, 2000}, "", 2},
		{"one of one", 1, DefaultBytes, []int{0, 0}, "2", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := New(c.entries, c.bytes, time.Now)
			for _, body := range c.bodies {
				j.Record(entry("/plants", body))
			}
			entries, lost := j.Entries()
			if got := numbers(entries); got != c.want || lost != c.lost {
				t.Errorf("kept %s, lost %d; want %s, %d", got, lost, c.want, c.lost)
			}
			j.Clear()
			j.Record(entry("/plants", 0))
			if entries, lost = j.Entries(); len(entries) != 1 || lost != 0 || entries[0].Number != uint64(len(c.bodies))+1 {
				t.Errorf("after Clear: %s, lost %d", numbers(entries), lost)
			}
		})
	}
}

func TestFilter(t *testing.T) {
	j := New(DefaultEntries, DefaultBytes, fixed)
	j.Record(entry("/plants", 0))
	other := entry("/v1/plants", 0)
	other.Session, other.Response.Status, other.Findings = "a", 422, nil
	j.Record(other)
	j.Record(&Entry{Request: exchange.Request{Method: "GET", Path: "/x"}, Response: exchange.Response{Status: 404}})
	a, base := "a", ""
	for _, c := range []struct {
		filter Filter
		want   string
	}{
		{Filter{}, "1 2 3"},
		{Filter{Operation: "createPlant"}, "1 2"},
		{Filter{Operation: "POST /plants"}, "1 2"},
		{Filter{Operation: "POST /plant"}, ""},
		{Filter{Status: "4XX"}, "2 3"},
		{Filter{Status: "4xx", Method: "get"}, "3"},
		{Filter{Status: "404"}, "3"},
		{Filter{Session: &a}, "2"},
		{Filter{Session: &base}, "1 3"},
		{Filter{Finding: "required"}, "1"},
		{Filter{Path: "/plants"}, "1 2"},
		{Filter{Path: "/v1/plants"}, "2"},
	} {
		entries, _ := j.Entries()
		if got := numbers(c.filter.Choose(entries)); got != c.want {
			t.Errorf("%+v chooses %q, want %q", c.filter, got, c.want)
		}
	}
}

func TestBodies(t *testing.T) {
	j := New(DefaultEntries, DefaultBytes, fixed)
	for _, c := range []struct{ kind, body, want string }{
		{"application/json", `{"b": 1.50, "a": 12345678901234567890}`, `"body":{"b":1.50,"a":12345678901234567890},"size":38`},
		{"application/json", `{"b"`, `"body":"{\"b\"","size":4`},
		{"text/plain", "a<b", `"body":"a<b","size":3`},
		{"image/png", "\xff\x00", `"base64":"/wA=","size":2`},
		{"text/plain", strings.Repeat("x", MaxBody-1) + "é", `x","size":65537,"truncated":true`},
	} {
		e := &Entry{Time: fixed(), Request: exchange.Request{
			Header: exchange.Header{{Name: "Content-Type", Value: c.kind}}, Body: []byte(c.body)}}
		j.Record(e)
		text, err := e.MarshalJSON()
		if err != nil || !strings.Contains(string(text), c.want) || bytes.ContainsRune(text, '\n') {
			t.Errorf("%s: %v, %.300s, want %s", c.kind, err, text, c.want)
		}
	}
}

func TestFeed(t *testing.T) {
	j := New(DefaultEntries, DefaultBytes, fixed)
	for range 3 {
		j.Record(entry("/plants", 0))
	}
	f := j.Subscribe(2, 1, Filter{}) // 2 and 3 are there already
	for range 4 {
		j.Record(entry("/plants", 0))
	}
	var got []*Entry
	for range 4 {
		got = append(got, <-f.Entries)
	}
	if n := numbers(got); n != "2 3 4 5" || f.Lost() != 2 || f.Lost() != 0 {
		t.Errorf("got %s", n)
	}
	f.Close()
	j.Record(entry("/plants", 0))
	if len(f.Entries) != 0 {
		t.Error("a closed feed gets entries")
	}
}

// TestStalledFeeds: readers that take nothing keep no more alive than the journal has.
func TestStalledFeeds(t *testing.T) {
	one := entry("/plants", 1000).size()
	j := New(DefaultEntries, 10*one, fixed)
	var feeds []*Feed
	for range MaxFeeds {
		feeds = append(feeds, j.Subscribe(256, 0, Filter{}))
	}
	for range 100 {
		j.Record(entry("/plants", 1000))
	}
	waiting := 0
	for _, f := range feeds {
		waiting += len(f.Entries)
	}
	if waiting != 10 {
		t.Errorf("%d entries wait", waiting)
	}
	for _, f := range feeds {
		f.Close()
	}
	reader := j.Subscribe(256, j.Last(), Filter{})
	for range 100 {
		j.Record(entry("/plants", 1000))
		reader.Took(<-reader.Entries)
	}
	if lost := reader.Lost(); lost != 0 {
		t.Errorf("a reader that keeps up loses %d", lost)
	}
}

// TestConcurrency has 50 goroutines record, read, clear and subscribe.
func TestConcurrency(t *testing.T) {
	j := New(100, DefaultBytes, time.Now)
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			f := j.Subscribe(1, j.Last(), Filter{})
			defer f.Close()
			for range 100 {
				j.Record(entry("/plants", 100))
			}
			if e := j.Entry(j.Last()); e != nil {
				json.Marshal(e)
			}
			if i == 25 {
				j.Clear()
			}
		})
	}
	wait.Wait()
	entries, lost := j.Entries()
	if j.Last() != 5000 || len(entries) < 100 && lost > 0 { // fewer are left only where the journal was cleared shortly before the end
		t.Errorf("%d entries, and %d lost since the journal was cleared, the last is %d", len(entries), lost, j.Last())
	}
	for i, e := range entries {
		if want := j.Last() - uint64(len(entries)-1-i); e.Number != want {
			t.Errorf("entry %d has the number %d, want %d", i, e.Number, want)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	j := New(DefaultEntries, DefaultBytes, time.Now)
	e := entry("/plants", 100)
	b.ReportAllocs()
	for b.Loop() {
		copied := *e
		copied.Time = time.Now()
		j.Record(&copied)
	}
}
