package mock

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settleTime is how long files must be quiet before they are read: editors write in several steps.
const settleTime = 100 * time.Millisecond

// watcher reloads a server when a file changes that its contract was made of.
type watcher struct {
	server  *Server
	changes *fsnotify.Watcher
}

func newWatcher(s *Server) (*watcher, error) {
	changes, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch files: %w", err)
	}
	w := &watcher{s, changes}
	w.follow()
	return w, nil
}

// follow watches the directories of all files: editors replace a file rather than write into it.
func (w *watcher) follow() {
	for _, file := range w.files() {
		w.changes.Add(filepath.Dir(file)) // a URL has no directory here, and nothing to watch
		w.changes.Add(file)
	}
}

// files gives the absolute names of what is watched.
func (w *watcher) files() []string {
	files := append(w.server.Info().Files, w.server.options.Scenarios...)
	for i, file := range files {
		if absolute, err := filepath.Abs(file); err == nil {
			files[i] = absolute
		}
	}
	return files
}

// readable says which file of the options, or of others, cannot be read a second time: reading a pipe would wait
// for somebody to write.
func (s *Server) readable(others []string) error {
	files := slices.Concat(s.options.Scenarios, s.options.Data)
	if s.options.Text == nil {
		files = append(files, s.options.Document)
	}
	for _, file := range append(files, others...) {
		if info, err := os.Stat(file); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%q is a pipe or a device, which can be read only once; save it as a file", file)
		}
	}
	return nil
}

func (w *watcher) run(ctx context.Context) {
	defer w.changes.Close()
	settled := time.NewTimer(settleTime)
	settled.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case event, ok := <-w.changes.Events:
			if !ok {
				return
			}
			files := w.files() // directories of scenarios among them
			if event.Op != fsnotify.Chmod &&
				(slices.Contains(files, event.Name) || slices.Contains(files, filepath.Dir(event.Name))) {
				settled.Reset(settleTime)
			}
		case err, ok := <-w.changes.Errors:
			if !ok {
				return
			}
			w.server.log.note("watching files: %v", err)
		case <-settled.C:
			w.reload(ctx)
		}
	}
}

func (w *watcher) reload(ctx context.Context) {
	before := w.server.Info().Findings
	if err := w.server.Reload(ctx); err != nil {
		w.server.log.note("the change is not taken over, the mock goes on as before:\n  %s",
			strings.ReplaceAll(err.Error(), "\n", "\n  "))
		return
	}
	info := w.server.Info()
	text := fmt.Sprintf("reloaded: %s %s, %d operations", info.Title, info.Version, len(info.Operations))
	if n := len(info.Findings); n > 0 {
		text += fmt.Sprintf(", %d findings", n)
	}
	text += changed("new", info.Findings, before) + changed("gone", before, info.Findings)
	w.server.log.note("%s", text)
	w.follow()
}

// mostChanged is how many new and how many gone findings a reload lists.
const mostChanged = 10

// changed gives a line for each of the findings that others do not have. Lines and columns do not count: they move
// with every change above them.
func changed(what string, findings, others []Finding) string {
	same := func(f Finding) Finding {
		f.Document.Line, f.Document.Column = 0, 0
		return f
	}
	left := map[Finding]int{}
	for _, f := range others {
		left[same(f)]++
	}
	var text strings.Builder
	count := 0
	for _, f := range findings {
		if left[same(f)]--; left[same(f)] >= 0 {
			continue
		}
		if count++; count <= mostChanged {
			fmt.Fprintf(&text, "\n  %s: %s: %s", what, f.Severity, f)
		}
	}
	if count > mostChanged {
		fmt.Fprintf(&text, "\n  %d more %s", count-mostChanged, what)
	}
	return text.String()
}
