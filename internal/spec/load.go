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
	maxDocumentDepth = tree.MaxDepth // of nested values

	// DefaultMaxBytes and DefaultTimeout are those of Options.
	DefaultMaxBytes = 64 << 20
	DefaultTimeout  = loading.DefaultTimeout
)

// Options say how a document is loaded. The zero value is safe for documents that nobody has looked at.
type Options struct {
	// AllowExternal lets $refs leave Root and reach other hosts.
	AllowExternal bool
	// Root is the directory that the $refs of a file stay in. Default: the repository that the document is in, which
	// is the nearest folder above with .git in it, below the user's home; its own folder if it is in none. Hidden files
	// in it, whose names begin with a dot, are not read, except in the hidden folders that the document is in.
	Root string
	// IgnoreUnreadable has a $ref accept everything, with a finding, where its file cannot be read. By default a
	// document with such a $ref is not loaded.
	IgnoreUnreadable bool
	// AnswersAsWritten has responses break schemas whose closed parts forbid each other's properties, as JSON Schema has
	// it. By default the parts are read together, as in requests. Those who answer set it, those who test do not.
	AnswersAsWritten bool
	// MaxBytes is how many bytes one file of the document may have; all its files may have four times as many, and
	// together one value for 20 bytes of it, each of which takes some 150 bytes of memory. Default 64 MiB.
	MaxBytes int
	// Budget is how many values the files may have together. Default: what MaxBytes says.
	Budget *loading.Budget
	// Timeout is how long loading may take, with all files. Default 1 min.
	Timeout time.Duration
	// Text is the document itself, where it does not come from location, which then only names it.
	Text []byte
}

// DocumentError is a fault that keeps a document from being loaded at all.
type DocumentError = tree.Error

// Load reads the document at location, a file or an http(s) URL, and compiles
// it. Faults that leave a meaning are in the contract's Findings; an error is a
// *DocumentError that says where and why the document means nothing. It returns when the context is done, whatever
// the document has it do.
func Load(ctx context.Context, location string, o Options) (*Contract, error) {
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	o.Budget = cmp.Or(o.Budget, ValueBudget(o.MaxBytes))
	ctx, cancel := loading.WithTimeout(ctx, o.Timeout)
	defer cancel()
	l := &loader{ctx: ctx, options: o, files: map[string]file{},
		gathered: map[*tree.File]bool{}, ids: map[idsKey]map[string]*tree.Node{},
		anchors: map[*tree.Node]map[string]*tree.Node{}, pointers: map[pointerKey]*tree.Node{},
		embedded: map[*tree.Node]bool{}}
	contract, err := loading.Until(ctx, func() (*Contract, error) {
		root, err := l.open(location)
		if err != nil {
			return nil, err
		}
		contract, err := l.compile(root)
		if err == nil && l.unreadable != nil && !o.IgnoreUnreadable {
			return nil, l.unreadable
		}
		return contract, err
	})
	if ended, ok := errors.AsType[*loading.Ended](err); ok {
		return nil, &DocumentError{Place: exchange.Place{File: visible.WithoutUserinfo(location)}, Err: ended,
			Message: "loading the document ended: " + ended.Error()}
	}
	return contract, err
}

// bytesPerValue is how many bytes of the largest file there must be for each value.
const bytesPerValue = 20

// ValueBudget returns how many values the files of a document, and data with it, may have; most is as Options.MaxBytes.
func ValueBudget(most int) *loading.Budget {
	return loading.NewBudget(cmp.Or(most, DefaultMaxBytes)/bytesPerValue, "--max-document")
}

// ended reports whether nobody waits for the contract any more.
func (l *loader) ended() bool { return l.ctx.Err() != nil }

type loader struct {
	ctx       context.Context
	options   Options
	document  string          // its absolute path; "" if it is not a file
	directory string          // which $refs must not leave, that of a URL ending in a slash; "" for none
	files     map[string]file // by path and by the URL that was asked for
	bytes     int             // of all files
	hinted    int             // names that hints compared
	findings  []exchange.Finding

	unreadable *DocumentError                   // the first $ref whose file cannot be read
	gathered   map[*tree.File]bool              // see gather
	ids        map[idsKey]map[string]*tree.Node // see identifiers

	anchors     map[*tree.Node]map[string]*tree.Node // of the resources that were asked for one
	pointers    map[pointerKey]*tree.Node            // where JSON Pointers lead; nil where they lead nowhere
	following   int                                  // how many references are being followed inside each other
	embedded    map[*tree.Node]bool                  // schemas that stand in another kind of object
	directional bool                                 // requests and responses may be validated differently
	dynamic     bool                                 // some schema has a $dynamicAnchor
}

// maxDocumentFindings bounds the findings on one document.
const maxDocumentFindings = 10_000

func (l *loader) find(f exchange.Finding) {
	if len(l.findings) < maxDocumentFindings {
		l.findings = append(l.findings, f)
	}
}

// maxHints bounds the known names that unknown ones are compared with in all findings of a document.
const maxHints = 1_000_000

// hint is nearest.Hint while there are comparisons left.
func (l *loader) hint(word string, known []string) string {
	if l.hinted += len(known); l.hinted > maxHints {
		return ""
	}
	return nearest.Hint(word, known)
}

func (l *loader) fault(n *tree.Node, code, message string) {
	l.find(exchange.Finding{Code: code, Message: message, Document: n.Place()})
}

// unreadableError says why the file of a $ref cannot be had.
type unreadableError struct{ error }

func (l *loader) dangling(at *tree.Node, ref string, err error) {
	if _, ok := errors.AsType[unreadableError](err); ok && l.unreadable == nil {
		l.unreadable = &DocumentError{Place: at.Place(), Message: "$ref " + exchange.Quote(ref) + " cannot be read: " +
			err.Error() + "; to have what cannot be read accept everything, give --ignore-unreadable-refs", Err: err}
	}
	l.fault(at, "dangling-reference", "$ref "+exchange.Quote(ref)+": "+err.Error())
}

func (l *loader) wrongKind(n *tree.Node, code, name, want string) {
	l.fault(n, code, exchange.Quote(name)+" must be "+want+", is "+n.Kind.String())
}

func (l *loader) warn(place exchange.Place, code, message string) {
	l.find(exchange.Finding{Code: code, Severity: exchange.Warning, Message: message, Document: place})
}
