package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/config"
)

var flags = []config.Flag{
	{Name: "host", Refused: "give --host"}, {Name: "port"}, {Name: "scenario"}, {Name: "max-body"}, {Name: "watch"},
	{Name: "test.rate"}, {Name: "test.check"}, {Name: "test.auth-command", Refused: "give --auth-command"},
}

func TestParse(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "files.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], archive.Files[i+1]
		t.Run(in.Name, func(t *testing.T) {
			if got := describe(in.Data); got != string(want.Data) {
				t.Errorf("got\n%swant\n%s", got, want.Data)
			}
		})
	}
}

func describe(text []byte) string {
	f, findings, err := config.Parse("coldframe.yaml", text, flags)
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	for _, s := range f.Settings {
		fmt.Fprintf(&b, "%s = %s at %d:%d\n", s.Name, strings.Join(s.Values, " | "), s.Place.Line, s.Place.Column)
	}
	if f.Resources != nil {
		fmt.Fprintf(&b, "resources at %d:%d\n", f.Resources.Place().Line, f.Resources.Place().Column)
	}
	if f.HasRules {
		fmt.Fprintln(&b, "has rules")
	}
	for _, finding := range findings {
		fmt.Fprintln(&b, finding)
	}
	return b.String()
}

func TestBeside(t *testing.T) {
	for document, want := range map[string]string{
		"openapi.yaml":              "coldframe.yaml",
		"":                          "coldframe.yaml",
		"specs/api.json":            filepath.Join("specs", "coldframe.yaml"),
		"-":                         "",
		"https://example.com/a.yml": "",
	} {
		if got := config.Beside(document); got != want {
			t.Errorf("%q: got %q, want %q", document, got, want)
		}
	}
	if f, findings, err := config.Find(filepath.Join(t.TempDir(), "openapi.yaml"), flags); err != nil || len(findings) > 0 || f.Path != "" {
		t.Errorf("without a file: %+v, %v, %v", f, findings, err)
	}
}

// TestOutputs lets a file name new files and older reports in one folder, and nothing else.
func TestOutputs(t *testing.T) {
	form := config.Form{Extensions: []string{".txt", ".text"}, Marks: func(part []byte) bool { return strings.Contains(string(part), "MARK") }}
	far := strings.Repeat("x", 64<<10)
	for _, c := range []struct {
		name  string
		files map[string]string // that there are; "-> TARGET" for a link
		err   string            // "" if the file can be written
	}{
		{name: "a.txt"},
		{name: "a.text"},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt": "old\nMARK\n"}},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt": "MARK" + far + far}},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt": far + far + "MARK"}},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt": ""}},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt": "notes"}, err: "is not an older file of the same kind"},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt": far + "MARK" + far}, err: "is not an older file of the same kind"},
		{name: "Makefile", err: `"Makefile" does not end in .txt or .text`},
		{name: "a.txt.sh", err: "does not end in"},
		{name: "coldframe-reports/a.txt", err: `"coldframe-reports/a.txt" is not a plain name`},
		{name: "../a.txt", err: "is not a plain name"},
		{name: "/tmp/a.txt", err: "is not a plain name"},
		{name: `b\a.txt`, err: "is not a plain name"},
		{name: "C:a.txt", err: "is not a plain name"},
		{name: ".txt", err: "is not a plain name"},
		{name: "", err: "is not a plain name"},
		{name: "..", err: "is not a plain name"},
		{name: "a.txt", files: map[string]string{"coldframe-reports": "MARK"}, err: "is not a directory"},
		{name: "a.txt", files: map[string]string{"other/a.txt": "MARK", "coldframe-reports": "-> other"}, err: "or is a link to one"},
		{name: "a.txt", files: map[string]string{"coldframe-reports": "-> other"}, err: "or is a link to one"},
		{name: "a.txt", files: map[string]string{"a.txt": "MARK", "coldframe-reports/a.txt": "-> ../a.txt"}, err: "or is a link to one"},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt": "-> ../new.txt"}, err: "or is a link to one"},
		{name: "a.txt", files: map[string]string{"coldframe-reports/a.txt/b": ""}, err: "is not a regular file"},
	} {
		folder := t.TempDir()
		for name, text := range c.files {
			file := filepath.Join(folder, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			err := os.WriteFile(file, []byte(text), 0o666)
			if target, ok := strings.CutPrefix(text, "-> "); ok {
				os.Remove(file)
				err = os.Symlink(target, file)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		f := &config.File{Path: filepath.Join(folder, config.Name)}
		got, err := f.Output(c.name, form)
		switch {
		case c.err == "" && (err != nil || got != filepath.Join(folder, config.Reports, c.name)):
			t.Errorf("%q with %.60q: %q, %v", c.name, c.files, got, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q with %.60q: error %v, want %q", c.name, c.files, err, c.err)
		}
	}
}

// TestPaths checks that what a file names for reading is in its folder, links included.
func TestPaths(t *testing.T) {
	top := t.TempDir()
	folder := filepath.Join(top, "api")
	for _, name := range []string{"api/data/deep", "api/.git", "api/links", "other"} {
		if err := os.MkdirAll(filepath.Join(top, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"api/out": "../other", "api/absolute": filepath.Join(top, "other"), "api/hooks": ".git", "api/dangling": "../none",
		"api/within": "data", "api/links/out.yaml": "../../other", "same": "api",
	} {
		if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
			if runtime.GOOS == "windows" { // where a right is needed
				t.Skip(err)
			}
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		path  string
		input bool
	}{
		{"data", true}, {"data/new/file", true}, {"within/file", true}, {"data/../file", true},
		{"absolute", false}, {"../api/data", false}, {"..", false}, {"", false},
		{filepath.Join(folder, "data"), false}, {"out", false}, {"out/file", false},
		{"dangling", false}, {"links", false}, {".git/hooks", false}, {"hooks/pre-commit", false}, {".env", false}, {".", false}, // of which links lead out
	} {
		for _, beside := range []string{folder, filepath.Join(top, "same")} {
			f := &config.File{Path: filepath.Join(beside, config.Name)}
			in, err := f.Input(c.path)
			if (err == nil) != c.input || err == nil && in != filepath.Join(beside, c.path) {
				t.Errorf("input %q: %q, %v", c.path, in, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "files.txtar"))
	if err != nil {
		f.Fatal(err)
	}
	for i := 0; i < len(archive.Files); i += 2 {
		f.Add(archive.Files[i].Data)
	}
	f.Fuzz(func(t *testing.T, text []byte) { describe(text) })
}
