package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/contracts/internal/rules"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/testbench/notes"
)

func TestFiles(t *testing.T) {
	file, err := filepath.Abs(filepath.Join("testdata", "files.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c, err := spec.Load(t.Context(), "notes.yaml", spec.Options{Text: []byte(notes.Document)})
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	for i := 0; i+1 < len(archive.Files); i += 2 {
		in, want := archive.Files[i], &archive.Files[i+1]
		t.Run(in.Name, func(t *testing.T) {
			got := describe(t, c, in.Data)
			if golden.Update() {
				want.Data = []byte(got)
			} else if got != string(want.Data) {
				t.Errorf("got\n%swant\n%s", got, want.Data)
			}
		})
	}
	if golden.Update() {
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func describe(t *testing.T, c *spec.Contract, text []byte) string {
	if err := os.WriteFile("coldframe.yaml", text, 0o666); err != nil {
		t.Fatal(err)
	}
	problems := func(err error) string { return strings.Join(err.(*rules.Error).Problems, "\n") + "\n" }
	r, err := rules.Load("coldframe.yaml")
	if err != nil {
		return problems(err)
	}
	set, err := rules.New(c, r, time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC))
	if err != nil {
		return problems(err)
	}
	var b strings.Builder
	for _, o := range c.Operations {
		if why := set.Skipped(o); why != "" {
			fmt.Fprintf(&b, "%s skipped: %s\n", o.ID, why)
		}
		for _, id := range []string{"body", "headers", "method", "status-documented"} {
			if !set.Uses(id, o) {
				fmt.Fprintf(&b, "%s without %s\n", o.ID, id)
			}
		}
		if limit := set.Timeout(o); limit > 0 {
			fmt.Fprintf(&b, "%s within %v\n", o.ID, limit)
		}
	}
	for i, w := range r.Waivers {
		fmt.Fprintf(&b, "waiver %s %s %s %q %q: %s\n", w.Origin, w.Check, w.Operation, w.Place, w.Kind, set.Why(i+1))
	}
	for _, line := range set.Stale(func(string, *spec.Operation) bool { return false }) {
		fmt.Fprintln(&b, "stale "+line)
	}
	return b.String()
}

func TestNoFile(t *testing.T) {
	if _, err := rules.Load("none.yaml"); err == nil {
		t.Error("no error")
	}
}
