package mock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/tree"
)

// The most that is read of data.
const (
	maxDataFile  = 64 << 20  // bytes of one file
	maxDataBytes = 256 << 20 // of all files
	maxDataFiles = 10_000    // in all folders
)

// dataFile is one file of data.
type dataFile struct {
	path string // as people named it
	name string // of the collection, by the path below its folder: "" for a file of collections
}

// fixture is one collection as a file of data has it.
type fixture struct {
	name  string
	file  bool           // it is a file's
	place exchange.Place // of the name
	node  *tree.Node
}

// readData reads files and folders of data. watch are the files and folders
// that they are made of.
func readData(paths []string) (fixtures []fixture, findings []exchange.Finding, watch []string, err error) {
	read := int64(0)
	for _, path := range paths {
		files, folders, err := dataFiles(path)
		if err != nil {
			return nil, nil, nil, &OptionError{"data", err.Error()}
		}
		watch = append(watch, folders...)
		for _, file := range files {
			watch = append(watch, file.path)
			text, err := readBounded(file.path, &read)
			if err != nil {
				return nil, nil, nil, &OptionError{"data", err.Error()}
			}
			root, wrong, err := tree.Read(file.path, text)
			var broken *tree.Error
			switch {
			case errors.As(err, &broken):
				wrong = append(wrong, exchange.Finding{Code: "malformed-data", Message: broken.Message, Document: broken.Place})
			case err != nil:
				return nil, nil, nil, &OptionError{"data", err.Error()}
			}
			findings = append(findings, wrong...)
			if root != nil {
				some, wrong := file.fixtures(root)
				fixtures, findings = append(fixtures, some...), append(findings, wrong...)
			}
		}
	}
	return fixtures, findings, watch, nil
}

// dataFiles lists the files of data at a path, sorted by name, and its folders.
func dataFiles(path string) (files []dataFile, folders []string, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil, fmt.Errorf("there is no file or folder %q", path)
	case err != nil:
		return nil, nil, err
	case !info.IsDir():
		return []dataFile{{path, ""}}, nil, nil
	}
	err = filepath.WalkDir(path, func(found string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case found != path && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			folders = append(folders, found)
			return nil
		case !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(found)):
			return nil
		case len(files) == maxDataFiles:
			return fmt.Errorf("%q holds more than %d files of data", path, maxDataFiles)
		}
		below, err := filepath.Rel(path, found)
		files = append(files, dataFile{found, filepath.ToSlash(strings.TrimSuffix(below, filepath.Ext(below)))})
		return err
	})
	return files, folders, err
}

func readBounded(path string, read *int64) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch *read += info.Size(); {
	case info.Size() > maxDataFile:
		return nil, fmt.Errorf("%s is larger than %s", path, sizeText(maxDataFile))
	case *read > maxDataBytes:
		return nil, fmt.Errorf("all files together are larger than %s", sizeText(maxDataBytes))
	}
	return os.ReadFile(path)
}

// fixtures gives the collections of a file: one that is named for a collection
// has its items, any other has collections by name. What the control API shows
// of the state is such a file as well.
func (f dataFile) fixtures(root *tree.Node) ([]fixture, []exchange.Finding) {
	if f.name != "" {
		return []fixture{{f.name, true, root.Place(), root}}, nil
	}
	switch root.Kind {
	case tree.Null:
		return nil, nil
	case tree.Array:
		name := strings.TrimSuffix(filepath.Base(f.path), filepath.Ext(f.path))
		return []fixture{{name, true, root.Place(), root}}, nil
	case tree.Object:
		if kept := root.Get("collections"); kept != nil && kept.Kind == tree.Object && len(root.Members) == 2 && root.Get("items") != nil {
			root = kept
		}
		var all []fixture
		for _, m := range root.Members {
			if m.Name != "$schema" { // for editors
				all = append(all, fixture{m.Name, false, root.PlaceOf(m.Name), m.Value})
			}
		}
		return all, nil
	}
	return nil, []exchange.Finding{{
		Code: "invalid-data", Document: root.Place(),
		Message: "data must be an object of collections by name, or a list of the items of " + strconv.Quote(filepath.Base(f.path)) + "'s collection, is " + root.Kind.String(),
	}}
}

// DataError is what is wrong with data.
type DataError struct {
	Findings []Finding
}

// mostDataFindings is how many findings are said of data.
const mostDataFindings = 100

func (e *DataError) Error() string {
	var b strings.Builder
	for i, f := range e.Findings {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == mostDataFindings {
			fmt.Fprintf(&b, "… and %d more", len(e.Findings)-i)
			break
		}
		b.WriteString(f.Document.String())
		if f.Document.Pointer != "" {
			b.WriteString(": " + f.Document.Pointer)
		}
		b.WriteString(": " + f.Message)
	}
	return b.String()
}
