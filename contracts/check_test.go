package contracts_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// Each file of testdata/recorded has a document, a recording and what is found.
// Its comment may name the URL of the backend. UPDATE_GOLDEN=1 writes what is
// found.
func TestCheck(t *testing.T) {
	golden.Cases(t, "testdata/recorded/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		if len(archive.Files) != 3 {
			t.Fatal("want a document, a recording and what is found")
		}
		o := contracts.CheckOptions{
			Document: "openapi.yaml", Text: archive.Files[0].Data,
			File: archive.Files[1].Name, Traffic: bytes.NewReader(archive.Files[1].Data),
		}
		if _, url, ok := strings.Cut(string(archive.Comment), "\nurl: "); ok {
			o.URL = strings.TrimSpace(url)
		}
		got := checked(o)
		if golden.Update() {
			archive.Files[2].Data = []byte(got)
		} else if want := string(archive.Files[2].Data); got != want {
			t.Errorf("found\n%s\nwant\n%s", got, want)
		}
	})
}

// checked returns a report of recorded traffic in lines.
func checked(o contracts.CheckOptions) string {
	report, err := contracts.Check(context.Background(), o)
	if err != nil {
		return "error: " + err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "judged: %d\n", report.Requests)
	for _, o := range report.Operations {
		fmt.Fprintf(&b, "%s: %d, accepted %t, %v\n", o.Name, o.Cases, o.Accepted, o.Statuses)
	}
	for _, f := range report.Findings {
		fmt.Fprintf(&b, "found: %s: %s: %s: %s, %d times\n  %s\n", f.Title, f.Operation, f.Check, f.Message, f.Count, f.Sent[0].Curl)
	}
	for _, l := range report.Skipped {
		fmt.Fprintf(&b, "skipped: %d: %s\n", l.Cases, l.Reason)
	}
	return b.String()
}
