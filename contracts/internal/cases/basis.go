package cases

// Basis says what of the document or of an RFC names the value that a conforming request varies. A refusal of
// it alone is certainly wrong; one of a value without a basis may follow a rule that the document has in prose.
type Basis string

const (
	// Own is of the tester's own choice: random texts, dates, unusual letters, what is optional in any
	// combination, empty lists, names that may be taken, items that may not exist.
	Own Basis = ""
	// Listed is a value of an enum or a const: the document writes it.
	Listed Basis = "listed"
	// Bound is exactly at a bound of a number, a length or a count, and otherwise as what was accepted.
	Bound Basis = "bound"
	// Null is null if the schema names that type.
	Null Basis = "null"
	// Default is what the schema's default names, which leaving the value out means.
	Default Basis = "default"
	// Media is a body that was accepted in another media type of the document, with the same schema.
	Media Basis = "media type"
	// LeftOut is a body, which the document does not require, left out.
	LeftOut Basis = "left out"
	// SameThing is another way to write what was accepted: letters of media types in another case (RFC 9110
	// section 8.3.1), a charset of JSON, which "has no effect on compliant recipients" (RFC 8259 section 11).
	SameThing Basis = "same thing"
)
