package cases

import (
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

func TestTemplate(t *testing.T) {
	now := time.Date(2026, 2, 28, 23, 30, 0, 0, time.FixedZone("", -3600))
	for text, want := range map[string]string{
		"plain $5 {x} $":      `"plain $5 {x} $"`,
		"$${uuid} and $$":     `"${uuid} and $$"`,
		"${now}":              `"2026-03-01T00:30:00Z"`,
		"${now - 90m}":        `"2026-02-28T23:00:00Z"`,
		"${today +1w}":        `"2026-03-08"`,
		"${today}T00:00:00Z":  `"2026-03-01T00:00:00Z"`,
		"${uuid}":             `"41e47997-88bd-46a3-808d-74f5b3ac05df"`,
		"a-${unique}@b.test":  `"a-uuv1pja0@b.test"`,
		"${number}":           `122036625`,
		"n${number}":          `"n736841945"`,
		"${unique}${ unique}": `"k6qg85g0uuv1pja0"`,
		"${now + 1y}":         "${now + 1y} is unknown; there are",
		"${}":                 "${} is unknown",
		"a ${uuid":            `"${" is not closed`,
	} {
		value, err := ParseTemplate(text, now)
		got := string(jsontext.Append(nil, expanded(value, generate.NewKey(1))))
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if again := string(jsontext.Append(nil, expanded(value, generate.NewKey(2)))); err == nil && isTemplate(value) == (again == got) {
			t.Errorf("%s: %s, then %s", text, got, again)
		}
	}
}

// TestGiven looks at values of a setup in bodies: nested ones, values in lists, and values that differ from request to
// request, also when a request is made again.
func TestGiven(t *testing.T) {
	c, err := spec.Load(t.Context(), "openapi.yaml", spec.Options{Text: []byte(`{openapi: 3.1.0,
  info: {title: Members, version: "1"}, paths: {/members: {post: {
parameters: [{name: X-Trace, in: header, schema: {type: string}}],
requestBody: {required: true, content: {application/json: {schema: {type: object, required: [owner, tags], properties: {
  email: {type: string}, owner: {type: object, required: [name], properties: {name: {type: string}}},
  tags: {type: array, minItems: 2, items: {type: object, required: [name], properties: {name: {type: string}}}},
  note: {type: string, maxLength: 9}}}}}},
responses: {"201": {description: made}}}}}}`)})
	if err != nil {
		t.Fatal(err)
	}
	b := New(c.Operations[0], 1)
	unique, _ := ParseTemplate("u-${unique}@example.test", time.Time{})
	trace, _ := ParseTemplate("${uuid}", time.Time{})
	b.SetValues("body", map[string]any{"email": unique, "owner.name": "ann", "tags.*.name": "a", "tags.1.name": "b"})
	b.SetValues("header", map[string]any{"X-Trace": trace})
	seen := map[string]bool{}
	look := func(c *Case) {
		body := string(c.Request.Body)
		for _, want := range []string{`"owner":{"name":"ann"}`, `"tags":[{"name":"a"},{"name":"b"}`, `"email":"u-`} {
			if !strings.Contains(body, want) {
				t.Errorf("%s: %s has no %s", c.Title, body, want)
			}
		}
		sent, _ := c.Request.Header.Get("X-Trace")
		for _, value := range []string{sent, c.Value.(map[string]any)["email"].(string)} {
			if seen[value] {
				t.Errorf("%s: %s again", c.Title, value)
			}
			seen[value] = true
		}
	}
	for n := range 3 {
		c, err := b.Plain(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		look(c)
		look(b.Again(c, 0))
	}
	for c := range b.Coverage(t.Context(), nil, 0) {
		if strings.HasPrefix(c.Title, "body.note ") {
			look(c)
			look(b.Again(c, 0))
		}
	}
}
