// Package coldframe carries the document that the program serves where it is given none.
package coldframe

import _ "embed"

// PlantStore is the OpenAPI 3.1.0 document of the Plant Store, in YAML, as it
// stands in openapi.yaml beside this file.
//
//go:embed openapi.yaml
var PlantStore []byte
