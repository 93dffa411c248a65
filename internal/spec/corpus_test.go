package spec

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// corpus gives the documents of the folder that COLDFRAME_CORPUS names, as
// listed in its INDEX.tsv.
func corpus(t testing.TB) map[string]string {
	directory := os.Getenv("COLDFRAME_CORPUS")
	if directory == "" {
		t.Skip("COLDFRAME_CORPUS names no folder of documents")
	}
	index, err := os.ReadFile(filepath.Join(directory, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	documents := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(index)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		documents[fields[0]] = filepath.Join(directory, fields[1])
	}
	return documents
}

func TestCorpusLoads(t *testing.T) {
	for name, path := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			c, err := Load(context.Background(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			codes := map[string]int{}
			for _, f := range c.Findings {
				codes[f.Code]++
			}
			t.Logf("%d operations, findings %v", len(c.Operations), codes)
			for i, f := range c.Findings {
				if i < 5 {
					t.Log(f)
				}
			}
		})
	}
}

func BenchmarkLoadGitHub(b *testing.B) {
	path := corpus(b)["github"]
	for b.Loop() {
		if _, err := Load(context.Background(), path, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
