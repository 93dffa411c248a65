package spec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

const (
	maxFileBytes     = 64 << 20      // of one file of a document
	maxBytes         = 256 << 20     // of all its files
	maxFiles         = 4096          // of one document
	maxDocumentDepth = tree.MaxDepth // of nested values
	fetchTimeout     = time.Minute   // for all files of a document
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
type DocumentError = tree.Error

// Load reads the document at location, a file or an http(s) URL, and compiles
// it. Faults that leave a meaning are in the contract's Findings; an error is a
// *DocumentError that says where and why the document means nothing.
func Load(ctx context.Context, location string, o Options) (*Contract, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTimeout)
	defer cancel()
	l := &loader{ctx: ctx, options: o, files: map[string]file{},
		gathered: map[*tree.File]bool{}, ids: map[idsKey]map[string]*tree.Node{},
		anchors: map[*tree.Node]map[string]*tree.Node{}, pointers: map[pointerKey]*tree.Node{},
		embedded: map[*tree.Node]bool{}}
	root, err := l.open(location)
	if err != nil {
		return nil, err
	}
	return l.compile(root)
}

// loader is the state of loading one document.
type loader struct {
	ctx       context.Context
	options   Options
	directory string          // of the document, ending in a slash, which $refs must not leave; "" where it has none
	files     map[string]file // by path and by the URL that was asked for
	bytes     int             // of all files
	findings  []exchange.Finding
	gathered  map[*tree.File]bool              // see gather
	ids       map[idsKey]map[string]*tree.Node // see identifiers

	anchors     map[*tree.Node]map[string]*tree.Node // of the resources that were asked for one
	pointers    map[pointerKey]*tree.Node            // where JSON Pointers lead; nil where they lead nowhere
	following   int                                  // how many references are being followed inside each other
	embedded    map[*tree.Node]bool                  // schemas that stand in another kind of object
	directional bool                                 // some property is readOnly or writeOnly
	dynamic     bool                                 // some schema has a $dynamicAnchor
}

// file is a file of the document, or why it cannot be had.
type file struct {
	*tree.File
	err error
}

// maxDocumentFindings bounds the findings on one document.
const maxDocumentFindings = 10_000

func (l *loader) find(f exchange.Finding) {
	if len(l.findings) < maxDocumentFindings {
		l.findings = append(l.findings, f)
	}
}

func (l *loader) fault(n *tree.Node, code, message string) {
	l.find(exchange.Finding{Code: code, Message: message, Document: n.Place()})
}

// dangling is the finding on a reference that leads nowhere.
func (l *loader) dangling(at *tree.Node, ref string, err error) {
	l.fault(at, "dangling-reference", "$ref "+exchange.Quote(ref)+": "+err.Error())
}

// wrongKind is the finding on a field whose value is of another kind than wanted.
func (l *loader) wrongKind(n *tree.Node, code, name, want string) {
	l.fault(n, code, exchange.Quote(name)+" must be "+want+", is "+n.Kind.String())
}

func (l *loader) warn(place exchange.Place, code, message string) {
	l.find(exchange.Finding{Code: code, Severity: exchange.Warning, Message: message, Document: place})
}

func (l *loader) open(location string) (*tree.File, error) {
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
	in, err := os.Open(absolute)
	if err != nil {
		return nil, unreadable(location, err)
	}
	defer in.Close()
	text, err := readAll(in)
	if err != nil {
		return nil, unreadable(location, err)
	}
	return l.add(location, absolute, text)
}

// unreadable says in words what the operating system says in codes.
func unreadable(name string, err error) error {
	message := "cannot read " + name + ": " + err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		message = "there is no file " + exchange.Quote(name) +
			"; name an OpenAPI document, or run without a name to serve the Plant Store"
	case errors.Is(err, fs.ErrPermission):
		message = "no permission to read " + exchange.Quote(name)
	}
	return &DocumentError{Message: message, Err: err}
}

func isURL(location string) bool {
	return strings.HasPrefix(location, "http://") || strings.HasPrefix(location, "https://")
}

// add reads a JSON or YAML text and keeps it under path.
func (l *loader) add(name, path string, text []byte) (*tree.File, error) {
	if l.bytes += len(text); l.bytes > maxBytes {
		return nil, &DocumentError{Message: fmt.Sprintf("the files of the document are larger than %d MiB together",
			maxBytes>>20)}
	}
	root, findings, err := tree.Read(name, text)
	if err != nil {
		return nil, err
	}
	l.findings = append(l.findings, findings[:min(len(findings), maxDocumentFindings-len(l.findings))]...)
	f := root.File
	f.Path = path
	l.files[path] = file{File: f}
	l.directional = l.directional || strings.Contains(f.Text, "readOnly") || strings.Contains(f.Text, "writeOnly")
	l.dynamic = l.dynamic || strings.Contains(f.Text, "$dynamicAnchor")
	return f, nil
}
