// Package recording reads and checks recorded exchanges: HAR 1.2, as
// browsers and proxies export it, and the mock's journal, as its control API
// gives it. What a recording leaves out is said, not guessed; what it has must be
// of its form.
package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Entry is one recorded exchange.
type Entry struct {
	Number int    // in the recording, from 1; the journal's own where it has one
	Origin string // https://api.example.com; "" where the recording does not say it
	// Request and Response are as they were sent, but for encodings of the answer's
	// body, which recordings undo: fields that tell of them are left out.
	Request  *exchange.Request
	Response *exchange.Response // nil where none came
	Took     time.Duration      // 0 where it is not known
	// Reason says why the entry cannot be judged; "" where it can.
	Reason string
	// RequestCut, ResponseCut and HeadCut say that the recording has not the whole of
	// the request's body, of the answer's body, or any of the answer's fields.
	RequestCut, ResponseCut, HeadCut bool
}

const (
	// maxRecording is how many bytes of a recording are read.
	maxRecording = 1 << 30
	// maxEntry is how many bytes one entry may have.
	maxEntry = 128 << 20
)

// EntryError says which entry of a recording is not of its form.
type EntryError struct {
	Number int // from 1; 0 for what stands around the entries
	Err    error
}

func (e *EntryError) Error() string {
	if e.Number == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("entry %d: %v", e.Number, e.Err)
}

func (e *EntryError) Unwrap() error { return e.Err }

var errForm = errors.New(`this is neither HAR, an object with "log", nor a journal, an object with "requests"`)

// Read gives the entries of a recording in its order, one at a time. It ends at
// the first error: an *EntryError, or the reader's own.
func Read(r io.Reader) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		in := &reader{yield: yield}
		buffered := bufio.NewReader(&bounded{from: r, left: maxRecording})
		if mark, _ := buffered.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) { // which HAR allows
			buffered.Discard(3)
		}
		in.decoder = json.NewDecoder(buffered)
		if err := in.texts(); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// errStopped says that no more entries are wanted.
var errStopped = errors.New("stopped")

// bounded reads no more than so many bytes.
type bounded struct {
	from io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("a recording has at most %d bytes", int64(maxRecording))
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// reader goes through a recording token by token, so that no more than one entry
// is held.
type reader struct {
	decoder *json.Decoder
	yield   func(*Entry, error) bool
	number  int
}

// texts reads JSON texts that follow each other: one recording, or one entry a
// line.
func (r *reader) texts() error {
	for first := true; ; first = false {
		token, err := r.decoder.Token()
		switch {
		case err == io.EOF && first:
			return &EntryError{Err: errors.New("the recording is empty")}
		case err == io.EOF:
			return nil
		case err != nil:
			return r.wrong(err)
		case token == json.Delim('['):
			if err := r.entries(journalEntry); err != nil {
				return err
			}
		case token == json.Delim('{'):
			if err := r.object(); err != nil {
				return err
			}
		default:
			return &EntryError{Err: errForm}
		}
	}
}

// object reads a HAR, a journal, or a lone entry of one.
func (r *reader) object() error {
	fields := map[string]json.RawMessage{}
	found := false
	for r.decoder.More() {
		name, err := r.name()
		if err != nil {
			return err
		}
		switch name {
		case "log":
			found = true
			err = r.log()
		case "requests":
			found = true
			if err = r.open('[', name); err == nil {
				err = r.entries(journalEntry)
			}
		default:
			var value json.RawMessage
			err = r.decode(&value)
			fields[name] = value
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.decoder.Token(); err != nil {
		return r.wrong(err)
	}
	if found {
		return nil
	}
	if fields["request"] == nil {
		return &EntryError{Err: errForm}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return r.wrong(err)
	}
	return r.entry(text, journalEntry)
}

// log reads the object that a HAR is.
func (r *reader) log() error {
	if err := r.open('{', "log"); err != nil {
		return err
	}
	for r.decoder.More() {
		name, err := r.name()
		if err != nil {
			return err
		}
		if name == "entries" {
			if err = r.open('[', "log.entries"); err == nil {
				err = r.entries(harEntry)
			}
		} else {
			var skipped json.RawMessage
			err = r.decode(&skipped)
		}
		if err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return r.wrong(err)
}

// entries reads the rest of an array of them.
func (r *reader) entries(read func([]byte) (*Entry, error)) error {
	for r.decoder.More() {
		var text json.RawMessage
		if err := r.decode(&text); err != nil {
			return err
		}
		if err := r.entry(text, read); err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return r.wrong(err)
}

func (r *reader) entry(text []byte, read func([]byte) (*Entry, error)) error {
	r.number++
	if len(text) > maxEntry {
		return &EntryError{r.number, fmt.Errorf("%d bytes; an entry has at most %d", len(text), maxEntry)}
	}
	e, err := read(text)
	if err != nil {
		return &EntryError{r.number, readable(err)}
	}
	if e.Number == 0 {
		e.Number = r.number
	}
	if !r.yield(e, nil) {
		return errStopped
	}
	return nil
}

// open reads the delimiter that a value begins with.
func (r *reader) open(want json.Delim, what string) error {
	token, err := r.decoder.Token()
	if err != nil {
		return r.wrong(err)
	}
	if token != want {
		return &EntryError{Err: fmt.Errorf("%s does not begin with %v", what, want)}
	}
	return nil
}

func (r *reader) name() (string, error) {
	token, err := r.decoder.Token()
	if err != nil {
		return "", r.wrong(err)
	}
	name, _ := token.(string)
	return name, nil
}

func (r *reader) decode(to *json.RawMessage) error { return r.wrong(r.decoder.Decode(to)) }

// wrong gives an error its place: the entry that was being read.
func (r *reader) wrong(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	var syntax *json.SyntaxError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) {
		return &EntryError{Err: fmt.Errorf("after %d entries, at byte %d: %w", r.number, r.decoder.InputOffset(), err)}
	}
	return err
}

// readable names a field of the wrong type as recordings do.
func readable(err error) error {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		if kind.Field == "" {
			return fmt.Errorf("%s in the place of an object", kind.Value)
		}
		return fmt.Errorf("%s has the wrong type, %s", kind.Field, kind.Value)
	}
	return err
}
