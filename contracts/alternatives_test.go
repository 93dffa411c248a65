package contracts

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestSpoil holds what is made of good credentials, and where nothing is.
func TestSpoil(t *testing.T) {
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(`
openapi: 3.1.0
info: {title: a, version: "1"}
paths:
  /a: {get: {security: [{bearer: []}], responses: {"200": {description: a}}}}
  /b: {get: {security: [{key: []}], responses: {"200": {description: a}}}}
  /c: {get: {security: [{own: []}], responses: {"200": {description: a}}}}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    key: {type: apiKey, in: header, name: X-Key}
    own: {type: apiKey, in: header, name: Authorization}
`)})
	if err != nil {
		t.Fatal(err)
	}
	const none = "none"
	for _, test := range []struct {
		operation     int
		how           cases.Form
		token, key    string
		authorization string // or none, where the case is not sent
		field         string
	}{
		{0, cases.Suffixed, "aB1", "kK", "Bearer aB1x", ""},
		{0, cases.OtherCase, "tOk", "kK", "Bearer ToK", ""},
		{0, cases.Bare, "tOk", "kK", "tOk", ""},
		{0, cases.Foreign, "tOk", "kK", "Bearer kK", ""},
		{0, cases.Instead, "tOk", "kK", "", "kK"},
		{1, cases.Foreign, "tOk", "kK", "", "tOk"},
		{1, cases.Instead, "tOk", "kK", "Bearer tOk", ""},
		{1, cases.Suffixed, "tOk", "kK", "", "kKx"},
		{1, cases.OtherCase, "tOk", "123e4567-E89b", none, ""},
		{1, cases.OtherCase, "tOk", "_1_", none, ""},
		{0, cases.Foreign, "tOk", "tOk", none, ""},
		{0, cases.Foreign, "tOk", "", none, ""},
	} {
		o := &Options{Token: test.token, APIKeys: map[string]string{"own": "secret"}}
		if test.key != "" {
			o.APIKeys["key"] = test.key
		}
		k, err := newKeyring(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		k.schemes = schemesOf(c)
		operation := c.Operations[test.operation]
		credentials := cases.GivenFor(operation.Security[0])
		credentials[0].Form = test.how
		made := &cases.Case{Operation: operation, Credentials: credentials}
		sent := k.spoil(made)
		if sent != (test.authorization != none) {
			t.Errorf("%s, %v: sent %v", operation.Path, test.how, sent)
		}
		if !sent {
			continue
		}
		r := &exchange.Request{Method: "GET", Path: operation.Path}
		k.apply(r, made.Credentials)
		authorization, _ := r.Header.Get("Authorization")
		field, _ := r.Header.Get("X-Key")
		if authorization != test.authorization || field != test.field {
			t.Errorf("%s, %v: Authorization %q, X-Key %q", operation.Path, test.how, authorization, field)
		}
	}
}

// eitherOr is notes, whose credentials are a token or a key.
var eitherOr = strings.Replace(strings.Replace(notes, "security: [{token: []}]", "security: [{token: []}, {key: []}]", 1),
	"{token: {type: http, scheme: bearer}}", "{token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: X-Key}}", 1)

// TestAlternatives holds which of two alternatives are accused, and that the
// operations are tested all the same.
func TestAlternatives(t *testing.T) {
	for name, test := range map[string]struct {
		accepts func(token, key bool) bool
		keyless bool     // the user gives the token alone
		refused []string // schemes
	}{
		"either is enough":              {accepts: func(token, key bool) bool { return token || key }},
		"the token is not":              {accepts: func(_, key bool) bool { return key }, refused: []string{"token"}},
		"the key is not":                {accepts: func(token, _ bool) bool { return token }, refused: []string{"key"}},
		"the key is not, and not given": {accepts: func(token, _ bool) bool { return token }, keyless: true},
		"both are needed":               {accepts: func(token, key bool) bool { return token && key }, refused: []string{"key", "token"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t, func(_ http.ResponseWriter, r *http.Request) bool {
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
				o.APIKeys = map[string]string{"key": "kEy"}
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
