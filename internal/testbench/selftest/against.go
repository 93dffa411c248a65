package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/report"
)

// against runs the tester against a mock of the same document that generates or
// refuses unknown items.
func against(ctx context.Context, unknownItems string, o contracts.Options) (*report.Report, error) {
	return test(ctx, mock.Options{State: mock.StateOptions{UnknownItems: unknownItems}}, o)
}

// test runs the tester against a mock, which has its document and seed from the
// tester's options.
func test(ctx context.Context, m mock.Options, o contracts.Options) (*report.Report, error) {
	m.Document, m.Text, m.Values.Seed = o.Document, o.Text, o.Seed
	m.Control.Journal, m.Log.Format, m.Auth.MutualTLS = -1, "off", "assume"
	server, err := mock.New(ctx, m)
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- server.Run(ctx) }()
	o.URL = server.URL()
	result, err := contracts.Run(ctx, o)
	server.Close()
	if stopped := <-done; err == nil {
		err = stopped
	}
	return result, err
}

// faults returns the findings of a report without notes on refusals that the document does not have: the mock refuses
// invalid requests, with or without a documented status.
func faults(r *report.Report) []report.Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f report.Finding) bool {
		return f.Check == "refusal-documented" && f.Severity == exchange.Info
	})
}

// describe writes a finding with each request that led to it.
func describe(f report.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s: %s (%d times, phase %s)\n  %s: %s (%s)\n", f.Operation, f.Check, f.Title, f.Count, f.Phase,
		f.About, short(f.Message, 400), f.Place)
	for _, s := range f.Sent {
		fmt.Fprintf(&b, "  %s\n", short(s.Curl, 1200))
		switch {
		case s.Response == nil:
			fmt.Fprintf(&b, "    %s\n", s.Fault)
		default:
			fmt.Fprintf(&b, "    %d %s\n", s.Response.Status, short(string(s.Response.Body), 600))
		}
	}
	return b.String()
}

func short(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
