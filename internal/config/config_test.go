package config_test

import (
	"fmt"
	"os"
	"path/filepath"
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

// TestPaths holds the paths in a file to its folder, links included.
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
			t.Skip(err)
		}
	}
	for _, c := range []struct {
		path          string
		input, output bool
	}{
		{"data", true, true}, {"data/new/file", true, true}, {"within/file", true, true}, {"data/../file", true, true},
		{"absolute", false, false}, {"../api/data", false, false}, {"..", false, false}, {"", false, false},
		{filepath.Join(folder, "data"), false, false}, {"out", false, false}, {"out/file", false, false},
		{"dangling", false, false}, {"links", false, true}, {".git/hooks", true, false}, {"hooks/pre-commit", true, false},
		{".envrc", true, false}, {".", false, false}, // of which links lead out
	} {
		for _, beside := range []string{folder, filepath.Join(top, "same")} {
			f := &config.File{Path: filepath.Join(beside, config.Name)}
			in, err := f.Input(c.path)
			if (err == nil) != c.input || err == nil && in != filepath.Join(beside, c.path) {
				t.Errorf("input %q: %q, %v", c.path, in, err)
			}
			out, err := f.Output(c.path)
			if (err == nil) != c.output || err == nil && out != filepath.Join(beside, c.path) {
				t.Errorf("output %q: %q, %v", c.path, out, err)
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
