//go:build unix

package main

import (
	"bytes"
	"crypto/tls"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long scripts wait for a server before they fail.
const patience = 30 * time.Second

type serverKey struct{}

// server is the program running beside a script.
type server struct {
	stdout  output
	stderr  output
	signal  func(syscall.Signal) // nil: none runs
	ended   chan struct{}
	code    int        // the exit code, once it has ended
	clients []net.Conn // see connect
}

// output is what a program has written; it notifies readers that wait for more.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
	more chan struct{} // closed and replaced at every write
}

func (o *output) Write(text []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.more)
	o.more = make(chan struct{})
	return o.text.Write(text)
}

func (o *output) read() (string, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String(), o.more
}

var urlPattern = regexp.MustCompile(`https?://[\w.:\[\]]+:\d+`)

// command is what a script starts: "[NAME=VALUE ...] ARGUMENT ... [<FILE]".
type command struct {
	variables []string
	args      []string
	stdin     io.Reader
}

func parseCommand(ts *testscript.TestScript, words []string) command {
	c := command{variables: []string{"COLDFRAME_PORT=0"}, args: words, stdin: strings.NewReader("")}
	for len(c.args) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(c.args[0]) {
		c.variables, c.args = append(c.variables, c.args[0]), c.args[1:]
	}
	if last := len(c.args) - 1; last >= 0 && strings.HasPrefix(c.args[last], "<") {
		c.stdin, c.args = strings.NewReader(ts.ReadFile(c.args[last][1:])), c.args[:last]
	}
	return c
}

// serve returns the command that starts the program in a way, and waits until it has said where it listens:
//
//	serve [NAME=VALUE ...] [ARGUMENT ...] [<FILE]
//
// It sets $URL and $PORT. Only one runs at a time.
func serve(start func(*testscript.TestScript, *server, command)) func(*testscript.TestScript, bool, []string) {
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg {
			ts.Fatalf("unsupported: ! serve; use: ! exec coldframe")
		}
		s := ts.Value(serverKey{}).(*server)
		if s.signal != nil {
			ts.Fatalf("a server runs already")
		}
		*s = server{stdout: output{more: make(chan struct{})}, stderr: output{more: make(chan struct{})}, ended: make(chan struct{})}
		c := parseCommand(ts, args)
		start(ts, s, c)
		banner := &s.stdout
		if said := strings.Join(append(c.variables, c.args...), " "); strings.Contains(said, "--log json") || strings.Contains(said, "COLDFRAME_LOG=json") {
			banner = &s.stderr
		}
		url := urlPattern.FindString(s.await(ts, banner, urlPattern))
		ts.Setenv("URL", url)
		ts.Setenv("PORT", url[strings.LastIndexByte(url, ':')+1:])
	}
}

// startProcess starts a server in a process of its own.
func startProcess(ts *testscript.TestScript, s *server, c command) {
	path, err := exec.LookPath("coldframe")
	ts.Check(err)
	process := exec.Command(path, c.args...)
	process.Env, process.Dir = append(os.Environ(), c.variables...), ts.MkAbs(".")
	process.Stdin, process.Stdout, process.Stderr = c.stdin, &s.stdout, &s.stderr
	ts.Check(process.Start())
	s.signal = func(signal syscall.Signal) { process.Process.Signal(signal) }
	ended := s.ended
	go func() {
		process.Wait()
		s.code = process.ProcessState.ExitCode()
		close(ended)
	}()
	ts.Defer(func() { process.Process.Kill(); <-ended })
}

// await waits until the output matches.
func (s *server) await(ts *testscript.TestScript, o *output, pattern *regexp.Regexp) string {
	limit := time.After(patience)
	for ended := false; ; {
		text, more := o.read()
		if pattern.MatchString(text) {
			return text
		}
		if ended {
			complaint, _ := s.stderr.read()
			ts.Fatalf("the server ended without saying %s: %s%s", pattern, text, complaint)
		}
		select {
		case <-more:
		case <-s.ended:
			ended = true
		case <-limit:
			ts.Fatalf("the server does not say %s: %s", pattern, text)
		}
	}
}

