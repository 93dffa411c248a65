package mock

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// watchedKinds are what a mock reads: which options name it below a folder, and the text of a version of it. What a
// mock serves of a version shows which one it is.
var watchedKinds = map[string]struct {
	file    string // below the folder
	options func(o *Options, folder string)
	text    func(version int) string
	served  func(s *Server) string
}{
	"document": {
		"openapi.yaml", func(o *Options, folder string) { o.Document = folder + "/openapi.yaml" },
		func(version int) string { return document(fmt.Sprint("v", version)) },
		func(s *Server) string { return s.Info().Title },
	},
	"referenced file": {
		"parts/path.yaml", func(o *Options, folder string) {
			o.Document, o.Load.AllowExternalRefs = filepath.Dir(o.Document)+"/referring.yaml", true
			text := fmt.Sprintf(`{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/things: {$ref: "%s/parts/path.yaml"}}}`, folder)
			if err := os.WriteFile(o.Document, []byte(text), 0o600); err != nil {
				panic(err)
			}
		},
		func(version int) string {
			return fmt.Sprintf(`{get: {summary: v%d, responses: {"200": {description: d}}}}`, version)
		},
		func(s *Server) string { return s.Info().Operations[0].Summary },
	},
	"scenario": {
		"stock.yaml", func(o *Options, folder string) { o.Scenarios = []string{folder + "/stock.yaml"} },
		func(version int) string { return fmt.Sprintf("{name: v%d, rules: [{on: '*', delay: 1ms}]}", version) },
		func(s *Server) string { return strings.Join(s.Info().Scenarios, " ") },
	},
	"folder of scenarios": {
		"stock.yaml", func(o *Options, folder string) { o.Scenarios = []string{folder} },
		func(version int) string { return fmt.Sprintf("{name: v%d, rules: [{on: '*', delay: 1ms}]}", version) },
		func(s *Server) string { return strings.Join(s.Info().Scenarios, " ") },
	},
	"data": {
		"data.yaml", func(o *Options, folder string) { o.State.Data = []string{folder + "/data.yaml"} },
		func(version int) string { return "things: [" + strings.Repeat("{name: a}, ", version) + "{name: a}]" },
		func(s *Server) string { return fmt.Sprint("v", s.sessions.Base().Total()-1) },
	},
	"folder of data": {
		"things.yaml", func(o *Options, folder string) { o.State.Data = []string{folder} },
		func(version int) string { return "[" + strings.Repeat("{name: a}, ", version) + "{name: a}]" },
		func(s *Server) string { return fmt.Sprint("v", s.sessions.Base().Total()-1) },
	},
}

// tree is a folder in which a test puts versions of a file in place.
type watchedTree struct {
	t    *testing.T
	dir  string
	file string // below a folder of files
}

func (w watchedTree) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// fill writes the file below a folder of dir.
func (w watchedTree) fill(folder, text string) {
	w.t.Helper()
	file := filepath.Join(w.dir, folder, w.file)
	w.must(os.MkdirAll(filepath.Dir(file), 0o700))
	w.must(os.WriteFile(file, []byte(text), 0o600))
}

// link replaces a link of dir, in one step.
func (w watchedTree) link(target, name string) {
	w.t.Helper()
	w.must(os.Symlink(target, filepath.Join(w.dir, name+".new")))
	w.must(os.Rename(filepath.Join(w.dir, name+".new"), filepath.Join(w.dir, name)))
}

