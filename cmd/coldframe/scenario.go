package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock"
)

func (p *program) scenarioCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "scenario",
		Short: "Work with scenario files",
		Args:  takes(0, 0, "a command"),
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(p.scenarioCheck(), p.scenarioList(), p.scenarioNew(), &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of scenario files, for editors",
		Args:  takes(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := p.stdout.Write(mock.ScenarioSchema())
			return err
		},
	})
	return command
}

// maxArguments is more than a command line has room for.
const maxArguments = 1 << 20

func (p *program) scenarioCheck() *cobra.Command {
	var document string
	var asJSON bool
	command := &cobra.Command{
		Use:   "check FILE|DIR...",
		Short: "Print all that is wrong with scenario files",
		Long: "Print all that is wrong with scenario files, as the mock would find it.\n" +
			"It ends with 0 where nothing is, 1 where something is, 2 where a file cannot be read.",
		Args: takes(1, maxArguments, "a file"),
		RunE: func(command *cobra.Command, args []string) error {
			o, err := p.scenarioOptions(command.Context(), document)
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
	p.documentFlag(command, &document)
	command.Flags().BoolVar(&asJSON, "json", false, "print the findings as JSON lines")
	return command
}

func (p *program) scenarioList() *cobra.Command {
	return &cobra.Command{
		Use:   "list FILE|DIR...",
		Short: "Print the names and descriptions of scenario files",
		Args:  takes(1, maxArguments, "a file"),
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
				fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", o.Name, active, printable(o.File),
					printable(strings.Join(strings.Fields(o.Description), " ")))
			}
			if err := table.Flush(); err != nil {
				return err
			}
			return p.warn(findings)
		},
	}
}

// warn prints findings beside what was asked for.
func (p *program) warn(findings []exchange.Finding) error {
	for _, f := range findings {
		fmt.Fprint(p.stderr, printable(fmt.Sprintf("%s: %s [%s]\n", f.Severity, f, f.Code)))
	}
	if len(findings) > 0 {
		return exitError(exitFindings)
	}
	return nil
}

func (p *program) scenarioNew() *cobra.Command {
	var document string
	var violates bool
	command := &cobra.Command{
		Use:   "new OPERATION STATUS",
		Short: "Write a scenario in which an operation answers with a status",
		Long: "Write a scenario file, to standard output, in which an operation (METHOD path or an\n" +
			"operationId) answers with a status. The body is the document's example, or else\n" +
			"made from its schema:\n\n" +
			"  coldframe scenario new \"POST /plants\" 400 > scenarios/refused.yaml",
		Args: takes(2, 3, "an operation and a status"),
		RunE: func(command *cobra.Command, args []string) error {
			last := len(args) - 1
			status, err := strconv.Atoi(args[last])
			if err != nil || status < 200 || status > 599 {
				return fmt.Errorf("%q is no status from 200 to 599", args[last])
			}
			o, err := p.scenarioOptions(command.Context(), document)
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
	p.documentFlag(command, &document)
	command.Flags().BoolVar(&violates, "violates", false, "the status may be one that the document does not have")
	return command
}

func (p *program) documentFlag(command *cobra.Command, document *string) {
	command.Flags().StringVar(document, "document", "",
		"the OpenAPI `FILE` that the scenarios are for (default ./"+defaultDocument+", else the built-in Plant Store)")
}

// scenarioOptions name the document that scenarios are for.
func (p *program) scenarioOptions(ctx context.Context, document string) (o mock.Options, err error) {
	o.Document = document
	switch document {
	case "":
		if _, err := os.Stat(defaultDocument); !errors.Is(err, fs.ErrNotExist) {
			o.Document = defaultDocument
		}
	case "-":
		o.Document = standardInput
		o.Text, err = p.readStdin(ctx)
	}
	return o, err
}
