// Command origins serves a mock whose answers try to act on its control API when a browser shows them: uploads, an
// example, the body of a scenario, an item of a data file, and pages. It prints the mock's URL and serves until its
// standard input ends. .ci/origins opens the answers in a browser.
//
//	go run ./internal/testbench/origins
package main

import (
	"context"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing/fstest"

	"github.com/coldframe/coldframe/mock"
)

// files are what the mock serves. The word ATTACK stands for the script in attack.js.
//
//go:embed files
var files embed.FS

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	read, pages := map[string][]byte{}, fstest.MapFS{}
	attack, err := fs.ReadFile(files, "files/attack.js")
	if err != nil {
		return err
	}
	script := strings.Join(strings.Fields(string(attack)), " ") // which fits into one line of YAML
	err = fs.WalkDir(files, "files", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(files, path)
		text = []byte(strings.ReplaceAll(string(text), "ATTACK", script))
		name := strings.TrimPrefix(path, "files/")
		if page, ok := strings.CutPrefix(name, "pages/"); ok {
			pages[page] = &fstest.MapFile{Data: text}
		}
		read[name] = text
		return err
	})
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s, err := mock.New(ctx, mock.Options{
		Document: "openapi.yaml", Text: read["openapi.yaml"], Log: mock.LogOptions{Format: "off"}, Pages: pages,
		State:         mock.StateOptions{DataTexts: []mock.Text{{Name: "data.yaml", Text: read["data.yaml"]}}},
		ScenarioTexts: []mock.Text{{Name: "guard.yaml", Text: read["guard.yaml"]}},
	})
	if err != nil {
		return err
	}
	for _, f := range s.Info().Findings {
		fmt.Fprintln(os.Stderr, f)
	}
	fmt.Println(strings.Replace(s.URL(), "127.0.0.1", "localhost", 1)) // another site than the other pages
	fmt.Printf("%s\n", script)
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	return s.Run(ctx)
}
