package runner

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/notes"
)

func loadSetup(t *testing.T, text string) (*Setup, []string, error) {
	t.Helper()
	c, err := spec.Load(context.Background(), "notes.yaml", spec.Options{Text: []byte(notes.Document)})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "setup.yaml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, findings, err := LoadSetup(file, c, time.Date(2026, 3, 31, 22, 0, 0, 0, time.UTC))
	var all []string
	for _, f := range findings {
		all = append(all, strings.TrimPrefix(f.String(), filepath.Dir(file)+"/"))
	}
	return s, all, err
}

func TestSetupFindings(t *testing.T) {
	for text, want := range map[string]string{
		"path: {id: 7}": "",
		"{\"path\": {\"id\": 7}, \"body\": {\"text\": \"a\"}, \"operations\": {\"readNote\": {\"path\": {\"id\": 8}}}}": "",
		"path:\n  ident: 7": `setup.yaml:2:3: the document has no parameter "ident"`,
		"paths: {id: 7}":    `setup.yaml:1:1: "paths" is unknown; did you mean "path"?`,
		"path: 7":           "setup.yaml:1:7: the values of paths are an object of names and values",
		"body: [7]":         "setup.yaml:1:7: the values of bodies are an object",
		"- path":            "setup.yaml:1:1: an object with path, query, header, cookie or body is wanted",
		"operations: {reedNote: {path: {id: 7}}}":           `setup.yaml:1:14: the document has no operation "reedNote"; did you mean "readNote"?`,
		"operations: {readNote: 7}":                         "setup.yaml:1:24: an object with path, query, header, cookie or body is wanted",
		"operations: {readNote: {operations: {}}}":          `setup.yaml:1:25: "operations" is unknown`,
		"path:\nbody:\noperations:\n  readNote:\n":          "",
		"body: {text: \"a-${unique}\"}":                     "",
		"body:\n  tags: [a, \"${uniqe}\"]":                  `setup.yaml:2:13: ${uniqe} is unknown; there are ${uuid}`,
		"body: {text: \"${now + 3y}\"}":                     `setup.yaml:1:14: ${now + 3y} is unknown`,
		"body: {text: \"${uuid\"}":                          `setup.yaml:1:14: "${" is not closed; write "$${"`,
		"path: {id: \"${uuid}\"}":                           "setup.yaml:1:12: the values of paths name what exists",
		"operations: 7":                                     "setup.yaml:1:13: the operations are an object",
		"operations: {GET /notes/{id}: {path: {x: 1}}}":     "setup.yaml:1:1",
		"operations:\n  GET /notes/{id}:\n    path: {x: 1}": `setup.yaml:3:12: the document has no parameter "x"`,
	} {
		_, findings, err := loadSetup(t, text)
		got := strings.Join(findings, "\n")
		if err != nil {
			got = err.Error()
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s\n%q, want %q", text, got, want)
		}
	}
	if _, _, err := loadSetup(t, "a: "+strings.Repeat("x", maxSetup)); err == nil || !strings.Contains(err.Error(), "a setup file has at most 1048576") {
		t.Errorf("%v", err)
	}
	if _, _, err := LoadSetup("none.yaml", nil, time.Time{}); err == nil {
		t.Error("no error")
	}
}
