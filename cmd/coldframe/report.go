package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/outfile"
	formats "github.com/coldframe/coldframe/internal/report"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/report"
)

// reportForm is the syntax of --report by example: junit=contract.xml,html=page.html.
const reportForm = "FORMAT=FILE,..."

func reportFormats() []string {
	return each(formats.Formats(), func(f *formats.Format) string { return f.Name })
}

func reportList(to *[]formats.Output) *value {
	return &value{form: reportForm, words: reportFormats(), set: func(text string) error {
		read, err := formats.Parse(text)
		*to = append(*to, read...)
		return err
	}}
}

// resolveReports returns the reports with file names relative to the current folder.
func resolveReports(text string, output func(string, config.Form) (string, error)) (string, error) {
	parts := strings.Split(text, ",")
	for i, part := range parts {
		format, file, ok := strings.Cut(strings.TrimSpace(part), "=")
		row := slices.IndexFunc(formats.Formats(), func(f *formats.Format) bool { return f.Name == format })
		if !ok || file == "-" || row < 0 {
			continue // the parser reports the error
		}
		f := formats.Formats()[row]
		file, err := output(file, config.Form{Extensions: []string{f.Extension}, Marks: f.Marks})
		if err != nil {
			return "", err
		}
		parts[i] = format + "=" + file
	}
	return strings.Join(parts, ","), nil
}

// checkReports finds errors that would otherwise appear only at the end of a run.
func (j *judging) checkReports(origin string) error {
	printed := 0
	for _, output := range j.reports {
		if output.File == "-" {
			printed++
		} else if err := checkFolder(output.File); err != nil {
			return fmt.Errorf("%s: %q cannot be written: %w", origin, output.File, err)
		}
	}
	if printed > 1 {
		return fmt.Errorf("%s: only one report can go to standard output", origin)
	}
	return nil
}

// checkFolder returns an error if the folder of a file does not exist.
func checkFolder(file string) error {
	folder, err := os.Stat(filepath.Dir(file))
	if err == nil && !folder.IsDir() {
		err = fmt.Errorf("%s is not a folder", filepath.Dir(file))
	}
	return err
}

// writeReports prints the report for people and writes the others. If one of those has standard output,
// people's is on standard error. One that cannot be written keeps none of the others from being written.
func (j *judging) writeReports(p *program, r *report.Report) error {
	to := p.stdout
	if slices.ContainsFunc(j.reports, func(o formats.Output) bool { return o.File == "-" }) {
		to = p.stderr
	}
	current, _ := os.Getwd()
	options := formats.Options{
		Text:    formats.TextOptions{Colour: to.Colours, Verbose: j.verbose},
		Version: versionText(),
		// annotations name files relative to the checkout of the CI system
		Root:   cmp.Or(os.Getenv("GITHUB_WORKSPACE"), os.Getenv("CI_PROJECT_DIR"), current),
		Shared: os.Getenv("GITHUB_STEP_SUMMARY"),
	}
	var failed []error
	if !j.quiet || len(r.Findings) > 0 || r.Ended != "" {
		failed = append(failed, formats.Text(to, r, options.Text))
	}
	options.Text.Colour = false
	for _, output := range j.reports {
		to := p.stdout
		to.Commands = output.Format.Commands
		failed = append(failed, output.Write(r, options, to))
	}
	return errors.Join(failed...)
}

// covering has the settings for the coverage report that the mock writes at its end.
type covering struct {
	files []string // to write; "-" is standard output
	least float64  // percent; below it the program ends with 1
}

// coverageForms are the formats of the coverage report by extension.
var coverageForms = map[string]struct {
	text func(*coverage.Report) ([]byte, error)
	mark *lazyregexp.Regexp // see config.Form
}{
	".json": {(*coverage.Report).JSON, coverage.JSONMark},
	".info": {coverageLCOV, coverage.LCOVMark},
	".lcov": {coverageLCOV, coverage.LCOVMark},
	".txt":  {func(r *coverage.Report) ([]byte, error) { return []byte(r.Text()), nil }, coverage.TextMark},
}

func coverageLCOV(r *coverage.Report) ([]byte, error) { return []byte(r.LCOV()), nil }

// coverageForm returns the format of a coverage file; its extensions are all known ones if the file has none of them.
func coverageForm(file string) config.Form {
	if form, ok := coverageForms[filepath.Ext(file)]; ok {
		return config.Form{Extensions: []string{filepath.Ext(file)}, Marks: form.mark.Get().Match}
	}
	return config.Form{Extensions: slices.Sorted(maps.Keys(coverageForms))}
}

