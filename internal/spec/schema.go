package spec

import (
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Keywords is one compiled (sub)schema: its keywords in JSON Schema 2020-12
// with references resolved to pointers, cycles included. Whatever version the
// document has, 3.0 schemas are translated.
type Keywords = jsonschema.Schema

// Regexp is a compiled pattern; its String is the pattern as it was written.
type Regexp = jsonschema.Regexp

// Direction says which way the values of a schema travel.
type Direction uint8

const (
	InRequest  Direction = iota // readOnly properties are not to be sent
	InResponse                  // writeOnly properties are not to be sent
)

// Schema is a schema of the document as one direction (request or response)
// sees it, compiled.
type Schema struct {
	Keywords  *Keywords
	Direction Direction
	Place     exchange.Place
	schemas   *schemas
}

type schemas struct{}

// Node gives the schema as the document writes it, for what Keywords do not
// keep: examples, unknown formats, extensions, the order of properties. k must
// be reachable from s.Keywords. It is nil where the place is unknown.
func (s *Schema) Node(k *Keywords) *Node { return nil }
