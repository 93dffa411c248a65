// Command startup measures how long the program takes from its start to its
// first answer, and how much memory it has then:
//
//	go run ./internal/testbench/bench/startup [-runs 5] [-serve PROGRAM] [DOCUMENT [METHOD PATH]]
//
// Without a document it is the Plant Store. It prints the runs' median and
// worst. Linux only: the memory is VmRSS and VmHWM of /proc.
package main

import (
	"bufio"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// patience is how long one start may take.
const patience = 30 * time.Second

func main() {
	runs := flag.Int("runs", 5, "how often to start")
	program := flag.String("serve", "", "`program` to start; default: cmd/coldframe, built")
	flag.Parse()
	if err := measure(*runs, *program, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "startup:", err)
		os.Exit(1)
	}
}

func measure(runs int, program string, args []string) error {
	if program == "" {
		directory, err := os.MkdirTemp("", "startup")
		if err != nil {
			return err
		}
		defer os.RemoveAll(directory)
		program = filepath.Join(directory, "coldframe")
		if out, err := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program,
			"./cmd/coldframe").CombinedOutput(); err != nil {
			return fmt.Errorf("cannot build: %w\n%s", err, out)
		}
	}
	method, path := "POST", "/plants"
	var document []string
	if len(args) > 0 {
		document, method, path = args[:1], "GET", "/"
	}
	if len(args) > 2 {
		method, path = args[1], args[2]
	}
	var all []start
	for range runs {
		s, err := run(program, document, method, path)
		if err != nil {
			return err
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b start) int { return cmp.Compare(a.took, b.took) })
	median, worst := all[len(all)/2], all[len(all)-1]
	fmt.Printf("%s: first answer (%s) after %v, at worst %v; resident %s, at most %s\n",
		cmp.Or(strings.Join(document, ""), "Plant Store"), median.status,
		median.took.Round(100*time.Microsecond), worst.took.Round(100*time.Microsecond), median.resident, median.peak)
	return nil
}

// start is one start of the program.
type start struct {
	took           time.Duration // from its execution to its first answer
	status         string
	resident, peak string // as /proc says it
}

var url = regexp.MustCompile(`http://127\.0\.0\.1:\d+`)

// run starts the program, sends it a request as soon as it says where it
// listens, and ends it.
func run(program string, document []string, method, path string) (s start, err error) {
	command := exec.Command(program, append([]string{"--port", "0", "--log", "off"}, document...)...)
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	if err != nil {
		return s, err
	}
	began := time.Now()
	if err := command.Start(); err != nil {
		return s, err
	}
	defer command.Wait()
	defer command.Process.Kill()
	stop := time.AfterFunc(patience, func() { command.Process.Kill() })
	defer stop.Stop()
	at := ""
	for lines := bufio.NewScanner(stdout); at == "" && lines.Scan(); {
		at = url.FindString(lines.Text())
	}
	if at == "" {
		return s, errors.New("the program does not say where it listens")
	}
	go io.Copy(io.Discard, stdout)
	request, err := http.NewRequest(method, at+path, strings.NewReader(`{"id":7,"name":"Fern"}`))
	if err != nil {
		return s, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer token")
	if method == "GET" {
		request.Body, request.ContentLength = http.NoBody, 0
		request.Header.Del("Content-Type")
	}
	response, err := (&http.Client{Timeout: patience}).Do(request)
	if err != nil {
		return s, err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return s, err
	}
	s.took, s.status = time.Since(began), response.Status
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", command.Process.Pid))
	if err != nil {
		return s, err
	}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(line, ":")
		switch name {
		case "VmRSS":
			s.resident = strings.TrimSpace(value)
		case "VmHWM":
			s.peak = strings.TrimSpace(value)
		}
	}
	return s, nil
}
