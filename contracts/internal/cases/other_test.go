package cases

import (
	"bytes"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

// TestOther looks at requests that vary the same as another: each has other values, one of them items that all differ.
func TestOther(t *testing.T) {
	c, err := spec.Load(t.Context(), "openapi.yaml", spec.Options{Text: []byte(`{openapi: 3.1.0,
  info: {title: Members, version: "1"}, paths: {/members: {post: {
requestBody: {required: true, content: {application/json: {schema: {type: object, required: [tags, text], properties: {
  tags: {type: array, maxItems: 4, items: {type: string, minLength: 6, maxLength: 6}}, text: {type: string}}}}}},
responses: {"201": {description: created}}}}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	for made := range New(c.Operations[0], 1).Coverage(t.Context(), nil, 0) {
		if !strings.Contains(made.Title, "with the 4 items that it may have") {
			continue
		}
		areDifferent, seen := false, [][]byte{made.Request.Body}
		for n := 1; n <= 3; n++ {
			other, unvaried := made.Other(n)
			if other == nil || unvaried == nil {
				t.Fatalf("%d: %v and %v, want two requests", n, other, unvaried)
			}
			for _, body := range seen {
				if bytes.Equal(body, other.Request.Body) {
					t.Errorf("%d: %s was made before", n, body)
				}
			}
			seen = append(seen, other.Request.Body)
			tags := other.Value.(map[string]any)["tags"].([]any)
			if len(tags) != 4 || other.Expected != Accepted || other.Varied != made.Varied {
				t.Errorf("%d: %s has %d tags and varies %q", n, other.Request.Body, len(tags), other.Varied)
			}
			set := map[any]bool{}
			for _, tag := range tags {
				set[tag] = true
			}
			areDifferent = areDifferent || len(set) == 4
			if len(unvaried.Value.(map[string]any)["tags"].([]any)) == 4 {
				t.Errorf("%d: %s has 4 tags as well", n, unvaried.Request.Body)
			}
		}
		if !areDifferent {
			t.Error("no request has four tags that differ")
		}
		return
	}
	t.Error("no case is about the most items")
}
