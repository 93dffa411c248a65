package spec

import (
	"context"
	"io/fs"
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/internal/tree"
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

// Trees returns the files of the document by paths from the innermost folder that has all of them, and the path of the
// document itself. The first element of a URL's path is its host.
func (c *Contract) Trees() (document string, files map[string]*tree.File) {
	local := func(name string) string {
		if u, err := url.Parse(name); err == nil && isURL(name) {
			return path.Join("/", u.Host, u.Path)
		}
		if whole, err := filepath.Abs(name); err == nil {
			name = whole
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
	files = map[string]*tree.File{}
	for _, f := range c.files {
		files[below(local(f.Path))] = f
	}
	return below(document), files
}

// Texts returns the texts of Trees.
func (c *Contract) Texts() (document string, texts Texts) {
	document, files := c.Trees()
	texts = Texts{}
	for name, f := range files {
		texts[name] = f.Text
	}
	return document, texts
}
