package credentials

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestComplete checks what is derived from good credentials, and where nothing is.
func TestComplete(t *testing.T) {
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
		authorization string // or none, if the case is not sent
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
		given := Given{Token: test.token, APIKeys: map[string]string{"own": "secret"}}
		if test.key != "" {
			given.APIKeys["key"] = test.key
		}
		k, err := New(t.Context(), given, c)
		if err != nil {
			t.Fatal(err)
		}
		operation := c.Operations[test.operation]
		credentials := cases.GivenFor(operation.Security[0])
		credentials[0].Form = test.how
		made := &cases.Case{Operation: operation, Credentials: credentials}
		sent := k.Complete(made)
		if sent != (test.authorization != none) {
			t.Errorf("%s, %v: sent %v", operation.Path, test.how, sent)
		}
		if !sent {
			continue
		}
		r := &exchange.Request{Method: "GET", Path: operation.Path}
		k.Apply(r, made.Credentials)
		authorization, _ := r.Header.Get("Authorization")
		field, _ := r.Header.Get("X-Key")
		if authorization != test.authorization || field != test.field {
			t.Errorf("%s, %v: Authorization %q, X-Key %q", operation.Path, test.how, authorization, field)
		}
	}
}
