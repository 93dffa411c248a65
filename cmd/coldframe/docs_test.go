package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestTables compares the tables of docs/contract-testing.md with those in the code.
// UPDATE_GOLDEN=1 rewrites them.
func TestTables(t *testing.T) {
	const file = "../../docs/contract-testing.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	var phases, tests, judgements, formats strings.Builder
	for _, p := range contracts.Phases() {
		fmt.Fprintf(&phases, "| `%s` | %s |\n", p.ID, p.Meaning)
	}
	for _, s := range contracts.StatefulTests() {
		fmt.Fprintf(&tests, "| `%s` | %s |\n", s.ID, s.Meaning)
	}
	for _, c := range contracts.Checks() {
		fmt.Fprintf(&judgements, "| `%s` | %s | %s | %s | %s |\n", c.ID, severityOf(c), c.Meaning, c.Certainty, c.Source)
	}
	for _, f := range contracts.ReportFormats() {
		fmt.Fprintf(&formats, "| `%s` | %s |\n", f.Name, f.Meaning)
	}
	for _, table := range []struct{ head, want string }{
		{"| phase | what is sent |\n|---|---|\n", phases.String()},
		{"| test | what it checks |\n|---|---|\n", tests.String()},
		{"| check | severity | what must hold | what makes it certain | source |\n|---|---|---|---|---|\n", judgements.String()},
		{"| format | what it is |\n|---|---|\n", formats.String()},
	} {
		before, rest, ok := strings.Cut(page, table.head)
		if !ok {
			t.Errorf("the page has no table %q", table.head)
			continue
		}
		got, _, _ := strings.Cut(rest, "\n\n")
		if diff := cmp.Diff(table.want, got+"\n"); diff != "" && !golden.Update() {
			t.Errorf("%s%s", table.head, diff)
		}
		page = before + table.head + strings.TrimSuffix(table.want, "\n") + strings.TrimPrefix(rest, got)
	}
	if golden.Update() {
		if err := os.WriteFile(file, []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestSnippets checks the YAML of docs/how-to/contract-testing.md:
// two coldframe.yaml, then a setup file.
func TestSnippets(t *testing.T) {
	page, err := os.ReadFile("../../docs/how-to/contract-testing.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(blocks) != 3 {
		t.Fatalf("there are %d", len(blocks))
	}
	document := []byte(`openapi: 3.1.0
info: {title: Plants, version: "1"}
paths:
  /owners/{ownerId}/plants: {parameters: [{name: ownerId, in: path, required: true}, {name: tenant, in: query}], get: {responses: {}}}
  /plants/{id}: {parameters: [{name: id, in: path, required: true}], delete: {responses: {}}}
`)
	file := filepath.Join(t.TempDir(), "setup.yaml")
	if err := os.WriteFile(file, blocks[2][1], 0o666); err != nil {
		t.Fatal(err)
	}
	var access *contracts.AccessError // the setup is read before the backend is asked for
	o := contracts.Options{Document: "openapi.yaml", Text: document, URL: "http://127.0.0.1:1", SetupFile: file}
	if _, err := contracts.Run(t.Context(), o); !errors.As(err, &access) {
		t.Error(err)
	}
	p := &program{}
	for _, c := range []struct {
		text     []byte
		settings int
		rules    bool
	}{{blocks[0][1], 0, true}, {blocks[1][1], 4, false}} {
		f, findings, err := config.Parse("coldframe.yaml", c.text, settingsOf(p.rootCommand()))
		if err != nil || len(findings) > 0 || len(f.Settings) != c.settings || f.HasRules != c.rules {
			t.Error(f, findings, err)
		}
	}
	if err := os.WriteFile(file, blocks[0][1], 0o666); err != nil {
		t.Fatal(err)
	}
	if r, err := contracts.LoadRules(file); err != nil || len(r.Operations) != 3 || len(r.Waivers) != 2 {
		t.Error(r, err)
	}
}

// TestCommands checks that docs/mock.md lists every command.
func TestCommands(t *testing.T) {
	page, err := os.ReadFile("../../docs/mock.md")
	if err != nil {
		t.Fatal(err)
	}
	p := &program{}
	commands := p.rootCommand().Commands()
	for _, command := range commands {
		if name := command.Name(); !regexp.MustCompile("`coldframe \\[?" + name + "\\b").Match(page) {
			t.Errorf("docs/mock.md does not list %s", name)
		}
	}
	if len(commands) < 5 {
		t.Error(len(commands))
	}
}

// TestLinks checks that the links of all pages lead to a file of the repository, and to a heading of it.
func TestLinks(t *testing.T) {
	root := "../.."
	links := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	blocks := regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
	headings := map[string]map[string]bool{}
	anchors := func(file string) map[string]bool {
		if headings[file] == nil {
			text, _ := os.ReadFile(file)
			headings[file] = map[string]bool{}
			for _, h := range regexp.MustCompile("(?m)^#+ (.*)$").FindAllSubmatch(text, -1) {
				anchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(string(h[1])), "")
				headings[file][strings.ReplaceAll(anchor, " ", "-")] = true
			}
		}
		return headings[file]
	}
	count := 0
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if entry != nil && entry.IsDir() && slices.Contains([]string{"node_modules", ".git", "testdata"}, entry.Name()) {
			return filepath.SkipDir
		}
		if err != nil || filepath.Ext(file) != ".md" {
			return err
		}
		page, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, link := range links.FindAllStringSubmatch(blocks.ReplaceAllString(string(page), ""), -1) {
			path, anchor, _ := strings.Cut(link[1], "#")
			if strings.Contains(path, ":") { // of another site
				continue
			}
			count++
			target := file
			if path != "" {
				target = filepath.Join(filepath.Dir(file), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: %s leads to no file", file, link[1])
			} else if anchor != "" && !anchors(target)[anchor] {
				t.Errorf("%s: %s leads to no heading", file, link[1])
			}
		}
		return nil
	})
	if err != nil || count < 50 {
		t.Error(count, err)
	}
}
