// Package testui serves the page on which people watch a contract test: its progress, its operations and findings as
// they come, and the report in the end. The page is a part of the console (internal/console/ui/src/test.tsx). It shows
// what GET /__coldframe/events sends, and changes nothing.
package testui

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/console"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/origin"
	formats "github.com/coldframe/coldframe/internal/report"
	"github.com/coldframe/coldframe/internal/visible"
	"github.com/coldframe/coldframe/report"
)

const (
	prefix = "/__coldframe/"
	// mostShown is how many bytes of findings the page gets with their requests, before the report.
	mostShown = 8 << 20
	// headTime is the longest time until a request has come.
	headTime = 10 * time.Second
	// endTime is the longest time for clients to read the end of the events.
	endTime = 2 * time.Second
)

// Page is the page of one run. It is safe for concurrent use. A nil Page shows nothing.
type Page struct {
	server  http.Server
	address string
	token   string

	mu         sync.Mutex
	changed    chan struct{} // closed at the next change
	changes    int
	progress   Progress
	operations map[string]part
	findings   []part
	shown      int  // bytes of findings
	last       part // the event with the report, or the reason why there is none
	closed     bool
}

// part is an operation or a finding as JSON, or an event.
type part struct {
	change int // the number of its last change
	text   json.RawMessage
}

// Progress is the data of an event: how far the run is, and what is new to the client.
type Progress struct {
	URL        string            `json:"url"`
	Document   string            `json:"document,omitempty"`
	Phase      string            `json:"phase"`
	Of         int               `json:"of"`   // operations
	Done       int               `json:"done"` // of them, in this phase
	Cases      int               `json:"cases"`
	Found      int               `json:"found"`
	Left       float64           `json:"left"` // seconds
	Operations []json.RawMessage `json:"operations"`
	Findings   []json.RawMessage `json:"findings"`
}

// Open serves the page of a run on a free port of this machine. The URL is shown without a password.
func Open(document, backend string) (*Page, error) {
	if u, err := url.Parse(backend); err == nil {
		u.User = nil
		backend = u.String()
	} else {
		backend = ""
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &Page{
		address: "http://" + listener.Addr().String() + prefix, token: rand.Text(), changed: make(chan struct{}),
		progress: Progress{URL: backend, Document: document}, operations: map[string]part{},
	}
	p.server.Handler, p.server.ReadHeaderTimeout, p.server.MaxHeaderBytes = p, headTime, 64<<10
	go p.server.Serve(listener)
	return p, nil
}

// Address returns the URL of the page, with its token in the fragment, which browsers send to nobody.
func (p *Page) Address() string { return p.address + "#token=" + p.token }

// change changes what the page shows.
func (p *Page) change(do func()) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changes++
	do()
	close(p.changed)
	p.changed = make(chan struct{})
}

// Show shows how far the run is.
func (p *Page) Show(at contracts.Progress) {
	p.change(func() {
		now := &p.progress
		now.Phase, now.Of, now.Done, now.Cases, now.Found = at.Phase, at.Operations, at.Operation, at.Cases, at.Findings
		now.Left = at.Left.Seconds()
		for i := range at.Tested {
			p.operations[at.Tested[i].Name] = part{p.changes, marshal(formats.JSONOperation(&at.Tested[i]))}
		}
		for i := range at.News {
			f := &at.News[i]
			if p.shown > mostShown {
				f.Sent = nil
			}
			text := marshal(formats.JSONFinding(f))
			p.shown += len(text)
			p.findings = append(p.findings, part{p.changes, text})
		}
	})
}

// Finish shows the report of the run.
func (p *Page) Finish(r *report.Report, version string) {
	p.change(func() {
		var whole, line bytes.Buffer
		err := formats.Find("json").Write(&whole, r, formats.Options{Version: version})
		if err = cmp.Or(err, json.Compact(&line, whole.Bytes())); err != nil {
			p.last = part{p.changes, event("failed", marshal(err.Error()))}
			return
		}
		p.last = part{p.changes, event("report", line.Bytes())}
	})
}

// Fail shows why there is no report.
func (p *Page) Fail(reason error) {
	p.change(func() { p.last = part{p.changes, event("failed", marshal(reason.Error()))} })
}

// Close ends the page when its clients have what it shows, or do not read it.
func (p *Page) Close() error {
	if p == nil {
		return nil
	}
	p.change(func() { p.closed = true })
	ctx, cancel := context.WithTimeout(context.Background(), endTime)
	defer cancel()
	if err := p.server.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return p.server.Close()
}

// ServeHTTP answers under the rules of a mock's control API. Only the events need the token: the page's files are the
// same for everybody.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request := exchange.Request{Method: r.Method, Path: r.URL.EscapedPath()}
	request.Header.Set("Host", r.Host)
	for name, values := range r.Header {
		for _, value := range values {
			request.Header = append(request.Header, exchange.Field{Name: name, Value: value})
		}
	}
	if reason := origin.Foreign(request.Header, nil, "the page"); reason != "" {
		http.Error(w, reason, http.StatusForbidden)
		return
	}
	name, ours := strings.CutPrefix(request.Path, prefix)
	file, isFile := strings.CutPrefix(name, "console/")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the page changes nothing", http.StatusMethodNotAllowed)
	case request.Path == "/":
		http.Redirect(w, r, prefix, http.StatusTemporaryRedirect)
	case ours && name == "events":
		p.serveEvents(r.Context(), w, &request)
	case ours && (isFile || name == ""):
		if name == "" {
			file = "test.html"
		}
		if page := console.Serve(&request, file, ""); page != nil {
			for _, f := range page.Header {
				w.Header().Set(f.Name, f.Value)
			}
			w.WriteHeader(page.Status)
			w.Write(page.Body)
			return
		}
		fallthrough
	default:
		http.NotFound(w, r)
	}
}

// serveEvents sends what the page shows: everything so far, and then what changes.
func (p *Page) serveEvents(ctx context.Context, w http.ResponseWriter, r *exchange.Request) {
	if !origin.Authorized(r.Header, p.token) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		http.Error(w, "the events need the token of the page's address", http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodHead {
		return
	}
	for seen := 0; ; {
		text, now, changed, closed := p.since(seen)
		if _, err := w.Write(text); err != nil {
			return
		}
		http.NewResponseController(w).Flush()
		if closed {
			return
		}
		seen = now
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// since returns the events after a number of changes.
func (p *Page) since(seen int) (events []byte, now int, changed <-chan struct{}, closed bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.last.change > seen:
		return p.last.text, p.changes, p.changed, p.closed
	case p.last.change > 0:
		return nil, p.changes, p.changed, p.closed
	}
	at := p.progress
	at.Operations, at.Findings = []json.RawMessage{}, []json.RawMessage{}
	for _, o := range p.operations {
		if o.change > seen {
			at.Operations = append(at.Operations, o.text)
		}
	}
	for _, f := range p.findings {
		if f.change > seen {
			at.Findings = append(at.Findings, f.text)
		}
	}
	return event("progress", marshal(at)), p.changes, p.changed, p.closed
}

// event writes one event, whose data is one line.
func event(name string, data []byte) []byte {
	return []byte("event: " + name + "\ndata: " + string(data) + "\n\n")
}

// marshal returns a value as one line of JSON, of which nothing is hidden.
func marshal(value any) json.RawMessage {
	text, err := json.Marshal(value)
	if err != nil {
		return marshal(err.Error())
	}
	return visible.Bytes(text)
}
