package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

func (p *program) scenarioCommand() *cobra.Command {
	command := group("scenario", "Work with scenario files", "a command")
	command.AddCommand(p.scenarioCheck(), p.scenarioFrom(), p.scenarioList(), p.scenarioNew(),
		p.printCommand("schema", "Print the JSON Schema of scenario files, for editors",
			func() string { return string(mock.ScenarioSchema()) }))
	return command
}

func (p *program) scenarioCheck() *cobra.Command {
	var o mock.Options
	var asJSON bool
	command := &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "Print all findings on scenario files",
		Long: "Print all findings on scenario files, as the mock reports them at start.\n" +
			"The exit code is 0 without findings, 1 with findings, 2 if a file cannot be read.",
		Args: takes(1, math.MaxInt, "a file"),
		RunE: func(command *cobra.Command, args []string) (err error) {
			o.Document, o.Text, err = p.document(command.Context(), o.Document, o.Load.MaxDocument, o.Load.Timeout)
			if err != nil {
				return err
			}
			o.Scenarios = args
			names, findings, err := mock.CheckScenarios(command.Context(), o)
			if err != nil {
				return err
			}
			return p.printFindings(findings, asJSON, "no findings: "+strings.Join(names, ", "))
		},
	}
	documentFlag(command, &o.Document)
	command.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON lines")
	return command
}

func (p *program) scenarioList() *cobra.Command {
	return &cobra.Command{
		Use:   "list FILE|DIR...",
		Short: "Print the names and descriptions of scenario files",
		Args:  takes(1, math.MaxInt, "a file"),
		RunE: func(_ *cobra.Command, args []string) error {
			outlines, findings, err := mock.ScenarioOutlines(args...)
			if err != nil {
				return err
			}
			table := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
			fmt.Fprintln(table, "NAME\tACTIVE\tFILE\tDESCRIPTION")
			for _, o := range outlines {
				active := "no"
				if o.Active {
					active = "yes"
				}
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", visible.Line(o.Name), active, visible.Line(o.File),
					visible.Line(strings.Join(strings.Fields(o.Description), " ")))
			}
			if err := table.Flush(); err != nil {
				return err
			}
			return writeFindings(p.stderr, findings, false)
		},
	}
}

func (p *program) scenarioNew() *cobra.Command {
	var o mock.Options
	var violates bool
	command := &cobra.Command{
		Use:   "new OPERATION STATUS",
		Short: "Write a scenario in which an operation answers with a status",
		Long: "Write a scenario file, to standard output, in which an operation (METHOD path or an\n" +
			"operationId) answers with a status. The body is the documented example, or is\n" +
			"generated from the schema:\n\n" +
			"  coldframe scenario new \"POST /plants\" 400 > scenarios/refused.yaml",
		Args: takes(2, 3, "an operation and a status"),
		RunE: func(command *cobra.Command, args []string) error {
			last := len(args) - 1
			status, err := strconv.Atoi(args[last])
			if err != nil || status < 200 || status > 599 {
				return fmt.Errorf("%q is no status from 200 to 599", args[last])
			}
			o.Document, o.Text, err = p.document(command.Context(), o.Document, o.Load.MaxDocument, o.Load.Timeout)
			if err != nil {
				return err
			}
			text, err := mock.NewScenario(command.Context(), o, strings.Join(args[:last], " "), status, violates)
			if err != nil {
				return errors.New(strings.ReplaceAll(err.Error(), "set violates: true", "give --violates"))
			}
			_, err = p.stdout.Write(text)
			return err
		},
	}
	documentFlag(command, &o.Document)
	command.Flags().BoolVar(&violates, "violates", false, "allow an undocumented status")
	return command
}

func documentFlag(command *cobra.Command, document *string) {
	command.Flags().StringVar(document, "document", "",
		"OpenAPI `FILE` of the scenarios (default ./"+documentNames[0]+", else the built-in Plant Store)")
}
