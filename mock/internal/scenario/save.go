package scenario

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotSaved says that a scenario has no file that it can be saved to.
var ErrNotSaved = errors.New("the scenario cannot be saved")

// Save writes the text of a scenario to its file, or to a new one that is named after it, and returns the file's name.
// paths are what Load read. Nothing is written outside of their folders, and no other scenario's file is replaced.
func (s *Scenario) Save(paths []string) (string, error) {
	folder, name, isWhole := "", "", false // isWhole: all scenarios in the folder are the mock's
	for _, path := range paths {
		in, whole := path, true
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			in, whole = filepath.Dir(path), false
		}
		if folder == "" {
			folder, isWhole = in, whole
		}
		if s.File != "" && filepath.Dir(s.File) == filepath.Clean(in) {
			folder, name = in, filepath.Base(s.File)
		}
	}
	switch {
	case folder == "":
		return "", fmt.Errorf("%w: the mock was started without scenario files", ErrNotSaved)
	case len(s.Source) == 0:
		return "", fmt.Errorf("%w: it has no text", ErrNotSaved)
	}
	file := cmp.Or(name, s.Name+".yaml")
	if saved, _, _ := parse(nil, file, s.Source); saved.Name != s.Name {
		return "", fmt.Errorf("%w: the text for %s needs the line name: %s", ErrNotSaved, file, s.Name)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if name == "" && (!filepath.IsLocal(file) || strings.ContainsAny(file, `/\:*?<>|`) || file[0] == '.') {
		return "", fmt.Errorf("%w: no file can be named after it; give it another name", ErrNotSaved)
	}
	switch info, err := root.Lstat(file); {
	case name == "" && !errors.Is(err, fs.ErrNotExist) && !(isWhole && s.isIn(filepath.Join(folder, file))):
		return "", fmt.Errorf("%w: there is another file %s", ErrNotSaved, file)
	case err == nil && !info.Mode().IsRegular():
		return "", fmt.Errorf("%w: %s is a link", ErrNotSaved, file)
	}
	unfinished := "." + file + ".tmp" // which is no scenario file
	if err := root.WriteFile(unfinished, s.Source, 0o666); err != nil {
		return "", err
	}
	return filepath.Join(folder, file), root.Rename(unfinished, file)
}

// isIn reports whether a file has a scenario with the same name, such as one that Save wrote.
func (s *Scenario) isIn(file string) bool {
	text, err := readFile(file)
	if err != nil {
		return false
	}
	saved, findings, _ := parse(nil, file, text)
	return saved.Name == s.Name && !broken(findings)
}
