package config_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/config"
)

var flags = []string{"host", "port", "scenario", "max-body", "watch", "test.rate", "test.check"}

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
