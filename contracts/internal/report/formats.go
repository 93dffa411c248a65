package report

import (
	"io"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// Format is one form of report.
type Format struct {
	Name    string
	Meaning string
	write   func(io.Writer, *findings.Report, Options) error
}

// formats is the table of all, in the order in which they are listed.
var formats = []*Format{
	{"text", "what was found, for people at a terminal", writeText},
	{"json", "all of it, for programs, and the baseline of later runs", writeJSON},
	{"junit", "JUnit XML, for CI: a test suite for each operation", writeJUnit},
	{"sarif", "SARIF 2.1.0, for code scanning: findings on the document's lines", writeSARIF},
	{"github", "annotations of GitHub's workflows on the document's lines", writeGitHub},
	{"markdown", "a summary, for $GITHUB_STEP_SUMMARY or a comment", writeMarkdown},
	{"html", "one page to look at, without any other file", writeHTML},
	{"lcov", "the document's lines that were exercised, for coverage tools", writeLCOV},
}

// Formats gives the table of formats.
func Formats() []*Format { return formats }

// Names gives the formats' names, in the table's order.
func Names() []string {
	all := make([]string, len(formats))
	for i, f := range formats {
		all[i] = f.Name
	}
	return all
}

// Find gives the format of a name, nil for none.
func Find(name string) *Format {
	for _, f := range formats {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// Write writes a report in this form.
func (f *Format) Write(w io.Writer, r *findings.Report, o Options) error { return f.write(w, r, o) }

func writeLCOV(w io.Writer, r *findings.Report, _ Options) error {
	if r.Coverage == nil {
		return nil
	}
	_, err := io.WriteString(w, r.Coverage.LCOV())
	return err
}
