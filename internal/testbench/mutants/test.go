package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/backends"
	"github.com/coldframe/coldframe/report"
)

// slow is how long a faulty service takes that is slow, and timeout how long the
// tester waits.
const (
	slow    = 12 * time.Second
	timeout = 10 * time.Second
)

// test runs the tester against a service with faults. No phases mean all.
func test(ctx context.Context, s backends.Service, seed uint64, phases []string, faults ...string) (*report.Report,
	error) {
	backend, err := backends.New(s.Name, faults...)
	if err != nil {
		return nil, err
	}
	backend.Slow = slow
	server := httptest.NewServer(backend)
	defer server.Close()
	o := contracts.Options{Document: s.Name + ".yaml", Text: s.Document, URL: server.URL, Seed: seed,
		Limits: contracts.Limits{Timeout: timeout},
		Select: contracts.Selection{Phases: phases}, Credentials: contracts.Credentials{APIKeys: map[string]string{}}}
	for key, credential := range s.Credentials {
		switch {
		case strings.Contains(credential, ":"):
			o.Credentials.User = credential
		case key == "token":
			o.Credentials.Token = credential
		default:
			o.Credentials.APIKeys[key] = credential
		}
	}
	return contracts.Run(ctx, o)
}

// line returns a finding in one line.
func line(f report.Finding) string {
	sent := f.Sent[len(f.Sent)-1]
	status := sent.Fault
	if sent.Response != nil {
		status = string(sent.Response.Body)
	}
	return f.Severity.String() + " " + f.Check + ": " + f.Operation + ": " + f.About + ": " + short(f.Message, 300) +
		"\n      " + f.Title + ": " +
		short(sent.Curl, 500) + "\n      → " + short(status, 300)
}

func short(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
