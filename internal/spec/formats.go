package spec

import (
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/formats"
)

// registerFormats adds the formats of package formats to those that the library
// knows from JSON Schema.
func registerFormats(c *jsonschema.Compiler) {
	for _, f := range formats.All {
		if f.Validate != nil {
			c.RegisterFormat(&jsonschema.Format{Name: f.Name, Validate: f.Validate})
		}
	}
}

var errNotASchema = errors.New("it is no schema")
