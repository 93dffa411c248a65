package coverage_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestValuesOfEnumsAreBounded: many properties with many values each have no more points than a body may have.
func TestValuesOfEnumsAreBounded(t *testing.T) {
	var values, properties []string
	for i := range 200 {
		values = append(values, fmt.Sprint("v", i))
	}
	for i := range 100 {
		properties = append(properties, fmt.Sprintf("p%d: {enum: [%s]}", i, strings.Join(values, ", ")))
	}
	text := fmt.Sprintf(`
openapi: 3.1.0
info: {title: Many, version: "1"}
paths:
  /many:
    get: {responses: {"200": {description: d, content: {application/json: {schema: {properties: {%s}}}}}}}
`, strings.Join(properties, ", "))
	c, err := spec.Load(context.Background(), "openapi.yaml", spec.Options{Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range coverage.New(c).Report().Kinds {
		if k.Kind == coverage.KindValue && k.Total != 500 || k.Kind == coverage.KindResponseProperty && k.Total != 100 {
			t.Errorf("%d points of the kind %s", k.Total, k.Kind)
		}
	}
}
