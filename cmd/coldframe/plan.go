package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

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
				_, err = fmt.Fprint(p.stdout, printable(plan.Explain()))
			default:
				_, err = fmt.Fprint(p.stdout, printable(plan.Table()))
			}
			if err != nil {
				return err
			}
			for _, f := range findings {
				fmt.Fprint(p.stderr, printable(fmt.Sprintf("%s: %s [%s]\n", f.Severity, f, f.Code)))
			}
			if len(findings) > 0 {
				return exitError(exitFindings)
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the plan as JSON, with all that the table leaves out")
	command.Flags().BoolVar(&explain, "explain", false,
		"print the rules that decided, with their weights and what they saw")
	command.Flags().BoolVar(&o.AllowExternal, "allow-external-refs", false, "let $refs leave the document's directory")
	return command
}
