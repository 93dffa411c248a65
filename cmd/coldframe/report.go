package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/contracts"
)

// outputs are the reports to write, by format: junit=contract.xml,html=page.html.
type outputs []contracts.ReportOutput

func (o *outputs) String() string { return "" }

func (o *outputs) Type() string { return "FORMAT=FILE,..." }

func (o *outputs) Set(text string) error {
	parsed, err := contracts.ParseReports(text)
	*o = append(*o, parsed...)
	return err
}

// resolve gives the files as they are seen from the current folder.
func (o *outputs) resolve(text string, in func(string) string) string {
	parts := strings.Split(text, ",")
	for i, part := range parts {
		if format, file, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
			parts[i] = format + "=" + in(file)
		}
	}
	return strings.Join(parts, ",")
}

// check finds before the start what would fail at the end.
func (o outputs) check(origin string) error {
	for _, output := range o {
		if output.File == "-" {
			continue
		}
		if err := checkFolder(output.File); err != nil {
			return fmt.Errorf("%s: %q cannot be written: %w", origin, output.File, err)
		}
	}
	if o.printed() > 1 {
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

// printed counts the reports that go to standard output.
func (o outputs) printed() (n int) {
	for _, output := range o {
		if output.File == "-" {
			n++
		}
	}
	return n
}

// write prints the report for people and writes the others. Where one of those
// has standard output, people's is on standard error. One that cannot be
// written keeps none of the others from being written.
func (o outputs) write(p *program, j *judging, r *contracts.Report) error {
	to := p.stdout
	if o.printed() > 0 {
		to = p.stderr
	}
	options := contracts.ReportOptions{
		Text:    contracts.TextOptions{Colour: isTerminal(to), Verbose: j.verbose},
		Version: versionText(),
		Root:    checkout(),
		Shared:  os.Getenv("GITHUB_STEP_SUMMARY"),
	}
	var failed []error
	if !j.quiet || len(r.Findings) > 0 || r.Ended != "" {
		failed = append(failed, contracts.WriteText(to, r, options.Text))
	}
	options.Text.Colour = false
	for _, output := range o {
		failed = append(failed, output.Write(r, options, p.stdout))
	}
	return errors.Join(failed...)
}

// checkout is the folder that CI has put the repository in, else the current
// one: what annotations name files from.
func checkout() string {
	current, _ := os.Getwd()
	return cmp.Or(os.Getenv("GITHUB_WORKSPACE"), os.Getenv("CI_PROJECT_DIR"), current)
}

// formatNames names the formats in one line.
func formatNames() string {
	var names []string
	for _, f := range contracts.ReportFormats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}
