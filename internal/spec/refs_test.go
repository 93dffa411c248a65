package spec

import "testing"

// TestMissingReference ends quickly where an "id" makes the loader look for a
// missing reference in more than one way.
func TestMissingReference(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get:
      responses:
        '200':
          description: d
          content:
            application/json:
              schema: {$ref: '#/components/schemas/a'}
components:
  schemas:
    a: {$ref: '#/components/schemas/b/properties/c', example: {id: x}}
    b: {properties: {d: {$ref: '#/components/schemas/a/properties/e'}}}
`
	c, err := Load(t.Context(), "openapi.yaml", Options{Text: []byte(document)})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Findings) == 0 || c.Findings[0].Code != "dangling-reference" {
		t.Fatal(c.Findings)
	}
}
