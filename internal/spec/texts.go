package spec

import (
	"context"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"
)

// Source is where the files of a document are, if not on the disk. Its paths are local and have slashes.
type Source interface {
	// Read returns the content of a file, of at most the given number of bytes and one.
	Read(ctx context.Context, file string, most int) (string, error)
	// Name returns what messages call a file.
	Name(file string) string
}

// Texts are the files of a document in memory, by their paths.
type Texts map[string]string

// Read implements Source.
func (t Texts) Read(_ context.Context, file string, _ int) (string, error) {
	text, ok := t[file]
	if !ok {
		return "", fs.ErrNotExist
	}
	return text, nil
}

// Name implements Source.
func (t Texts) Name(file string) string { return file }

// Texts returns the files of the document by paths from the innermost folder that has all of them, and the path of the
// document itself. The first element of a URL's path is its host.
func (c *Contract) Texts() (document string, texts Texts) {
	local := func(name string) string {
		if u, err := url.Parse(name); err == nil && isURL(name) {
			return path.Join("/", u.Host, u.Path)
		}
		return path.Join("/", filepath.ToSlash(strings.TrimPrefix(name, filepath.VolumeName(name))))
	}
	document = local(c.files[c.File].Path)
	root := path.Dir(document)
	for _, f := range c.files {
		for !strings.HasPrefix(local(f.Path), strings.TrimSuffix(root, "/")+"/") {
			root = path.Dir(root)
		}
	}
	below := func(name string) string { return strings.TrimPrefix(strings.TrimPrefix(name, root), "/") }
	texts = Texts{}
	for _, f := range c.files {
		texts[below(local(f.Path))] = f.Text
	}
	return below(document), texts
}
