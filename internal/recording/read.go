// Package recording reads recorded exchanges: HAR 1.2, as browsers and proxies export it, and the mock's journal, as
// its control API returns it. What a recording does not have is not guessed.
package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Entry is one recorded exchange.
type Entry struct {
	Number int    // in the recording, from 1; the journal's own if it has one
	Origin string // https://api.example.com; "" if the recording does not say it
	// Request and Response are the sent ones, without encodings of the
	// answer's body and their fields: recordings undo them.
	Request  *exchange.Request
	Response *exchange.Response // nil if none came
	Took     time.Duration      // 0 if it is not known
	// Reason says why the entry cannot be checked; "" if it can.
	Reason string
	// RequestCut and ResponseCut say that the recording lacks a part of a body, HeadCut
	// that it lacks the answer's fields.
	RequestCut, ResponseCut, HeadCut bool
}

const (
	// maxRecording is how many bytes of a recording are read.
	maxRecording = 1 << 30
	// maxEntry is how many bytes one entry may have.
	maxEntry = 64 << 20
	// maxText is how many bytes of a text, such as a body, are held, if an entry may have more.
	maxText = 16 << 20
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

// Read returns the entries of a recording in its order, one at a time. It ends at
// the first error: an *EntryError, or the reader's own.
func Read(r io.Reader) iter.Seq2[*Entry, error] { return ReadBounded(r, maxEntry) }

// ReadBounded is Read for entries of at most so many bytes.
func ReadBounded(r io.Reader, most int) iter.Seq2[*Entry, error] {
	return func(yield func(*Entry, error) bool) {
		in := &reader{yield: yield, most: most}
		in.source = &bounded{from: r, left: maxRecording, most: int64(most), longest: min(most-most/8, maxText) &^ 3}
		buffered := bufio.NewReader(in.source)
		if mark, _ := buffered.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) { // which HAR allows
			buffered.Discard(3)
		} else if bytes.HasPrefix(mark, []byte("\xff\xfe")) || bytes.HasPrefix(mark, []byte("\xfe\xff")) {
			yield(nil, &EntryError{Err: errors.New("the recording is in UTF-16, as PowerShell's > writes it; save it in UTF-8")})
			return
		}
		in.decoder = json.NewDecoder(buffered)
		if err := in.texts(); err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}

// errStopped says that no more entries are wanted.
var errStopped = errors.New("stopped")

// bounded reads a recording, and leaves out the end of long texts. It fails if a value would have to be held that is
// larger than an entry may be.
type bounded struct {
	from  io.Reader
	left  int64 // bytes of the recording
	read  int64
	value int64 // where the current value begins
	most  int64 // bytes of a value

	longest int     // bytes of a text; a multiple of 4, as in base64
	inText  bool    // between quotation marks
	text    int     // bytes of the text
	escape  int     // bytes that follow in an escape sequence
	cutting bool    // the rest of the text is left out
	cuts    []int64 // where something was left out
	lost    int64   // bytes
}

// readAhead is how many bytes may be read beyond a value: the buffers of the readers.
const readAhead = 64 << 10

func (b *bounded) Read(p []byte) (n int, err error) {
	for n == 0 && err == nil && len(p) > 0 {
		switch {
		case b.left <= 0:
			return 0, fmt.Errorf("a recording has at most %d bytes", int64(maxRecording))
		case b.read-b.value > b.most+readAhead:
			return 0, sizeError(b.most)
		}
		n, err = b.from.Read(p[:min(int64(len(p)), b.left)])
		b.left -= int64(n)
		n = b.keep(p[:n])
	}
	return n, err
}

// keep moves what is kept of p to its beginning, and returns its length.
func (b *bounded) keep(p []byte) (n int) {
	for _, c := range p {
		isWhole := b.escape == 0 // no escape sequence would be cut
		switch {
		case !isWhole:
			if b.escape--; b.escape == 0 && c == 'u' {
				b.escape = 4 // hexadecimal digits
			}
		case c == '"':
			b.inText, b.text, b.cutting = !b.inText, -1, false
		case c == '\\' && b.inText:
			b.escape = 1
		}
		if b.text++; b.inText && b.text > b.longest && isWhole && !b.cutting {
			b.cutting, b.cuts = true, append(b.cuts, b.read)
		}
		if b.cutting {
			b.lost++
			continue
		}
		p[n] = c
		n++
		b.read++
	}
	return n
}

// isCut reports whether something was left out between two places.
func (b *bounded) isCut(from, to int64) bool {
	return slices.ContainsFunc(b.cuts, func(at int64) bool { return from <= at && at <= to })
}

// sizeError says how many bytes an entry may have.
type sizeError int64

func (most sizeError) Error() string {
	return fmt.Sprintf("it is too large: an entry has at most %d bytes", int64(most))
}

// reader reads a recording token by token, so that it holds one entry at most.
type reader struct {
	decoder *json.Decoder
	source  *bounded
	yield   func(*Entry, error) bool
	number  int
	most    int // bytes of an entry
}

type format func([]byte) (*Entry, error)

// texts reads JSON texts that follow each other: one recording, or one entry a line.
func (r *reader) texts() error {
	for first := true; ; first = false {
		token, err := r.decoder.Token()
		switch {
		case err == io.EOF && first:
			return &EntryError{Err: errors.New("the recording is empty")}
		case err == io.EOF:
			return nil
		case err != nil:
			return r.locate(err)
		case token == json.Delim('['):
			err = r.entries(journalEntry)
		case token == json.Delim('{'):
			err = r.recording()
		default:
			err = &EntryError{Err: errForm}
		}
		if err != nil {
			return err
		}
	}
}

// recording reads a HAR, a journal, or a lone entry of one.
func (r *reader) recording() error {
	fields := map[string]json.RawMessage{}
	found, err := r.members("", fields)
	if err != nil || found {
		return err
	}
	if fields["request"] == nil {
		return &EntryError{Err: errForm}
	}
	text, err := json.Marshal(fields)
	if err != nil {
		return r.locate(err)
	}
	return r.entry(text, journalEntry, r.source.isCut(0, r.decoder.InputOffset()))
}

// members reads the members of an object and its end. It reports whether they have lists of entries.
func (r *reader) members(path string, others map[string]json.RawMessage) (found bool, err error) {
	for r.decoder.More() {
		token, err := r.decoder.Token()
		if err != nil {
			return false, r.locate(err)
		}
		name, _ := token.(string)
		var value json.RawMessage
		switch name = path + name; name {
		case "log":
			found = true
			if err = r.open('{', name); err == nil {
				_, err = r.members("log.", nil)
			}
		case "requests", "log.entries":
			found = true
			f := journalEntry
			if name == "log.entries" {
				f = harEntry
			}
			if err = r.open('[', name); err == nil {
				err = r.entries(f)
			}
		default:
			err = r.decode(&value)
			if others != nil {
				others[name] = value
			}
		}
		if err != nil {
			return false, err
		}
	}
	_, err = r.decoder.Token()
	return found, r.locate(err)
}

func (r *reader) entries(f format) error {
	for r.decoder.More() {
		var text json.RawMessage
		from := r.decoder.InputOffset()
		if err := r.decode(&text); err != nil {
			return err
		}
		if err := r.entry(text, f, r.source.isCut(from, r.decoder.InputOffset())); err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return r.locate(err)
}

// entry reads an entry; isCut says that texts of it lack their end.
func (r *reader) entry(text []byte, read format, isCut bool) error {
	r.number++
	if len(text) > r.most {
		return &EntryError{r.number, sizeError(r.most)}
	}
	e, err := read(text)
	if isCut && err == nil {
		e.RequestCut, e.ResponseCut = true, true
	}
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

// decode reads the next value.
func (r *reader) decode(value *json.RawMessage) error {
	r.source.value = r.decoder.InputOffset()
	err := r.decoder.Decode(value)
	if _, large := errors.AsType[sizeError](err); large {
		return &EntryError{r.number + 1, err}
	}
	return r.locate(err)
}

// open reads the delimiter that a value begins with.
func (r *reader) open(want json.Delim, what string) error {
	token, err := r.decoder.Token()
	if err == nil && token != want {
		return &EntryError{Err: fmt.Errorf("%s does not begin with %v", what, want)}
	}
	return r.locate(err)
}

// locate returns an error its place: the entry that was being read.
func (r *reader) locate(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	var syntax *json.SyntaxError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) {
		return &EntryError{Err: fmt.Errorf("after entry %d, at byte %d: %w", r.number,
			r.decoder.InputOffset()+r.source.lost, err)}
	}
	return err
}

// readable names a field of the wrong type as recordings do.
func readable(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case !errors.As(err, &kind):
		return err
	case kind.Field == "":
		return fmt.Errorf("%s in the place of an object", kind.Value)
	}
	return fmt.Errorf("%s has the wrong type, %s", kind.Field, kind.Value)
}
