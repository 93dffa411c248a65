package spec

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestRoot reads the files that references lead to in the document's repository or folder. It reads nothing of a home
// directory that is kept under Git, and no hidden file.
func TestRoot(t *testing.T) {
	const document = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\npaths:\n  /x:\n    post:\n      requestBody: " +
		"{content: {application/json: {schema: {$ref: 'REF'}}}}\n      responses: {'200': {description: ok}}\n"
	for _, c := range []struct {
		document, ref string
		git           string            // directory with .git; "" if none
		links         map[string]string // name → target
		home, root    string            // the home and Options.Root, below the directory of the test
		err           string            // "" if the reference is read
	}{
		{document: "home/repo/api/openapi.yaml", ref: "../common/a.yaml", git: "home/repo", home: "home"},
		{document: "home/repo/api/openapi.yaml", ref: "../common/a.yaml", home: "home", err: "leaves"},
		{document: "home/api/openapi.yaml", ref: "../notes/a.yaml", git: "home", home: "home", err: "leaves"},
		{document: "home/api/openapi.yaml", ref: "a.yaml", git: "home", home: "home"},
		{document: "home/api/openapi.yaml", ref: "../notes/a.yaml", git: ".", home: "home", err: "leaves"},
		{document: "work/api/openapi.yaml", ref: "../common/a.yaml", git: "work", home: "home"},
		{document: "work/api/openapi.yaml", ref: "../common/a.yaml", git: ".", home: "home", err: "leaves"},
		{document: "link/api/openapi.yaml", ref: "../notes/a.yaml", git: "home", links: map[string]string{"link": "home"}, home: "home", err: "leaves"},
		{document: "home/api/openapi.yaml", ref: "../notes/a.yaml", git: "home", links: map[string]string{"link": "home"}, home: "link", err: "leaves"},
		{document: "home/openapi.yaml", ref: ".ssh/key.yaml", home: "home", err: "hidden"},
		{document: "home/openapi.yaml", ref: "api/.env", home: "home", err: "hidden"},
		{document: "home/repo/api/openapi.yaml", ref: "../.git/a.yaml", git: "home/repo", home: "home", err: "hidden"},
		{document: "home/repo/api/openapi.yaml", ref: "../.env", git: "home/repo", home: "home", err: "hidden"},
		{document: "home/repo/openapi.yaml", ref: "%2eenv", git: "home/repo", home: "home", err: "hidden"},
		{document: "home/repo/openapi.yaml", ref: "plain.yaml", links: map[string]string{"home/repo/plain.yaml": ".env"}, home: "home", err: "hidden"},
		{document: "home/repo/openapi.yaml", ref: "plain/a.yaml", git: "home/repo", links: map[string]string{"home/repo/plain": ".git"}, home: "home", err: "hidden"},
		{document: "home/repo/openapi.yaml", ref: ".a.yaml", links: map[string]string{"home/repo/.a.yaml": "common/a.yaml"}, home: "home", err: "hidden"},
		{document: "home/repo/.github/openapi.yaml", ref: "schemas/a.yaml", git: "home/repo", home: "home"},
		{document: "home/repo/.github/api/openapi.yaml", ref: "../schemas/a.yaml", git: "home/repo", home: "home"},
		{document: "home/repo/.github/openapi.yaml", ref: "../common/a.yaml", git: "home/repo", home: "home"},
		{document: "home/repo/.github/openapi.yaml", ref: ".secret/a.yaml", git: "home/repo", home: "home", err: "hidden"},
		{document: "home/repo/.github/openapi.yaml", ref: "../.git/a.yaml", git: "home/repo", home: "home", err: "hidden"},
		{document: "home/repo/.github/openapi.yaml", ref: "../common/.github/a.yaml", git: "home/repo", home: "home", err: "hidden"},
		{document: "home/repo/api/openapi.yaml", ref: "../../.ssh/key.yaml", home: "home", root: "home", err: "hidden"},
		{document: "home/repo/api/openapi.yaml", ref: "../../notes/a.yaml", home: "home", root: "home"},
	} {
		top := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			file := filepath.Join(top, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.MkdirAll(filepath.Join(top, "home"), 0o777); err != nil {
			t.Fatal(err)
		}
		if c.git != "" {
			write(c.git+"/.git/a.yaml", "type: integer\n")
		}
		for name, target := range c.links {
			if err := os.MkdirAll(filepath.Dir(filepath.Join(top, name)), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, filepath.Join(top, name)); err != nil {
				if runtime.GOOS == "windows" { // where a right is needed
					t.Skip(err)
				}
				t.Fatal(err)
			}
		}
		for _, name := range []string{
			"home/notes/a.yaml", "home/api/a.yaml", "home/api/.env", "home/.ssh/key.yaml", "home/repo/common/a.yaml", "home/repo/.env",
			"home/repo/common/.github/a.yaml", "home/repo/.github/schemas/a.yaml", "home/repo/.github/.secret/a.yaml", "work/common/a.yaml",
			"home/repo/.github/api/a.yaml",
		} {
			write(name, "type: integer\n")
		}
		write(c.document, strings.Replace(document, "REF", c.ref, 1))
		t.Setenv("HOME", filepath.Join(top, c.home))
		t.Setenv("USERPROFILE", filepath.Join(top, c.home))
		o := Options{}
		if c.root != "" {
			o.Root = filepath.Join(top, c.root)
		}
		_, err := Load(t.Context(), filepath.Join(top, c.document), o)
		switch {
		case c.err == "" && err != nil, c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s to %s with .git in %q, home %q: %v, want %q", c.document, c.ref, c.git, c.home, err, c.err)
		}
		if o.AllowExternal = true; c.err != "" {
			if _, err := Load(t.Context(), filepath.Join(top, c.document), o); err != nil {
				t.Errorf("%s to %s of a trusted document: %v", c.document, c.ref, err)
			}
		}
	}
}
