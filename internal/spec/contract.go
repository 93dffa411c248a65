// Package spec loads an OpenAPI document and compiles it into a Contract.
//
// Loading goes in three steps:
//
//   - load: files become trees that know their places (load.go, package tree),
//     and references are followed (refs.go);
//   - normalize: a Swagger 2.0 document becomes OpenAPI (swagger.go), the tree
//     is cleaned by the grammar (grammar.go, normalize.go, paths.go) and given to
//     kin-openapi as a model without schemas (model.go);
//   - compile: the model becomes the contract (compile.go); each schema is
//     translated to JSON Schema 2020-12 (translate.go, keywords.go) and compiled
//     once (schemas.go, direct.go).
package spec

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/routers"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/tree"
)

// Contract is a compiled document: immutable, complete and safe for concurrent reads.
type Contract struct {
	Title   string
	Version string   // info.version: the version of the API
	OpenAPI string   // the version of the specification as written in the document
	File    string   // the document's file name as given
	Files   []string // absolute names of all files that were read, for watching
	Size    int64    // total size of all files that were read, in bytes
	// of all servers: "" or "/v1", without a trailing slash, longest first; always includes ""
	BasePaths  []string
	Hosts      []string           // of the servers, in the document's order; empty for servers with a path only
	Schemes    []*SecurityScheme  // by name
	Operations []*Operation       // in the document's order
	Webhooks   []*Webhook         // in the document's order
	Findings   []exchange.Finding // on the document itself, sorted

	files map[string]*tree.File // by name
}

// Operation is one method of one path.
type Operation struct {
	ID          string // operationId, or "METHOD path" if there is none
	Method      string // upper case; additionalOperations keep their spelling
	Path        string // the key in the document: /plants/{id}
	Summary     string
	Description string
	Tags        []string
	BasePaths   []string // of the servers of this operation, its path or the document; see Contract.BasePaths
	// Parameters are the merged parameters of the operation and its path item: at most one for each (in, name), in
	// the document's order.
	Parameters []*Parameter
	Body       *RequestBody // nil if the document describes none
	Responses  []*Response  // exact codes ascending, then ranges, then default
	// Security lists the alternatives (OR); a request must meet all needs of one of them (AND). Empty means that no
	// credentials are required.
	Security  []Requirement
	Callbacks []*Callback // in the document's order
	// Alternatives are the operations that share method and path with this one, including itself, in the document's
	// order; nil if it is alone.
	Alternatives []*Operation
	Place        exchange.Place
	// Route is the operation for kin-openapi's routers.Router.
	Route *routers.Route

	node, item *tree.Node // of the operation and its path item, for extensions
}

// Parameter is a parameter of a request, or a header of a response or of a part.
type Parameter struct {
	Name            string
	In              string // path, query, querystring, header or cookie
	Required        bool
	Style           string // never empty: the default style of In if the document has none
	Explode         bool
	AllowReserved   bool
	AllowEmptyValue bool
	Description     string
	Schema          *Schema    // nil if Content describes the value
	Content         *MediaType // for a parameter that is serialized as a media type
	Examples        []*Example
	Place           exchange.Place
	// Within are the segments of the path of which the values are a part, as Spans returns them, if the path spells them
	// out: wings and "" for {name} of /wings/{name}, which the document writes as {name=wings/*}; nil for other values.
	Within []string
}

// ValueSchema returns the schema of the parameter's values, nil if they are free.
func (p *Parameter) ValueSchema() *Schema {
	if p.Content != nil {
		return p.Content.Schema
	}
	return p.Schema
}

// RequestBody is an operation's request body.
type RequestBody struct {
	Required bool
	Content  []*MediaType // most specific first
	Place    exchange.Place
}

// MediaType is one entry of a content map.
type MediaType struct {
	Range    string // as written in the document: "application/json", "text/*", "*/*"
	Type     string // lower case; "*" in a range
	Subtype  string // lower case; "*" in a range
	Params   map[string]string
	Schema   *Schema // nil if the document has none
	Item     *Schema // itemSchema of a sequential media type (OpenAPI 3.2), or nil
	Encoding map[string]*Encoding
	Examples []*Example // in the document's order
	Place    exchange.Place
}

