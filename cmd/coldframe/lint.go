package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lint"
	"github.com/coldframe/coldframe/internal/spec"
)

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
	lines := json.NewEncoder(p.stdout)
	lines.SetEscapeHTML(false)
	for _, f := range findings {
		if asJSON {
			if err := lines.Encode(f); err != nil {
				return err
			}
			continue
		}
		fmt.Fprint(p.stdout, printable(fmt.Sprintf("%s: %s [%s]\n", f.Severity, f, f.Code)))
	}
	if len(findings) > 0 {
		return exitError(exitFindings)
	}
	if !asJSON {
		fmt.Fprintln(p.stdout, none)
	}
	return nil
}
