package recording

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Exchange is an exchange to record. Credentials must have been removed.
type Exchange struct {
	Began         time.Time
	Took          time.Duration
	Origin        string // https://api.example.com
	Request       *exchange.Request
	Response      *exchange.Response // its body is without Content-Encoding
	RequestBytes  int                // sizes of the bodies, of which the beginnings are recorded
	ResponseBytes int
	Comment       string
}

// Writer writes HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), an entry a line. The file is complete after
// each entry: a program that is killed leaves a readable recording. It is safe for concurrent use. A nil Writer records
// nothing.
type Writer struct {
	mu    sync.Mutex
	file  *os.File
	end   int64 // where the next entry goes
	some  bool  // the file has an entry
	wrong error
}

const (
	headBegin = `{"log":{"version":"1.2","creator":{"name":"coldframe","version":"1"},"comment":`
	headEnd   = `,"entries":[`
	tail      = "\n]}}\n"
)

// Create opens a recording. If name is a directory, or ends with a slash, it gets a new file that is named by the time.
// A recording of this package is continued if it has the same comment; what a crash has left of an unfinished entry is
// removed.
func Create(name, comment string, now time.Time) (*Writer, error) {
	info, err := os.Stat(name)
	if strings.HasSuffix(name, "/") || err == nil && info.IsDir() {
		if err := os.MkdirAll(name, 0o777); err != nil {
			return nil, err
		}
		name = filepath.Join(name, now.UTC().Format("20060102T150405.000Z")+".har")
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	w := &Writer{file: file}
	if err := w.resume(headBegin + quoted(comment) + headEnd); err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return w, nil
}

// IsOwn reports whether a text begins like a recording of a Writer.
func IsOwn(text []byte) bool { return bytes.HasPrefix(text, []byte(headBegin)) }

func quoted(text string) string {
	encoded, _ := json.Marshal(text)
	return string(encoded)
}

// resume finds the end of the last whole entry, and completes the file after it.
func (w *Writer) resume(head string) error {
	info, err := w.file.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return errors.New("a recording is a regular file")
	case info.Size() > maxRecording:
		return fmt.Errorf("it has %d bytes, a recording has at most %d; record to another file",
			info.Size(), int64(maxRecording))
	}
	text, err := io.ReadAll(w.file)
	if err != nil {
		return err
	}
	kept := text
	switch {
	case strings.HasPrefix(head, string(text)): // empty, or cut within the head
		kept = []byte(head)
		if _, err := w.file.WriteAt(kept, 0); err != nil {
			return err
		}
	case !IsOwn(text):
		return errors.New("it exists, and is not a recording of this program; record to another file")
	case !bytes.HasPrefix(text, []byte(head)):
		return errors.New("it is a recording of another document, or of an earlier version; record to another file")
	default:
		kept = text[:len(head)+w.whole(text[len(head):])]
	}
	w.end = int64(len(kept))
	return w.finish(nil)
}

// whole returns the length of the whole entries at the beginning of a text, each with the line break before it.
func (w *Writer) whole(text []byte) (length int) {
	for at := 0; at < len(text) && text[at] == '\n'; {
		line, _, _ := bytes.Cut(text[at+1:], []byte("\n"))
		entry := bytes.TrimSuffix(line, []byte(","))
		if len(entry) == 0 || !json.Valid(entry) {
			break
		}
		length, w.some = at+1+len(entry), true
		at += 1 + len(line)
	}
	return length
}

// finish writes what follows the last entry, and cuts off the rest.
func (w *Writer) finish(entry []byte) error {
	if _, err := w.file.WriteAt(append(entry, tail...), w.end); err != nil {
		return err
	}
	return w.file.Truncate(w.end + int64(len(entry)+len(tail)))
}

// Add writes an exchange. After the first entry that cannot be written, it writes nothing and returns the same error.
func (w *Writer) Add(x *Exchange) error {
	if w == nil {
		return nil
	}
	entry, err := json.Marshal(entryOf(x))
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.wrong != nil {
		return w.wrong
	}
	separator := "\n"
	if w.some {
		separator = ",\n"
	}
	piece := append([]byte(separator), entry...)
	if w.end+int64(len(piece)) > maxRecording {
		w.wrong = fmt.Errorf("the recording is full: it has %d bytes at most", int64(maxRecording))
		return w.wrong
	}
	if w.wrong = w.finish(piece); w.wrong != nil {
		return w.wrong
	}
	w.end += int64(len(piece))
	w.some = true
	return nil
}

