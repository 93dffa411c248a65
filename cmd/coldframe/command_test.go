//go:build unix

package main

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestCommand runs testdata/command/*.txtar. They run in the process of the test, which takes a fraction of the CPU time of
// a process for each command. Signals, users, pipes between programs and what main makes of an exit code need a process:
// "exec coldframe", or a script of TestScript.
//
// The scripts run one after the other: the process has one current directory and one environment.
func TestCommand(t *testing.T) {
	parameters := scripts(t, "testdata/command")
	parameters.Cmds["run"], parameters.Cmds["exits"], parameters.Cmds["serve"] = runHere, exitsHere, serve(startHere)
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
	if code := exitHere(ts, args); neg == (code == exitFine) {
		ts.Fatalf("unexpected exit code %d", code)
	}
}

// exitsHere is runHere with the exit code that is wanted:
//
//	exits CODE [NAME=VALUE ...] coldframe [ARGUMENT ...] [<FILE]
func exitsHere(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: exits CODE [NAME=VALUE ...] coldframe [ARGUMENT ...] [<FILE]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if code := exitHere(ts, args[1:]); code != want {
		ts.Fatalf("exit code %d, want %d", code, want)
	}
}

// exitHere returns the exit code of the program.
func exitHere(ts *testscript.TestScript, args []string) int {
	c := parseCommand(ts, args)
	if len(c.args) == 0 || c.args[0] != "coldframe" {
		ts.Fatalf("usage: run [NAME=VALUE ...] coldframe [ARGUMENT ...] [<FILE]")
	}
	defer enter(ts, c)()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	stdout, stderr := &output{more: make(chan struct{})}, &output{more: make(chan struct{})}
	code := run(ctx, c.args[1:], c.stdin, stdout, stderr)
	for to, said := range map[io.Writer]*output{ts.Stdout(): stdout, ts.Stderr(): stderr} {
		text, _ := said.read()
		io.WriteString(to, text)
	}
	if ctx.Err() != nil {
		ts.Fatalf("it did not end within %s", patience)
	}
	return code
}

// startHere starts a server in this process. A signal ends its context, as in main.
func startHere(ts *testscript.TestScript, s *server, c command) {
	leave := enter(ts, c)
	ctx, cancel := context.WithCancel(context.Background())
	s.signal = func(syscall.Signal) { cancel() }
	ended := s.ended
	go func() {
		s.code = run(ctx, c.args, c.stdin, &s.stdout, &s.stderr)
		leave()
		close(ended)
	}()
	ts.Defer(func() { cancel(); <-ended })
}

// enter changes the process to the directory and the environment of a command. leave restores its own.
func enter(ts *testscript.TestScript, c command) (leave func()) {
	folder, err := os.Getwd()
	ts.Check(err)
	ts.Check(os.Chdir(ts.MkAbs(".")))
	before := os.Environ()
	for _, variable := range c.variables {
		name, value, _ := strings.Cut(variable, "=")
		ts.Check(os.Setenv(name, value))
	}
	return func() {
		os.Clearenv()
		for _, variable := range before {
			name, value, _ := strings.Cut(variable, "=")
			os.Setenv(name, value)
		}
		os.Chdir(folder)
	}
}
