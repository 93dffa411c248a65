package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/corpus"
)

const commit = "aa014f0cbdb58ff5c44a2ff9d5fe734642210aff"

// library is a server of a repository o/r, and the index that names its files.
func library(t *testing.T, texts map[string]string) (*requests, source, []corpus.File) {
	served := &requests{texts: texts}
	server := httptest.NewServer(served)
	t.Cleanup(server.Close)
	files := []corpus.File{
		{Document: "one", Path: "one.yaml", License: "MIT", Repository: "o/r", Source: "a b/one.yaml", Commit: commit, SHA256: sum([]byte("one"))},
		{Document: "two", Path: "two/main.yaml", License: "MIT", Repository: "o/r", Source: "two/main.yaml", Commit: commit, SHA256: sum([]byte("two"))},
		{
			Document: "two", Path: "two/parts/part.yaml", License: "MIT", Repository: "o/r", Source: "two/parts/part.yaml",
			Commit: commit, SHA256: sum([]byte("part")), IsPart: true,
		},
	}
	return served, source{base: server.URL + "/", client: server.Client()}, files
}

type requests struct {
	texts map[string]string
	seen  []string
}

func (s *requests) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.seen = append(s.seen, r.URL.Path)
	text, ok := s.texts[strings.TrimPrefix(r.URL.Path, "/o/r/"+commit+"/")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Write([]byte(text))
}

func whole() map[string]string {
	return map[string]string{"a b/one.yaml": "one", "two/main.yaml": "two", "two/parts/part.yaml": "part"}
}

func TestFetchesWhatIsMissing(t *testing.T) {
	served, from, files := library(t, whole())
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "one.yaml"), []byte("another one"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{3, 0} { // requests
		served.seen = nil
		if err := complete(t.Context(), from, folder, files); err != nil {
			t.Fatal(err)
		}
		if len(served.seen) != want {
			t.Errorf("asked for %q, want %d files", served.seen, want)
		}
	}
	for _, f := range files {
		if text, err := os.ReadFile(filepath.Join(folder, f.Path)); err != nil || sum(text) != f.SHA256 {
			t.Errorf("%s: %q %v", f.Path, text, err)
		}
	}

	t.Setenv("COLDFRAME_CORPUS", folder)
	documents, err := corpus.Documents()
	if err != nil || len(documents) != 2 || documents[1] != (corpus.Document{Name: "two", Path: filepath.Join(folder, "two/main.yaml")}) {
		t.Errorf("%v %v", documents, err)
	}
}

func TestChangedContentIsRefused(t *testing.T) {
	texts := whole()
	texts["two/main.yaml"] = "changed"
	_, from, files := library(t, texts)
	folder := t.TempDir()
	err := complete(t.Context(), from, folder, files)
	if _, ok := errors.AsType[*unreachableError](err); err == nil || ok || !strings.Contains(err.Error(), "two/main.yaml: SHA-256 is ") {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"two/main.yaml", corpus.IndexFile} {
		if _, err := os.Stat(filepath.Join(folder, name)); err == nil {
			t.Errorf("%s was written", name)
		}
	}
}

func TestUnreachable(t *testing.T) {
	_, from, files := library(t, map[string]string{"a b/one.yaml": "one"})
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for want, from := range map[string]source{
		"two/main.yaml: 404 Not Found": from,
		"connection refused":           {base: closed.URL, client: http.DefaultClient},
	} {
		folder := t.TempDir()
		err := complete(t.Context(), from, folder, files)
		if _, ok := errors.AsType[*unreachableError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(filepath.Join(folder, corpus.IndexFile)); err == nil {
			t.Error("the folder has an index, and lacks files")
		}
	}
}
