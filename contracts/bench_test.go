package contracts_test

import (
	"net"
	"testing"

	"github.com/gofiber/fiber/v2"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// BenchmarkRun tests a backend that answers everything with {"name":"Fern"}, and reports how many requests a second
// it sends and checks: one of one operation, and one of 767 where nearly every answer is a finding.
func BenchmarkRun(b *testing.B) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	backend := fiber.New(fiber.Config{DisableStartupMessage: true})
	backend.Use(func(c *fiber.Ctx) error {
		c.Set(fiber.HeaderContentType, fiber.MIMEApplicationJSON)
		return c.SendString(`{"name":"Fern"}`)
	})
	go backend.Listener(listener)
	defer backend.Shutdown()
	run := func(name string, document func(*testing.B) string) {
		b.Run(name, func(b *testing.B) {
			requests, path := 0, document(b)
			for b.Loop() {
				r, err := contracts.Run(b.Context(), contracts.Options{
					Document: path, URL: "http://" + listener.Addr().String(), Credentials: contracts.Credentials{Token: "token"},
				})
				if err != nil || len(r.Findings) == 0 {
					b.Fatal(err, "no findings")
				}
				requests += r.Requests
			}
			b.ReportMetric(float64(requests)/b.Elapsed().Seconds(), "requests/s")
		})
	}
	run("Plant Store", func(*testing.B) string { return "../openapi.yaml" })
	run("GitHub", func(b *testing.B) string { return corpus.Named(b, "github") })
}
