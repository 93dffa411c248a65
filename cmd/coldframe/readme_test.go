package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadme runs the README's transcripts: the command that serves, then each
// curl line, whose output must be what the README shows.
func TestReadme(t *testing.T) {
	t.Chdir("../..")
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		lines = append(lines, strings.Split(strings.TrimSpace(block[1]), "\n")...)
	}
	var url string
	asked := 0
	for i := 0; i < len(lines); {
		command := lines[i]
		var shown []string
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], "$ "); i++ {
			shown = append(shown, lines[i])
		}
		words := shellWords(strings.TrimPrefix(command, "$ "))
		var got []string
		switch words[0] {
		case "go":
			url, got = serveReadme(t, words[3:], len(shown))
		case "curl":
			asked++
			got = strings.Split(curlReadme(t, url, words[1:]), "\n")
		default:
			t.Fatalf("the README shows a command that nobody runs: %s", command)
		}
		if diff := cmp.Diff(shown, got); diff != "" {
			t.Errorf("%s\n%s", command, diff)
		}
	}
	if asked < 4 {
		t.Errorf("the README shows only %d requests", asked)
	}
}

// serveReadme runs the program on a free port and gives its URL and the first
// lines it prints, as they are on the README's port.
func serveReadme(t *testing.T, args []string, count int) (url string, lines []string) {
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, append(args, "--port", "0"), strings.NewReader(""), writer, os.Stderr)
		writer.Close()
	}()
	t.Cleanup(func() {
		stop()
		go io.Copy(io.Discard, reader)
		if code := <-ended; code != exitFine {
			t.Errorf("exit %d", code)
		}
	})
	scanner := bufio.NewScanner(reader)
	for len(lines) < count && scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	go io.Copy(io.Discard, reader)
	url = regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(strings.Join(lines, "\n"))
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], url, "http://127.0.0.1:4010")
	}
	return url, lines
}

// curlReadme does what curl does with the options that the README uses.
func curlReadme(t *testing.T, url string, args []string) string {
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
			target = strings.Replace(args[i], "http://127.0.0.1:4010", url, 1)
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
