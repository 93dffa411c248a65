package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Reports is the folder beside the file for output files.
const Reports = "coldframe-reports"

// Form is a format of output files.
type Form struct {
	Extensions []string // with their dots: .json
	// Marks reports whether the first or the last 64 KiB of a file show that it has this format.
	Marks func(part []byte) bool
}

const markedBytes = 64 << 10 // see Form.Marks

// Output returns the path of an output file that the settings file names, relative to the current folder. The file is
// in the folder Reports, which is created. To protect other files, it returns an error if the name is not plain or
// has another extension, if a link is in the way, or if an existing file is not an older one of this format.
func (f *File) Output(name string, form Form) (string, error) {
	switch {
	case !filepath.IsLocal(name) || strings.ContainsAny(name, `/\:`) || strings.HasPrefix(name, "."):
		return "", fmt.Errorf("%q is not a plain name: %s writes only into the directory %s beside it", name, Name, Reports)
	case !slices.Contains(form.Extensions, filepath.Ext(name)):
		return "", fmt.Errorf("%q does not end in %s, as this output of %s must", name,
			strings.Join(form.Extensions, " or "), Name)
	}
	folder := filepath.Join(filepath.Dir(f.Path), Reports)
	if err := os.Mkdir(folder, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", err
	}
	if info, err := os.Lstat(folder); err != nil {
		return "", err
	} else if !info.IsDir() {
		return "", fmt.Errorf("%s is not a directory, or is a link to one", folder)
	}
	file := filepath.Join(folder, name)
	info, err := os.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file, nil
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is not a regular file, or is a link to one", file)
	}
	if isOlder, err := form.describes(file, info.Size()); err != nil {
		return "", err
	} else if !isOlder {
		return "", fmt.Errorf("%s is not an older file of the same kind that coldframe has written; remove it", file)
	}
	return file, nil
}

// describes reports whether an existing file has this format; an empty file has every format.
func (f Form) describes(file string, size int64) (bool, error) {
	in, err := os.Open(file)
	if err != nil {
		return false, err
	}
	defer in.Close()
	if size == 0 {
		return true, nil
	}
	first, err := io.ReadAll(io.LimitReader(in, markedBytes))
	if err != nil || f.Marks(first) {
		return err == nil, err
	}
	last, err := io.ReadAll(io.NewSectionReader(in, max(0, size-markedBytes), markedBytes))
	return err == nil && f.Marks(last), err
}
