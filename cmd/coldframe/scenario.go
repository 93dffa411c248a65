package main

import (
	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/mock/scenario"
)

func (p *program) scenarioCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "scenario",
		Short: "Work with scenario files",
		Args:  takes(0, 0, "a command"),
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(&cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenario files, for editors",
		Args:  takes(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := p.stdout.Write(scenario.Schema())
			return err
		},
	})
	return command
}
