// Package replay answers requests with recorded exchanges. A request is compared by its operation, its parameters and
// its body, as the contract decodes them: see Request. Exchanges with the same request answer in the recorded order, in
// each session separately.
package replay

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/spec"
)

// Options say what is replayed.
type Options struct {
	Paths []string // recordings, and directories of *.har files
	// Most is how many bytes all recorded exchanges may take; one may take a quarter of it.
	Most int64
	// Bind returns what a recorded request says; nil if no operation serves it.
	Bind func(*exchange.Request) *Request
	// Check returns the findings on a recorded response.
	Check func(*Request, *exchange.Response) []exchange.Finding
}

// Full returns the error that with an entry the exchanges take too much.
func (o *Options) Full(e *Entry) error {
	return fmt.Errorf("%s: the exchanges up to it take more than %d bytes, a quarter of Options.Limits.Memory; raise it",
		e, o.Most)
}

// Entry is one recorded exchange.
type Entry struct {
	File      string
	Number    int // in the file
	Operation *spec.Operation
	Response  *exchange.Response
	Findings  []exchange.Finding // where the response leaves the document
	said      []byte             // what the request says, as JSON; nil if it is long
	index     int                // in the Set
	Partial   bool               // the body of the request was not recorded
}

// String names the entry for people.
func (e *Entry) String() string { return e.File + " entry " + strconv.Itoa(e.Number) }

// Set is the exchanges of recordings: immutable, and safe for concurrent use.
type Set struct {
	Entries []*Entry // in the recorded order
	Files   []string // files and directories that were read
	// Left says which entries answer nothing, and why; it has at most 1,000 of them.
	Left []string
	// Findings are where recorded responses leave the document; at most 1,000.
	Findings []exchange.Finding

	byKey map[key][]*Entry
	sum   [sha256.Size]byte // of the entries
}

// MaxNamed limits the entries that are named for one reason, and the findings of a Set.
const MaxNamed = 1000

// EntryBytes is about the memory that an exchange takes beside its texts.
const EntryBytes = 1 << 10

