// Package report writes what a run of the contract tester found, for people and
// for programs. Each format is a row of one table and renders the same model.
package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/outfile"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/report"
)

// Options are what a report cannot know from the run. The zero value works.
type Options struct {
	Text TextOptions
	// Version of the program, if a format names it.
	Version string
	// Root is the folder that annotations and SARIF name files relative to. Default:
	// files have the names of the run.
	Root string
	// Shared is a file that other programs write to as well: reports are appended to it. Default: none.
	Shared string
}

// Format is one form of report.
type Format struct {
	Name    string
	Meaning string
	write   func(io.Writer, *model) error
	// Extension is the usual one of a file, with its dot.
	Extension string
	mark      *lazyregexp.Regexp // see Marks
	// Commands says that a report is made of commands of a CI system, which the runner must see as they are.
	Commands bool
}

// formats is the table, in the order in which formats are listed.
var formats = []*Format{
	{Name: "text", Meaning: "findings, for people at a terminal", write: writeText, Extension: ".txt",
		mark: lazyregexp.New(`(?m)^(Nothing found|\d.* findings?\b).*; [\d,]+ operations? and [\d,]+ requests? in ` +
			`.*; seed \d+$`)},
	{Name: "json", Meaning: "the whole report, for programs and as the baseline of later runs", write: writeJSON,
		Extension: ".json", mark: lazyregexp.New(`^\{\s*"form": \d+,\s*"program": \{\s*"name": "coldframe"`)},
	{Name: "junit", Meaning: "JUnit XML, for CI: a suite for each operation, a case for each check", write: writeJUnit,
		Extension: ".xml", mark: lazyregexp.New(`^<\?xml [^>]*>\s*<testsuites name=[^>]*>(</testsuites>|` +
			`\s*<testsuite name=[^>]*>\s*<properties>(</properties>|\s*<property name="document"))`)},
	{Name: "sarif", Meaning: "SARIF 2.1.0, for code scanning: findings on the document's lines", write: writeSARIF,
		Extension: ".sarif", mark: lazyregexp.New(`"informationUri": "https://github.com/coldframe/coldframe",\s*` +
			`"name": "coldframe"`)},
	{Name: "github", Meaning: "annotations of GitHub's workflows on the document's lines", write: writeGitHub,
		Extension: ".txt", mark: lazyregexp.New(`(?m)^::notice title=coldframe::`), Commands: true},
	{Name: "markdown", Meaning: "a summary, for $GITHUB_STEP_SUMMARY or a comment", write: writeMarkdown,
		Extension: ".md", mark: lazyregexp.New(`^## (✅|❌) Contract of `)},
	{Name: "html", Meaning: "one self-contained page", write: writeHTML,
		Extension: ".html", mark: lazyregexp.New(`<meta name="generator" content="coldframe`)},
	{Name: "lcov", Meaning: "the document's lines that were exercised, for coverage tools", write: writeLCOV,
		Extension: ".info", mark: coverage.LCOVMark},
}

// Marks reports whether the first or the last 64 KiB of a file show that it is a report in this format. Each report
// that is not empty has such a part, and other files rarely do.
func (f *Format) Marks(part []byte) bool { return f.mark.Get().Match(part) }

// Formats returns the table of formats.
func Formats() []*Format { return formats }

// Find returns the format of a name, nil if none.
func Find(name string) *Format {
	for _, f := range formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Write writes a report in this format.
func (f *Format) Write(w io.Writer, r *report.Report, o Options) error {
	text, err := f.text(r, o)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// text returns a whole report, of which nothing is hidden and no CI system obeys a part that it quotes.
func (f *Format) text(r *report.Report, o Options) ([]byte, error) {
	var b, shown bytes.Buffer
	if err := f.write(&b, newModel(r, o)); err != nil {
		return nil, err
	}
	visible.Writer{To: &shown, Colours: o.Text.Colour, Commands: f.Commands}.Write(b.Bytes())
	return shown.Bytes(), nil
}

// Text writes a report for people.
func Text(w io.Writer, r *report.Report, o TextOptions) error {
	return Find("text").Write(w, r, Options{Text: o})
}

func writeLCOV(w io.Writer, m *model) error {
	if m.Coverage == nil {
		return nil
	}
	_, err := io.WriteString(w, m.Coverage.LCOV())
	return err
}

// Output is one report to write.
type Output struct {
	Format *Format
	File   string // "-" is standard output
}

// Parse reads a list of outputs: "junit=results.xml,html=report.html". A format
// alone goes to standard output.
func Parse(spec string) ([]Output, error) {
	var all []Output
	for part := range strings.SplitSeq(spec, ",") {
		name, file, hasFile := strings.Cut(strings.TrimSpace(part), "=")
		format := Find(name)
		if format == nil {
			var names []string
			for _, f := range formats {
				names = append(names, f.Name)
			}
			return nil, fmt.Errorf("%q is no format of reports; there are %s", name, strings.Join(names, ", "))
		}
		if !hasFile {
			file = "-"
		}
		if file == "" {
			return nil, fmt.Errorf("%s needs a file: %[1]s=FILE", name)
		}
		all = append(all, Output{format, file})
	}
	return all, nil
}

// Write writes one report, to its file only once it is complete.
func (out Output) Write(r *report.Report, o Options, stdout io.Writer) error {
	text, err := out.Format.text(r, o)
	switch {
	case err != nil:
		return fmt.Errorf("the %s report: %w", out.Format.Name, err)
	case out.File == "-":
		_, err = stdout.Write(text)
		return err
	case o.Shared != "" && sameFile(out.File, o.Shared):
		return appendTo(out.File, text)
	}
	return outfile.Write(out.File, text)
}

// sameFile reports whether two names are of one file, which may not exist yet.
func sameFile(a, b string) bool {
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	a, errA = filepath.Abs(a)
	b, errB = filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// appendTo writes at the end of a file, on a line of its own.
func appendTo(name string, text []byte) error {
	file, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	if info, err := file.Stat(); err == nil && info.Size() > 0 {
		last := make([]byte, 1)
		if _, err := file.ReadAt(last, info.Size()-1); err == nil && last[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

// relative names a file as seen from Root, with slashes.
func (o *Options) relative(file string) string {
	if o.Root != "" && !strings.Contains(file, "://") {
		full, err := filepath.Abs(file)
		from, errRel := filepath.Rel(o.Root, full)
		if err == nil && errRel == nil && from != ".." && !strings.HasPrefix(from, ".."+string(filepath.Separator)) {
			file = from
		}
	}
	return filepath.ToSlash(file)
}
