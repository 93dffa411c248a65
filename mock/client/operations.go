package client

import (
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"time"
)

// Operation is an operation of the document.
type Operation struct {
	Operation  string   `json:"operation"` // operationId or "METHOD path"
	Method     string   `json:"method"`
	Path       string   `json:"path"` // as in the document
	Summary    string   `json:"summary,omitempty"`
	Tags       []string `json:"tags,omitempty"`
	Deprecated bool     `json:"deprecated,omitempty"`
	Place      Place    `json:"place"`
	Statuses   []string `json:"statuses"`           // of documented responses: 200, 4XX, default
	Resource   *Role    `json:"resource,omitempty"` // nil if it keeps and shows no items
}

// Place is a place in the document.
type Place struct {
	Pointer string `json:"pointer,omitempty"` // JSON Pointer from the root of the file
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"` // in characters
}

// Role is what an operation does to the items of a resource.
type Role struct {
	Collection string `json:"collection"` // the resource's name in a plan
	Does       string `json:"does"`       // create, read, list, update and others
	Reason     string `json:"reason"`     // why, by the inference
}

// OperationDetails describe an operation completely. Schemas are as in the document, with the targets of their
// references in their places.
type OperationDetails struct {
	Operation
	Description string      `json:"description,omitempty"`
	Parameters  []Parameter `json:"parameters"`
	Body        *Body       `json:"body,omitempty"` // nil if the document describes none
	Responses   []Response  `json:"responses"`
	// Security lists alternatives, of which one must be met completely. Empty means that no credentials are required.
	Security [][]Need `json:"security"`
	Sample   *Sample  `json:"sample,omitempty"` // a conforming request; nil if none can be generated
}

// Parameter is a parameter of an operation.
type Parameter struct {
	In          string          `json:"in"` // path, query, querystring, header or cookie
	Name        string          `json:"name"`
	Required    bool            `json:"required,omitempty"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty"`
	Example     json.RawMessage `json:"example,omitempty"`
}

// Body is the request body of an operation.
type Body struct {
	Required   bool                 `json:"required,omitempty"`
	MediaTypes map[string]MediaType `json:"mediaTypes"`
}

// MediaType is the schema and the first example of a media type.
type MediaType struct {
	Schema  json.RawMessage `json:"schema,omitempty"`
	Example json.RawMessage `json:"example,omitempty"`
}

// Response is a documented response.
type Response struct {
	Status      string               `json:"status"` // 200, 2XX or default
	Description string               `json:"description,omitempty"`
	MediaTypes  map[string]MediaType `json:"mediaTypes"`
	Examples    []string             `json:"examples,omitempty"` // names, for Prefer: example
}

// Need is a security scheme that a request must satisfy.
type Need struct {
	Scheme string   `json:"scheme"`         // its name in the document
	Type   string   `json:"type"`           // apiKey, http, oauth2, openIdConnect or mutualTLS
	HTTP   string   `json:"http,omitempty"` // bearer, basic and others, for the type http
	In     string   `json:"in,omitempty"`   // where requests have the credential
	Name   string   `json:"name,omitempty"` // of the parameter that has it
	Scopes []string `json:"scopes,omitempty"`
}

// Sample is a request to send.
type Sample struct {
	Method  string            `json:"method"`
	Target  string            `json:"target"` // path and query
	Headers map[string]string `json:"headers,omitempty"`
	Body    string            `json:"body,omitempty"`   // if it is text
	Base64  []byte            `json:"base64,omitempty"` // if it is not
}

// Document is the document that a mock serves.
type Document struct {
	Title    string    `json:"title"`
	Version  string    `json:"version"` // of the API
	File     string    `json:"file"`    // as it was given
	SHA256   string    `json:"sha256"`  // of all files
	Files    []File    `json:"files"`   // the document, then the files that it refers to
	Findings []Warning `json:"findings"`
	LoadedAt time.Time `json:"loadedAt"`
	Reload   *struct {
		At    time.Time `json:"at"`
		Error string    `json:"error"`
	} `json:"reload"` // the last attempt to load it again, if that failed; else nil
	ReadOnly  bool `json:"readOnly"`  // pages in a browser cannot change anything
	AllowEdit bool `json:"allowEdit"` // scenarios can be saved
}

// File is a file of a document.
type File struct {
	File  string `json:"file"` // as places name it
	Lines int    `json:"lines"`
}

// Document returns the document that the mock serves.
func (c *Client) Document(ctx context.Context) (Document, error) {
	return get[Document](ctx, c, "document", nil)
}

// Lines returns at most 400 lines of one of the document's files, counted from 1; "" is the document itself.
func (c *Client) Lines(ctx context.Context, file string, from, to int) ([]string, error) {
	q := url.Values{"file": {file}, "from": {strconv.Itoa(from)}, "to": {strconv.Itoa(to)}}
	text, err := get[struct{ Lines []string }](ctx, c, "document/lines", q)
	return text.Lines, err
}

// Plan is what the inference concludes about a document, as coldframe plan --json prints it.
type Plan struct {
	Resources  []PlannedResource  `json:"resources"`
	Operations []PlannedOperation `json:"operations"`
}

// PlannedResource is a collection of items, or a singleton.
type PlannedResource struct {
	Name      string `json:"name"`
	Singleton bool   `json:"singleton"`
	Parent    string `json:"parent"` // "" if none
}

// PlannedOperation is what an operation does to items.
type PlannedOperation struct {
	Method       string  `json:"method"`
	Path         string  `json:"path"`
	OperationID  string  `json:"operationId"`
	Resource     string  `json:"resource"` // "" if none
	Role         string  `json:"role"`
	Confidence   float64 `json:"confidence"` // from 0 to 1
	Reason       string  `json:"reason"`
	NotSimulated []Note  `json:"notSimulated"`
}

// Resources returns what the inference concludes about the document.
func (c *Client) Resources(ctx context.Context) (Plan, error) {
	return get[Plan](ctx, c, "resources", nil)
}

// Operations returns the operations of the document, in its order.
func (c *Client) Operations(ctx context.Context) ([]Operation, error) {
	list, err := get[struct{ Operations []Operation }](ctx, c, "operations", nil)
	return list.Operations, err
}

// Operation returns one operation by its operationId or "METHOD path".
func (c *Client) Operation(ctx context.Context, name string) (OperationDetails, error) {
	return get[OperationDetails](ctx, c, "operations/"+url.PathEscape(name), nil)
}
