package report_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	formats "github.com/coldframe/coldframe/internal/report"
	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/report"
)

var (
	pages = flag.String("pages", "", "a folder to leave the HTML page of each sample in")
)

// forms are the formats with their variants, each with the file of its golden.
var forms = []struct {
	format, file string
	options      formats.Options
}{
	{"text", "report.txt", formats.Options{}},
	{"text", "verbose.txt", formats.Options{Text: formats.TextOptions{Verbose: true, Width: 60}}},
	{"text", "colour.txt", formats.Options{Text: formats.TextOptions{Colour: true}}},
	{"json", "report.json", formats.Options{Version: "1.2.3"}},
	{"junit", "junit.xml", formats.Options{}},
	{"sarif", "report.sarif", formats.Options{Version: "1.2.3"}},
	{"github", "github.txt", formats.Options{}},
	{"markdown", "summary.md", formats.Options{}},
	{"html", "page.html", formats.Options{Version: "1.2.3"}},
	{"lcov", "lcov.info", formats.Options{}},
}

// TestGoldens compares each format of each sample with testdata/SAMPLE/FILE.
func TestGoldens(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(samples)) {
		for _, form := range forms {
			t.Run(name+"/"+form.file, func(t *testing.T) {
				got := written(t, form.format, name, form.options)
				if again := written(t, form.format, name, form.options); !bytes.Equal(got, again) {
					t.Error("written twice, it differs")
				}
				first, last := got[:min(len(got), 64<<10)], got[max(0, len(got)-64<<10):]
				for _, f := range formats.Formats() {
					isOwn := f.Name == form.format && len(got) > 0 && !form.options.Text.Colour
					if (f.Marks(first) || f.Marks(last)) != isOwn && !form.options.Text.Colour {
						t.Errorf("taken for a report in %s: %v", f.Name, !isOwn)
					}
				}
				if form.format == "html" {
					got = withoutFiles(t, got)
				}
				file := filepath.Join("testdata", name, form.file)
				if golden.Update() {
					if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(file, got, 0o666); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("differs from %s; see it with UPDATE_GOLDEN=1 and git diff", file)
				}
			})
		}
	}
}

// withoutFiles returns a page without the style and the script, each of which it
// must have once, unchanged.
func withoutFiles(t *testing.T, page []byte) []byte {
	t.Helper()
	for _, file := range []string{"page.css", "page.js"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(page, text); n != 1 {
			t.Errorf("the page has %s %d times", file, n)
		}
		page = bytes.Replace(page, text, []byte("/* "+file+" */"), 1)
	}
	return page
}

// TestPages writes whole pages, to be opened in a browser.
func TestPages(t *testing.T) {
	folder := *pages
	if folder == "" {
		folder = t.TempDir()
	}
	for name := range samples {
		page := written(t, "html", name, formats.Options{Version: "1.2.3"})
		if !bytes.HasSuffix(bytes.TrimSpace(page), []byte("</html>")) {
			t.Errorf("%s: the page ends with %q", name, page[max(0, len(page)-40):])
		}
		if err := os.WriteFile(filepath.Join(folder, name+".html"), page, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func written(t *testing.T, format, sample string, o formats.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := formats.Find(format).Write(&b, samples[sample](), o); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestNothingHidden checks that no format shows a character that a terminal
// obeys, or that turns text around. JSON escapes them in its own way.
func TestNothingHidden(t *testing.T) {
	for _, form := range forms {
		if form.options.Text.Colour || form.format == "json" {
			continue
		}
		got := string(written(t, form.format, "hostile", form.options))
		for _, bad := range []string{"\x1b", "\x00", "\x07", "\u202e", "\ufeff", "\r"} {
			if at := strings.Index(got, bad); at >= 0 {
				t.Errorf("%s has %q: %q", form.file, bad, got[max(0, at-40):at+len(bad)])
			}
		}
	}
}

// TestNoCommands checks that CI systems obey nothing that documents and backends say, whatever the format: GitHub takes
// "::" at the beginning of a line and "##[" anywhere, Azure "##vso[", TeamCity "##teamcity[".
func TestNoCommands(t *testing.T) {
	const evil = "::stop-commands::x\n \t\u3000::error::x ##[set-output name=a]b\n##vso[task.setvariable variable=a]b ##teamcity[buildStop]"
	sample := func() *report.Report {
		r := hostile()
		r.Title, r.Version, r.Document, r.URL, r.Ended, r.Insufficient = evil, evil, evil, evil, evil, evil
		r.Resolved, r.Stale = append(r.Resolved, evil), append(r.Stale, evil)
		for _, o := range r.Operations {
			o.Name, o.ID, o.Place.File, o.Place.Pointer = o.Name+evil, evil, evil, evil
			if o.Refused != nil {
				o.Refused.Refusals[0].Message, o.Refused.Needs[0].Name = evil, evil
			}
		}
		for i := range r.Skipped {
			r.Skipped[i].Reason = evil
		}
		for _, all := range [][]report.Finding{r.Findings, r.Waived, r.Flaky} {
			for i := range all {
				f := &all[i]
				f.Message, f.About, f.Place.File, f.Place.Pointer, f.Excerpt, f.Kind, f.Source = evil, evil, evil, evil, evil, evil, evil
				for j := range f.Sent {
					if f.Sent[j].Curl, f.Sent[j].Fault = evil, evil; f.Sent[j].Response != nil {
						f.Sent[j].Response.Body = []byte(evil)
					}
				}
			}
		}
		return r
	}
	own := regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::([^\r\n]*)$`)
	for _, form := range forms {
		var b bytes.Buffer
		if err := formats.Find(form.format).Write(&b, sample(), form.options); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(b.String()) {
			line = strings.TrimRight(line, "\n")
			if command := own.FindStringSubmatch(line); form.format == "github" && command != nil {
				line = command[3]
			}
			for _, part := range strings.Split(line, "%0A") {
				if strings.HasPrefix(strings.TrimSpace(part), "::") || regexp.MustCompile(`##\w*\[`).MatchString(part) {
					t.Errorf("%s has a line that CI obeys: %q", form.file, part)
				}
			}
		}
	}
}

