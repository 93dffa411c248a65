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
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

// reportForm is the form of reports by format: junit=contract.xml,html=page.html.
const reportForm = "FORMAT=FILE,..."

func reportFormats() []string {
	return each(contracts.ReportFormats(), func(f *contracts.ReportFormat) string { return f.Name })
}

func reportList(to *[]contracts.ReportOutput) *value {
	return &value{form: reportForm, words: reportFormats(), set: func(text string) error {
		read, err := contracts.ParseReports(text)
		*to = append(*to, read...)
		return err
	}}
}

// resolveReports returns reports whose files are named as they are seen from the current folder.
func resolveReports(text string, output func(string, config.Form) (string, error)) (string, error) {
	parts := strings.Split(text, ",")
	for i, part := range parts {
		format, file, ok := strings.Cut(strings.TrimSpace(part), "=")
		row := slices.IndexFunc(contracts.ReportFormats(), func(f *contracts.ReportFormat) bool { return f.Name == format })
		if !ok || file == "-" || row < 0 {
			continue // who reads it says what is wrong
		}
		f := contracts.ReportFormats()[row]
		file, err := output(file, config.Form{Extensions: []string{f.Extension}, Marks: f.Marks})
		if err != nil {
			return "", err
		}
		parts[i] = format + "=" + file
	}
	return strings.Join(parts, ","), nil
}

// checkReports finds before the start what would fail at the end.
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
		return fmt.Errorf("%s: standard output has room for one report", origin)
	}
	return nil
}

// checkFolder reports why a file cannot be written: its folder does not exist.
func checkFolder(file string) error {
	folder, err := os.Stat(filepath.Dir(file))
	if err == nil && !folder.IsDir() {
		err = fmt.Errorf("%s is no folder", filepath.Dir(file))
	}
	return err
}

// writeReports prints the report for people and writes the others. Where one of those has standard output,
// people's is on standard error. One that cannot be written keeps none of the others from being written.
func (j *judging) writeReports(p *program, r *contracts.Report) error {
	to := p.stdout
	if slices.ContainsFunc(j.reports, func(o contracts.ReportOutput) bool { return o.File == "-" }) {
		to = p.stderr
	}
	current, _ := os.Getwd()
	options := contracts.ReportOptions{
		Text:    contracts.TextOptions{Colour: to.Colours, Verbose: j.verbose},
		Version: versionText(),
		// what annotations name files from: where CI has put the repository
		Root:   cmp.Or(os.Getenv("GITHUB_WORKSPACE"), os.Getenv("CI_PROJECT_DIR"), current),
		Shared: os.Getenv("GITHUB_STEP_SUMMARY"),
	}
	var failed []error
	if !j.quiet || len(r.Findings) > 0 || r.Ended != "" {
		failed = append(failed, contracts.WriteText(to, r, options.Text))
	}
	options.Text.Colour = false
	for _, output := range j.reports {
		to := p.stdout
		to.Commands = output.Format.Commands
		failed = append(failed, output.Write(r, options, to))
	}
	return errors.Join(failed...)
}

// covering is what becomes of the consumer coverage when the mock ends.
type covering struct {
	files []string // to be written; "-" is standard output
	least float64  // below it the program ends with 1
}

// coverageForms are the forms of the coverage by their extensions.
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

// coverageForm returns the form of a file of the coverage; all extensions if it has none of them.
func coverageForm(file string) config.Form {
	if form, ok := coverageForms[filepath.Ext(file)]; ok {
		return config.Form{Extensions: []string{filepath.Ext(file)}, Marks: form.mark.Get().Match}
	}
	return config.Form{Extensions: slices.Sorted(maps.Keys(coverageForms))}
}

// check finds before the start what would fail at the end.
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

// report has what was used written and compared with the minimum, where that is asked for: to make the report of
// GitHub's document takes as much CPU time as two thirds of its start.
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

const mostMissing = 5 // of what was not used, named in one line

// reaches prints what is missing where less than a minimum was used; the error is then an exitError.
func (p *program) reaches(r *coverage.Report, least float64) error {
	if r.Reaches(least) {
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

// bar is the line that shows how far a run is; nil shows nothing.
type bar struct{ to io.Writer }

// progressBar returns the bar of a run: on a terminal where somebody looks at it, not in CI.
func (p *program) progressBar(quiet bool) *bar {
	if quiet || os.Getenv("CI") != "" || !isScreen(p.stderr.To) {
		return nil
	}
	return &bar{p.stderr.To}
}

const clearLine = "\r\x1b[K" // of a terminal (ECMA-48 EL)

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

// barWidth is how many characters wide the bar itself is: with the texts beside
// it the line stays below the 80 columns of the smallest terminals.
const barWidth = 8

// progressLine says how far a run is. The time left is what --max-time leaves.
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

// screen makes a writer the border.
func screen(w io.Writer) visible.Writer { return visible.Writer{To: w, Colours: isTerminal(w)} }

// isTerminal reports whether colours make sense on w (https://no-color.org).
func isTerminal(w io.Writer) bool { return os.Getenv("NO_COLOR") == "" && isScreen(w) }
