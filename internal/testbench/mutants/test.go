package main

import (
	"context"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/backends"
)

// slow is how long a faulty service takes that is slow, and timeout how long the
// tester waits.
const (
	slow    = 12 * time.Second
	timeout = 10 * time.Second
)

// test runs the tester against a service with faults. No phases mean all.
func test(ctx context.Context, s backends.Service, seed uint64, phases []string, faults ...string) (*contracts.Report,
	error) {
	backend, err := backends.New(s.Name, faults...)
	if err != nil {
		return nil, err
	}
	backend.Slow = slow
	server := httptest.NewServer(backend)
	defer server.Close()
	o := contracts.Options{Document: s.Name + ".yaml", Text: s.Document, URL: server.URL, Seed: seed, Timeout: timeout,
		Phases: phases, APIKeys: map[string]string{}}
	for key, credential := range s.Credentials {
		switch {
		case strings.Contains(credential, ":"):
			o.User = credential
		case key == "token":
			o.Token = credential
		default:
			o.APIKeys[key] = credential
		}
	}
	return contracts.Run(ctx, o)
}

// line returns a finding in one line.
func line(f contracts.Finding) string {
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
