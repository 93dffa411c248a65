package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	defaultDocument = "openapi.yaml"
	standardInput   = "<stdin>" // names the document that comes from there
)

// document gives the name of a document and, where it is no file or URL, its text. "-"
// is standard input; "" is ./openapi.yaml, and "" still where there is none.
func (p *program) document(ctx context.Context, location string) (name string, text []byte, err error) {
	switch location {
	case "":
		if _, err := os.Stat(defaultDocument); !errors.Is(err, fs.ErrNotExist) {
			name = defaultDocument
		}
		return name, nil, nil
	case "-":
		text, err = p.readStdin(ctx)
		return standardInput, text, err
	}
	return location, nil, nil
}

const maxStdin = 64 << 20 // bytes of a document

func (p *program) readStdin(ctx context.Context) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(until(ctx, p.stdin), maxStdin+1))
	switch {
	case ctx.Err() != nil:
		return nil, errors.New("interrupted while reading the document from standard input")
	case err != nil:
		return nil, errors.New("cannot read standard input: " + err.Error())
	case len(text) > maxStdin:
		return nil, errors.New("the document on standard input is larger than 64 MiB")
	}
	return text, nil
}

// until reads from r until the context is done, also where r then waits for more.
func until(ctx context.Context, r io.Reader) io.Reader {
	reader, writer := io.Pipe()
	go func() {
		_, err := io.Copy(writer, r)
		writer.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { writer.CloseWithError(context.Cause(ctx)) })
	return reader
}

func (p *program) load(ctx context.Context, location string, o spec.Options) (c *spec.Contract, err error) {
	if location, o.Text, err = p.document(ctx, location); err != nil {
		return nil, err
	}
	return spec.Load(ctx, location, o)
}

// corrections gives what coldframe.yaml beside the document says of its resources.
func (p *program) corrections() (o resource.Overrides) {
	if p.beside != nil {
		o.Resources = p.beside.Resources
	}
	return o
}

func (p *program) lintCommand() *cobra.Command {
	var asJSON bool
	o := spec.Options{}
	command := &cobra.Command{
		Use:         "lint FILE",
		Short:       "Print all that is wrong with a document",
		Annotations: map[string]string{readsConfig: ""},
		Long: "Print all that is wrong with an OpenAPI document: a file, an http(s) URL or \"-\", and\n" +
			"with what coldframe.yaml beside it says of its resources.\n" +
			"It ends with 0 where nothing is, 1 where something is, 2 where the document\n" +
			"cannot be read at all.",
		Args: takes(1, 1, "one document"),
		RunE: func(command *cobra.Command, args []string) error {
			c, err := p.load(command.Context(), args[0], o)
			if err != nil {
				return err
			}
			return p.printFindings(lint.Document(c, p.corrections()), asJSON,
				fmt.Sprintf("%s: %d operations, no findings", c.File, len(c.Operations)))
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON lines")
	command.Flags().BoolVar(&o.AllowExternal, "allow-external-refs", false, "let $refs leave the document's directory")
	return command
}

// printFindings prints findings, or the line that says there are none.
func (p *program) printFindings(findings []exchange.Finding, asJSON bool, none string) error {
	if len(findings) == 0 && !asJSON {
		fmt.Fprintln(p.stdout, none)
	}
	return writeFindings(p.stdout, findings, asJSON)
}

// writeFindings writes findings, for people or as JSON lines. Where there are any, the error is an exitError.
func writeFindings(to io.Writer, findings []exchange.Finding, asJSON bool) error {
	lines := json.NewEncoder(to)
	lines.SetEscapeHTML(false)
	for _, f := range findings {
		if !asJSON {
			io.WriteString(to, printable(fmt.Sprintf("%s: %s [%s]\n", f.Severity, f, f.Code)))
		} else if err := lines.Encode(f); err != nil {
			return err
		}
	}
	if len(findings) > 0 {
		return exitError(exitFindings)
	}
	return nil
}

// printable keeps a document from sending control characters to the terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

const planHelp = `Print what is inferred from an OpenAPI document, one line for each operation: the
resource, what the operation does to it, what holds the key, where the items
stand in the answer, how sure that is (0 to 1), and why.

A role with a star answers with the item that the path names; one with a question
mark lists part of the items. "id by server" says who chooses new keys.

--explain prints the rules that decided, with their weights and what they saw.

A wrong inference is corrected with x-coldframe-resource on an operation or a path
of the document, or in coldframe.yaml beside it:

  resources:
    /plants: {name: plants, key: tag}
    POST /plants/search: {role: list, items: /data}
    /health: false

The exit code is 1 where such a correction cannot be used.`

func (p *program) planCommand() *cobra.Command {
	var asJSON, explain bool
	o := spec.Options{}
	command := &cobra.Command{
		Use:         "plan FILE",
		Short:       "Print what a document's operations keep and change",
		Annotations: map[string]string{readsConfig: ""},
		Long:        planHelp,
		Args:        takes(1, 1, "one document"),
		RunE: func(command *cobra.Command, args []string) error {
			if asJSON && explain {
				return errors.New("--json and --explain exclude each other")
			}
			c, err := p.load(command.Context(), args[0], o)
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
				_, err = io.WriteString(p.stdout, printable(plan.Explain()))
			default:
				_, err = io.WriteString(p.stdout, printable(plan.Table()))
			}
			if err != nil {
				return err
			}
			return writeFindings(p.stderr, findings, false)
		},
	}
	f := command.Flags()
	f.BoolVar(&asJSON, "json", false, "print the plan as JSON, with all that the table leaves out")
	f.BoolVar(&explain, "explain", false, "print the rules that decided, with their weights and what they saw")
	f.BoolVar(&o.AllowExternal, "allow-external-refs", false, "let $refs leave the document's directory")
	return command
}
