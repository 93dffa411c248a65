package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/mock"
)

// covering is what becomes of the consumer coverage when the mock ends.
type covering struct {
	files []string // to be written; "-" is standard output
	least float64  // below it the program ends with 1
}

// coverageForms write a report, by the file's extension.
var coverageForms = map[string]func(*coverage.Report) ([]byte, error){
	".json": func(r *coverage.Report) ([]byte, error) { return r.JSON() },
	".info": func(r *coverage.Report) ([]byte, error) { return []byte(r.LCOV()), nil },
	".lcov": func(r *coverage.Report) ([]byte, error) { return []byte(r.LCOV()), nil },
	".txt":  func(r *coverage.Report) ([]byte, error) { return []byte(r.Text()), nil },
}

// check finds before the start what would fail at the end.
func (c *covering) check() error {
	for _, file := range c.files {
		if file == "-" {
			continue
		}
		if coverageForms[strings.ToLower(filepath.Ext(file))] == nil {
			return &mock.OptionError{Option: "coverage",
				Reason: fmt.Sprintf("%q must end in .json, .info, .lcov or .txt, or be -", file)}
		}
		if err := checkFolder(file); err != nil {
			return &mock.OptionError{Option: "coverage", Reason: fmt.Sprintf("%q cannot be written: %v", file, err)}
		}
	}
	return nil
}

// write writes the report to all files. The error is an exitError where too
// little was used.
func (c *covering) write(p *program, r *coverage.Report) error {
	for _, file := range c.files {
		if file == "-" {
			if _, err := io.WriteString(p.stdout, printable(r.Text())); err != nil {
				return err
			}
			continue
		}
		text, err := coverageForms[strings.ToLower(filepath.Ext(file))](r)
		if err == nil {
			err = os.WriteFile(file, text, 0o666)
		}
		if err != nil {
			return fmt.Errorf("the coverage cannot be written: %w", err)
		}
	}
	if r.Reaches(c.least) {
		return nil
	}
	fmt.Fprintln(p.stderr, "coldframe: "+printable(shortfall(r, c.least)))
	return exitError(exitFindings)
}

// mostMissing is how much of what was not used is named in one line.
const mostMissing = 5

// shortfall says in one line what is missing.
func shortfall(r *coverage.Report, least float64) string {
	missing := r.Missing()
	var names []string
	for _, point := range missing[:min(len(missing), mostMissing)] {
		names = append(names, strings.ReplaceAll(point.String(), "\n", " "))
	}
	text := fmt.Sprintf("coverage is %.1f %%, below the minimum of %s %%; not used: %s", r.Percent, formatNumber(least),
		strings.Join(names, ", "))
	if more := len(missing) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
