//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/google/go-cmp/cmp"
)

// TestTranscripts runs what pages show that people type: programs that serve,
// tests, curl lines. Their output must be what the page shows, except counts
// and times. UPDATE_GOLDEN=1 rewrites it. The commands of the README and of how-to/contract-testing.md run in the
// repository. The commands of other pages run in a folder with the files that the page shows, and with the demo's
// document as openapi.yaml.
func TestTranscripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	howTos, err := filepath.Glob(filepath.Join(root, "docs/how-to/*.md"))
	if err != nil || len(howTos) < 5 {
		t.Fatal(howTos, err)
	}
	service := t.TempDir()
	inRoot := []string{filepath.Join(root, "README.md"), filepath.Join(root, "docs/how-to/contract-testing.md")}
	for _, file := range append(howTos, inRoot[0], filepath.Join(root, "docs/auth.md"), filepath.Join(root, "docs/troubleshooting.md")) {
		name, err := filepath.Rel(root, file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			least := 2
			if !slices.Contains(inRoot, file) {
				t.Chdir(folderOf(t, root, string(page)))
				least = 0
			} else {
				t.Chdir(root)
			}
			s := &shell{t: t, real: map[string]string{}, service: service}
			update := golden.Update()
			blocks := consolePattern.ReplaceAllStringFunc(string(page), func(block string) string {
				lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(block, "```console\n"), "\n```"), "\n")
				var ran []string
				for i := 0; i < len(lines); {
					command := lines[i]
					var shown []string
					for i++; i < len(lines) && !strings.HasPrefix(lines[i], "$ "); i++ {
						shown = append(shown, lines[i])
					}
					got := s.run(command, shown)
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
			if s.ran < least {
				t.Errorf("the page shows only %d commands", s.ran)
			}
		})
	}
}

// consolePattern is a block of commands and their output. filePattern is one of a file, whose
// first line is a comment with the file's name.
var (
	consolePattern = regexp.MustCompile("(?s)```console\n(.*?)```")
	filePattern    = regexp.MustCompile("(?ms)^```[a-z]+\n((?:#|//) ([\\w./-]+\\.\\w+)\\b.*?)^```$")
)

