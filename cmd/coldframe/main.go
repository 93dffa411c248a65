// Command coldframe serves a mock for an OpenAPI document, and tests backends against it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/visible"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once, unless it comes together with the first: a terminal signals a whole
	// process group, and npx and similar programs forward signals.
	context.AfterFunc(ctx, func() { time.AfterFunc(inOrder, stop) })
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitFine        = 0
	exitFindings    = 1   // lint has findings, or the server is not healthy
	exitUsage       = 2   // or a document or an address that cannot be used
	exitInterrupted = 130 // a test without findings was interrupted; 128 + SIGINT, as in shells
)

// exitError ends the program with this code. If there is a message, it has been printed already.
type exitError int

func (e exitError) Error() string { return fmt.Sprintf("exit %d", int(e)) }

type program struct {
	stdin          io.Reader
	stdout, stderr visible.Writer    // all output passes through these, so that it hides nothing
	twins          map[string]string // flags set by the environment or a file → where
	orderly        atomic.Bool       // something must be finished in order: requests, a report
	serves         bool              // the command serves the document
	beside         *config.File      // coldframe.yaml; nil for a command without a document
	suite          []string          // the words after --, which run while the document is served; nil if none
}

// run runs the program, and returns its exit code. Several goroutines write to stdout and stderr, as files allow.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	p := &program{stdin: stdin, stdout: screen(stdout), stderr: screen(stderr), twins: map[string]string{}}
	p.stderr.Private = true
	last := p.stderr // a server replaces p.stderr by a queue
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := p.untilInterrupted(ctx, func() error { return root.ExecuteContext(ctx) })
	if err == nil {
		return exitFine
	}
	if exit, ok := errors.AsType[exitError](err); ok {
		return int(exit)
	}
	if errors.Is(err, context.Canceled) {
		fmt.Fprintln(last, "coldframe: interrupted")
		return exitInterrupted
	}
	fmt.Fprintln(last, "coldframe: "+p.explain(err))
	return exitUsage
}

// inOrder is the time that a command without anything to finish may still run after a signal.
const inOrder = 300 * time.Millisecond

// untilInterrupted runs a command. When the context is done it returns without waiting for the command, whatever that
// is doing: reading, loading, planning. If the command has something to finish in order, it waits.
func (p *program) untilInterrupted(ctx context.Context, command func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- command() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(inOrder):
	}
	if p.orderly.Load() {
		return <-ended
	}
	return ctx.Err()
}

func (p *program) rootCommand() *cobra.Command {
	root := p.mockCommand("coldframe [FILE] [-- COMMAND...]")
	root.Short = "Mock and test the backend of an OpenAPI document"
	root.Long = "coldframe serves a mock for an OpenAPI document, and tests backends against it.\n\n" +
		"Without a command it runs \"coldframe mock\": it serves FILE, else ./openapi.yaml\n" +
		"(or .yml, .json, swagger.*), else the built-in Plant Store."
	root.Version = versionText()
	root.SetVersionTemplate(versionLine())
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(flagError)
	root.PersistentPreRunE = func(command *cobra.Command, args []string) error {
		if err := p.fromEnvironment(command.Flags()); err != nil {
			return err
		}
		return p.fromFile(command, args)
	}
	documents := root.Args
	root.Args = func(command *cobra.Command, args []string) error {
		if len(args) > 0 && isMistyped(args[0]) {
			return unknownCommand(command, args[0])
		}
		return documents(command, args)
	}
	root.AddCommand(p.mockCommand("mock [FILE] [-- COMMAND...]"),
		p.demoCommand(), p.openCommand(), p.testCommand(), p.checkCommand(),
		p.compareCommand(), p.diffCommand(), p.impactCommand(), p.proxyCommand(),
		p.lintCommand(), p.planCommand(), p.scenarioCommand(), p.dataCommand(), p.importCommand(), p.mcpCommand(),
		p.logCommand(), p.healthCommand(), p.completionCommand(),
		p.printCommand("version", "Print the version", versionLine))
	root.SetHelpCommand(&cobra.Command{
		Use:               "help [COMMAND]",
		Short:             "Describe a command",
		ValidArgsFunction: completeHelp,
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
	completeFlags(root)
	completeArguments(root)
	return root
}

// printCommand returns a command that takes no arguments and prints a text.
func (p *program) printCommand(use, short string, text func() string) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: takes(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := io.WriteString(p.stdout, text())
			return err
		},
	}
}

// version is set by the linker for releases: -X main.version=1.2.3.
var version string

func versionLine() string {
	return fmt.Sprintf("coldframe %s %s %s/%s\n", versionText(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versionText returns the version of the release, else of the module, else the commit of the build.
func versionText() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return "devel " + setting.Value[:12]
		}
	}
	return "devel"
}
