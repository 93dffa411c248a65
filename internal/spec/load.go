package spec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	maxFileBytes     = 64 << 20    // of one file of a document
	maxBytes         = 256 << 20   // of all its files
	maxFiles         = 4096        // of one document
	maxDocumentDepth = 200         // of nested values; jsontext has its own for JSON
	fetchTimeout     = time.Minute // for all files of a document
)

// Options say how a document is loaded. The zero value is safe for documents
// that nobody has looked at.
type Options struct {
	// AllowExternal lets $refs leave the directory of the document and reach
	// other hosts. By default they stay inside it.
	AllowExternal bool
	// Text is the document itself, where it does not come from location, which
	// then only names it.
	Text []byte
}

// DocumentError is a fault that keeps a document from being loaded at all.
type DocumentError struct {
	Place   exchange.Place
	Message string
	Err     error // what was underneath, or nil
}

func (e *DocumentError) Error() string {
	if place := e.Place.String(); place != "" {
		return place + ": " + e.Message
	}
	return e.Message
}

func (e *DocumentError) Unwrap() error { return e.Err }

// Load reads the document at location, a file or an http(s) URL, and compiles
// it. Faults that leave a meaning are in the contract's Findings; an error is a
// *DocumentError that says where and why the document means nothing.
func Load(ctx context.Context, location string, o Options) (*Contract, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	l := &loader{
		ctx:      ctx,
		options:  o,
		files:    map[string]*file{},
		failed:   map[string]error{},
		anchors:  map[*Node]map[string]*Node{},
		embedded: map[*Node]bool{},
		pointers: map[pointerKey]*Node{},
	}
	root, err := l.open(location)
	if err != nil {
		return nil, err
	}
	return l.compile(root)
}

// loader holds what one document needs while it is loaded.
type loader struct {
	ctx       context.Context
	options   Options
	directory string           // of the document, ending in a slash, which $refs must not leave; "" where it has none
	files     map[string]*file // by file.path
	failed    map[string]error // why a file cannot be had
	bytes     int              // of all files
	findings  []exchange.Finding
	names     map[*Node]map[string]int // of the members of large objects, while a file is read
	unsorted  []*Node                  // whose members are not in the order of their offsets

	anchors     map[*Node]map[string]*Node // of the resources that were asked for one
	pointers    map[pointerKey]*Node       // where JSON Pointers lead
	following   int                        // how many references are being followed inside each other
	embedded    map[*Node]bool             // schemas that stand in another kind of object
	directional bool                       // some property is readOnly or writeOnly
	dynamic     bool                       // some schema has a $dynamicAnchor
}

// maxDocumentFindings bounds what is said of one document.
const maxDocumentFindings = 10_000

func (l *loader) find(f exchange.Finding) {
	if len(l.findings) < maxDocumentFindings {
		l.findings = append(l.findings, f)
	}
}

func (l *loader) open(location string) (*file, error) {
	switch {
	case l.options.Text != nil:
		return l.add(location, location, l.options.Text)
	case isURL(location):
		text, final, err := l.fetch(location, nil)
		if err != nil {
			return nil, &DocumentError{Message: "cannot fetch " + location + ": " + err.Error(), Err: err}
		}
		l.directory = directoryURL(final)
		return l.add(location, final.String(), text)
	}
	absolute, err := filepath.Abs(location)
	if err != nil {
		return nil, &DocumentError{Message: err.Error(), Err: err}
	}
	l.directory = filepath.Dir(absolute)
	text, err := readFile(absolute)
	if err != nil {
		return nil, fileError(location, err)
	}
	return l.add(location, absolute, text)
}

// fileError says in words what the operating system says in codes.
func fileError(name string, err error) error {
	message := "cannot read " + name + ": " + err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		message = "there is no file " + quote(name) + "; name an OpenAPI document, or run without a name to serve the Plant Store"
	case errors.Is(err, fs.ErrPermission):
		message = "no permission to read " + quote(name)
	}
	return &DocumentError{Message: message, Err: err}
}

func isURL(location string) bool {
	return strings.HasPrefix(location, "http://") || strings.HasPrefix(location, "https://")
}

// add parses a text as JSON or YAML and keeps it under path.
func (l *loader) add(name, path string, text []byte) (*file, error) {
	if l.bytes += len(text); l.bytes > maxBytes {
		return nil, &DocumentError{Message: fmt.Sprintf("the files of the document are larger than %d MiB together", maxBytes>>20)}
	}
	content := strings.ToValidUTF8(strings.TrimPrefix(string(text), "\ufeff"), "\ufffd")
	f := newFile(name, path, content)
	root, err := l.parse(f)
	l.sortMembers()
	if err != nil {
		return nil, err
	}
	f.root = root
	l.files[path] = f
	l.directional = l.directional || strings.Contains(content, "readOnly") || strings.Contains(content, "writeOnly")
	l.dynamic = l.dynamic || strings.Contains(content, "$dynamicAnchor")
	return f, nil
}

func (l *loader) parse(f *file) (*Node, error) {
	if start := strings.TrimLeft(f.text, " \t\r\n"); !strings.HasPrefix(start, "{") && !strings.HasPrefix(start, "[") {
		return l.readYAML(f)
	}
	found := len(l.findings)
	root, syntax := l.readJSON(f)
	if syntax == nil {
		return root, nil
	}
	l.findings = l.findings[:found]
	place := exchange.Place{File: f.name, Line: syntax.Line, Column: syntax.Column, Pointer: syntax.Pointer}
	root, err := l.readYAML(f)
	switch {
	case !strings.HasSuffix(f.path, ".json"):
	case err != nil:
		return nil, &DocumentError{Place: place, Message: "this is not well-formed JSON: " + syntax.Message, Err: syntax}
	default:
		l.find(exchange.Finding{Code: "malformed-json", Message: "this is not well-formed JSON: " + syntax.Message + "; it is read as YAML", Document: place})
	}
	return root, err
}

// quote gives a name in double quotes, cut where it is too long to read.
func quote(name string) string {
	if runes := []rune(name); len(runes) > 80 {
		name = string(runes[:79]) + "…"
	}
	return strconv.Quote(name)
}
