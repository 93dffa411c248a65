package examples

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"go.yaml.in/yaml/v4"
)

// TestYAML parses every YAML file of the examples, without keys
// that stand twice.
func TestYAML(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".yaml" {
			return err
		}
		files++
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		documents := yaml.NewDecoder(bytes.NewReader(text))
		for {
			var document map[string]any
			err := documents.Decode(&document)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil || len(document) == 0 {
				t.Errorf("%s: %v", file, err)
				return nil
			}
		}
	})
	if err != nil || files < 6 {
		t.Error(files, err)
	}
}