// watchedLayouts are ways to put a version in place: in the folder that put returns, below dir. failed waits until a
// reload has failed.
var watchedLayouts = map[string]func(w watchedTree, version int, text string, failed func()) (folder string){
	"ConfigMap": func(w watchedTree, version int, text string, _ func()) string {
		data := fmt.Sprint("..2026_", version)
		w.fill(data, text)
		w.link(data, "..data")
		if version > 0 {
			w.must(os.RemoveAll(filepath.Join(w.dir, fmt.Sprint("..2026_", version-1))))
			return "."
		}
		first, _, _ := strings.Cut(w.file, "/")
		w.link("..data/"+first, first)
		return "."
	},
	"ConfigMap in a volume": func(w watchedTree, version int, text string, _ func()) string {
		data := fmt.Sprint("volume/..2026_", version)
		w.fill(data, text)
		w.link(filepath.Base(data), "volume/..data")
		if version > 0 {
			w.must(os.RemoveAll(filepath.Join(w.dir, fmt.Sprint("volume/..2026_", version-1))))
			return "mounted"
		}
		first, _, _ := strings.Cut(w.file, "/")
		w.link("..data/"+first, "volume/"+first)
		w.link(filepath.Join(w.dir, "volume"), "mounted")
		return "mounted"
	},
	"link to a folder": func(w watchedTree, version int, text string, _ func()) string {
		w.fill(fmt.Sprint("release-", version), text)
		w.link(fmt.Sprint("release-", version), "current")
		return "current"
	},
	"link of links": func(w watchedTree, version int, text string, _ func()) string {
		w.fill(fmt.Sprint("far/release-", version), text)
		w.link(fmt.Sprint("release-", version), "far/current")
		if version == 0 {
			w.link("far/../far", "near")
			w.link("near/current", "app")
		}
		return "app"
	},
	"folder": func(w watchedTree, version int, text string, _ func()) string {
		w.fill("app.new", text)
		if version > 0 {
			w.must(os.Rename(filepath.Join(w.dir, "app"), filepath.Join(w.dir, fmt.Sprint("app.", version))))
		}
		w.must(os.Rename(filepath.Join(w.dir, "app.new"), filepath.Join(w.dir, "app")))
		return "app"
	},
	"folder above, deleted": func(w watchedTree, version int, text string, _ func()) string {
		w.fill("outer.new/middle/app", text)
		if version > 0 {
			w.must(os.Rename(filepath.Join(w.dir, "outer"), filepath.Join(w.dir, "outer.old")))
			w.must(os.RemoveAll(filepath.Join(w.dir, "outer.old")))
		}
		w.must(os.Rename(filepath.Join(w.dir, "outer.new"), filepath.Join(w.dir, "outer")))
		return "outer/middle/app"
	},
	"file, as editors do": func(w watchedTree, _ int, text string, _ func()) string {
		w.fill("other", text)
		w.must(os.MkdirAll(filepath.Join(w.dir, "app", filepath.Dir(w.file)), 0o700))
		w.must(os.Rename(filepath.Join(w.dir, "other", w.file), filepath.Join(w.dir, "app", w.file)))
		return "app"
	},
	"file, written": func(w watchedTree, _ int, text string, _ func()) string {
		w.fill("app", text)
		return "app"
	},
	"file, by another name": func(w watchedTree, version int, text string, _ func()) string {
		if version == 0 {
			w.fill("app", text)
			w.must(os.Link(filepath.Join(w.dir, "app", w.file), filepath.Join(w.dir, "twin")))
		}
		w.must(os.WriteFile(filepath.Join(w.dir, "twin"), []byte(text), 0o600))
		return "app"
	},
	"deleted and created": func(w watchedTree, version int, text string, failed func()) string {
		if version > 0 {
			w.must(os.RemoveAll(filepath.Join(w.dir, "app")))
			failed()
		}
		w.fill("app", text)
		return "app"
	},
}

// TestWatchReplaced puts versions of each kind of file in place in each way. The mock takes over every one of them.
func TestWatchReplaced(t *testing.T) {
	t.Parallel()
	for kind, k := range watchedKinds {
		for layout, put := range watchedLayouts {
			t.Run(kind+", "+layout, func(t *testing.T) {
				t.Parallel()
				dir, err := filepath.EvalSymlinks(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				w := watchedTree{t, dir, k.file}
				log := &lineLog{}
				folder := put(w, 0, k.text(0), nil)
				o := Options{Document: write(t, "openapi.yaml", thingsDocument), Log: LogOptions{To: log}, Listen: ListenOptions{NoListener: true}}
				k.options(&o, filepath.Join(dir, folder))
				s, err := New(t.Context(), o)
				if err != nil {
					t.Fatal(err)
				}
				watching, err := newWatcher(s)
				if err != nil {
					t.Fatal(err)
				}
				go watching.run(s.context)
				defer s.Close()
				if got := k.served(s); got != "v0" {
					t.Fatal(got)
				}
				for version := 1; version < 4; version++ {
					before := len(log.String())
					put(w, version, k.text(version), func() {
						log.until(t, func(text string) bool { return strings.Contains(text[before:], "not taken over") })
						before = len(log.String())
					})
					want := fmt.Sprint("v", version)
					log.until(t, func(string) bool { return k.served(s) == want })
				}
			})
		}
	}
}
