package decode

// The codes of the findings of this package, but for those of malformed JSON,
// which are jsontext's.
const (
	CodeMissingParameter    = "missing-parameter"          // a required parameter is not in the request
	CodeRepeatedParameter   = "repeated-parameter"         // a parameter that has one value is sent more than once
	CodeMalformedParameter  = "malformed-parameter"        // a parameter does not have the form its style asks for
	CodePercentEncoding     = "malformed-percent-encoding" // no two hexadecimal digits follow (RFC 3986 section 2.1)
	CodeUndeclaredParameter = "undeclared-parameter"       // a query parameter is not documented; only on demand
	CodeTooManyValues       = "too-many-values"            // a query or body has more values than are read
	CodeMissingBody         = "missing-body"               // a required body is not in the request
	CodeMediaType           = "unsupported-media-type"     // the body's media type is not documented
	CodeContentType         = "malformed-content-type"     // Content-Type is no media type (RFC 9110 section 8.3)
	CodeCharset             = "unsupported-charset"        // the body's character encoding is not read
	CodeContentEncoding     = "unsupported-content-encoding"
	CodeCompression         = "malformed-compression"
	CodeBodyTooLarge        = "body-too-large" // a decompressed body is over the limit
	CodeForm                = "malformed-form"
	CodeMultipart           = "malformed-multipart" // RFC 2046 section 5.1
	CodeXML                 = "malformed-xml"
)

// fault is what is wrong with one value; finding gives it its place.
type fault struct {
	code    string
	pointer string
	message string
}
