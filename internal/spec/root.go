package spec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// root returns the directory that the $refs of a document must stay in. By default it is the document's repository:
// the nearest directory above it with .git in it. The user's home and the directories above it never count, even if
// they are under Git.
func (o *Options) root(document string) (string, error) {
	own := filepath.Dir(document)
	if o.Root != "" {
		root, err := filepath.Abs(o.Root)
		if inside, _ := filepath.Rel(root, document); err != nil || !filepath.IsLocal(inside) {
			return "", &DocumentError{Message: "the document is not in " + exchange.Quote(o.Root) +
				", the directory of --refs-root; name one that it is in", Err: err}
		}
		return root, nil
	}
	home, err := os.UserHomeDir() // services have none
	isHome := func(directory string) bool { return err == nil && containsFile(directory, home) }
	for above := own; !isHome(above) && above != filepath.Dir(above); above = filepath.Dir(above) {
		if _, err := os.Lstat(filepath.Join(above, ".git")); err == nil {
			return above, nil
		}
	}
	return own, nil
}

// containsFile reports whether a file or directory is in a directory, or is that directory, after following links.
func containsFile(directory, file string) bool {
	info, err := os.Stat(directory)
	if err != nil {
		return false
	}
	file, err = filepath.EvalSymlinks(file)
	for ; err == nil; file = filepath.Dir(file) {
		if at, failed := os.Stat(file); failed == nil && os.SameFile(info, at) {
			return true
		}
		if file == filepath.Dir(file) {
			break
		}
	}
	return false
}

var (
	errOutside = errors.New("it leaves the document's directory; if you trust the document, name the directory that its " +
		"references stay in with --refs-root, or allow all with --allow-external-refs")
	errHidden = errors.New("it is hidden: its name, or the name of a directory that it is in, begins with a dot; if you " +
		"trust the document, allow all references with --allow-external-refs")
)

// openInside opens a file through the root directory of references, so that neither ".." nor a symbolic link leads
// out of it, and refuses hidden files.
func (l *loader) openInside(target string) (*os.File, error) {
	if l.directory == "" || isURL(l.directory) {
		return nil, errOutside
	}
	relative, err := filepath.Rel(l.directory, target)
	if err != nil || !filepath.IsLocal(relative) {
		return nil, errOutside
	}
	if l.isHidden(target) {
		return nil, errHidden
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
	} else if !info.Mode().IsRegular() {
		return nil, errIrregular
	}
	return root.Open(relative)
}

// isHidden reports whether a file's name, or the name of a directory that contains it but not the document, begins
// with a dot: .env, .git/config. A document in .github may refer to other files there. Links are followed first.
func (l *loader) isHidden(target string) bool {
	if hiddenBeside(l.document, target) {
		return true
	}
	document, err := filepath.EvalSymlinks(l.document)
	if err != nil {
		return true
	}
	target, err = filepath.EvalSymlinks(target)
	return err == nil && hiddenBeside(document, target) // otherwise the file does not exist
}

// hiddenBeside is isHidden for paths without links.
func hiddenBeside(document, target string) bool {
	shared := strings.Split(filepath.Dir(document), string(filepath.Separator))
	for i, name := range strings.Split(target, string(filepath.Separator)) {
		if i < len(shared) && name == shared[i] {
			continue
		}
		shared = shared[:min(i, len(shared))]
		if strings.HasPrefix(name, ".") {
			return true
		}
	}
	return false
}