// Encoding describes how a property of a form is serialized.
type Encoding struct {
	ContentType   string
	Style         string
	Explode       bool
	AllowReserved bool
	Headers       []*Parameter
}

// Example is an example of a media type, a parameter or a schema.
type Example struct {
	Name   string             // its key under examples; "" for a lone example
	Value  any                // as jsontext.Decode returns it
	Broken []exchange.Finding // violations of its own schema; empty if it conforms
	Place  exchange.Place
}

// Response is one documented response.
type Response struct {
	Status      string // "200", "2XX" or "default"
	Description string
	Headers     []*Parameter // sorted by name, without Content-Type
	Content     []*MediaType // in the document's order
	Links       []*Link      // in the document's order
	Place       exchange.Place
}

// Requirement is one alternative of an operation's security: all needs must be met. A requirement without needs
// allows anonymous requests.
type Requirement []Need

// Need is one security scheme that a request must satisfy.
type Need struct {
	Scheme *SecurityScheme
	Scopes []string
}

// SecurityScheme is a security scheme of the document.
type SecurityScheme struct {
	Key    string // its name under components.securitySchemes
	Type   string // apiKey, http, oauth2, openIdConnect, mutualTLS
	Scheme string // for http: lower case, "bearer", "basic"
	In     string // for apiKey: header, query or cookie
	Name   string // for apiKey: the parameter's name
	Flows  []Flow // for oauth2, in the document's order
	Place  exchange.Place
}

// Parameter returns the part of a request and the name of the parameter that has the credential; "" for a certificate.
func (s *SecurityScheme) Parameter() (in, name string) {
	switch s.Type {
	case "apiKey":
		return s.In, s.Name
	case "mutualTLS":
		return "", ""
	}
	return exchange.InHeader, "Authorization"
}

// Flow is an OAuth flow (OpenAPI 3.2 section 4.30). A URL that the document omits is "".
type Flow struct {
	Kind             string // authorizationCode, clientCredentials, deviceAuthorization, implicit or password
	AuthorizationURL string
	TokenURL         string
	RefreshURL       string
	DeviceURL        string
	Scopes           []string
}

// Code returns the first status code of the response's key, and the number of codes: 1 for "200", 100 for "2XX", 0
// for "default".
func (r *Response) Code() (first, count int) {
	if len(r.Status) != 3 || r.Status[0] < '1' || r.Status[0] > '5' {
		return 0, 0
	}
	if strings.EqualFold(r.Status[1:], "XX") {
		return int(r.Status[0]-'0') * 100, 100
	}
	first, err := strconv.Atoi(r.Status)
	if err != nil {
		return 0, 0
	}
	return first, 1
}

// Response returns the response for a status code: the exact code, else its range, else default; nil if none
// (OpenAPI 3.1 section 4.8.16).
func (o *Operation) Response(status int) *Response {
	for _, r := range o.Responses {
		if first, count := r.Code(); first <= status && status < first+count || r.Status == "default" {
			return r
		}
	}
	return nil
}

// Documents reports whether an operation documents one of some statuses, itself or by a range: 4XX.
func (o *Operation) Documents(statuses ...int) bool {
	return slices.ContainsFunc(statuses, func(status int) bool {
		r := o.Response(status)
		return r != nil && r.Status != "default"
	})
}

// DocumentsExactly reports whether an operation documents one of some statuses itself: a range promises none.
func (o *Operation) DocumentsExactly(statuses ...int) bool {
	return slices.ContainsFunc(statuses, func(status int) bool {
		r := o.Response(status)
		return r != nil && r.Status == strconv.Itoa(status)
	})
}

// Operation finds an operation by its operationId or by "METHOD path".
func (c *Contract) Operation(name string) *Operation {
	for _, o := range c.Operations {
		if o.ID == name || o.Method+" "+o.Path == name {
			return o
		}
	}
	return nil
}

// Variables returns the names of the path template's variables, in their order.
func (o *Operation) Variables() []string { return allVariables(o.Template()) }

// Template returns the key of the path without query and fragment.
func (o *Operation) Template() string {
	path, _ := cutPath(o.Path)
	return path
}

