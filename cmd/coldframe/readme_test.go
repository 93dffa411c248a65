//go:build unix

package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/google/go-cmp/cmp"
)

// TestTranscripts runs what pages show that people type: programs that serve,
// tests, curl lines. Their output must be what the page shows, but for how often
// and how fast. UPDATE_GOLDEN=1 rewrites it.
func TestTranscripts(t *testing.T) {
	t.Chdir("../..")
	for _, file := range []string{"README.md", "docs/contract-testing.md"} {
		t.Run(file, func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &shell{t: t, real: map[string]string{}}
			update := golden.Update()
			blocks := regexp.MustCompile("(?s)```console\n(.*?)```").ReplaceAllStringFunc(string(page), func(block string) string {
				lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "\n```"), "\n")
				var ran []string
				for i := 0; i < len(lines); {
					command := lines[i]
					var shown []string
					for i++; i < len(lines) && !strings.HasPrefix(lines[i], "$ "); i++ {
						shown = append(shown, lines[i])
					}
					got := s.run(command, len(shown))
					if diff := cmp.Diff(steady(shown), steady(got)); diff != "" && !update {
						t.Errorf("%s\n%s", command, diff)
					}
					ran = append(append(ran, command), got...)
				}
				return "```console\n" + strings.Join(ran, "\n") + "\n```"
			})
			if update && blocks != string(page) {
				if err := os.WriteFile(file, []byte(blocks), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if s.ran < 2 {
				t.Errorf("the page shows only %d commands", s.ran)
			}
		})
	}
}

// unsteady is what differs from run to run: how often something was done, and in
// which time.
var unsteady = regexp.MustCompile(`\b[\d,]+ (cases?|requests?|times?)\b|\bin [\d.]+m?s\b`)

func steady(lines []string) []string {
	return strings.Split(unsteady.ReplaceAllString(strings.Join(lines, "\n"), "N $1"), "\n")
}

// shell runs the commands of a page.
type shell struct {
	t    *testing.T
	real map[string]string // origins on the page → where that server listens here
	ran  int
}

// run runs a command and gives what it prints; of a server, so many lines.
func (s *shell) run(command string, count int) []string {
	s.ran++
	words := shellWords(strings.TrimPrefix(command, "$ "))
	var environment []string
	for len(words) > 0 && regexp.MustCompile(`^[A-Z_]+=`).MatchString(words[0]) {
		environment, words = append(environment, words[0]), words[1:]
	}
	for i := range words {
		for shown, real := range s.real {
			words[i] = strings.ReplaceAll(words[i], shown, real)
		}
	}
	var text string
	switch name := strings.Join(words[:min(3, len(words))], " "); {
	case name == "go run ./cmd/coldframe" && len(words) > 3 && slices.Contains([]string{"test", "check"}, words[3]):
		var b strings.Builder
		for _, setting := range environment {
			name, value, _ := strings.Cut(setting, "=")
			s.t.Setenv(name, value)
		}
		run(s.t.Context(), words[3:], strings.NewReader(""), &b, &b)
		for _, setting := range environment {
			name, _, _ := strings.Cut(setting, "=")
			os.Unsetenv(name)
		}
		text = strings.TrimSuffix(b.String(), "\n")
	case name == "go run ./cmd/coldframe":
		return s.serve("http://127.0.0.1:4010", count, words[3:])
	case name == "go run ./examples/ci/service":
		return s.serve("http://127.0.0.1:8080", count, nil)
	case words[0] == "curl":
		text = s.curl(words[1:])
	default:
		s.t.Fatalf("the page shows a command that nobody runs: %s", command)
	}
	for shown, real := range s.real {
		text = strings.ReplaceAll(text, real, shown)
	}
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// serve runs a server on a free port, coldframe with some arguments, else the
// service of examples/ci, and gives the first lines that it prints, as they are
// on the page's port.
func (s *shell) serve(shown string, count int, args []string) (lines []string) {
	reader, writer := io.Pipe()
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan int, 1)
	if args != nil {
		go func() {
			ended <- run(ctx, append(args, "--port", "0"), strings.NewReader(""), writer, os.Stderr)
			writer.Close()
		}()
	} else {
		program := filepath.Join(s.t.TempDir(), "service")
		if said, err := exec.Command("go", "build", "-o", program, "./examples/ci/service").CombinedOutput(); err != nil {
			s.t.Fatalf("%s", said)
		}
		service := exec.CommandContext(ctx, program, "-address", "127.0.0.1:0")
		service.Stdout = writer
		go func() {
			service.Run()
			ended <- exitFine
			writer.Close()
		}()
	}
	s.t.Cleanup(func() {
		stop()
		go io.Copy(io.Discard, reader)
		if code := <-ended; code != exitFine {
			s.t.Errorf("exit %d", code)
		}
	})
	scanner := bufio.NewScanner(reader)
	for len(lines) < max(count, 1) && scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	go io.Copy(io.Discard, reader)
	s.real[shown] = urlPattern.FindString(strings.Join(lines, "\n"))
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], s.real[shown], shown)
	}
	return lines[:count]
}

// curl does what curl does with the options that the pages use.
func (s *shell) curl(args []string) string {
	t := s.t
	method, target, body := http.MethodGet, "", ""
	header := http.Header{}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-H":
			i++
			name, value, _ := strings.Cut(args[i], ": ")
			header.Set(name, value)
		case "-d":
			i++
			method, body = http.MethodPost, args[i]
		default:
			target = args[i]
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// shellWords splits a command line with single quotes.
func shellWords(line string) []string {
	var words []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			words = append(words, part)
			continue
		}
		words = append(words, strings.Fields(part)...)
	}
	return words
}
