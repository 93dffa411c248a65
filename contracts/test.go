package contracts

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Test tests a handler in a Go test: each operation of the document, a file or
// URL, is a subtest, which fails with what was found and the request that shows
// it. Options are functions:
//
//	contracts.Test(t, "openapi.yaml", handler, func(o *contracts.Options) { o.Token = "secret" })
func Test(t *testing.T, document string, handler http.Handler, options ...func(*Options)) *Report {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: handler}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	defer func() {
		server.Close()
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	return TestURL(t, document, "http://"+listener.Addr().String(), options...)
}

// TestURL is Test of a backend that runs already, at its URL.
func TestURL(t *testing.T, document, url string, options ...func(*Options)) *Report {
	t.Helper()
	o := Options{Document: document, URL: url}
	for _, change := range options {
		change(&o)
	}
	report, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	tell(t, report)
	return report
}

// tell gives each operation its subtest. What is known to the baseline, warnings
// and what was left out are logged.
func tell(t *testing.T, report *Report) {
	t.Helper()
	told := map[string]bool{}
	for _, o := range report.Operations {
		told[o.Name] = true
		t.Run(o.Name, func(t *testing.T) {
			if o.Skipped != "" {
				t.Log("not tested: " + o.Skipped)
			}
			for _, l := range report.Skipped {
				if l.Operation == o.Name {
					t.Logf("%s: skipped: %s", l.Phase, l.Reason)
				}
			}
			tellFindings(t, report, func(f *Finding) bool { return f.Of(o.Name) })
		})
	}
	tellFindings(t, report, func(f *Finding) bool { return !told[f.Operation] })
	for _, resolved := range report.Resolved {
		t.Log("resolved: " + resolved)
	}
	if report.Ended != "" {
		t.Errorf("ended after %d requests: %s", report.Requests, report.Ended)
	}
}

func tellFindings(t *testing.T, report *Report, which func(*Finding) bool) {
	t.Helper()
	for i := range report.Findings {
		f := &report.Findings[i]
		switch {
		case !which(f):
		case f.Known || f.Severity != exchange.Error:
			t.Log(textOf(f))
		default:
			t.Error(textOf(f))
		}
	}
}

// textOf says in a few lines what was found, where, and how to see it.
func textOf(f *Finding) string {
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
		if s.Response != nil {
			body := string(s.Response.Body)
			if len(body) > maxToldBody {
				body = body[:maxToldBody] + "…"
			}
			fmt.Fprintf(&b, "\n  %d %s", s.Response.Status, strings.TrimSpace(body))
		} else {
			b.WriteString("\n  " + s.Fault)
		}
	}
	return b.String()
}

// maxToldBody is how many bytes of an answer's body a failing test tells.
const maxToldBody = 500
