// Package contracttest runs a contract test as a Go test: each operation of the document is a subtest, which fails with
// the finding, its place in the document, and a curl line that shows it.
//
//	func TestContract(t *testing.T) {
//		contracttest.Test(t, "openapi.yaml", store.Handler(), func(o *contracts.Options) {
//			o.Credentials.Token = "secret"
//		})
//	}
package contracttest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/report"
	"github.com/coldframe/coldframe/report/exchange"
)

// Test tests a handler. Each operation of the document, a file or URL, is a subtest that fails with its findings and
// the requests that show them. Options are functions:
//
//	contracttest.Test(t, "openapi.yaml", handler, func(o *contracts.Options) { o.Credentials.Token = "secret" })
//
// The whole document is tested in one run before the subtests report it: -run "TestAPI/POST" chooses what is reported,
// and Options.Select.Operations what is tested. A test that calls Test may be parallel, with a handler of its own.
func Test(t *testing.T, document string, handler http.Handler, options ...func(*contracts.Options)) *report.Report {
	t.Helper()
	server := httptest.NewServer(handler)
	defer func() {
		server.CloseClientConnections()
		server.Close()
	}()
	return TestURL(t, document, server.URL, options...)
}

// TestURL is Test for a running backend.
func TestURL(t *testing.T, document, url string, options ...func(*contracts.Options)) *report.Report {
	t.Helper()
	o := contracts.Options{Document: document, URL: url}
	for _, change := range options {
		change(&o)
	}
	r, err := contracts.Run(t.Context(), o)
	if err != nil {
		t.Fatal(visible.Text(err.Error()))
	}
	reportAll(t, r)
	return r
}

// reportAll runs a subtest for each operation. Known findings, warnings and what was skipped are logged.
func reportAll(t *testing.T, r *report.Report) {
	t.Helper()
	reported := map[string]bool{}
	for _, o := range r.Operations {
		reported[o.Name] = true
		t.Run(visible.Text(o.Name), func(t *testing.T) {
			if o.Skipped != "" {
				t.Log(visible.Text("not tested: " + o.Skipped))
			}
			for _, s := range r.Skipped {
				if s.Operation == o.Name {
					t.Log(visible.Text(s.Phase + ": skipped: " + s.Reason))
				}
			}
			reportFindings(t, r, func(f *report.Finding) bool { return f.Of(o.Name) })
		})
	}
	reportFindings(t, r, func(f *report.Finding) bool { return !reported[f.Operation] })
	for _, resolved := range r.Resolved {
		t.Log(visible.Text("resolved: " + resolved))
	}
	if r.Ended != "" {
		t.Errorf("ended after %d requests: %s", r.Requests, visible.Text(r.Ended))
	}
	if r.Insufficient != "" {
		t.Error(visible.Text(r.Insufficient))
	}
}

func reportFindings(t *testing.T, r *report.Report, which func(*report.Finding) bool) {
	t.Helper()
	for i := range r.Findings {
		f := &r.Findings[i]
		switch {
		case !which(f):
		case f.Known || f.Severity != exchange.Error:
			t.Log(text(f))
		default:
			t.Error(text(f))
		}
	}
}

// maxBody limits the part of a response's body that a failing test shows, in bytes.
const maxBody = 500

// text describes a finding in a few lines, of which neither a terminal nor a CI system obeys any.
func text(f *report.Finding) string {
	var b strings.Builder
	b.WriteString(f.Check + ": " + f.Message)
	if f.Known {
		b.WriteString(" (known)")
	}
	if f.Place.File != "" {
		b.WriteString("\n" + f.Place.String())
	}
	for _, s := range f.Sent {
		b.WriteString("\n  " + s.Curl)
		if s.Response == nil {
			b.WriteString("\n  " + s.Fault)
			continue
		}
		body := string(s.Response.Body)
		if len(body) > maxBody {
			body = body[:maxBody] + "…"
		}
		fmt.Fprintf(&b, "\n  %d %s", s.Response.Status, strings.TrimSpace(body))
	}
	return visible.Text(b.String())
}