// folderOf makes a folder with the files that a how-to shows.
func folderOf(t *testing.T, root, page string) string {
	folder := t.TempDir()
	document, err := os.ReadFile(filepath.Join(root, "examples/garden-shop/openapi.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"openapi.yaml": string(document)}
	for _, block := range filePattern.FindAllStringSubmatch(page, -1) {
		files[block[2]] = block[1]
	}
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if ext := filepath.Ext(file); ext == ".har" || ext == ".json" { // JSON has no comments
			_, text, _ = strings.Cut(text, "\n")
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folder
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
	real map[string]string // origins and tokens on the page → what they are here
	ran  int

	service string // the folder of the service of examples/ci, for all pages
}

// more ends what is shown of an output that goes on.
const more = "…"

// ending are the commands of coldframe that end by themselves; the others serve.
var ending = []string{"test", "check", "lint", "plan", "scenario", "data", "import", "version"}

// run runs a command and returns what it prints: as many lines as are shown of a
// server, and of what ends in an ellipsis.
func (s *shell) run(command string, shown []string) []string {
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
	if strings.HasPrefix(strings.Join(words, " "), "go run ./cmd/coldframe") {
		words = append([]string{"coldframe"}, words[3:]...)
	}
	var text string
	switch {
	case words[0] == "coldframe" && len(words) > 1 && slices.Contains(ending, words[1]):
		var b strings.Builder
		for _, setting := range environment {
			name, value, _ := strings.Cut(setting, "=")
			s.t.Setenv(name, value)
		}
		args, to, redirected := cutWord(words[1:], ">")
		run(s.t.Context(), args, strings.NewReader(""), &b, &b)
		for _, setting := range environment {
			name, _, _ := strings.Cut(setting, "=")
			os.Unsetenv(name)
		}
		text = strings.TrimSuffix(b.String(), "\n")
		if redirected {
			if err := os.WriteFile(to[0], []byte(b.String()), 0o666); err != nil {
				s.t.Fatal(err)
			}
			text = ""
		}
	case words[0] == "coldframe":
		return s.serve("http://127.0.0.1:4010", shown, words[1:])
	case strings.Join(words, " ") == "go run ./examples/ci/service":
		return s.serve("http://127.0.0.1:8080", shown, nil)
	case words[0] == "curl":
		text = s.curl(words[1:])
	default:
		s.t.Fatalf("the page shows a command that nobody runs: %s", command)
	}
	s.meetTokens(shown, text)
	for shown, real := range s.real {
		text = strings.ReplaceAll(text, real, shown)
	}
	if text == "" {
		return nil
	}
	return cutLines(strings.Split(text, "\n"), shown)
}

// meetTokens notes which tokens stand here for those on the page.
func (s *shell) meetTokens(shown []string, text string) {
	tokens := regexp.MustCompile(`_token":"([^"]+)"`)
	real := tokens.FindAllStringSubmatch(text, -1)
	for i, token := range tokens.FindAllStringSubmatch(strings.Join(shown, "\n"), -1) {
		if i < len(real) {
			s.real[token[1]] = real[i][1]
		}
	}
}

// cutWord cuts words around one.
func cutWord(words []string, word string) (before, after []string, found bool) {
	if i := slices.Index(words, word); i >= 0 {
		return words[:i], words[i+1:], true
	}
	return words, nil, false
}

// cutLines leaves out what a page does not show of an output.
func cutLines(lines, shown []string) []string {
	if n := len(shown) - 1; n >= 0 && shown[n] == more && len(lines) > n {
		return append(slices.Clip(lines[:n]), more)
	}
	return lines
}

// serve runs a server on a free port, coldframe with some arguments, else the
// service of examples/ci, and returns the first lines that it prints, with the port of the page.
func (s *shell) serve(origin string, shown, args []string) (lines []string) {
	reader, writer := io.Pipe()
	ctx, stop := context.WithCancel(s.t.Context())
	ended := make(chan int, 1)
	if args != nil {
		go func() {
			ended <- run(ctx, append(args, "--port", "0"), strings.NewReader(""), writer, writer)
			writer.Close()
		}()
	} else {
		program := filepath.Join(s.service, "service") // built by the first page that runs it
		if said, err := exec.Command("go", "build", "-ldflags=-s -w", "-buildvcs=false", "-o", program, "./examples/ci/service").CombinedOutput(); err != nil {
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
	url := ""
	s.t.Cleanup(func() {
		stop()
		go io.Copy(io.Discard, reader)
		if code := <-ended; (code == exitFine) != (url != "") {
			s.t.Errorf("exit %d", code)
		}
	})
	scanner := bufio.NewScanner(reader)
	for (len(lines) < len(shown) || url == "") && scanner.Scan() {
		lines = append(lines, scanner.Text())
		if url == "" {
			url = urlPattern.FindString(scanner.Text())
		}
	}
	go io.Copy(io.Discard, reader)
	if url == "" { // it could not start, and said why
		return lines
	}
	s.real[origin] = url
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], url, origin)
	}
	return cutLines(lines, shown)[:len(shown)]
}

// curl does what curl does with the options that the pages use.
func (s *shell) curl(args []string) string {
	t := s.t
	method, target, body, after, discarded := http.MethodGet, "", "", "", false
	header := http.Header{}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-X":
			i++
			method = args[i]
		case "-o":
			i++
			discarded = true
		case "-w":
			i++
			after = strings.ReplaceAll(args[i], `\n`, "\n")
		case "-u":
			i++
			header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(args[i])))
		case "-H":
			i++
			name, value, _ := strings.Cut(args[i], ": ")
			header.Set(name, value)
		case "-d", "--data-binary":
			i++
			if body != "" {
				body += "&"
			}
			body += args[i]
			if method == http.MethodGet {
				method = http.MethodPost
			}
			if file, ok := strings.CutPrefix(body, "@"); ok {
				content, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				body = string(content)
			}
		default:
			target = args[i]
		}
	}
	request, err := http.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" && header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/x-www-form-urlencoded")
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
	if discarded {
		text = nil
	}
	after = strings.ReplaceAll(after, "%{http_code}", strconv.Itoa(response.StatusCode))
	after = strings.ReplaceAll(after, "%{content_type}", response.Header.Get("Content-Type"))
	return strings.TrimSuffix(string(text)+after, "\n")
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
