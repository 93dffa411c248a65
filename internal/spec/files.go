package spec

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/internal/visible"
)

const maxFiles = 4096 // of one document

// file is a file of the document, or the error of reading it.
type file struct {
	*tree.File
	err error
}

func (l *loader) open(location string) (*tree.File, error) {
	switch {
	case l.options.Text != nil:
		return l.add(location, location, string(l.options.Text))
	case l.options.Source != nil:
		l.document = location
		f, err := l.readSource(location)
		if _, ok := errors.AsType[*DocumentError](err); err != nil && !ok {
			err = &DocumentError{Message: "cannot read " + l.options.Source.Name(location) + ": " + err.Error(), Err: err}
		}
		return f, err
	case isURL(location):
		text, final, err := l.fetch(location, nil)
		if err != nil {
			message := "cannot fetch " + visible.WithoutUserinfo(location) + ": " + err.Error()
			return nil, &DocumentError{Message: message, Err: err}
		}
		folder := path.Dir(path.Clean("/" + final.Path))
		l.directory = final.Scheme + "://" + final.Host + strings.TrimSuffix(folder, "/") + "/"
		return l.add(location, final.String(), text)
	}
	absolute, err := filepath.Abs(location)
	if err != nil {
		return nil, &DocumentError{Message: err.Error(), Err: err}
	}
	if l.directory, err = l.options.root(absolute); err != nil {
		return nil, err
	}
	l.document = absolute
	in, err := os.Open(absolute)
	if err != nil {
		return nil, unreadable(location, err)
	}
	defer in.Close()
	text, err := l.readAll(in)
	if err != nil {
		return nil, unreadable(location, err)
	}
	return l.add(location, absolute, text)
}

// unreadable turns error codes of the operating system into messages.
func unreadable(name string, err error) error {
	message := "cannot read " + name + ": " + err.Error()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		message = "there is no file " + exchange.Quote(name) + nearest.File(name)
	case errors.Is(err, fs.ErrPermission):
		message = "no permission to read " + exchange.Quote(name)
	}
	return &DocumentError{Message: message, Err: err}
}

func isURL(location string) bool {
	return strings.HasPrefix(location, "http://") || strings.HasPrefix(location, "https://")
}

// add reads a JSON or YAML text and stores it under path.
func (l *loader) add(name, path, text string) (*tree.File, error) {
	most := l.options.MaxBytes
	if l.bytes += len(text); len(text) > most || l.bytes/4 > most {
		return nil, &DocumentError{Place: exchange.Place{File: visible.WithoutUserinfo(name)},
			Message: fmt.Sprintf("the document is larger than "+
				"%d MiB a file or %d MiB together; raise --max-document to load it", most>>20, most>>18)}
	}
	if err := l.options.Budget.Take(text); err != nil {
		return nil, &DocumentError{Place: exchange.Place{File: visible.WithoutUserinfo(name)},
			Message: err.Error() + ", or leave out large examples"}
	}
	root, findings, err := tree.ReadString(visible.WithoutUserinfo(name), text)
	if err != nil {
		return nil, err
	}
	l.findings = append(l.findings, findings[:min(len(findings), maxDocumentFindings-len(l.findings))]...)
	f := root.File
	f.Path = path
	l.files[path] = file{File: f}
	l.directional = l.directional || strings.Contains(f.Text, "readOnly") || strings.Contains(f.Text, "writeOnly") ||
		l.options.AnswersAsWritten && closed.Get().MatchString(f.Text)
	l.dynamic = l.dynamic || strings.Contains(f.Text, "$dynamicAnchor")
	return f, nil
}

// reference returns the file that a $ref in from names, and reads it if that is allowed.
func (l *loader) reference(from *tree.File, ref string) (*tree.File, error) {
	target, err := l.target(from, ref)
	if err != nil {
		return nil, unreadableError{err}
	}
	f, ok := l.files[target]
	if !ok {
		if f.File, err = l.read(target); err != nil {
			f.err = unreadableError{err}
		}
		l.files[target] = f
	}
	return f.File, f.err
}

func (l *loader) read(target string) (*tree.File, error) {
	if err := l.ctx.Err(); err != nil { // loading is over
		return nil, err
	}
	if len(l.files) >= maxFiles {
		return nil, fmt.Errorf("the document refers to more than %d files", maxFiles)
	}
	if isURL(target) {
		text, final, err := l.fetch(target, l.allowed)
		if err != nil {
			return nil, err
		}
		return l.add(target, final.String(), text)
	}
	if l.options.Source != nil {
		return l.readSource(target)
	}
	open := l.openInside
	if l.options.AllowExternal {
		open = openRegular
	}
	in, err := open(target)
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		return nil, failed.Err
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	text, err := l.readAll(in)
	if err != nil {
		return nil, err
	}
	return l.add(relative(target), target, text)
}

