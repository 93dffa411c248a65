package generate_test

import (
	"context"
	"testing"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// compile makes a schema of its text, as the schema of a response in a document.
func compile(t testing.TB, text string) *spec.Schema {
	t.Helper()
	c, err := spec.Load(context.Background(), "openapi.json", spec.Options{Text: []byte(
		`{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{"/":{"get":{"responses":{"200":{"description":"",` +
			`"content":{"application/json":{"schema":` + text + `}}}}}}}}`)})
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return c.Operations[0].Responses[0].Content[0].Schema
}

func bytes(v any) string { return string(jsontext.Append(nil, v)) }

const plant = `{"type":"object","required":["name"],"properties":{"name":{"type":"string"},"tag":{"type":"string"},"id":{"type":"integer"}}}`
