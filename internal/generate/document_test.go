package generate_test

import (
	"context"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

func TestDocuments(t *testing.T) {
	files := schemas(t, "testdata/documents.txtar")
	for i := 0; i < len(files); i += 2 {
		t.Run(files[i].Name, func(t *testing.T) {
			s := component(t, string(files[i].Data))
			want, err := jsontext.Decode(string(files[i+1].Data))
			if err != nil {
				t.Fatal(err)
			}
			g := generate.New(s, generate.Options{Examples: strings.HasPrefix(files[i].Name, "examples/")})
			for key := range uint64(20) {
				v, err := g.Value(generate.NewKey(key))
				if err != nil {
					t.Fatal(err)
				}
				if !like(v, want) {
					t.Fatalf("key %d: got %s, want %s", key, bytes(v), bytes(want))
				}
			}
		})
	}
}

// component returns the schema Answer as a response has it, or Question as a
// request has it.
func component(t *testing.T, schemas string) *spec.Schema {
	t.Helper()
	content := func(name string) string {
		if !strings.Contains(schemas, `"`+name+`":`) {
			name = "Nothing"
		}
		return `"content":{"application/json":{"schema":{"$ref":"#/components/schemas/` + name + `"}}}`
	}
	text := `{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/":{"post":{"requestBody":{` + content("Question") +
		`},"responses":{"200":{"description":"",` + content("Answer") + `}}}}},"components":{"schemas":{"Nothing":{},` +
		strings.TrimPrefix(strings.TrimSpace(schemas), "{") + `}}`
	c, err := spec.Load(context.Background(), "openapi.json", spec.Options{Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(schemas, `"Question":`) {
		return c.Operations[0].Body.Content[0].Schema
	}
	return c.Operations[0].Responses[0].Content[0].Schema
}
