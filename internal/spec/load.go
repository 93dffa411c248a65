package spec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	maxFileBytes     = 64 << 20 // of one file of a document
	maxFiles         = 4096     // of one document
	maxDocumentDepth = 200      // of nested values; jsontext has its own for JSON
	fetchTimeout     = 30 * time.Second
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
// it. Faults that leave a meaning are in the
// contract's Findings; an error is a *DocumentError that says where and why
// the document means nothing.
func Load(ctx context.Context, location string, o Options) (*Contract, error) {
	l := &loader{ctx: ctx, options: o, files: map[string]*file{}}
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
	directory string           // of the document, which $refs must not leave; "" where it has none
	files     map[string]*file // by file.path
	findings  []exchange.Finding
	names     map[string]int // of the members of namesOf, while it is large and being read
	namesOf   *Node
}

func (l *loader) find(f exchange.Finding) { l.findings = append(l.findings, f) }

func (l *loader) open(location string) (*file, error) {
	switch {
	case l.options.Text != nil:
		return l.add(location, location, l.options.Text)
	case isURL(location):
		text, err := l.fetch(location)
		if err != nil {
			return nil, err
		}
		return l.add(location, location, text)
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
	if len(l.files) >= maxFiles {
		return nil, &DocumentError{Message: fmt.Sprintf("the document refers to more than %d files", maxFiles)}
	}
	content := strings.TrimPrefix(string(text), "\ufeff")
	f := newFile(name, path, content)
	l.files[path] = f
	if start := strings.TrimLeft(content, " \t\r\n"); strings.HasPrefix(start, "{") || strings.HasPrefix(start, "[") {
		root, syntax := l.readJSON(f)
		if syntax == nil {
			f.root = root
			return f, nil
		}
		if strings.HasSuffix(path, ".json") {
			return nil, &DocumentError{
				Place:   exchange.Place{File: name, Line: syntax.Line, Column: syntax.Column, Pointer: syntax.Pointer},
				Message: "this is not well-formed JSON: " + syntax.Message,
				Err:     syntax,
			}
		}
	}
	root, err := l.readYAML(f)
	f.root = root
	return f, err
}

// reference gives the file that a $ref in from names, reading it where that is
// allowed.
func (l *loader) reference(from *file, ref string) (*file, error) {
	target, err := l.target(from, ref)
	if err != nil {
		return nil, err
	}
	if f, ok := l.files[target]; ok {
		if f.root == nil {
			return nil, errors.New("it could not be read")
		}
		return f, nil
	}
	var text []byte
	name := target
	switch {
	case isURL(target):
		text, err = l.fetch(target)
	case l.options.AllowExternal:
		text, err = readFile(target)
	default:
		text, err = l.readInside(target)
	}
	if err != nil {
		return nil, err
	}
	if !isURL(target) {
		name = l.relative(target)
	}
	return l.add(name, target, text)
}

// target makes a $ref absolute and refuses it where it leaves the document's
// directory or host.
func (l *loader) target(from *file, ref string) (string, error) {
	if isURL(ref) || isURL(from.path) {
		base, err := url.Parse(from.path)
		if err != nil || !isURL(from.path) {
			base = &url.URL{}
		}
		u, err := base.Parse(ref)
		if err != nil {
			return "", errors.New("it is no URL")
		}
		u.Fragment = ""
		if !l.options.AllowExternal && (u.Host != base.Host || !strings.HasPrefix(path.Clean(u.Path), path.Dir(base.Path))) {
			return "", errors.New("it leaves the document's directory; allow that with --allow-external-refs if you trust the document")
		}
		return u.String(), nil
	}
	if unescaped, err := url.PathUnescape(ref); err == nil {
		ref = unescaped
	}
	if filepath.IsAbs(ref) {
		return filepath.Clean(ref), nil
	}
	return filepath.Join(filepath.Dir(from.path), filepath.FromSlash(ref)), nil
}

// readInside reads a file through the document's directory, so that neither
// ".." nor a symbolic link leads out of it.
func (l *loader) readInside(target string) ([]byte, error) {
	outside := errors.New("it leaves the document's directory; allow that with --allow-external-refs if you trust the document")
	if l.directory == "" {
		return nil, outside
	}
	relative, err := filepath.Rel(l.directory, target)
	if err != nil || !filepath.IsLocal(relative) {
		return nil, outside
	}
	root, err := os.OpenRoot(l.directory)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	in, err := root.Open(relative)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readAll(in)
}

// relative names a file as the reader of findings would: as the document was
// named.
func (l *loader) relative(target string) string {
	if working, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(working, target); err == nil && filepath.IsLocal(name) {
			return name
		}
	}
	return target
}

func readFile(name string) ([]byte, error) {
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return readAll(in)
}

func readAll(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if err == nil && len(text) > maxFileBytes {
		err = fmt.Errorf("it is larger than %d MiB", maxFileBytes>>20)
	}
	return text, err
}

func (l *loader) fetch(location string) ([]byte, error) {
	client := http.Client{Timeout: fetchTimeout}
	request, err := http.NewRequestWithContext(l.ctx, http.MethodGet, location, nil)
	if err != nil {
		return nil, &DocumentError{Message: "cannot fetch " + location + ": " + err.Error(), Err: err}
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, &DocumentError{Message: "cannot fetch " + location + ": " + err.Error(), Err: err}
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, &DocumentError{Message: "cannot fetch " + location + ": the server answers " + response.Status}
	}
	text, err := readAll(response.Body)
	if err != nil {
		return nil, &DocumentError{Message: "cannot fetch " + location + ": " + err.Error(), Err: err}
	}
	return text, nil
}

// quote gives a name in double quotes, cut where it is too long to read.
func quote(name string) string {
	if runes := []rune(name); len(runes) > 80 {
		name = string(runes[:79]) + "…"
	}
	return strconv.Quote(name)
}
