// Package report writes what a run of the contract tester found, for people and
// for programs. formats.go lists the forms.
package report

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/findings"
)

// Options say what reports cannot know from the run. The zero value works.
type Options struct {
	Text TextOptions
	// Version of the program, where a format names it.
	Version string
	// Root is the folder that the names of files are to be relative to, as in
	// annotations and SARIF. Default: files are named as the run named them.
	Root string
	// Shared is a file that others write to as well: what is there is kept, and
	// reports are added at its end. Default: none.
	Shared string
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
		name, file, named := strings.Cut(strings.TrimSpace(part), "=")
		format := Find(name)
		if format == nil {
			return nil, fmt.Errorf("%q is no format of reports; there are %s", name, strings.Join(Names(), ", "))
		}
		if !named {
			file = "-"
		}
		if file == "" {
			return nil, fmt.Errorf("%s needs a file: %[1]s=FILE", name)
		}
		all = append(all, Output{format, file})
	}
	return all, nil
}

// Write writes the outputs of a list, as Parse reads it.
func Write(spec string, r *findings.Report, o Options, stdout io.Writer) error {
	outputs, err := Parse(spec)
	if err != nil {
		return err
	}
	for _, output := range outputs {
		if err := output.Write(r, o, stdout); err != nil {
			return err
		}
	}
	return nil
}

// Write writes one report. A file is written only once all of it is made.
func (out Output) Write(r *findings.Report, o Options, stdout io.Writer) error {
	var b bytes.Buffer
	if err := out.Format.Write(&b, r, o); err != nil {
		return fmt.Errorf("the %s report: %w", out.Format.Name, err)
	}
	if out.File == "-" {
		_, err := stdout.Write(b.Bytes())
		return err
	}
	if o.Shared != "" && sameFile(out.File, o.Shared) {
		return add(out.File, b.Bytes())
	}
	return os.WriteFile(out.File, b.Bytes(), 0o666)
}

// sameFile reports whether two names are of one file, that may not exist yet.
func sameFile(a, b string) bool {
	one, err := os.Stat(a)
	if other, failed := os.Stat(b); err == nil && failed == nil {
		return os.SameFile(one, other)
	}
	a, err = filepath.Abs(a)
	b, failed := filepath.Abs(b)
	return err == nil && failed == nil && a == b
}

// add writes at the end of a file, on a line of its own.
func add(name string, text []byte) error {
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
	if o.Root == "" || strings.Contains(file, "://") {
		return filepath.ToSlash(file)
	}
	full, err := filepath.Abs(file)
	if err != nil {
		return filepath.ToSlash(file)
	}
	from, err := filepath.Rel(o.Root, full)
	if err != nil || from == ".." || strings.HasPrefix(from, ".."+string(filepath.Separator)) {
		return filepath.ToSlash(file)
	}
	return filepath.ToSlash(from)
}
