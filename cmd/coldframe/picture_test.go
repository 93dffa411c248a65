//go:build unix

package main

import (
	"fmt"
	"html"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestPicture checks that docs/run.svg shows what README.md's first minute prints. UPDATE_GOLDEN=1 draws it again.
func TestPicture(t *testing.T) {
	t.Chdir("../..")
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## First minute\n")
	section, _, _ = strings.Cut(section, "\n## ")
	s := &shell{t: t, real: map[string]string{}}
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(section, -1) {
		for _, command := range regexp.MustCompile(`(?:.*\\\n)*.+`).FindAllString(block[1], -1) {
			var shown []string // of a server the title and the address
			if strings.HasPrefix(command, "go run") {
				shown = []string{"", "", more}
			}
			lines = append(append(lines, "$ "+command), s.run(strings.ReplaceAll(command, "\\\n", ""), shown)...)
		}
	}
	if s.ran < 4 {
		t.Fatalf("the section has %d commands", s.ran)
	}
	const file = "docs/run.svg"
	got, want := terminal(lines), ""
	if text, err := os.ReadFile(file); err == nil {
		want = string(text)
	}
	switch {
	case got == want:
	case golden.Update():
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is not what the commands print; UPDATE_GOLDEN=1 draws it again", file)
	}
}

// terminal draws lines as a terminal of 100 columns shows them.
func terminal(lines []string) string {
	const columns, width, height = 100, 8.43, 18 // of a character, in pixels
	var b strings.Builder
	y := 24
	for _, line := range lines {
		class := ""
		if strings.HasPrefix(line, "$ ") {
			class = ` class="c"`
			if b.Len() > 0 {
				y += height / 2
			}
		}
		for row := range strings.SplitSeq(line, "\n") {
			for part := range slices.Chunk([]rune(row), columns) {
				fmt.Fprintf(&b, "<text%s x=\"16\" y=\"%d\">%s</text>\n", class, y, html.EscapeString(string(part)))
				y += height
			}
		}
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0[1]f" height="%[2]d" viewBox="0 0 %.0[1]f %[2]d">
<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#c9d1d9;white-space:pre}.c{fill:#7ee787}</style>
<rect width="100%%" height="100%%" rx="8" fill="#0d1117"/>
%[3]s</svg>
`, columns*width+32, y, b.String())
}