// TestSuggestSetup checks that a suggested setup is YAML that has nothing but names, whatever a backend says.
func TestSuggestSetup(t *testing.T) {
	text := formats.SuggestSetup(hostile())
	root, found, err := tree.Read("setup.yaml", text)
	if err != nil || len(found) > 0 {
		t.Fatalf("%v %v\n%s", err, found, text)
	}
	want := map[string]any{"path": nil, "operations": map[string]any{"PATCH /plants/{id}": map[string]any{"query": nil, "body": nil}}}
	if diff := cmp.Diff(want, root.Value()); diff != "" {
		t.Errorf("%s\n%s", diff, text)
	}
	for _, want := range []string{"  # \"id\": 12   # for PATCH /plants/{id}\n", "  # 1 × 422, about body.plot*: no <such> | \\u202eplot\n",
		"      # \"on\": \"…\"\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s\nhas no %s", text, want)
		}
	}
}

func TestParse(t *testing.T) {
	tests := []struct{ spec, want, err string }{
		{"junit=a.xml,html=b.html", "junit a.xml, html b.html", ""},
		{"github", "github -", ""},
		{" json=x=y , text=-", "json x=y, text -", ""},
		{"junit=", "", "junit needs a file: junit=FILE"},
		{"yaml=a", "", `"yaml" is no format of reports; there are text, json, junit, sarif, github, markdown, html, lcov`},
	}
	for _, test := range tests {
		outputs, err := formats.Parse(test.spec)
		var got []string
		for _, o := range outputs {
			got = append(got, o.Format.Name+" "+o.File)
		}
		text := ""
		if err != nil {
			text = err.Error()
		}
		if strings.Join(got, ", ") != test.want || text != test.err {
			t.Errorf("%q: %q, error %q", test.spec, got, text)
		}
	}
}

// write writes the outputs of a list.
func write(spec string, stdout io.Writer) error {
	outputs, err := formats.Parse(spec)
	for _, o := range outputs {
		err = errors.Join(err, o.Write(hostile(), formats.Options{}, stdout))
	}
	return err
}

func TestWrite(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.xml")
	var stdout bytes.Buffer
	if err := write("junit="+file+",lcov", &stdout); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stdout.String(), "TN:coldframe\nSF:api/openapi.yaml\n") {
		t.Errorf("standard output has %q", stdout.String())
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "<testsuites ") {
		t.Errorf("%s has %q (%v)", file, text, err)
	}
	if err := write("junit="+filepath.Join(folder, "none", "a.xml"), &stdout); err == nil {
		t.Error("a file in no folder was written")
	}
}

// TestRoot checks that the names of files are relative to the root.
func TestRoot(t *testing.T) {
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := formats.Find("github").Write(&b, hostile(), formats.Options{Root: filepath.Dir(filepath.Dir(here))}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "::error file=internal/report/api/openapi.yaml,line=42,col=17,") {
		t.Error(b.String())
	}
}
