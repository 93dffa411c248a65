package mock

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// plantStore30 is the Plant Store in OpenAPI 3.0, so that it fits into another
// document of that version.
const plantStore30 = `{
  "openapi": "3.0.3",
  "info": {"title": "Plant Store", "version": "1.0.0"},
  "paths": {"/plants": {"post": {
    "security": [{"plantAuth": []}],
    "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/NewPlant"}}}},
    "responses": {
      "200": {"description": "plant", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Plant"}}}},
      "400": {"description": "error", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/PlantError"}}}}}}}},
  "components": {
    "securitySchemes": {"plantAuth": {"type": "http", "scheme": "bearer"}},
    "schemas": {
      "Plant": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "tag": {"type": "string"}}},
      "NewPlant": {"allOf": [{"$ref": "#/components/schemas/Plant"}, {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer", "format": "int64"}}}]},
      "PlantError": {"type": "object", "required": ["error", "message"], "properties": {"error": {"type": "integer"}, "message": {"type": "string"}}}}}
}`

// BenchmarkDocumentSize sends the same operation the same request, in a
// document of its own and among the 767 operations of GitHub's.
func BenchmarkDocumentSize(b *testing.B) {
	corpus := os.Getenv("COLDFRAME_CORPUS")
	if corpus == "" {
		b.Skip("COLDFRAME_CORPUS names no folder of documents")
	}
	text, err := os.ReadFile(filepath.Join(corpus, "github.json"))
	if err != nil {
		b.Fatal(err)
	}
	var large, small map[string]any
	if err := json.Unmarshal(text, &large); err != nil {
		b.Fatal(err)
	}
	if err := json.Unmarshal([]byte(plantStore30), &small); err != nil {
		b.Fatal(err)
	}
	merge(large, small)
	merged, err := json.Marshal(large)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name string
		text []byte
	}{{"alone", []byte(plantStore30)}, {"among 767", merged}} {
		s, err := New(b.Context(), Options{Document: "document.json", Text: c.text, Control: ControlOptions{Journal: -1}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r := &exchange.Request{
					Method: "POST", Path: "/plants",
					Header: exchange.Header{{Name: "Authorization", Value: "Bearer token"}, {Name: "Content-Type", Value: "application/json"}},
					Body:   []byte(`{"id":7,"name":"Boston Fern","tag":"fern"}`),
				}
				if x := s.exchange(r); x.answer.Status != 200 {
					b.Fatalf("%d %s", x.answer.Status, x.answer.Body)
				}
			}
		})
		s.Close()
	}
}

// merge adds the members of another object that are not there.
func merge(into, from map[string]any) {
	for name, value := range from {
		inner, ok := into[name].(map[string]any)
		other, same := value.(map[string]any)
		switch {
		case ok && same:
			merge(inner, other)
		case into[name] == nil:
			into[name] = value
		}
	}
}
