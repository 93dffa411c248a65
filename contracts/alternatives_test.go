package contracts

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// eitherOr is notes, whose credentials are a token or a key.
var eitherOr = strings.Replace(strings.Replace(notes.Document, "security: [{token: []}]", "security: [{token: []}, {key: []}]", 1),
	"{token: {type: http, scheme: bearer}}", "{token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: X-Key}}", 1)

// TestAlternatives checks which of two alternatives are reported, and that the
// operations are still tested.
func TestAlternatives(t *testing.T) {
	for name, test := range map[string]struct {
		accepts func(token, key bool) bool
		keyless bool     // only the token is given
		refused []string // schemes
	}{
		"either is enough":              {accepts: func(token, key bool) bool { return token || key }},
		"the token is not":              {accepts: func(_, key bool) bool { return key }, refused: []string{"token"}},
		"the key is not":                {accepts: func(token, _ bool) bool { return token }, refused: []string{"key"}},
		"the key is not, and not given": {accepts: func(token, _ bool) bool { return token }, keyless: true},
		"both are needed":               {accepts: func(token, key bool) bool { return token && key }, refused: []string{"key", "token"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := notes.New(t, func(_ http.ResponseWriter, r *http.Request) bool {
				if test.accepts(r.Header.Get("Authorization") == "Bearer good", r.Header.Get("X-Key") == "kEy") {
					r.Header.Set("Authorization", "Bearer good")
				} else {
					r.Header.Del("Authorization")
				}
				return false
			})
			o := small(b)
			o.Text = []byte(eitherOr)
			if !test.keyless {
				o.Credentials.APIKeys = map[string]string{"key": "kEy"}
			}
			report := mustRun(t, t.Context(), o)
			var refused []string
			for _, f := range report.Findings {
				scheme := strings.TrimPrefix(strings.TrimSuffix(f.Message, " are enough by the document, and were refused with 401; with others the same is accepted"), "the credentials of ")
				if f.Check != "valid-refused" || f.About != "credentials" {
					t.Errorf("%s %s: %s", f.Check, f.Operation, f.Message)
				} else if !slices.Contains(refused, scheme) {
					refused = append(refused, scheme)
				}
			}
			if slices.Sort(refused); !slices.Equal(refused, test.refused) {
				t.Errorf("refused %q, want %q", refused, test.refused)
			}
			for _, operation := range report.Operations {
				if !operation.Accepted {
					t.Errorf("%s: no plain request was accepted", operation.Name)
				}
			}
		})
	}
}
