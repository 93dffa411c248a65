package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/outfile"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

func (p *program) importCommand() *cobra.Command {
	command := group("import", "Make scenarios and data of the files of other tools", "a tool")
	for _, tool := range mock.Imports() {
		command.AddCommand(p.importFrom(tool))
	}
	return command
}

// group returns a command that only has subcommands, and prints its help. what is what its help asks for.
func group(name, short, what string) *cobra.Command {
	return &cobra.Command{
		Use: name, Short: short, Args: takes(0, 0, what),
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
}

func (p *program) importFrom(tool mock.ImportTool) *cobra.Command {
	var o mock.Options
	output := ""
	command := &cobra.Command{
		Use:   tool.Name + " FILE [DOCUMENT]",
		Short: "Import " + tool.Files,
		Long: "Make scenario files of " + tool.Files + ", for the operations of the\n" +
			"OpenAPI document DOCUMENT. It defaults to ./openapi.yaml (or .yml, .json, swagger.*).\n" +
			"Data becomes data.yaml. What has no place in them is listed on standard error, with\n" +
			"the line of FILE and the reason.\n\n" +
			"A single scenario is printed, unless --output names a folder.",
		Args: takes(1, 2, "a file and a document"),
		RunE: func(command *cobra.Command, args []string) (err error) {
			o.Document, o.Text, err = p.document(
				command.Context(), append(args, "")[1], o.Load.MaxDocument, o.Load.Timeout)
			if err != nil {
				return err
			}
			files, left, err := mock.Import(command.Context(), o, tool.Name, args[0])
			p.printLeft(left)
			switch {
			case err != nil:
				return err
			case output == "" && len(files) > 1:
				return fmt.Errorf("%s are written; name a folder with --output", exchange.Count(len(files), "file"))
			case output == "":
				_, err = p.stdout.Write(files[0].Text)
				return err
			}
			if err := os.MkdirAll(output, 0o777); err != nil {
				return err
			}
			for _, f := range files {
				name := filepath.Join(output, f.Name)
				if err := outfile.Write(name, f.Text); err != nil {
					return err
				}
				fmt.Fprintln(p.stdout, visible.Line(name))
			}
			return nil
		},
	}
	command.Flags().StringVarP(&output, "output", "o", "",
		"`DIRECTORY` to write to (default standard output, for one file)")
	documentFlags(command.Flags(), &o.Load.AllowExternalRefs, &o.Load.RefsRoot, &o.Load.IgnoreUnreadableRefs,
		&o.Load.Timeout, &o.Load.MaxDocument)
	return command
}

// printLeft prints what a file that was written does not say.
func (p *program) printLeft(left []string) {
	if len(left) > 0 {
		fmt.Fprintf(p.stderr, "%s:\n", exchange.Count(len(left), "remark"))
	}
	for _, reason := range left {
		fmt.Fprintln(p.stderr, "  "+visible.Line(reason))
	}
}

// A converter writes a file of the mock from another file. left says what is not in it.
type converter func(ctx context.Context, o mock.Options, file ...string) (text []byte, left []string, err error)

// convertCommand is a command that writes a file of the mock: "scenario from", "data from".
func (p *program) convertCommand(use, short, long string, convert converter) *cobra.Command {
	var o mock.Options
	output := ""
	command := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  takes(1, 2, "a file and a document"),
		RunE: func(command *cobra.Command, args []string) (err error) {
			o.Document, o.Text, err = p.document(
				command.Context(), append(args, "")[1], o.Load.MaxDocument, o.Load.Timeout)
			if err != nil {
				return err
			}
			text, left, err := convert(command.Context(), o, args[0])
			p.printLeft(left)
			switch {
			case err != nil:
				return err
			case output != "":
				return outfile.Write(output, text)
			}
			_, err = p.stdout.Write(text)
			return err
		},
	}
	command.Flags().StringVarP(&output, "output", "o", "", "`FILE` to write (default standard output)")
	documentFlags(command.Flags(), &o.Load.AllowExternalRefs, &o.Load.RefsRoot, &o.Load.IgnoreUnreadableRefs,
		&o.Load.Timeout, &o.Load.MaxDocument)
	return command
}

const fromHelp = "FILE is a HAR file, as browsers and \"coldframe proxy --record\" write it, the journal of\n" +
	"a mock, or a folder of *.har files. DOCUMENT defaults to ./openapi.yaml (or .yml, .json,\n" +
	"swagger.*), and to the built-in Plant Store if there is none.\n\n" +
	"What the file cannot say is listed on standard error, with its entry.\n\n"

func (p *program) scenarioFrom() *cobra.Command {
	return p.convertCommand("from FILE [DOCUMENT]", "Write a scenario file from recorded traffic",
		"Write a scenario file that answers requests as they were answered in FILE.\n\n"+fromHelp+
			"  coldframe scenario from traffic.har openapi.yaml -o recorded.yaml\n"+
			"  coldframe mock openapi.yaml --scenario recorded.yaml", mock.ScenarioFrom)
}

func (p *program) dataCommand() *cobra.Command {
	command := group("data", "Work with files of initial items", "a command")
	command.AddCommand(p.convertCommand("from FILE [DOCUMENT]", "Write a data file from recorded traffic",
		"Write a file for \"coldframe mock --data\" with the items that responses in FILE show,\n"+
			"each as it was shown last. Deleted items are left out.\n\n"+fromHelp+
			"  coldframe data from traffic.har openapi.yaml -o data.yaml\n"+
			"  coldframe mock openapi.yaml --data data.yaml", mock.DataFrom))
	return command
}
