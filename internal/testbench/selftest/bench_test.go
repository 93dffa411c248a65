package main

import (
	"context"
	"net"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/report"
)

// constant answers every request on a connection with the same bytes, as fast as
// a socket allows.
func constant(b testing.TB, answer string) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				buffer := make([]byte, 64<<10)
				for {
					if _, err := conn.Read(buffer); err != nil {
						return
					}
					if _, err := conn.Write([]byte(answer)); err != nil {
						return
					}
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String()
}

const refused = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 34\r\n\r\n{\"error\":400,\"message\":\"refused\"}\n"

// BenchmarkConstant measures how many generated and checked cases a second a
// run makes when the backend costs next to nothing.
func BenchmarkConstant(b *testing.B) {
	url := constant(b, refused)
	requests := 0
	began := time.Now()
	for b.Loop() {
		result, err := contracts.Run(context.Background(), contracts.Options{Document: "../../../openapi.yaml", URL: url, Limits: contracts.Limits{FuzzCases: 5000}})
		if err != nil {
			b.Fatal(err)
		}
		requests += result.Requests
	}
	b.ReportMetric(float64(requests)/time.Since(began).Seconds(), "requests/s")
}

// BenchmarkMemory makes 20,000 cases, or 300,000 with COLDFRAME_CASES=all, and reports the most memory that the heap held
// meanwhile.
func BenchmarkMemory(b *testing.B) {
	url := constant(b, refused)
	requests, most := 0, uint64(0)
	began := time.Now()
	for b.Loop() {
		result, err := contracts.Run(context.Background(), contracts.Options{
			Document: "../../../openapi.yaml", URL: url, Limits: contracts.Limits{MaxCases: 1_000_000, FuzzCases: 300_000 / sample.Every(15, 15)}, Select: contracts.Selection{Phases: []string{"fuzz"}},
			Progress: func(contracts.Progress) {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			},
		})
		if err != nil {
			b.Fatal(err)
		}
		requests += result.Requests
	}
	b.ReportMetric(float64(most)/(1<<20), "max-heap-MB")
	b.ReportMetric(float64(requests)/float64(b.N), "requests/op")
	b.ReportMetric(float64(requests)/time.Since(began).Seconds(), "requests/s")
}

// TestMemory is a short run of the same: what is held does not grow with the
// cases.
func TestMemory(t *testing.T) {
	url := constant(t, refused)
	most, cases := uint64(0), 20_000/sample.Every(5, 10)
	result, err := contracts.Run(t.Context(), contracts.Options{
		Document: "../../../openapi.yaml", URL: url, Limits: contracts.Limits{MaxCases: 100_000, FuzzCases: cases}, Select: contracts.Selection{Phases: []string{"fuzz"}},
		Progress: func(contracts.Progress) {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			most = max(most, m.HeapAlloc)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if most > 100<<20 || result.Requests < cases {
		t.Errorf("%d MB held over %d requests", most>>20, result.Requests)
	}
}

// TestLargeDocument holds a run on more than a thousand operations to its bound:
// each of them has a part of it, or the report says why not. Findings are repeated beyond the bound.
func TestLargeDocument(t *testing.T) {
	document := corpus.Named(t, "github")
	const most = 8_000
	result, err := contracts.Run(t.Context(), contracts.Options{Document: document, URL: constant(t, refused), Limits: contracts.Limits{MaxCases: most}, Credentials: contracts.Credentials{Token: "secret"}})
	if err != nil {
		t.Fatal(err)
	}
	if result.Requests > most+most/20 || result.Ended != "" || len(result.Skipped) == 0 {
		t.Errorf("%d requests, ended %q, %d rows of what was left out", result.Requests, result.Ended, len(result.Skipped))
	}
	for _, o := range result.Operations {
		isExplained := slices.ContainsFunc(result.Skipped, func(s report.Skipped) bool { return s.Operation == o.Name })
		if o.Cases == 0 && o.Skipped == "" && !isExplained {
			t.Errorf("%s has no case", o.Name)
		}
	}
}

// BenchmarkPlan measures how long a run on a large document takes until its first
// request, with the time to load it.
func BenchmarkPlan(b *testing.B) {
	document := corpus.Named(b, "github")
	url := constant(b, refused)
	for b.Loop() {
		ctx, cancel := context.WithCancel(context.Background())
		_, err := contracts.Run(ctx, contracts.Options{Document: document, URL: url, Limits: contracts.Limits{MaxTime: time.Nanosecond}, Credentials: contracts.Credentials{Token: "secret"}})
		cancel()
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLarge runs on a large document with the default options.
func BenchmarkLarge(b *testing.B) {
	document := corpus.Named(b, "github")
	url := constant(b, refused)
	requests := 0
	for b.Loop() {
		result, err := contracts.Run(context.Background(), contracts.Options{Document: document, URL: url, Credentials: contracts.Credentials{Token: "secret"}})
		if err != nil {
			b.Fatal(err)
		}
		requests += result.Requests
	}
	b.ReportMetric(float64(requests)/float64(b.N), "requests/op")
}
