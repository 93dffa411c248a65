package cases_test

import (
	"context"
	"slices"
	"testing"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/internal/spec"
)

func TestSecurity(t *testing.T) {
	for name, test := range map[string]struct {
		security string
		want     []string
	}{
		"one scheme": {`[{token: []}]`, []string{"no credentials", "the credential of token wrong", "the credential of token empty", "the credential of token under another scheme", "the credential of token wrong, under another scheme",
			"the credential of token with a letter more", "the credential of token in another case", "the credential of token without its scheme",
			"the credential of token replaced by a credential of another scheme", "the credential of token left out, and a credential of another scheme sent"}},
		"none is needed": {`[{}, {token: []}]`, []string{"no credentials, which the document allows"}},
		"any text is a key in that field": {`[{token: []}, {key: []}]`, []string{"no credentials", "the credentials of key", "the credential of key wrong", "the credential of key empty", "the credential of key in another place",
			"the credential of key with a letter more", "the credential of key in another case"}},
	} {
		text := `{openapi: 3.0.3, info: {title: a, version: b}, paths: {/a: {get: {security: ` + test.security + `, responses: {'200': {description: a}}}}},
			components: {securitySchemes: {token: {type: http, scheme: bearer}, key: {type: apiKey, in: header, name: authorization}}}}`
		c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for made := range cases.New(c.Operations[0], 0).Security(context.Background(), nil, 0) {
			got = append(got, made.Title)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
