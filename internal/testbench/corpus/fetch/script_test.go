//go:build unix

package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

// TestCorpusScript runs .ci/corpus, which prints the folder of the documents, or says why there is none.
func TestCorpusScript(t *testing.T) {
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, corpus.IndexFile), []byte("name\tpath\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	missing := httptest.NewServer(http.NotFoundHandler())
	defer missing.Close()
	changed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("changed")) }))
	defer changed.Close()
	for _, test := range []struct {
		name        string
		environment []string
		code        int
		prints      string
	}{
		{"a folder that is there", []string{"COLDFRAME_CORPUS=" + own}, 0, own + "\n"},
		{"a folder without an index", []string{"COLDFRAME_CORPUS=" + t.TempDir()}, 1, "has no INDEX.tsv"},
		{"nothing in reach", []string{"CORPUS_FROM=" + missing.URL}, 3, "404 Not Found"},
		{"required", []string{"CORPUS_FROM=" + missing.URL, "CI_CORPUS=required"}, 1, "the documents are required (CI_CORPUS)"},
		{"other content", []string{"CORPUS_FROM=" + changed.URL}, 1, "the index says"},
	} {
		t.Run(test.name, func(t *testing.T) {
			script := exec.CommandContext(t.Context(), "../../../../.ci/corpus")
			for _, variable := range os.Environ() {
				if name, _, _ := strings.Cut(variable, "="); name != "COLDFRAME_CORPUS" && !strings.HasPrefix(name, "CORPUS_") && name != "CI_CORPUS" {
					script.Env = append(script.Env, variable)
				}
			}
			script.Env = append(append(script.Env, "CORPUS_CACHE="+t.TempDir()), test.environment...)
			text, err := script.CombinedOutput()
			code := 0
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if code != test.code || !strings.Contains(string(text), test.prints) {
				t.Errorf("exit code %d, want %d:\n%s", code, test.code, text)
			}
		})
	}
}
