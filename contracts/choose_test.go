package contracts

import (
	"context"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/spec"
)

func TestChoice(t *testing.T) {
	c, err := spec.Load(context.Background(), "notes.yaml", spec.Options{Text: []byte(notes)})
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
		chosen, err := newChoice(all)
		if err != nil {
			t.Errorf("%q: %v", patterns, err)
			continue
		}
		var got []string
		for _, o := range c.Operations {
			if chosen.takes(o) {
				got = append(got, o.ID)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", patterns, got, want)
		}
	}
	for _, empty := range []string{"", "!", " ", "tag:"} {
		if _, err := newChoice([]string{empty}); err == nil {
			t.Errorf("%q is taken", empty)
		}
	}
}