// Archive returns exchanges as the text of a whole recording.
func Archive(comment string, exchanges iter.Seq[*Exchange]) ([]byte, error) {
	text, separator := []byte(headBegin+quoted(comment)+headEnd), "\n"
	for x := range exchanges {
		entry, err := json.Marshal(entryOf(x))
		if err != nil {
			return nil, err
		}
		text = append(append(text, separator...), entry...)
		separator = ",\n"
	}
	return append(text, tail...), nil
}

// Close closes the file, which is complete.
func (w *Writer) Close() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.file.Close()
}

type (
	harOut struct {
		Started string    `json:"startedDateTime"`
		Time    float64   `json:"time"`
		Request harAsked  `json:"request"`
		Answer  harAnswer `json:"response"`
		Cache   struct{}  `json:"cache"`
		Timings struct {
			Send    float64 `json:"send"`
			Wait    float64 `json:"wait"`
			Receive float64 `json:"receive"`
		} `json:"timings"`
		Comment string `json:"comment,omitempty"`
	}
	harAsked struct {
		Method      string     `json:"method"`
		URL         string     `json:"url"`
		Version     string     `json:"httpVersion"`
		Cookies     []harField `json:"cookies"`
		Headers     []harField `json:"headers"`
		Query       []harField `json:"queryString"`
		PostData    *harText   `json:"postData,omitempty"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
	}
	harAnswer struct {
		Status      int        `json:"status"`
		StatusText  string     `json:"statusText"`
		Version     string     `json:"httpVersion"`
		Cookies     []harField `json:"cookies"`
		Headers     []harField `json:"headers"`
		Content     harText    `json:"content"`
		Redirect    string     `json:"redirectURL"`
		HeadersSize int        `json:"headersSize"`
		BodySize    int        `json:"bodySize"`
	}
	harText struct {
		Size      *int   `json:"size,omitempty"` // of a response
		MimeType  string `json:"mimeType"`
		Text      string `json:"text,omitempty"`
		Encoding  string `json:"encoding,omitempty"`
		Truncated bool   `json:"_truncated,omitempty"`
	}
)

func entryOf(x *Exchange) *harOut {
	r, a := x.Request, x.Response
	milliseconds := float64(x.Took.Microseconds()) / 1000
	e := &harOut{Started: x.Began.UTC().Format(time.RFC3339Nano), Time: milliseconds, Comment: x.Comment}
	e.Timings.Wait = milliseconds
	target := x.Origin + r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	e.Request = harAsked{
		Method: r.Method, URL: target, Version: "HTTP/1.1", Cookies: []harField{}, Headers: fieldsOf(r.Header),
		Query: []harField{}, HeadersSize: -1, BodySize: max(x.RequestBytes, len(r.Body)),
	}
	for pair := range strings.SplitSeq(r.Query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if pair != "" {
			e.Request.Query = append(e.Request.Query, harField{unescaped(name), unescaped(value)})
		}
	}
	if len(r.Body) > 0 {
		kind, _ := r.Header.Get("Content-Type")
		body := textOf(kind, r.Body, x.RequestBytes)
		e.Request.PostData = &body
	}
	kind, _ := a.Header.Get("Content-Type")
	location, _ := a.Header.Get("Location")
	e.Answer = harAnswer{
		Status: a.Status, StatusText: http.StatusText(a.Status), Version: "HTTP/1.1", Cookies: []harField{},
		Headers: fieldsOf(a.Header), Content: textOf(kind, a.Body, x.ResponseBytes), Redirect: location,
		HeadersSize: -1, BodySize: -1,
	}
	size := max(x.ResponseBytes, len(a.Body))
	e.Answer.Content.Size = &size
	return e
}

func unescaped(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}

func fieldsOf(h exchange.Header) []harField {
	fields := make([]harField, len(h))
	for i, f := range h {
		fields[i] = harField(f)
	}
	return fields
}

func textOf(kind string, body []byte, size int) harText {
	t := harText{MimeType: kind, Text: string(body), Truncated: size > len(body)}
	if !utf8.Valid(body) {
		t.Text, t.Encoding = base64.StdEncoding.EncodeToString(body), "base64"
	}
	return t
}
