package mcp

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock"
)

// maxDocuments is the number of compiled documents that are kept; the least recently used is dropped.
const maxDocuments = 8

// Input is what the command line uses for a document.
type Input struct {
	// Mock has the document, and the settings and corrections of coldframe.yaml beside it.
	Mock mock.Options
	// Rules are the rules in the section test of coldframe.yaml.
	Rules contracts.Rules
	// Settings is the file coldframe.yaml, which need not exist; "" for a document that is in no folder.
	Settings string
}

// document is a compiled document.
type document struct {
	*spec.Contract
	Input
	location string
	router   *route.Router
	plan     func() *resource.Plan
	versions []version // of the files that it was read from
}

// version tells whether a file has changed. The zero value is for what is not a file.
type version struct {
	at   time.Time
	size int64
}

func (d *document) overrides() resource.Overrides { return resource.Overrides(d.Mock.State.Resources) }

// files returns the names of the files that the document depends on.
func (d *document) files() []string { return append(slices.Clip(d.Files), d.Settings) }

func versionsOf(files []string) []version {
	all := make([]version, len(files))
	for i, file := range files {
		if info, err := os.Stat(file); err == nil {
			all[i] = version{info.ModTime(), info.Size()}
		}
	}
	return all
}

// library has the documents of agents. It is safe for concurrent use.
type library struct {
	open   func(ctx context.Context, location string) (Input, error)
	mutex  sync.Mutex
	loaded []*document // the most recently used one is the last
}

// get returns the document at a location. It is read again if one of its files has changed.
func (l *library) get(ctx context.Context, location string) (*document, error) {
	if d := l.take(location); d != nil && slices.Equal(d.versions, versionsOf(d.files())) {
		l.put(d)
		return d, nil
	}
	in, err := l.open(ctx, location)
	if err != nil {
		return nil, err
	}
	o := in.Mock.Load
	load := spec.Options{Text: in.Mock.Text, AllowExternal: o.AllowExternalRefs, Root: o.RefsRoot, IgnoreUnreadable: true,
		MaxBytes: o.MaxDocument, Timeout: o.Timeout}
	if in.Mock.Files != nil {
		load.Source = spec.Texts(in.Mock.Files)
	}
	c, err := spec.Load(ctx, in.Mock.Document, load)
	if err != nil {
		return nil, err
	}
	d := &document{Contract: c, Input: in, location: location, router: route.New(c)}
	d.plan = sync.OnceValue(func() *resource.Plan {
		plan, _ := resource.Infer(c, d.overrides())
		return plan
	})
	d.versions = versionsOf(d.files())
	l.put(d)
	return d, nil
}

// take removes the document of a location; nil if there is none.
func (l *library) take(location string) (found *document) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.loaded = slices.DeleteFunc(l.loaded, func(d *document) bool {
		if d.location == location {
			found = d
		}
		return d.location == location
	})
	return found
}

func (l *library) put(d *document) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.loaded = append(l.loaded, d)
	l.loaded = slices.Delete(l.loaded, 0, max(0, len(l.loaded)-maxDocuments))
}

// list returns the documents that are kept.
func (l *library) list() []*document {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return slices.Clone(l.loaded)
}

// document returns the document that a tool names; "" is the one of the current folder, or the served one.
func (a *agent) document(ctx context.Context, location string) (*document, error) {
	if a.served != nil {
		if location != "" {
			return nil, saying("This mock serves one document; leave out document.")
		}
		return a.library.get(ctx, "")
	}
	if location != "" {
		if err := a.mayRead(location); err != nil {
			return nil, err
		}
	}
	return a.library.get(ctx, location)
}

// mayRead returns an error if tools may not read a file or a URL.
func (a *agent) mayRead(location string) error {
	if strings.Contains(location, "://") {
		u, err := url.Parse(location)
		if err != nil || !slices.Contains(a.options.AllowedHosts, u.Hostname()) {
			return saying("This host is not allowed; the user can allow it with --allow-host NAME.")
		}
		return nil
	}
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return err
	}
	file, err := filepath.Abs(location)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(file); err == nil { // otherwise there is no such file
		file = real
	}
	within, err := filepath.Rel(here, file)
	outside := err != nil || !filepath.IsLocal(within)
	if outside && !a.options.AllowOutside {
		return saying("This file is outside of the current directory; the user can allow that with --allow-outside.")
	}
	if outside {
		within = file
	}
	for name := range strings.SplitSeq(filepath.ToSlash(within), "/") {
		if strings.HasPrefix(name, ".") && name != "." {
			return saying("Hidden files are not read.")
		}
	}
	return nil
}
