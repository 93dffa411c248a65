package scripted

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// Transcripts runs a function on the files of each testdata/*.txtar, and compares
// the transcript that it returns with the file "want".
//
// A transcript has requests as Backend.Asked returns them, and other lines. With
// inOrder, "want" may leave out requests that do not matter: the rest must come in
// its order.
func Transcripts(t *testing.T, inOrder bool, run func(t *testing.T, files map[string]string) string) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{}
			for _, f := range archive.Files {
				files[f.Name] = string(f.Data)
			}
			transcript := run(t, files)
			got := transcript
			if inOrder {
				got = relevant(transcript, files["want"])
			}
			if golden.Update() {
				for i := range archive.Files {
					if archive.Files[i].Name == "want" {
						archive.Files[i].Data = []byte(got)
					}
				}
				if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != files["want"] {
				t.Errorf("got\n%s\nwant\n%s\nof\n%s", got, files["want"], transcript)
			}
		})
	}
}

var requestLine = regexp.MustCompile(`^\s*[A-Z]+ /.* -> \d+\n$`)

// relevant returns a transcript without the requests that want does not have at their
// place.
func relevant(transcript, want string) string {
	var b strings.Builder
	wanted := strings.SplitAfter(want, "\n")
	for line := range strings.Lines(transcript) {
		switch isRequest := requestLine.MatchString(line); {
		case line != wanted[0] && isRequest:
			continue
		case line == wanted[0] || !requestLine.MatchString(wanted[0]) && len(wanted) > 1:
			wanted = wanted[1:]
		}
		b.WriteString(line)
	}
	return b.String()
}
