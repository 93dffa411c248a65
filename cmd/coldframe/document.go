package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/loading"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/values"
	"github.com/coldframe/coldframe/internal/visible"
)

// documentNames are the names of a folder's document; the first existing one counts.
var documentNames = []string{
	"openapi.yaml", "openapi.yml", "openapi.json", "swagger.yaml", "swagger.yml", "swagger.json",
}

const standardInput = "<stdin>" // the name of a document from standard input

// located returns the file for a location: the document of a folder, or "" for the current folder if it has none.
// Other locations are returned unchanged.
func located(location string) (string, error) {
	if info, err := os.Stat(cmp.Or(location, ".")); err != nil || !info.IsDir() {
		return location, nil
	}
	for _, name := range documentNames {
		file := filepath.Join(location, name)
		if info, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) && (err != nil || !info.IsDir()) {
			return file, nil
		}
	}
	if location == "" {
		return "", nil
	}
	return "", fmt.Errorf("the directory %q has none of %s; name its document", location,
		strings.Join(documentNames, ", "))
}

// document returns the name of a document and, if it can be read only once (standard input as "-", and pipes), its
// text, with at most the given number of bytes and within the given time. Other files are read by name later. ""
// means the document of the current folder, and stays "" if that has none.
func (p *program) document(
	ctx context.Context, location string, most int, within time.Duration,
) (name string, text []byte, err error) {
	if location == "-" {
		text, err = readOnce(ctx, "standard input", "max-document", most, within, func() (io.ReadCloser, error) {
			return io.NopCloser(p.stdin), nil
		})
		return standardInput, text, err
	}
	if name, err = located(location); name == "" || err != nil || strings.Contains(name, "://") {
		return name, nil, err
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, errors.New("there is no file " + strconv.Quote(name) + p.advice(name))
	case err != nil || info.Mode().IsRegular():
		return name, nil, nil // the reader reports the error
	}
	text, err = readOnce(ctx, name, "max-document", most, within, func() (io.ReadCloser, error) { return os.Open(name) })
	return name, text, err
}

// advice suggests what to do about a missing document.
func (p *program) advice(name string) string {
	if meant := nearest.File(name); meant != "" {
		return meant
	}
	if other, err := located(filepath.Dir(name)); err == nil {
		return "; there is " + strconv.Quote(other)
	}
	if p.serves {
		return "; name an OpenAPI document, or run without a name to serve the Plant Store"
	}
	return "; name an OpenAPI document: a file, a folder that has one, an http(s) URL or - for standard input"
}

// readOnce reads a whole file; opening a pipe waits for the writer. flag is the flag for the most bytes.
func readOnce(
	ctx context.Context, name, flag string, most int, within time.Duration, open func() (io.ReadCloser, error),
) ([]byte, error) {
	most = cmp.Or(most, spec.DefaultMaxBytes)
	ctx, cancel := loading.WithTimeout(ctx, within)
	defer cancel()
	text, err := loading.Until(ctx, func() ([]byte, error) {
		in, err := open()
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return io.ReadAll(io.LimitReader(in, int64(most)+1))
	})
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", name, err)
	case len(text) > most:
		return nil, fmt.Errorf("%s is larger than its limit; raise --%s to load it", name, flag)
	}
	return text, nil
}

// givenDocument is like document, but returns the text of the built-in document if the current folder has none.
func (p *program) givenDocument(
	ctx context.Context, location string, most int, within time.Duration,
) (name string, text []byte, err error) {
	if name, text, err = p.document(ctx, location, most, within); name == "" && err == nil {
		name, text = documentNames[0], coldframe.PlantStore
	}
	return name, text, err
}

// load loads the document that the arguments of a command name, if any.
func (p *program) load(ctx context.Context, args []string, o spec.Options) (c *spec.Contract, err error) {
	location := strings.Join(args, "")
	if location, o.Text, err = p.givenDocument(ctx, location, o.MaxBytes, o.Timeout); err != nil {
		return nil, err
	}
	return spec.Load(ctx, location, o)
}

// documentFlags adds the flags for references and for the limits of loading. ignore is nil for a command that always
// ignores unreadable references.
func documentFlags(f *pflag.FlagSet, external *bool, root *string, ignore *bool, limit *time.Duration, most *int) {
	f.BoolVar(external, "allow-external-refs", false, "allow $refs to any file and host")
	f.StringVar(root, "refs-root", "",
		"`DIRECTORY` that $refs must stay in (default: the document's repository, else its folder)")
	if ignore != nil {
		f.BoolVar(ignore, "ignore-unreadable-refs", false,
			"treat $refs whose file cannot be read as schemas that accept everything")
	}
	*limit, *most = spec.DefaultTimeout, spec.DefaultMaxBytes
	f.Var(bounded(timeout, limit, ""), "load-timeout", "longest time for loading")
	f.Var(bounded(size, most, ""), "max-document",
		"largest size of a file of the document; also scales the limit for all files together")
}

// corrections returns the corrections of resources in coldframe.yaml beside the document.
func (p *program) corrections() (o resource.Overrides) {
	if p.beside != nil {
		o.Resources = p.beside.Resources
	}
	return o
}

