package scenario

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const rule = "rules: [{on: '*', delay: 1}]\n"

func TestLoadExamples(t *testing.T) {
	book, findings, err := Load(plantStore(t), nil, "../../../examples/plant-store/scenarios")
	if err != nil || len(findings) > 0 {
		t.Fatal(list(findings), err)
	}
	if want := []string{"flaky", "force-400", "slow", "sold-out"}; !slices.Equal(book.Names(), want) {
		t.Errorf("names %v, want %v", book.Names(), want)
	}
	for _, s := range book.Scenarios {
		if s.Description == "" || len(s.rules) != 1 {
			t.Errorf("scenario %+v", s)
		}
	}
}

func TestLoadOrder(t *testing.T) {
	dir := write(t, map[string]string{
		"b.yaml": rule, "a.yml": "name: first\n" + rule, "c.txt": "no", "d/e.yaml": "no",
		"off.YAML": "active: false\n" + rule,
	})
	c := plantStore(t)
	book, findings, err := Load(c, nil, filepath.Join(dir, "b.yaml"), dir)
	if err != nil || len(findings) > 0 {
		t.Fatal(list(findings), err)
	}
	if want := []string{"b", "first", "off"}; !slices.Equal(book.Names(), want) {
		t.Errorf("names %v, want %v", book.Names(), want)
	}
	if got := len(book.Active.Rules(c.Operations[0]).list); got != 2 {
		t.Errorf("%d active rules, want 2", got)
	}
	if book.Scenario("off") == nil || book.Scenario("first") == nil || book.Scenario("a") != nil {
		t.Error("scenarios are found by name")
	}
	if len(book.Files) != 4 {
		t.Errorf("watched: %v", book.Files)
	}
}

func TestLoadSameName(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": rule, "b.yaml": "name: a\n" + rule, "c.yaml": "name: a\n" + rule})
	book, findings, err := Load(plantStore(t), nil, dir)
	if err != nil || book != nil || len(findings) != 2 {
		t.Fatal(book, list(findings), err)
	}
	if f := findings[0]; f.Code != CodeName || f.Document.Line != 1 || f.Document.Column != 7 || !strings.HasSuffix(f.Document.File, "b.yaml") {
		t.Errorf("finding %+v", f)
	}
}

func TestLoadFails(t *testing.T) {
	for name, path := range map[string]string{
		"missing": filepath.Join(t.TempDir(), "none.yaml"),
		"empty":   t.TempDir(),
	} {
		if _, _, err := Load(plantStore(t), nil, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLoadTooLarge(t *testing.T) {
	dir := write(t, map[string]string{"a.yaml": rule + strings.Repeat("#\n", MaxSize/2)})
	_, findings, err := Load(plantStore(t), nil, dir)
	if err != nil || len(findings) != 1 || findings[0].Code != CodeSyntax {
		t.Error(list(findings), err)
	}
}

// Aliases that stand for more than a file may hold, long keys nested without
// end, and thousands of faults end soon.
func TestBounds(t *testing.T) {
	c := plantStore(t)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i := range 12 {
		before, name := string(rune('a'+i)), string(rune('b'+i))
		bomb += name + ": &" + name + " [" + strings.Repeat("*"+before+",", 9) + "]\n"
	}
	key := strings.Repeat("k", 100_000)
	for name, text := range map[string]string{
		"bomb":   bomb + rule,
		"self":   "rules: &a [*a, *a, *a]\n",
		"deep":   "rules: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000),
		"keys":   "a: &a {? " + key + " : [1,2,3]}\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b]\nrules: [*c, *c, *c]\n",
		"faults": "rules: [" + strings.Repeat("{},", 50_000) + "]",
	} {
		s, findings := Parse(c, "a.yaml", []byte(text))
		if s != nil || len(findings) == 0 || len(findings) > maxFindings {
			t.Errorf("%s: %v with %d findings", name, s, len(findings))
		}
	}
}
