package main

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/coldframe/coldframe/contracts"
)

// constant answers every request on a connection with the same bytes, as fast as
// a socket allows.
func constant(b *testing.B, answer string) string {
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

// BenchmarkConstant measures how many generated and checked cases a second a
// run makes when the backend costs next to nothing.
func BenchmarkConstant(b *testing.B) {
	url := constant(b, "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: 33\r\n\r\n{\"error\":400,\"message\":\"refused\"}\n")
	requests := 0
	began := time.Now()
	for b.Loop() {
		report, err := contracts.Run(context.Background(), contracts.Options{Document: "../../openapi.yaml", URL: url, FuzzCases: 5000})
		if err != nil {
			b.Fatal(err)
		}
		requests += report.Requests
	}
	b.ReportMetric(float64(requests)/time.Since(began).Seconds(), "requests/s")
}
