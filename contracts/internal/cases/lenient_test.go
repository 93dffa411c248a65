package cases

import (
	"net/url"
	"slices"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

// TestLenient: no random request that a backend must refuse has a parameter without text, or a boolean that many
// programs read as one, and nothing else that is wrong.
func TestLenient(t *testing.T) {
	c, err := spec.Load(t.Context(), "shelf.yaml", spec.Options{Text: []byte(`
openapi: 3.0.3
info: {title: Shelf, version: "1"}
paths:
  /shelf:
    get:
      parameters:
        - {name: X-Old, in: header, schema: {type: boolean}}
        - {name: old, in: query, schema: {type: boolean}}
      responses: {"200": {description: ok}}
`)})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for made := range New(c.Operations[0], 0).Fuzz(t.Context(), nil, 0) {
		if n++; n > 2_000 {
			break
		}
		if made.Expected != Refused {
			continue
		}
		query, _ := url.ParseQuery(made.Request.Query)
		text, sent := made.Request.Header.Get("X-Old")
		texts := query["old"]
		if sent {
			texts = append(texts, text)
		}
		isBoolean := func(text string) bool { return text == "" || slices.Contains(booleanWords, text) }
		if !slices.ContainsFunc(texts, func(text string) bool { return !isBoolean(text) }) && len(query["old"]) < 2 {
			t.Errorf("refused: %q, %v", made.Request.Query, made.Request.Header)
		}
	}
}
