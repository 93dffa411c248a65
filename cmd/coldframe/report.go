package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts"
)

// reports are the files to write, by format: junit=contract.xml,html=page.html.
type reports []reportFile

type reportFile struct {
	format string
	file   string // "-" is standard output
}

func (r *reports) String() string { return "" }

func (r *reports) Type() string { return "FORMAT=FILE,..." }

func (r *reports) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		format, file, ok := strings.Cut(strings.TrimSpace(part), "=")
		if !slices.Contains(formats(), format) {
			return fmt.Errorf("%q is no format of reports; there are %s", format, formatNames())
		}
		if !ok && format == "github" {
			file = "-" // where the runner looks for them
		}
		if file == "" {
			return fmt.Errorf("%s needs a file: %[1]s=FILE", format)
		}
		*r = append(*r, reportFile{format, file})
	}
	return nil
}

// resolve gives the files as they are seen from the current folder.
func (r *reports) resolve(text string, in func(string) string) string {
	parts := strings.Split(text, ",")
	for i, part := range parts {
		if format, file, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
			parts[i] = format + "=" + in(file)
		}
	}
	return strings.Join(parts, ",")
}

// check finds before the start what would fail at the end.
func (r reports) check(origin string) error {
	printed := 0
	for _, f := range r {
		if f.file == "-" {
			if printed++; printed > 1 {
				return fmt.Errorf("%s: standard output has room for one report", origin)
			}
			continue
		}
		folder, err := os.Stat(filepath.Dir(f.file))
		if err == nil && !folder.IsDir() {
			err = fmt.Errorf("%s is no folder", filepath.Dir(f.file))
		}
		if err != nil {
			return fmt.Errorf("%s: %q cannot be written: %w", origin, f.file, err)
		}
	}
	return nil
}

func formats() []string { return []string{"json", "text"} }

func formatNames() string { return strings.Join(formats(), ", ") }

// write prints the report for people, and writes the others. The people's goes
// to standard error where another one has standard output.
func (r reports) write(p *program, j *judging, report *contracts.Report) error {
	for _, f := range report.Findings {
		fmt.Fprintf(p.stdout, "%s %s: %s: %s (%s)\n", f.Severity, f.Check, f.Operation, f.Message, f.Place)
	}
	fmt.Fprintf(p.stdout, "%d findings\n", len(report.Findings))
	return nil
}

