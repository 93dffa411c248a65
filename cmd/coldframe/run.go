package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// The exit codes.
const (
	exitFine     = 0
	exitFindings = 1
	exitUsage    = 2 // also a document or an address that cannot be used
)

// exitError ends the program with a code; where there is a message it has been
// printed.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// program is what the commands share.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
}

// run executes one command line and gives its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin, stdout, stderr}
	root := p.mockCommand("coldframe [FILE]")
	root.Short = "A stand-in backend from an OpenAPI document"
	root.Long = "coldframe stands in for the backend that an OpenAPI document describes.\n\n" +
		"Without a command it is \"coldframe mock\": it serves ./openapi.yaml, or the\n" +
		"Plant Store that is built in where there is none."
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(p.mockCommand("mock [FILE]"), p.lintCommand(), p.scenarioCommand(), p.healthCommand(), p.versionCommand())
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.PersistentPreRunE = func(command *cobra.Command, _ []string) error { return fromEnvironment(command.Flags()) }
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &exit):
		return int(exit)
	}
	fmt.Fprintln(stderr, "coldframe: "+explain(err))
	return exitUsage
}

// fromEnvironment sets the flags that were not given from their twins:
// --max-body from COLDFRAME_MAX_BODY.
func fromEnvironment(flags *pflag.FlagSet) error {
	var failed error
	flags.VisitAll(func(f *pflag.Flag) {
		name := "COLDFRAME_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value, ok := os.LookupEnv(name)
		if !ok || value == "" || f.Changed || f.Name == "help" {
			return
		}
		if err := flags.Set(f.Name, value); err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", name, err)
		}
	})
	return failed
}

// isTerminal reports whether colours make sense on w (https://no-color.org).
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isatty.IsTerminal(f.Fd())
}
