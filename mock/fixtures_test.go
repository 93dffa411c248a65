package mock

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestData runs testdata/data/*.txtar: a document (openapi.yaml; the Plant Store
// if there is none), options, and cases: the files of a folder (NAME/…), and
// what sessions begin with (NAME.kept) or what is wrong (NAME.wrong). Every file
// of the folder is given by itself; if the folder is called "folder", it is
// given as one.
//
// UPDATE_GOLDEN=1 rewrites what is kept and what is wrong.
func TestData(t *testing.T) {
	golden.Cases(t, "testdata/data/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		for i, f := range archive.Files {
			name, kind, _ := strings.Cut(f.Name, ".")
			if strings.Contains(f.Name, "/") || kind != "kept" && kind != "wrong" {
				continue
			}
			t.Run(name, func(t *testing.T) {
				got, wrong := begin(t, archive, name)
				if wrong != (kind == "wrong") || got != string(f.Data) && !golden.Update() {
					t.Errorf("got %s\nwant %s", got, f.Data)
				}
				archive.Files[i].Data = []byte(got)
			})
		}
	})
}

// begin returns what sessions begin with, or what is wrong with the data of a
// case.
func begin(t *testing.T, archive *txtar.Archive, name string) (text string, wrong bool) {
	o := Options{Listen: ListenOptions{NoListener: true}, Now: "session"}
	dir := t.TempDir()
	for _, f := range archive.Files {
		switch below, ok := strings.CutPrefix(f.Name, name+"/"); {
		case f.Name == "openapi.yaml":
			o.Document, o.Text = f.Name, f.Data
		case f.Name == "options" || f.Name == name+"/options":
			setOptions(t, &o, string(f.Data))
		case ok:
			path := filepath.Join(dir, filepath.FromSlash(below))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(name, "folder") {
				o.State.Data = append(o.State.Data, path)
			}
		}
	}
	if strings.HasPrefix(name, "folder") {
		o.State.Data = []string{dir}
	}
	s, err := New(t.Context(), o)
	if err != nil {
		var data *DataError
		if !errors.As(err, &data) {
			t.Fatal(err)
		}
		return strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "") + "\n", true
	}
	defer s.Close()
	var b strings.Builder
	view := s.sessions.Base()
	collections := map[string]bool{}
	for item := range view.All() {
		collections[item.Collection] = true
	}
	for _, collection := range slices.Sorted(maps.Keys(collections)) {
		b.WriteString(collection + "\n")
		for item := range view.Items(collection, 0) {
			b.WriteString("  " + item.Key + " " + string(item.JSON) + "\n")
		}
	}
	for _, f := range s.Info().Findings {
		b.WriteString(strings.ReplaceAll(f.Severity.String()+": "+f.String(), dir+string(filepath.Separator), "") + "\n")
	}
	return b.String(), false
}