// valueOverrides returns the settings of generated values in coldframe.yaml beside the document.
func (p *program) valueOverrides() (o values.Overrides) {
	if p.beside != nil {
		o.Values = p.beside.Values
	}
	return o
}

func (p *program) lintCommand() *cobra.Command {
	var asJSON bool
	o := spec.Options{IgnoreUnreadable: true} // unreadable references are among the findings
	command := &cobra.Command{
		Use:         "lint [FILE]",
		Short:       "Print all findings on a document",
		Annotations: map[string]string{readsConfig: ""},
		Long: "Print all findings on an OpenAPI document (a file, a folder that has one, an http(s)\n" +
			"URL or \"-\"), and on the resources and values in coldframe.yaml beside it. FILE\n" +
			"defaults to ./openapi.yaml (or .yml, .json, swagger.*), and to the built-in Plant\n" +
			"Store if there is none.\n\n" +
			"The exit code is 0 without findings, 1 with findings, 2 if the document cannot be\n" +
			"read at all.",
		Args: takes(0, 1, "one document at most"),
		RunE: func(command *cobra.Command, args []string) error {
			c, err := p.load(command.Context(), args, o)
			if err != nil {
				return err
			}
			return p.printFindings(lint.Document(c, p.corrections(), p.valueOverrides()), asJSON,
				fmt.Sprintf("%s: %s, no findings", c.File, exchange.Count(len(c.Operations), "operation")))
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON lines")
	documentFlags(command.Flags(), &o.AllowExternal, &o.Root, nil, &o.Timeout, &o.MaxBytes)
	return command
}

// printFindings prints findings, or the line none if there are none.
func (p *program) printFindings(findings []exchange.Finding, asJSON bool, none string) error {
	if len(findings) == 0 && !asJSON {
		fmt.Fprintln(p.stdout, visible.Line(none))
	}
	return writeFindings(p.stdout, findings, asJSON)
}

// writeFindings writes findings, for people or as JSON lines. If there are any, the error is an exitError.
func writeFindings(to io.Writer, findings []exchange.Finding, asJSON bool) error {
	lines := json.NewEncoder(to)
	lines.SetEscapeHTML(false)
	for _, f := range findings {
		if !asJSON {
			io.WriteString(to, visible.Line(fmt.Sprintf("%s: %s [%s]", f.Severity, f, f.Code))+"\n")
		} else if err := lines.Encode(f); err != nil {
			return err
		}
	}
	if len(findings) > 0 {
		return exitError(exitFindings)
	}
	return nil
}

const planHelp = `Print what coldframe infers from an OpenAPI document, one line for each operation: the
resource, what the operation does to it, what holds the key, where the items are in
the response, the confidence (0 to 1), and the reason. FILE defaults to ./openapi.yaml
(or .yml, .json, swagger.*), and to the built-in Plant Store if there is none.

A role with a star answers with the item that the path names; one with a question
mark lists part of the items. "id by server": the server chooses the keys of new items.

--explain prints the rules that decided, with their weights and what they saw.

Correct a wrong inference with x-coldframe-resource on an operation or a path
of the document, or in coldframe.yaml beside it:

  resources:
    /plants: {name: plants, key: tag}
    POST /plants/search: {role: list, items: /data}
    /health: false

The exit code is 1 if such a correction cannot be used.`

func (p *program) planCommand() *cobra.Command {
	var asJSON, explain bool
	o := spec.Options{}
	command := &cobra.Command{
		Use:         "plan [FILE]",
		Short:       "Print what a document's operations keep and change",
		Annotations: map[string]string{readsConfig: ""},
		Long:        planHelp,
		Args:        takes(0, 1, "one document at most"),
		RunE: func(command *cobra.Command, args []string) error {
			if asJSON && explain {
				return errors.New("--json and --explain exclude each other")
			}
			c, err := p.load(command.Context(), args, o)
			if err != nil {
				return err
			}
			plan, findings := resource.Infer(c, p.corrections())
			switch {
			case asJSON:
				encoder := json.NewEncoder(p.stdout)
				encoder.SetEscapeHTML(false)
				encoder.SetIndent("", "  ")
				err = encoder.Encode(plan)
			case explain:
				_, err = io.WriteString(p.stdout, plan.Explain())
			default:
				_, err = io.WriteString(p.stdout, plan.Table())
				if notes := plan.NotSimulated(); err == nil && notes != "" {
					_, err = io.WriteString(p.stdout, "\n"+notes)
				}
			}
			if err != nil {
				return err
			}
			return writeFindings(p.stderr, findings, false)
		},
	}
	f := command.Flags()
	f.BoolVar(&asJSON, "json", false, "print the plan as JSON, with everything that the table leaves out")
	f.BoolVar(&explain, "explain", false, "print the rules that decided, with their weights and what they saw")
	documentFlags(f, &o.AllowExternal, &o.Root, &o.IgnoreUnreadable, &o.Timeout, &o.MaxBytes)
	return command
}