// Load reads recordings. Requests are redacted by Options.Bind, so that credentials are not kept.
func Load(ctx context.Context, o Options) (*Set, error) {
	s := &Set{byKey: map[key][]*Entry{}}
	var size int64
	var err error
	s.Files, s.Left, err = Each(ctx, o, func(r *Request, e *Entry) error {
		size += s.add(r, e)
		if size > o.Most {
			return o.Full(e)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Each calls visit with each exchange of recordings that has an operation and a whole response. left has the other
// exchanges with the reason. Each returns an error if no exchange is visited.
func Each(ctx context.Context, o Options, visit func(*Request, *Entry) error) (files, left []string, err error) {
	l := &loader{Options: o, visit: visit, context: ctx, bases: map[string]string{}}
	for _, path := range o.Paths {
		if err := l.path(path); err != nil {
			return nil, nil, err
		}
	}
	if l.visited == 0 {
		reason := "it has no entries"
		if len(l.left) > 0 {
			reason = l.left[0]
		}
		return nil, nil, fmt.Errorf("nothing in %s can be used: %s", strings.Join(o.Paths, ", "), reason)
	}
	return l.files, l.left, nil
}

type loader struct {
	Options
	visit   func(*Request, *Entry) error
	visited int
	files   []string
	left    []string
	context context.Context
	bases   map[string]string // the path of an origin below which the document's paths are
}

func (l *loader) path(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no recording %q%s", path, nearest.File(path))
	case err != nil:
		return err
	case !info.IsDir():
		return l.file(path)
	}
	files, err := filepath.Glob(filepath.Join(path, "*.har"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no *.har file in the directory %q", path)
	}
	l.files = append(l.files, path)
	slices.Sort(files)
	for _, file := range files {
		if err := l.file(file); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) file(name string) error {
	in, err := os.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	l.files = append(l.files, name)
	for e, err := range recording.ReadBounded(in, int(l.Most/4)) {
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", name, err)
		case l.context.Err() != nil:
			return context.Cause(l.context)
		}
		if err := l.add(name, e); err != nil {
			return err
		}
	}
	return nil
}

// add visits an exchange, or notes the reason why it answers nothing.
func (l *loader) add(file string, e *recording.Entry) error {
	entry := &Entry{File: file, Number: e.Number, Partial: e.RequestCut}
	reason := e.Reason
	if reason == "" && e.ResponseCut {
		reason = "the recording lacks a part of the response"
	}
	var request *Request
	if reason == "" {
		if request = l.bind(e); request == nil {
			reason = "the document has no such operation"
		}
	}
	if reason != "" {
		if len(l.left) < MaxNamed {
			l.left = append(l.left, fmt.Sprintf("%s, %s %s: %s",
				entry, e.Request.Method, exchange.Shorten(e.Request.Path, exchange.MaxQuoted), reason))
		}
		return nil
	}
	l.visited++
	entry.Operation, entry.Response = request.Operation, served(e, l.bases[e.Origin])
	entry.Findings = l.Check(request, entry.Response)
	return l.visit(request, entry)
}

// add keeps an exchange. It returns about the bytes of memory that it takes.
func (s *Set) add(r *Request, e *Entry) int64 {
	for _, f := range e.Findings {
		if len(s.Findings) == MaxNamed {
			break
		}
		f.Message = fmt.Sprintf("%s, %s %s: %s", e, r.Method, e.Operation.Path, f)
		f.Code, f.Severity, f.In, f.Name, f.Pointer = "stale-recording", exchange.Warning, "", "", ""
		s.Findings = append(s.Findings, f)
	}
	all, stable := r.Said()
	if e.said = jsontext.Append(nil, all); len(e.said) > maxSaid {
		e.said = nil
	}
	for tier, key := range r.keys(all, stable) {
		if e.Partial == (tier == withoutBody) && (tier != withoutCredentials || !isDenied(e.Response.Status)) {
			s.byKey[key] = append(s.byKey[key], e)
		}
	}
	s.sum = sha256.Sum256(slices.Concat(s.sum[:], []byte(r.Method+" "+r.Path), e.Response.Body))
	e.index = len(s.Entries)
	s.Entries = append(s.Entries, e)
	return int64(len(e.said)+len(e.Response.Body)) + EntryBytes
}

// maxSaid is how many bytes of a recorded request are kept to explain why another one does not match.
const maxSaid = 64 << 10

func isDenied(status int) bool { return status == 401 || status == 403 }

// bind returns what a recorded request says. A backend may serve the document below a path of its own: what precedes
// the path of an operation is dropped, as few segments as possible.
func (l *loader) bind(e *recording.Entry) *Request {
	r := *e.Request
	if e.RequestCut {
		r.Body = nil
	}
	if base, known := l.bases[e.Origin]; known {
		r.Path = strings.TrimPrefix(r.Path, base)
		return l.Bind(&r)
	}
	if bound := l.Bind(&r); bound != nil {
		return bound
	}
	for base := ""; ; {
		end := strings.IndexByte(r.Path[1:], '/')
		if end < 0 {
			return nil
		}
		base, r.Path = base+r.Path[:end+1], r.Path[end+1:]
		if bound := l.Bind(&r); bound != nil && hasLiteral(bound.Operation) {
			l.bases[e.Origin] = base
			return bound
		}
	}
}

// hasLiteral reports whether the path of an operation has more than variables.
func hasLiteral(o *spec.Operation) bool {
	return slices.ContainsFunc(strings.Split(o.Path, "/"), func(segment string) bool {
		return segment != "" && !strings.HasPrefix(segment, "{")
	})
}

// connectionFields are about the connection, the moment or the sender of a response (RFC 9110 sections 6.6.1 and
// 7.6.1), which are others in a replay. Those of CORS are set for the origin of the request.
var connectionFields = []string{
	"Connection", "Keep-Alive", "Proxy-Connection", "TE", "Trailer", "Upgrade", "Date", "Via", "Alt-Svc",
	"Strict-Transport-Security", "Access-Control-Allow-Origin", "Access-Control-Allow-Credentials",
}

// served returns a recorded response as it is sent. Links of its fields to its own origin lead to the mock.
func served(e *recording.Entry, base string) *exchange.Response {
	r := &exchange.Response{Status: e.Response.Status, Body: bytes.Clone(e.Response.Body)}
	for _, f := range e.Response.Header {
		name := func(other string) bool { return strings.EqualFold(f.Name, other) }
		if slices.ContainsFunc(connectionFields, name) || strings.HasPrefix(strings.ToLower(f.Name), "coldframe-") {
			continue
		}
		if name("Location") || name("Content-Location") {
			if path, own := strings.CutPrefix(f.Value, e.Origin); own && e.Origin != "" {
				f.Value = strings.TrimPrefix(path, base)
			}
		}
		r.Header = append(r.Header, f)
	}
	return r
}
