package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

func (p *program) planCommand() *cobra.Command {
	var asJSON bool
	o := spec.Options{}
	command := &cobra.Command{
		Use:         "plan FILE",
		Short:       "Print what a document's operations keep and change",
		Annotations: map[string]string{readsConfig: ""},
		Long: "Print what was inferred from an OpenAPI document, one line for each operation: the\n" +
			"resource, what the operation does to it, what holds the key, where the items\n" +
			"stand in the answer, how sure that is (0 to 1), and why.\n\n" +
			"A role with a star answers with the item that the path names; one with a question\n" +
			"mark lists part of the items. \"id by server\" says who chooses new keys.\n\n" +
			"What was inferred wrongly is corrected with x-coldframe-resource on an operation\n" +
			"or a path of the document, or in coldframe.yaml beside it:\n\n" +
			"  resources:\n" +
			"    /plants: {name: plants, key: tag}\n" +
			"    POST /plants/search: {role: list, items: /data}\n" +
			"    /health: false\n\n" +
			"It ends with 1 where such a correction cannot be used.",
		Args: takes(1, 1, "one document"),
		RunE: func(command *cobra.Command, args []string) error {
			c, err := p.load(command.Context(), args[0], o)
			if err != nil {
				return err
			}
			plan, findings := resource.Infer(c, p.corrections())
			if asJSON {
				encoder := json.NewEncoder(p.stdout)
				encoder.SetEscapeHTML(false)
				encoder.SetIndent("", "  ")
				if err := encoder.Encode(plan); err != nil {
					return err
				}
			} else {
				fmt.Fprint(p.stdout, printable(plan.Table()))
			}
			return p.warn(findings)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print the plan as JSON, with all that the table leaves out")
	command.Flags().BoolVar(&o.AllowExternal, "allow-external-refs", false, "let $refs leave the document's directory")
	return command
}