// said waits until the server has written something that matches, and prints
// that:
//
//	said PATTERN
//	! said PATTERN
//
// The second looks only at what it has written so far.
func said(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(serverKey{}).(*server)
	if len(args) != 1 || s.signal == nil {
		ts.Fatalf("usage: said PATTERN, after serve")
	}
	pattern := regexp.MustCompile("(?m)" + args[0])
	if !neg {
		io.WriteString(ts.Stdout(), pattern.FindString(s.await(ts, &s.stdout, pattern))+"\n")
		return
	}
	if text, _ := s.stdout.read(); pattern.MatchString(text) {
		ts.Fatalf("the server has said %s: %s", pattern, text)
	}
}

// connect has so many connections open to the server, over which nothing is sent:
//
//	connect NUMBER
func connect(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(serverKey{}).(*server)
	if neg || len(args) != 1 || s.signal == nil {
		ts.Fatalf("usage: connect NUMBER, after serve")
	}
	wanted, err := strconv.Atoi(args[0])
	ts.Check(err)
	for len(s.clients) > wanted {
		s.clients[0].Close()
		s.clients = s.clients[1:]
	}
	for len(s.clients) < wanted {
		conn, err := net.Dial("tcp", "127.0.0.1:"+ts.Getenv("PORT"))
		ts.Check(err)
		ts.Defer(func() { conn.Close() })
		s.clients = append(s.clients, conn)
	}
}

// sendBytes sends text over a new connection, which stays open until the server ends. Nothing is read of it. The text
// has escapes such as \r\n. With -control they go to the port of the control API.
//
//	send [-tls] [-control] TEXT
func sendBytes(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(serverKey{}).(*server)
	port, secure := ts.Getenv("PORT"), false
	if len(args) > 0 && args[0] == "-tls" {
		secure, args = true, args[1:]
	}
	if len(args) > 0 && args[0] == "-control" {
		control := regexp.MustCompile(`(?m)^control API: http://.*:(\d+)/`)
		port, args = control.FindStringSubmatch(s.await(ts, &s.stdout, control))[1], args[1:]
	}
	if neg || len(args) != 1 || s.signal == nil {
		ts.Fatalf("usage: send [-tls] [-control] TEXT, after serve")
	}
	text, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	ts.Check(err)
	ts.Defer(func() { conn.Close() })
	if secure {
		conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}) // the certificate is made at start
	}
	_, err = io.WriteString(conn, text)
	ts.Check(err)
}

// signalServer sends the server a signal and waits for it to end with a code,
// 0 if none is given; what it has written becomes stdout and stderr:
//
//	signal TERM|INT [CODE]
//	signal -again TERM|INT
//
// The second sends the signal again and again, and expects that it kills the server before it has stopped.
func signalServer(ts *testscript.TestScript, neg bool, args []string) {
	s := ts.Value(serverKey{}).(*server)
	var again <-chan time.Time
	if len(args) == 2 && args[0] == "-again" {
		ticker := time.NewTicker(50 * time.Millisecond)
		defer ticker.Stop()
		again, args = ticker.C, []string{args[1], "-1"} // ExitCode of what a signal has killed
	}
	if neg || len(args) < 1 || len(args) > 2 || s.signal == nil {
		ts.Fatalf("usage: signal [-again] TERM|INT [CODE], after serve")
	}
	want := append(args, "0")[1]
	signal := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT}[args[0]]
	s.signal(signal)
	enough := time.After(patience)
	for ended := false; !ended; {
		select {
		case <-again:
			s.signal(signal)
		case <-s.ended:
			ended = true
		case <-enough:
			ts.Fatalf("the server does not end")
		}
	}
	stdout, _ := s.stdout.read()
	stderr, _ := s.stderr.read()
	io.WriteString(ts.Stdout(), stdout)
	io.WriteString(ts.Stderr(), stderr)
	if strconv.Itoa(s.code) != want {
		ts.Fatalf("the server ends with %d, want %s: %s", s.code, want, stderr)
	}
	s.signal = nil
}
