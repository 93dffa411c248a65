package spec

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestTexts loads a document of several files, and then what Texts returns.
func TestTexts(t *testing.T) {
	folder := t.TempDir()
	files := map[string]string{
		"api/v1/openapi.yaml": "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n" +
			"        '200': {$ref: ../shared/responses.yaml#/ok}\n",
		"api/shared/responses.yaml": "ok: {description: ok, content: {application/json: {schema: {$ref: a.json}}}}\n",
		"api/shared/a.json":         `{"type": "integer", "const": 7}`,
	}
	for name, text := range files {
		name = filepath.Join(folder, name)
		os.MkdirAll(filepath.Dir(name), 0o755)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c, err := Load(context.Background(), filepath.Join(folder, "api/v1/openapi.yaml"), Options{Root: folder})
	if err != nil {
		t.Fatal(err)
	}
	document, texts := c.Texts()
	if names := slices.Sorted(maps.Keys(texts)); document != "v1/openapi.yaml" ||
		!slices.Equal(names, []string{"shared/a.json", "shared/responses.yaml", "v1/openapi.yaml"}) {
		t.Errorf("%s of %v", document, names)
	}
	again, err := Load(context.Background(), document, Options{Source: texts})
	if err != nil {
		t.Fatal(err)
	}
	if again.Size != c.Size || len(again.Findings) != len(c.Findings) {
		t.Errorf("loaded again it has %d bytes and %v, not %d and %v", again.Size, again.Findings, c.Size, c.Findings)
	}
	delete(texts, "shared/a.json")
	if _, err := Load(context.Background(), document, Options{Source: texts}); err == nil {
		t.Error("a file that is missing is read")
	}
}
