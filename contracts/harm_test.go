package contracts

import (
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/access"
)

func accessible(b *access.Backend) Options {
	return Options{Document: "access.yaml", Text: []byte(access.Document), URL: b.URL, Credentials: Credentials{Token: access.Token}, Limits: Limits{FuzzCases: 20, Settle: -1}}
}

// TestNoHarm has operations that delete and change what was there before, and that end the tester's credentials:
// existing items stay unchanged, and all operations are tested with items of the run.
func TestNoHarm(t *testing.T) {
	for seed := range uint64(3) {
		b := access.New(t)
		before := b.Seeds()
		o := accessible(b)
		o.Seed = seed
		report := mustRun(t, t.Context(), o)
		if after := b.Seeds(); after != before {
			t.Errorf("what was there before is %s, was %s", after, before)
		}
		if report.Ended != "" {
			t.Errorf("ended: %s", report.Ended)
		}
		for _, f := range report.Findings {
			if f.Check != "invalid-accepted" { // readOnly properties
				t.Errorf("%s %s: %s\n%s", f.Check, f.Operation, f.Message, f.Sent[0].Curl)
			}
		}
		asked := b.Asked()
		last401 := 0
		for i, line := range asked {
			if strings.HasPrefix(line, "POST /logout 2") || strings.HasPrefix(line, "PUT /me/password 2") {
				t.Errorf("%d: %s", i, line)
			}
			if strings.HasSuffix(line, " 200") {
				last401 = i
			}
		}
		if len(asked)-last401 > 100 {
			t.Errorf("%d requests after the last that was accepted", len(asked)-last401)
		}
		for _, want := range []string{"DELETE /users/", "PUT /tasks/", "DELETE /tasks/", "PATCH /me", "PUT /settings"} {
			if !slices.ContainsFunc(asked, func(line string) bool { return strings.HasPrefix(line, want) && line[len(line)-3] == '2' }) {
				t.Errorf("%s was never accepted", want)
			}
		}
	}
}
