package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Input returns the path of an input file that the settings file names, relative to the current folder. It returns an
// error if the path, or a link in the folder that it names, leads out of the settings file's folder, or if it is
// hidden there, like .env and .git.
func (f *File) Input(path string) (string, error) {
	name, target, err := f.inside(path)
	isHidden := func(part string) bool { return strings.HasPrefix(part, ".") && part != "." }
	if err == nil && slices.ContainsFunc(strings.Split(filepath.ToSlash(target), "/"), isHidden) {
		err = fmt.Errorf("%q is hidden, and %s reads nothing hidden", path, Name)
	}
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return "", fmt.Errorf("%q is neither a file nor a directory: reading it might never end", path)
	}
	folder, err := followed(filepath.Dir(f.Path))
	if err != nil {
		return "", err
	}
	return name, filepath.WalkDir(filepath.Join(folder, target), func(found string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type() != fs.ModeSymlink {
			return nil // the reader reports the error
		}
		below, _ := filepath.Rel(folder, found)
		_, _, err = f.inside(below)
		return err
	})
}

// inside returns a path relative to the current folder and, after following links, relative to the file's folder.
func (f *File) inside(path string) (name, target string, err error) {
	folder := filepath.Dir(f.Path)
	outside := fmt.Errorf("%q leads out of the folder of %s", path, Name)
	if !filepath.IsLocal(path) {
		return "", "", outside
	}
	name = filepath.Join(folder, path)
	if folder, err = followed(folder); err != nil {
		return "", "", err
	}
	if target, err = followed(name); errors.Is(err, errDangling) {
		return "", "", outside
	} else if err != nil {
		return "", "", err
	}
	if target, err = filepath.Rel(folder, target); err != nil || !filepath.IsLocal(target) {
		return "", "", outside
	}
	return name, target, nil
}

var errDangling = errors.New("the link leads nowhere")

// followed returns the absolute path of a file without links; the file need not exist.
func followed(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(path)
	if !errors.Is(err, fs.ErrNotExist) || path == filepath.Dir(path) {
		return target, err
	}
	if _, err := os.Lstat(path); err == nil {
		return "", errDangling
	}
	folder, err := followed(filepath.Dir(path))
	return filepath.Join(folder, filepath.Base(path)), err
}
