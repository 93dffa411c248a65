package decode

import "github.com/coldframe/coldframe/internal/jsontext"

// The codes of the findings of this package, but for those of malformed JSON,
// which are jsontext's. Codes says what each means.
const (
	CodeMissingParameter    = "missing-parameter"
	CodeRepeatedParameter   = "repeated-parameter"
	CodeMalformedParameter  = "malformed-parameter"
	CodePercentEncoding     = "malformed-percent-encoding"
	CodeUndeclaredParameter = "undeclared-parameter"
	CodeTooManyValues       = "too-many-values"
	CodeMissingBody         = "missing-body"
	CodeMediaType           = "unsupported-media-type"
	CodeContentType         = "malformed-content-type"
	CodeCharset             = "unsupported-charset"
	CodeContentEncoding     = "unsupported-content-encoding"
	CodeCompression         = "malformed-compression"
	CodeBodyTooLarge        = "body-too-large"
	CodeForm                = "malformed-form"
	CodeMultipart           = "malformed-multipart"
	CodeXML                 = "malformed-xml"
)

// Code is the meaning of a finding's code.
type Code struct {
	Code    string
	Meaning string
}

// Codes lists what Request, Body, Decompress and Unknown report.
func Codes() []Code {
	return []Code{
		{CodeMissingParameter, "a required parameter is not in the request"},
		{CodeRepeatedParameter, "a parameter that has one value is sent more than once"},
		{CodeMalformedParameter, "a parameter does not have the form its style asks for"},
		{CodePercentEncoding, "a percent sign is not followed by two hexadecimal digits (RFC 3986 section 2.1)"},
		{CodeUndeclaredParameter, "a query parameter is not documented; reported only on demand"},
		{CodeTooManyValues, "a query, form or multipart body has more values than are read"},
		{CodeMissingBody, "a required body is not in the request"},
		{CodeMediaType, "the body's media type is not documented"},
		{CodeContentType, "the field Content-Type is not a media type (RFC 9110 section 8.3)"},
		{CodeCharset, "the body is in a character encoding that is not read"},
		{CodeContentEncoding, "the body is compressed in a way that is not read"},
		{CodeCompression, "a compressed body cannot be decompressed"},
		{CodeBodyTooLarge, "a decompressed body is over the limit"},
		{CodeForm, "a form body does not have the form its encoding asks for"},
		{CodeMultipart, "a multipart body is not well-formed (RFC 2046 section 5.1)"},
		{CodeXML, "a body is not well-formed XML"},
		{jsontext.CodeSyntax, "a body or parameter is not JSON (RFC 8259)"},
		{jsontext.CodeTrailing, "data follows the JSON value"},
		{jsontext.CodeDuplicate, "a name appears twice in a JSON object"},
		{jsontext.CodeUTF8, "text is not UTF-8"},
		{jsontext.CodeDepth, "JSON or XML is nested too deep"},
		{jsontext.CodeNumberTooBig, "a number has too many digits or too large an exponent"},
	}
}

// fault is what is wrong with one value; finding gives it its place.
type fault struct {
	code    string
	pointer string
	message string
}
