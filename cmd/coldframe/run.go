package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/config"
)

// The exit codes.
const (
	exitFine     = 0
	exitFindings = 1 // lint found something, the server is not healthy
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
	twins          map[string]string // flags that the environment or a file set → where
	beside         *config.File      // coldframe.yaml; nil for a command without a document
}

// run executes one command line and gives its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin: stdin, stdout: stdout, stderr: stderr, twins: map[string]string{}}
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	var exit exitError
	switch {
	case err == nil:
		return exitFine
	case errors.As(err, &exit):
		return int(exit)
	}
	fmt.Fprintln(stderr, "coldframe: "+p.explain(err))
	return exitUsage
}

func (p *program) rootCommand() *cobra.Command {
	root := p.mockCommand("coldframe [FILE]")
	root.Short = "A stand-in backend from an OpenAPI document"
	root.Long = "coldframe stands in for the backend that an OpenAPI document describes.\n\n" +
		"Without a command it is \"coldframe mock\": it serves FILE, else ./openapi.yaml,\n" +
		"else the Plant Store that is built in."
	root.Version = versionText()
	root.SetVersionTemplate(versionLine())
	root.SilenceErrors, root.SilenceUsage = true, true
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(command *cobra.Command, args []string) error {
		if err := p.fromEnvironment(command.Flags()); err != nil {
			return err
		}
		return p.fromFile(command, args)
	}
	serve := root.RunE
	root.RunE = func(command *cobra.Command, args []string) error {
		if len(args) > 0 && isMistyped(args[0]) {
			return unknownCommand(command, args[0])
		}
		return serve(command, args)
	}
	root.AddCommand(p.mockCommand("mock [FILE]"), p.testCommand(), p.checkCommand(), p.lintCommand(), p.planCommand(),
		p.scenarioCommand(), p.healthCommand(), p.versionCommand())
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Say what a command does",
		RunE: func(command *cobra.Command, args []string) error {
			topic, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				return unknownCommand(topic, strings.Join(rest, " "))
			}
			topic.InitDefaultHelpFlag()
			topic.InitDefaultVersionFlag()
			return topic.Help()
		},
	})
	return root
}
