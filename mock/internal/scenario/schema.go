package scenario

import _ "embed"

//go:embed scenario.schema.json
var schema []byte

// Schema is the JSON Schema (2020-12) of scenario files, for editors. The
// bytes are not to be changed.
func Schema() []byte { return schema }
