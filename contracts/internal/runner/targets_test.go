package runner

import (
	"context"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/notes"
)

func TestSelect(t *testing.T) {
	c, err := spec.Load(context.Background(), "notes.yaml", spec.Options{Text: []byte(notes.Document)})
	if err != nil {
		t.Fatal(err)
	}
	for patterns, want := range map[string]string{
		"":                         "listNotes createNote readNote deleteNote",
		"/notes":                   "listNotes createNote",
		"/notes*":                  "listNotes createNote readNote deleteNote",
		"/notes/*":                 "readNote deleteNote",
		"*{id}":                    "readNote deleteNote",
		"POST /notes":              "createNote",
		"post /notes":              "createNote",
		"GET /*":                   "listNotes readNote",
		"* /notes":                 "listNotes createNote",
		"GET":                      "listNotes readNote",
		"readNote":                 "readNote",
		"*Note":                    "createNote readNote deleteNote",
		"*Note*":                   "listNotes createNote readNote deleteNote",
		"tag:reading":              "listNotes readNote",
		"tag:*ing":                 "listNotes createNote readNote deleteNote",
		"!tag:writing":             "listNotes readNote",
		"tag:reading, POST /notes": "listNotes createNote readNote",
		"/notes, !GET":             "createNote",
		"!/notes, !DELETE":         "readNote",
		"tag:none":                 "",
		"readnote":                 "",
		"/note":                    "",
		"note*read":                "",
	} {
		var all []string
		if patterns != "" {
			all = strings.Split(patterns, ",")
		}
		chosen, err := Select(c, Selection{Patterns: all})
		if err != nil && want != "" {
			t.Errorf("%q: %v", patterns, err)
			continue
		}
		var got []string
		for _, o := range chosen {
			got = append(got, o.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", patterns, got, want)
		}
	}
	for _, empty := range []string{"", "!", " ", "tag:"} {
		if _, err := Select(c, Selection{Patterns: []string{empty}}); err == nil || !strings.Contains(err.Error(), "want a path") {
			t.Errorf("%q is taken", empty)
		}
	}
}