// Deprecated reports whether the document advises against using the operation.
func (o *Operation) Deprecated() bool { return o.node.Get("deprecated").True() }

// Extension returns a field of the Operation Object whose name begins with "x-", nil if none.
func (o *Operation) Extension(name string) *tree.Node { return o.node.Get(name) }

// PathExtension returns an extension field of the operation's Path Item Object, nil if none.
func (o *Operation) PathExtension(name string) *tree.Node { return o.item.Get(name) }

// maxExcerpt limits the length of an excerpt, in bytes.
const maxExcerpt = 160

// Hash returns a SHA-256 in hexadecimal: of the document's text, followed by the other files with their names.
func (c *Contract) Hash() string {
	document, texts := c.Texts()
	sum := sha256.New()
	io.WriteString(sum, texts[document])
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		if name != document {
			fmt.Fprintf(sum, "%q %d\n%s", name, len(texts[name]), texts[name])
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Root returns the document as written, without the files that it refers to.
func (c *Contract) Root() *tree.Node { return c.files[c.File].Root }

// FileLines are a file's name in places, and the number of its lines.
type FileLines struct {
	File  string `json:"file"`
	Lines int    `json:"lines"`
}

// FileLines returns the files of the document, itself first.
func (c *Contract) FileLines() []FileLines {
	all := []FileLines{{c.File, c.files[c.File].Count()}}
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if name != c.File {
			all = append(all, FileLines{name, c.files[name].Count()})
		}
	}
	return all
}

// Lines returns lines of one of the document's files, counted from 1. It reports false for any other file.
func (c *Contract) Lines(file string, from, to int) ([]string, bool) {
	f := c.files[file]
	if f == nil {
		return nil, false
	}
	return f.Lines(from, to), true
}

// Excerpt returns the line of the document at a place; of a long line, the part from the place on. It returns "" for
// an unknown place.
func (c *Contract) Excerpt(p exchange.Place) string {
	if f := c.files[p.File]; f != nil {
		return f.Line(p, maxExcerpt)
	}
	return ""
}

// Description returns the summary and description of the object at a place, "" if none.
func (c *Contract) Description(p exchange.Place) string {
	if f := c.files[p.File]; f != nil {
		return f.Root.At(p.Pointer).Get("description").Str()
	}
	return ""
}

// PlaceOfName returns the place of the member's name for a value in an object, and p itself for other values. The
// pointer stays the same.
func (c *Contract) PlaceOfName(p exchange.Place) exchange.Place {
	f, end := c.files[p.File], strings.LastIndexByte(p.Pointer, '/')
	if f == nil || end < 0 {
		return p
	}
	parent, name := f.Root.At(p.Pointer[:end]), exchange.UnescapePointer(p.Pointer[end+1:])
	if parent.Get(name) == nil {
		return p
	}
	place := parent.PlaceOf(name)
	p.Line, p.Column = place.Line, place.Column
	return p
}

// IsJSON reports whether bodies of the media type are JSON: application/json,
// text/json and +json (RFC 6839 section 3.1).
func (m *MediaType) IsJSON() bool {
	return m.Subtype == "json" || strings.HasSuffix(m.Subtype, "+json")
}

// IsJWT reports whether bodies of the media type are JSON Web Tokens (RFC 7519 section 10.3.1, RFC 8417
// section 7.2).
func (m *MediaType) IsJWT() bool {
	return m.Type == "application" && (m.Subtype == "jwt" || strings.HasSuffix(m.Subtype, "+jwt"))
}

// IsFile reports whether bodies of the media type are files, not values that a schema describes: images, PDF, CSV,
// plain text. It returns false for a text whose schema has objects or lists, such as rows of CSV.
func (m *MediaType) IsFile() bool {
	switch {
	case m.IsJSON(), m.IsJWT(), m.Type == "multipart", m.Type == "*", m.Subtype == "xml",
		strings.HasSuffix(m.Subtype, "+xml") && m.Type != "image", strings.Contains(m.Subtype, "yaml"),
		m.Type == "text" && m.Schema != nil && m.Schema.isContainer():
		return false
	}
	return m.Subtype != "x-www-form-urlencoded" && !m.sequential()
}

// CarriesFile reports whether a body can contain a file: it is a file, or has parts.
func (m *MediaType) CarriesFile() bool { return m.Type == "multipart" || m.IsFile() }

// plainest are the media types that replace ranges.
var plainest = map[string]string{"*": "application/json", "application": "application/json", "text": "text/plain",
	"multipart": "multipart/form-data", "image": "image/png", "audio": "audio/mpeg", "video": "video/mp4",
	"font": "font/woff2", "model": "model/obj", "message": "message/rfc822"}

// IsRange reports whether the entry covers several media types: image/*, application/*+json.
func (m *MediaType) IsRange() bool { return strings.HasPrefix(m.Subtype, "*") }

// Concrete returns a media type that the entry covers: the entry itself, or the plainest member of a range.
func (m *MediaType) Concrete() string {
	suffix, hasSuffix := strings.CutPrefix(m.Subtype, "*")
	switch {
	case hasSuffix && suffix != "":
		return strings.Replace(m.Type, "*", "application", 1) + "/vnd.api" + suffix
	case m.Subtype == "*":
		return cmp.Or(plainest[m.Type], "application/octet-stream")
	}
	return m.Range
}

// sequential reports whether bodies of the media type are sequences of items (OpenAPI 3.2 section 4.14.4): JSON Lines
// under its several names, JSON text sequences (RFC 7464), server-sent events, and every multipart type except forms.
func (m *MediaType) sequential() bool {
	return m.IsJSONLines() || m.IsEvents() || m.Subtype == "json-seq" || strings.HasSuffix(m.Subtype, "+json-seq") ||
		m.Type == "multipart" && m.Subtype != "form-data"
}

// DescribesOne reports whether the schema of a sequence describes one of its items, as documents before OpenAPI 3.2
// have no itemSchema: JSON Lines that are no array, events whose data is an object.
func (m *MediaType) DescribesOne() bool {
	if m.Item != nil || m.Schema == nil {
		return false
	}
	types := m.Schema.Shape().LikelyTypes()
	return !types.Has(schema.Array) && (m.IsEvents() && types.Has(schema.Object) ||
		m.sequential() && !m.IsEvents() && m.Type != "multipart")
}

// IsJSONLines reports whether bodies of the media type are JSON Lines: one value a line.
func (m *MediaType) IsJSONLines() bool {
	switch m.Subtype {
	case "jsonl", "x-jsonl", "jsonlines", "x-jsonlines", "ndjson", "x-ndjson":
		return true
	}
	return false
}

// IsEvents reports whether bodies of the media type are server-sent events (WHATWG HTML section 9.2).
func (m *MediaType) IsEvents() bool { return m.Type == "text" && m.Subtype == "event-stream" }

// Check validates a body against the schema of the media type, and each item of
// a list against its itemSchema.
func (m *MediaType) Check(value any) []exchange.Finding { return m.CheckWithin(new(Allowance), value) }

// CheckWithin is Check for one of several values that share an allowance.
func (m *MediaType) CheckWithin(a *Allowance, value any) []exchange.Finding {
	var findings []exchange.Finding
	list, ok := value.([]any)
	item := m.Item
	if ok && m.DescribesOne() {
		item = m.Schema
	} else if m.Schema != nil {
		findings = m.Schema.CheckWithin(a, value, exchange.InBody, "")
	}
	if item == nil || !ok {
		return findings
	}
	for i, one := range list {
		if len(findings) >= maxFindings {
			break
		}
		for _, f := range item.CheckWithin(a, one, exchange.InBody, "") {
			f.Pointer = "/" + strconv.Itoa(i) + f.Pointer
			findings = append(findings, f)
		}
	}
	return findings
}

// Conforms reports whether Check finds nothing.
func (m *MediaType) Conforms(value any) bool {
	if m.Schema != nil && !m.Schema.Conforms(value) {
		return false
	}
	if list, ok := value.([]any); ok && m.Item != nil {
		for _, item := range list {
			if !m.Item.Conforms(item) {
				return false
			}
		}
	}
	return true
}
