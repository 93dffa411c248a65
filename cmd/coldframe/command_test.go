//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestCommand runs testdata/command/*.txtar: scripts of commands that end by themselves. They run in the process of the
// test, which takes a tenth of the CPU time of a process of their own. Signals, users, pipes between programs and the exact
// exit code need a process: "exec coldframe", as in TestScript.
//
// The scripts run one after the other: the process has one current directory and one environment.
func TestCommand(t *testing.T) {
	parameters := scripts(t, "testdata/command")
	parameters.Cmds = map[string]func(*testscript.TestScript, bool, []string){"run": runHere}
	testscript.RunT(inOrderT{t}, parameters)
}

// inOrderT is a test whose subtests do not run in parallel.
type inOrderT struct{ *testing.T }

func (inOrderT) Parallel()     {}
func (inOrderT) Verbose() bool { return testing.Verbose() }
func (t inOrderT) Run(name string, f func(testscript.T)) {
	t.T.Run(name, func(t *testing.T) { f(inOrderT{t}) })
}

// runHere runs the program in this process:
//
//	run [NAME=VALUE ...] coldframe [ARGUMENT ...] [<FILE]
//
// The command fails if the exit code is not 0.
func runHere(ts *testscript.TestScript, neg bool, args []string) {
	variables := []string{"COLDFRAME_PORT=0"}
	for len(args) > 0 && strings.Contains(args[0], "=") {
		variables, args = append(variables, args[0]), args[1:]
	}
	if len(args) == 0 || args[0] != "coldframe" {
		ts.Fatalf("usage: run [NAME=VALUE ...] coldframe [ARGUMENT ...] [<FILE]")
	}
	args = args[1:]
	var stdin io.Reader = strings.NewReader("")
	if last := len(args) - 1; last >= 0 && strings.HasPrefix(args[last], "<") {
		stdin, args = strings.NewReader(ts.ReadFile(args[last][1:])), args[:last]
	}
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		before, isSet := os.LookupEnv(name)
		ts.Check(os.Setenv(name, value))
		defer func() {
			os.Unsetenv(name)
			if isSet {
				os.Setenv(name, before)
			}
		}()
	}
	before, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	defer os.Chdir(before)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	switch code := run(ctx, args, stdin, ts.Stdout(), ts.Stderr()); {
	case ctx.Err() != nil:
		ts.Fatalf("it did not end within %s", patience)
	case neg == (code == exitFine):
		ts.Fatalf("unexpected exit code %d", code)
	}
}
