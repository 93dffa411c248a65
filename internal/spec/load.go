package spec

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/loading"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/visible"
)

const (
	maxDocumentDepth = tree.MaxDepth // nesting depth of values

	// DefaultMaxBytes and DefaultTimeout are the defaults of Options.
	DefaultMaxBytes = 64 << 20
	DefaultTimeout  = loading.DefaultTimeout
)

// Options configure loading. The zero value is safe for untrusted documents.
type Options struct {
	// AllowExternal lets $refs leave Root and reach other hosts.
	AllowExternal bool
	// Root is the directory that the $refs of a file must stay in. Default: the document's repository (the nearest
	// folder above it with .git in it, below the user's home); its own folder if there is none. Hidden files in Root,
	// whose names begin with a dot, are not read, except in hidden folders that contain the document.
	Root string
	// IgnoreUnreadable makes a $ref whose file cannot be read accept everything, with a finding. By default a
	// document with such a $ref is not loaded.
	IgnoreUnreadable bool
	// AnswersAsWritten lets responses violate schemas whose closed parts forbid each other's properties, as JSON
	// Schema defines it. By default the parts are read together, as in requests. The mock sets it, the tester does
	// not.
	AnswersAsWritten bool
	// MaxBytes is the largest size of one file of the document in bytes. All its files together may have four times
	// as many bytes, and one value for each 20 bytes of MaxBytes; a value takes about 150 bytes of memory. Default 64
	// MiB.
	MaxBytes int
	// Budget limits the values of all files together. Default: as MaxBytes says.
	Budget *loading.Budget
	// Timeout limits the time for loading all files. Default 1 min.
	Timeout time.Duration
	// Text is the document itself, if it does not come from location. location is then only its name.
	Text []byte
	// Source has the document and the files that it refers to, instead of the disk. location is then a path in it.
	Source Source
}

// DocumentError is a fault that prevents loading a document.
type DocumentError = tree.Error

// Load reads the document at location, a file or an http(s) URL, and compiles it. Repairable faults are in the
// contract's Findings; an error is a *DocumentError that says where and why the document cannot be used. Load returns
// when the context is done, whatever the document contains.
func Load(ctx context.Context, location string, o Options) (*Contract, error) {
	return load(ctx, location, o, (*loader).compile)
}

// load reads the document at location and returns what read makes of it.
func load[T any](
	ctx context.Context, location string, o Options, read func(*loader, *tree.File) (*T, error),
) (*T, error) {
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	o.Budget = cmp.Or(o.Budget, ValueBudget(o.MaxBytes))
	ctx, cancel := loading.WithTimeout(ctx, o.Timeout)
	defer cancel()
	l := &loader{ctx: ctx, options: o, files: map[string]file{},
		gathered: map[*tree.File]bool{}, ids: map[idsKey]map[string]*tree.Node{},
		anchors: map[*tree.Node]map[string]*tree.Node{}, pointers: map[pointerKey]*tree.Node{},
		embedded: map[*tree.Node]bool{}}
	made, err := loading.Until(ctx, func() (*T, error) {
		root, err := l.open(location)
		if err != nil {
			return nil, err
		}
		made, err := read(l, root)
		if err == nil && l.unreadable != nil && !o.IgnoreUnreadable {
			return nil, l.unreadable
		}
		return made, err
	})
	if ended, ok := errors.AsType[*loading.Ended](err); ok {
		return nil, &DocumentError{Place: exchange.Place{File: visible.WithoutUserinfo(location)}, Err: ended,
			Message: "loading the document ended: " + ended.Error()}
	}
	return made, err
}

// bytesPerValue is the number of bytes of MaxBytes for each value.
const bytesPerValue = 20

// ValueBudget returns the budget of values for the files of a document and its data; most is Options.MaxBytes.
func ValueBudget(most int) *loading.Budget {
	return loading.NewBudget(cmp.Or(most, DefaultMaxBytes)/bytesPerValue, "--max-document")
}

// ended reports whether loading was cancelled.
func (l *loader) ended() bool { return l.ctx.Err() != nil }

type loader struct {
	ctx       context.Context
	options   Options
	document  string          // absolute path; "" if the document is not a file
	directory string          // the root of $refs; a URL's ends in a slash; "" if none
	files     map[string]file // by path and by requested URL
	bytes     int             // of all files
	hinted    int             // the number of names that hints compared
	findings  []exchange.Finding

	unreadable *DocumentError                   // the first unreadable $ref
	gathered   map[*tree.File]bool              // see gather
	ids        map[idsKey]map[string]*tree.Node // see identifiers

	anchors     map[*tree.Node]map[string]*tree.Node // of the resources in which an anchor was looked up
	pointers    map[pointerKey]*tree.Node            // targets of JSON Pointers; nil for dangling ones
	following   int                                  // the number of nested references being followed
	embedded    map[*tree.Node]bool                  // schemas inside another kind of object
	directional bool                                 // requests and responses may need different validation
	dynamic     bool                                 // some schema has a $dynamicAnchor
}

// maxDocumentFindings limits the findings on one document.
const maxDocumentFindings = 10_000

func (l *loader) find(f exchange.Finding) {
	if len(l.findings) < maxDocumentFindings {
		l.findings = append(l.findings, f)
	}
}

// maxHints limits the comparisons of unknown with known names in all findings of a document.
const maxHints = 1_000_000

// hint is nearest.Hint until maxHints is reached.
func (l *loader) hint(word string, known []string) string {
	if l.hinted += len(known); l.hinted > maxHints {
		return ""
	}
	return nearest.Hint(word, known)
}

func (l *loader) fault(n *tree.Node, code, message string) {
	l.find(exchange.Finding{Code: code, Message: message, Document: n.Place()})
}

// unreadableError says why the file of a $ref cannot be read.
type unreadableError struct{ error }

func (l *loader) dangling(at *tree.Node, ref string, err error) {
	if _, ok := errors.AsType[unreadableError](err); ok && l.unreadable == nil {
		l.unreadable = &DocumentError{Place: at.Place(), Message: "$ref " + exchange.Quote(ref) + " cannot be read: " +
			err.Error() + "; to accept everything in its place, use --ignore-unreadable-refs", Err: err}
	}
	l.fault(at, "dangling-reference", "$ref "+exchange.Quote(ref)+": "+err.Error())
}

func (l *loader) wrongKind(n *tree.Node, code, name, want string) {
	l.fault(n, code, exchange.Quote(name)+" must be "+want+", is "+n.Kind.String())
}

func (l *loader) warn(place exchange.Place, code, message string) {
	l.find(exchange.Finding{Code: code, Severity: exchange.Warning, Message: message, Document: place})
}
