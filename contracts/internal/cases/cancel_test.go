package cases

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

// ending is a context that ends when it has been asked so often, and counts how
// often it is asked after that.
type ending struct {
	context.Context
	left, after int
}

func (e *ending) Err() error {
	if e.left--; e.left >= 0 {
		return nil
	}
	e.after++
	return context.Canceled
}

// TestEnded checks that makers do next to nothing once the context has ended,
// wherever they are, with a schema of thousands of constraints.
func TestEnded(t *testing.T) {
	var properties []string
	for i := range 400 {
		properties = append(properties, fmt.Sprintf(`"p%d": {"type": "object", "properties": {"a": {"type": "string", "minLength": 2, "maxLength": 9, "pattern": "^[a-z]+$"}, "b": {"type": "array", "minItems": 1, "maxItems": 4, "items": {"type": "integer", "minimum": 1, "maximum": 7}}}}`, i))
	}
	document := fmt.Sprintf(`{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/s": {"post": {
		"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {%s}}}}}, "responses": {"200": {"description": "ok"}}}}}}`, strings.Join(properties, ","))
	contract, err := spec.Load(context.Background(), "openapi.json", spec.Options{Text: []byte(document)})
	if err != nil {
		t.Fatal(err)
	}
	m := New(contract.Operations[0], 1)
	for _, left := range []int{0, 1, 2, 10, 1000, 20_000, 30_000} {
		ctx := &ending{Context: t.Context(), left: left}
		made, late := 0, 0
		for range m.Coverage(ctx, nil, 100) {
			if made++; ctx.after > 0 {
				late++
			}
			if made == 200 {
				break
			}
		}
		if late > 0 || ctx.after > 10 {
			t.Errorf("ended after %d steps: %d more steps, %d of %d cases after that", left, ctx.after, late, made)
		}
	}
}
