package spec

import (
	"context"
	"testing"
)

// TestPropertyNamePlace: whatever else the value has, a bad name is reported
// where it stands.
func TestPropertyNamePlace(t *testing.T) {
	const document = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/o": {"post": {"requestBody": {"content": {"application/json": {"schema": {
		"properties": {
			"labels": {"propertyNames": {"pattern": "^[a-z]+$"}, "additionalProperties": {"type": "boolean"}},
			"owner": {"properties": {"first": {"type": "boolean"}}}
		}}}}}, "responses": {"200": {"description": "ok"}}}}}}`
	c, err := Load(context.Background(), "openapi.json", Options{Text: []byte(document)})
	if err != nil {
		t.Fatal(err)
	}
	s := c.Operations[0].Body.Content[0].Schema
	for range 50 { // the order of properties is the map's
		findings := s.Check(map[string]any{
			"labels": map[string]any{"a": true, "B!": true},
			"owner":  map[string]any{"first": true},
		}, "body", "")
		if len(findings) != 1 || findings[0].Where() != "body.labels.B!" {
			t.Fatal(findings)
		}
	}
}
