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

// Entry is one recorded exchange.
type Entry struct {
	File      string
	Number    int // in the file
	Operation *spec.Operation
	Response  *exchange.Response
	Findings  []exchange.Finding // where the response leaves the document
	said      []byte             // what the request says, as JSON; nil if it is long
	index     int                // in the Set
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

// maxNamed limits the entries that a Set names in Left, and its findings.
const maxNamed = 1000

// entryBytes is about the memory that an exchange takes beside its texts.
const entryBytes = 1 << 10

// Load reads recordings. Requests are redacted by Options.Bind, so that credentials are not kept.
func Load(ctx context.Context, o Options) (*Set, error) {
	s := &Set{byKey: map[key][]*Entry{}}
	l := &loader{Options: o, set: s, context: ctx, bases: map[string]string{}}
	for _, path := range o.Paths {
		if err := l.path(path); err != nil {
			return nil, err
		}
	}
	if len(s.Entries) == 0 {
		reason := "it has no entries"
		if len(s.Left) > 0 {
			reason = s.Left[0]
		}
		return nil, fmt.Errorf("nothing in %s can be replayed: %s", strings.Join(o.Paths, ", "), reason)
	}
	copy(s.sum[:], l.sum[:])
	return s, nil
}

type loader struct {
	Options
	set     *Set
	context context.Context
	bytes   int64
	bases   map[string]string // the path of an origin below which the document's paths are
	sum     [sha256.Size]byte
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
	l.set.Files = append(l.set.Files, path)
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
	l.set.Files = append(l.set.Files, name)
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

// add adds an exchange, or the reason why it answers nothing.
func (l *loader) add(file string, e *recording.Entry) error {
	s := l.set
	entry := &Entry{File: file, Number: e.Number, index: len(s.Entries)}
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
		if len(s.Left) < maxNamed {
			s.Left = append(s.Left, fmt.Sprintf("%s, %s %s: %s",
				entry, e.Request.Method, exchange.Shorten(e.Request.Path, exchange.MaxQuoted), reason))
		}
		return nil
	}
	entry.Operation, entry.Response = request.Operation, served(e, l.bases[e.Origin])
	entry.Findings = l.Check(request, entry.Response)
	for _, f := range entry.Findings {
		if len(s.Findings) == maxNamed {
			break
		}
		f.Message = fmt.Sprintf("%s, %s %s: %s", entry, e.Request.Method, entry.Operation.Path, f)
		f.Code, f.Severity, f.In, f.Name, f.Pointer = "stale-recording", exchange.Warning, "", "", ""
		s.Findings = append(s.Findings, f)
	}
	all, stable := request.said()
	if entry.said = jsontext.Append(nil, all); len(entry.said) > maxSaid {
		entry.said = nil
	}
	l.bytes += int64(len(entry.said)+len(entry.Response.Body)) + entryBytes
	if l.bytes > l.Most {
		return fmt.Errorf("the exchanges take more than %d bytes, a quarter of Options.Limits.Memory; raise it", l.Most)
	}
	for tier, key := range request.keys(all, stable) {
		if e.RequestCut != (tier == withoutBody) || tier == withoutCredentials && isDenied(entry.Response.Status) {
			continue
		}
		s.byKey[key] = append(s.byKey[key], entry)
	}
	l.sum = sha256.Sum256(slices.Concat(l.sum[:], []byte(e.Request.Method+" "+e.Request.Path), entry.Response.Body))
	s.Entries = append(s.Entries, entry)
	return nil
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
