package backends

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestFaultsShow sends each fault's requests to the right service and to the
// faulty one: the answers differ as faults/*.txt says.
func TestFaultsShow(t *testing.T) {
	right, wrong := map[string]string{}, map[string]string{}
	for _, f := range Catalogue() {
		t.Run(f.Name, func(t *testing.T) {
			steps := parseScript(t, f.Shown)
			if len(steps) == 0 {
				t.Fatal("no requests")
			}
			good, _ := run(t, f.Service, steps)
			bad, _ := run(t, f.Service, steps, f.Name)
			for i := range steps {
				a, b := good[i].String(), bad[i].String()
				if a == b {
					continue
				}
				right[f.Name], wrong[f.Name] = apart(a, b)
				if !golden.Update() && (right[f.Name] != f.Right || wrong[f.Name] != f.Wrong) {
					t.Errorf("%s: got\nright: %s\nwrong: %s\nwant\nright: %s\nwrong: %s", steps[i].line, right[f.Name], wrong[f.Name], f.Right, f.Wrong)
				}
				return
			}
			t.Errorf("the fault changes no answer; the last is %s", good[len(good)-1])
		})
	}
	if golden.Update() {
		for _, s := range Services() {
			rewrite(t, "faults/"+s.Name+".txt", right, wrong)
		}
	}
}

// apart shortens two answers to their statuses and where they part.
func apart(a, b string) (string, string) {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	short := func(s string) string {
		status, _, _ := strings.Cut(s, " ")
		if i <= 3 {
			return status
		}
		from := max(4, i-20)
		for from > 4 && s[from]&0xc0 == 0x80 {
			from--
		}
		part := s[min(from, len(s)):min(len(s), i+40)]
		return strings.TrimSpace(strings.ToValidUTF8(status+" …"+strings.NewReplacer("\n", " ", "\r", " ", "\x00", "␀").Replace(part), "�"))
	}
	return short(a), short(b)
}

func rewrite(t *testing.T, file string, right, wrong map[string]string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	name := ""
	flush := func() {
		if name != "" && wrong[name] != "" {
			before := strings.TrimRight(b.String(), "\n")
			b.Reset()
			b.WriteString(before + "\nright: " + right[name] + "\nwrong: " + wrong[name] + "\n\n")
		}
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "right: ") || strings.HasPrefix(line, "wrong: ") {
			continue
		}
		if strings.HasPrefix(line, "-- ") || strings.HasPrefix(line, "## ") {
			flush()
			name = ""
			if strings.HasPrefix(line, "-- ") {
				name = strings.Fields(line)[1]
			}
		}
		b.WriteString(line)
	}
	flush()
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// switches are the names of faults and lapses in the code.
var switches = regexp.MustCompile(`has\("([a-z0-9A-Z-]+)"\)|"((?:accepts|refuses|forgets|fails|demands|takes|counts)-[a-zA-Z0-9-]+)"`)

// TestCatalogue holds the catalogue to itself and to the code: whatever can be
// switched on stands in it.
func TestCatalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Catalogue() {
		if seen[f.Service+" "+f.Name] {
			t.Errorf("%s stands in the catalogue twice", f.Name)
		}
		seen[f.Service+" "+f.Name] = true
		if f.Kind == "" || !strings.HasSuffix(f.What, ".") {
			t.Errorf("%s: kind %q, what %q", f.Name, f.Kind, f.What)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range switches.FindAllStringSubmatch(string(source), -1) {
			name := m[1] + m[2]
			if !slices.ContainsFunc(Catalogue(), func(f Fault) bool { return f.Name == name || strings.HasSuffix(f.Name, "-"+name) }) {
				t.Errorf("%s: the catalogue does not name %s", file, name)
			}
		}
	}
	if len(seen) < 188 {
		t.Errorf("there are %d faults, want at least 188", len(seen))
	}
}
