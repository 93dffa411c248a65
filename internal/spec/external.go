package spec

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/internal/tree"
)

var errOutside = errors.New("it leaves the document's directory; allow that with --allow-external-refs if you trust the document")

// reference gives the file that a $ref in from names, reading it where that is
// allowed.
func (l *loader) reference(from *tree.File, ref string) (*tree.File, error) {
	target, err := l.target(from, ref)
	if err != nil {
		return nil, err
	}
	f, ok := l.files[target]
	if !ok {
		f.File, f.err = l.read(target)
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
	open := l.openInside
	if l.options.AllowExternal {
		open = os.Open
	}
	in, err := open(target)
	if failed := (*os.PathError)(nil); errors.As(err, &failed) {
		return nil, failed.Err
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if info, err := in.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("it is no regular file")
	}
	text, err := readAll(in)
	if err != nil {
		return nil, err
	}
	return l.add(relative(target), target, text)
}

// target makes a $ref absolute.
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

// directoryURL gives the URL of the directory that a document's URL is in, as
// allowed compares it.
func directoryURL(u *url.URL) string {
	directory := path.Dir(path.Clean("/" + u.Path))
	return u.Scheme + "://" + u.Host + strings.TrimSuffix(directory, "/") + "/"
}

// openInside opens a file through the document's directory, so that neither
// ".." nor a symbolic link leads out of it.
func (l *loader) openInside(target string) (*os.File, error) {
	if l.directory == "" || isURL(l.directory) {
		return nil, errOutside
	}
	relative, err := filepath.Rel(l.directory, target)
	if err != nil || !filepath.IsLocal(relative) {
		return nil, errOutside
	}
	root, err := os.OpenRoot(l.directory)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	if info, err := root.Stat(relative); err != nil {
		if strings.Contains(err.Error(), "escapes") {
			return nil, errOutside
		}
		return nil, err
	} else if !info.Mode().IsRegular() { // opening a pipe would wait for its other end
		return nil, errors.New("it is no regular file")
	}
	return root.Open(relative)
}

// relative names a file as the reader of findings would: from the working
// directory, where it is in there.
func relative(target string) string {
	if working, err := os.Getwd(); err == nil {
		if name, err := filepath.Rel(working, target); err == nil && filepath.IsLocal(name) {
			return name
		}
	}
	return target
}

func readAll(in io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxFileBytes+1))
	if err == nil && len(text) > maxFileBytes {
		err = fmt.Errorf("it is larger than %d MiB", maxFileBytes>>20)
	}
	return text, err
}

// fetch gets a text and the URL where it was found in the end. allowed, if
// given, is asked before each redirect is followed.
func (l *loader) fetch(location string, allowed func(*url.URL) error) ([]byte, *url.URL, error) {
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
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Accept", "application/yaml, application/json, text/*;q=0.9, */*;q=0.8")
	response, err := client.Do(request)
	if failed := (*url.Error)(nil); errors.As(err, &failed) {
		return nil, nil, failed.Err
	}
	if err != nil {
		return nil, nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, nil, errors.New("the server answers " + response.Status)
	}
	text, err := readAll(response.Body)
	return text, response.Request.URL, err
}

// gather reads the files that references under n name, so that all is known of
// a document before its schemas are translated. What cannot be read is a finding
// where the reference is followed.
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
