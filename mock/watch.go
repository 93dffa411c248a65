package mock

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/coldframe/coldframe/internal/exchange"
)

// settleTime is the time without changes before files are read: editors write in several steps.
const settleTime = 100 * time.Millisecond

// watcher reloads a server when one of its files changes.
type watcher struct {
	server  *Server
	changes *fsnotify.Watcher
	places  atomic.Pointer[places] // the watched places
	changed chan struct{}          // receives a value when one of them has changed
}

func newWatcher(s *Server) (*watcher, error) {
	changes, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("cannot watch files: %w", err)
	}
	w := &watcher{server: s, changes: changes, changed: make(chan struct{}, 1)}
	w.places.Store(placesOf(nil))
	go w.listen() // before follow: fsnotify may wait for it while adding
	if !w.follow() {
		w.signal()
	}
	return w, nil
}

// follow watches the current targets of the paths: the directories of all places, because editors replace a file
// rather than write into it, and the files, which may be written under another name. A watch stays with a directory
// that was moved away, so all watches are renewed. It reports whether the paths still lead to the same places
// afterwards: a change before its place was watched is not reported otherwise.
func (w *watcher) follow() bool {
	p := placesOf(w.files())
	w.places.Store(p)
	for _, watched := range w.changes.WatchList() {
		w.changes.Remove(watched)
	}
	for _, watched := range []map[string]bool{p.directories, p.files} {
		for path := range watched {
			err := w.changes.Add(path) // directories above may be unreadable
			if err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) {
				w.server.log.note("watching %s: %v", path, err)
			}
		}
	}
	return p.equal(placesOf(w.files()))
}

// files returns the absolute names of the files and directories that are read; they may contain symbolic links.
func (w *watcher) files() []string {
	files := slices.Concat(w.server.Info().Files, w.server.options.Scenarios, w.server.options.State.Data)
	for i, file := range files {
		if absolute, err := filepath.Abs(file); err == nil {
			files[i] = absolute
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// readable returns an error for a file of the options, or of others, that cannot be read a second time: reading a
// pipe would wait for a writer.
func (s *Server) readable(others []string) error {
	files := slices.Concat(s.options.Scenarios, s.options.State.Data)
	if s.options.Text == nil && s.options.Files == nil {
		files = append(files, s.options.Document)
	}
	for _, file := range append(files, others...) {
		if info, err := os.Stat(file); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("%q is a pipe or a device, which can be read only once; save it as a file", file)
		}
	}
	return nil
}

// listen handles fsnotify's events until it is closed.
func (w *watcher) listen() {
	for {
		relevant := false
		select {
		case event, ok := <-w.changes.Events:
			if !ok {
				return
			}
			relevant = event.Op != fsnotify.Chmod && w.places.Load().has(event.Name)
		case err, ok := <-w.changes.Errors:
			if !ok {
				return
			}
			w.server.log.note("watching files: %v", err)
			relevant = errors.Is(err, fsnotify.ErrEventOverflow)
		}
		if relevant {
			w.signal()
		}
	}
}

func (w *watcher) signal() {
	select {
	case w.changed <- struct{}{}:
	default: // run has not received the last one yet
	}
}

// run reloads the server after each change, until the context is done.
func (w *watcher) run(ctx context.Context) {
	defer w.changes.Close()
	settled := time.NewTimer(settleTime)
	settled.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-w.changed:
			settled.Reset(settleTime)
		case <-settled.C:
			before := look(w.files())
			w.reload(ctx)
			if !w.follow() || differ(before, look(w.files())) {
				settled.Reset(settleTime)
			}
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
	text := fmt.Sprintf("reloaded: %s %s, %s", info.Title, info.Version, exchange.Count(len(info.Operations), "operation"))
	if n := len(info.Findings); n > 0 {
		text += ", " + exchange.Count(n, "finding")
	}
	text += changed("new", info.Findings, before) + changed("gone", before, info.Findings)
	w.server.log.note("%s", text)
}

// mostChanged limits the new findings, and the resolved findings, that a reload lists.
const mostChanged = 10

// changed returns a line for each of the findings that others do not have. Lines and columns do not count: they move
// with every change above them.
func changed(what string, findings, others []exchange.Finding) string {
	same := func(f exchange.Finding) exchange.Finding {
		f.Document.Line, f.Document.Column = 0, 0
		return f
	}
	left := map[exchange.Finding]int{}
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