// check finds errors that would otherwise appear only at the end.
func (c *covering) check() error {
	for _, file := range c.files {
		if file == "-" {
			continue
		}
		if coverageForms[strings.ToLower(filepath.Ext(file))].text == nil {
			return &mock.OptionError{Option: "coverage",
				Reason: fmt.Sprintf("%q must end in .json, .info, .lcov or .txt, or be -", file)}
		}
		if err := checkFolder(file); err != nil {
			return &mock.OptionError{Option: "coverage", Reason: fmt.Sprintf("%q cannot be written: %v", file, err)}
		}
	}
	return nil
}

// reportOf returns the function that reports the coverage of a server.
func (c *covering) reportOf(p *program) func(*mock.Server) error {
	return func(server *mock.Server) error { return c.report(p, server.Coverage) }
}

// report writes the coverage, and compares it with the minimum. Without a file and a minimum it does not call used: the
// report of GitHub's document takes two thirds of the CPU time of its start.
func (c *covering) report(p *program, used func() *coverage.Report) error {
	if len(c.files) == 0 && c.least <= 0 {
		return nil
	}
	r := used()
	if err := c.write(p, r); err != nil {
		return err
	}
	return p.reaches(r, c.least)
}

// write writes the report to all files.
func (c *covering) write(p *program, r *coverage.Report) error {
	for _, file := range c.files {
		if file == "-" {
			if _, err := io.WriteString(p.stdout, r.Text()); err != nil {
				return err
			}
			continue
		}
		text, err := coverageForms[strings.ToLower(filepath.Ext(file))].text(r)
		if err == nil {
			err = outfile.Write(file, visible.Bytes(text))
		}
		if err != nil {
			return fmt.Errorf("the coverage cannot be written: %w", err)
		}
	}
	return nil
}

const mostMissing = 5 // unused parts that are named in one line

// reaches prints the unused parts if the coverage is below the minimum; the error is then an exitError.
func (p *program) reaches(r *coverage.Report, least float64) error {
	if r == nil || r.Reaches(least) {
		return nil
	}
	missing := r.Missing()
	var named []string
	for _, point := range missing[:min(len(missing), mostMissing)] {
		named = append(named, strings.ReplaceAll(point.String(), "\n", " "))
	}
	text := fmt.Sprintf("coldframe: coverage is %.1f %%, below the minimum of %s %%; not used: %s", r.Percent,
		strconv.FormatFloat(least, 'f', -1, 64), strings.Join(named, ", "))
	if more := len(missing) - len(named); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	fmt.Fprintln(p.stderr, text)
	return exitError(exitFindings)
}

// bar is the progress line of a run; nil shows nothing.
type bar struct{ to io.Writer }

// progressBar returns the progress line of a run, on a terminal only, and not in CI.
func (p *program) progressBar(quiet bool) *bar {
	if quiet || os.Getenv("CI") != "" || !isScreen(p.stderr.To) {
		return nil
	}
	return &bar{p.stderr.To}
}

const clearLine = "\r\x1b[K" // the terminal's control sequence (ECMA-48 EL)

func (b *bar) show(at contracts.Progress) {
	if b != nil {
		io.WriteString(b.to, clearLine+progressLine(at))
	}
}

func (b *bar) clear() {
	if b != nil {
		io.WriteString(b.to, clearLine)
	}
}

// barWidth is the width of the bar in characters: with the texts beside it the line fits into the 80 columns of the
// smallest terminals.
const barWidth = 8

// progressLine formats the progress of a run. The time left follows from --max-time.
func progressLine(at contracts.Progress) string {
	done := 0
	if at.Operations > 0 {
		done = min(max(at.Operation, 0), at.Operations) * barWidth / at.Operations
	}
	left := "none"
	if s := at.Left.Round(time.Second); s > 0 {
		left = shortDuration(s)
	}
	return fmt.Sprintf("%-8s %s%s %d/%s, %s, %s, %s left", at.Phase, strings.Repeat("█", done),
		strings.Repeat("░", barWidth-done),
		at.Operation, several(at.Operations, "operation"), several(at.Cases, "case"), several(at.Findings, "finding"), left)
}

func several(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// isScreen reports whether w is a terminal that can move its cursor.
func isScreen(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(f.Fd())
}

// screen returns a writer that escapes invisible characters.
func screen(w io.Writer) visible.Writer { return visible.Writer{To: w, Colours: isTerminal(w)} }

// isTerminal reports whether w shows colours (https://no-color.org).
func isTerminal(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && isScreen(w) }