// readSource reads a file of Options.Source. Symbolic links lead nowhere there.
func (l *loader) readSource(name string) (*tree.File, error) {
	if !filepath.IsLocal(name) {
		return nil, errors.New("it is not one of the document's files")
	}
	if hiddenBeside(l.document, name) {
		return nil, errHidden
	}
	file := filepath.ToSlash(name)
	text, err := l.options.Source.Read(l.ctx, file, l.options.MaxBytes)
	if err != nil {
		return nil, err
	}
	return l.add(l.options.Source.Name(file), name, text)
}

func (l *loader) target(from *tree.File, ref string) (string, error) {
	if isURL(ref) || isURL(from.Path) {
		base, err := url.Parse(from.Path)
		if err != nil || !isURL(from.Path) {
			base = &url.URL{}
		}
		u, err := base.Parse(ref)
		if err != nil {
			return "", errors.New("it is no URL")
		}
		u.Fragment = ""
		return u.String(), l.allowed(u)
	}
	if unescaped, err := url.PathUnescape(ref); err == nil {
		ref = unescaped
	}
	if strings.ContainsRune(ref, 0) {
		return "", errors.New("it is no file name")
	}
	if filepath.IsAbs(ref) {
		return filepath.Clean(ref), nil
	}
	return filepath.Join(filepath.Dir(from.Path), filepath.FromSlash(ref)), nil
}

// allowed refuses a URL outside the document's directory.
func (l *loader) allowed(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("only files, http and https can be referred to")
	}
	if l.options.AllowExternal {
		return nil
	}
	clean := *u
	clean.Path = path.Clean("/" + u.Path)
	if !isURL(l.directory) || !strings.HasPrefix(clean.Scheme+"://"+clean.Host+clean.Path, l.directory) {
		return errOutside
	}
	return nil
}

// errIrregular refuses a pipe, because opening it would wait for a writer.
var errIrregular = errors.New("it is no regular file")

func openRegular(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	return os.Open(name)
}

// relative names a file for readers of findings: relative to the working directory if it is below it.
func relative(target string) string {
	if working, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(working, target); err == nil && filepath.IsLocal(name) {
			return name
		}
	}
	return target
}

func (l *loader) readAll(in io.Reader) (string, error) {
	most := l.options.MaxBytes
	var text strings.Builder
	if file, ok := in.(*os.File); ok {
		if info, err := file.Stat(); err == nil { // sizes the buffer: growing it allocates 7 MB for GitHub's document
			text.Grow(int(min(info.Size(), int64(most))))
		}
	}
	_, err := io.Copy(&text, io.LimitReader(in, int64(most)+1))
	if err == nil && text.Len() > most {
		err = fmt.Errorf("it is larger than %d MiB; raise --max-document to load it", most>>20)
	}
	return text.String(), err
}

// fetch returns a text and its final URL. allowed, if given, decides whether to follow each redirect.
func (l *loader) fetch(location string, allowed func(*url.URL) error) (string, *url.URL, error) {
	client := http.Client{CheckRedirect: func(r *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("it redirects more than 10 times")
		}
		if allowed != nil {
			return allowed(r.URL)
		}
		return nil
	}}
	request, err := http.NewRequestWithContext(l.ctx, http.MethodGet, location, nil)
	if err != nil { // the error may contain the password
		return "", nil, errors.New("it is no URL; is its password percent-encoded?")
	}
	request.Header.Set("Accept", "application/yaml, application/json, text/*;q=0.9, */*;q=0.8")
	response, err := client.Do(request)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return "", nil, failed.Err
	}
	if err != nil {
		return "", nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", nil, errors.New("the server answers " + response.Status)
	}
	text, err := l.readAll(response.Body)
	return text, response.Request.URL, err
}

// gather reads the files that references below n name, so that the whole document is known before its schemas are
// translated. A file that cannot be read becomes a finding when its reference is followed.
func (l *loader) gather(f *tree.File) {
	if l.gathered[f] || !strings.Contains(f.Text, "$ref") {
		return
	}
	l.gathered[f] = true
	var walk func(n *tree.Node)
	walk = func(n *tree.Node) {
		if ref := n.Get("$ref").Str(); ref != "" && ref[0] != '#' {
			location, _, _ := strings.Cut(ref, "#")
			if found, err := l.identified(n, location, "$id"); err == nil && found.File != f {
				l.gather(found.File)
			}
		}
		for child := range n.Children() {
			walk(child)
		}
	}
	walk(f.Root)
}
