package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/mock"
)

// withSuite keeps the words after -- as the program's suite. The arguments before them must be as others asks.
func (p *program) withSuite(others cobra.PositionalArgs) cobra.PositionalArgs {
	return func(command *cobra.Command, args []string) error {
		if at := command.ArgsLenAtDash(); at >= 0 {
			if args, p.suite = args[:at], slices.Clone(args[at:]); len(p.suite) == 0 {
				return fmt.Errorf("%s needs a command after --: %s", command.Name(), command.UseLine())
			}
			if err := canRun(p.suite); err != nil {
				return err
			}
		}
		return others(command, args)
	}
}

func canRun(words []string) error {
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("the command cannot be run: %w", err)
	}
	return nil
}

// runServer runs a server until the context is done, or until the program's suite has ended, whose output goes to
// stdout and stderr. failed says that the suite failed.
func (p *program) runServer(ctx context.Context, server *mock.Server, stdout, stderr io.Writer) (err, failed error) {
	if p.suite == nil {
		return server.Run(ctx), nil
	}
	serving, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		defer stop()
		ended <- runSuite(serving, p.suite, []string{"COLDFRAME_URL=" + server.URL()}, stdout, stderr)
	}()
	err = server.Run(serving)
	stop()
	if failed = <-ended; failed == nil || err != nil || ctx.Err() != nil {
		return err, nil
	}
	fmt.Fprintf(p.stderr, "coldframe: %s: %v\n", visible.Line(strings.Join(p.suite, " ")), failed)
	return nil, exitError(exitFindings)
}

// runSuite runs a test suite without a shell. When the suite or the context ends, so do all processes that it started.
func runSuite(ctx context.Context, words, variables []string, stdout, stderr io.Writer) error {
	c := exec.CommandContext(ctx, words[0], words[1:]...)
	c.Env = append(os.Environ(), variables...)
	c.Stdout, c.Stderr = stdout, stderr
	c.WaitDelay = time.Second // for child processes that hold its output
	killAll(c)
	err := c.Run()
	if c.Process != nil {
		c.Cancel() // its child processes that are left
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}
