// Package sessionfile writes a session of a mock as one file, from which another process continues it: the document,
// the options that decide responses, the time, the items, and what scenarios, logins and creations with an
// Idempotency-Key remember.
//
// The file is an object of JSON. Version grows with each change that an older program would read wrongly.
package sessionfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/logins"
	"github.com/coldframe/coldframe/mock/internal/resources"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// Version is the version of the files that Write writes. Read reads it and all before it.
const Version = 1

// File is a session.
type File struct {
	Head
	Initial state.Saved `json:"initial"` // the items of a reset
	State   state.Saved `json:"state"`
}

// Head is a session without its items.
type Head struct {
	Version   int                        `json:"coldframeSession"`
	Session   string                     `json:"session"` // its name
	Document  Document                   `json:"document"`
	Options   map[string]json.RawMessage `json:"options"`
	Time      time.Time                  `json:"time"`            // in the session, when it was written
	Ahead     time.Duration              `json:"ahead"`           // by which the session's clock was moved
	Origin    time.Time                  `json:"origin,omitzero"` // later than all generated times; see mock.Options.Now
	Scenarios *scenario.Saved            `json:"scenarios"`
	Logins    *logins.Saved              `json:"logins"`
	Created   []resources.SavedReply     `json:"created,omitempty"` // by Idempotency-Key
}

// Document is the document of the mock with all files that it refers to.
type Document struct {
	File   string     `json:"file"`   // the path of the document in Texts
	SHA256 string     `json:"sha256"` // see spec.Contract.Hash
	Texts  spec.Texts `json:"texts"`
}

// NewDocument returns the document of a contract.
func NewDocument(c *spec.Contract) Document {
	file, texts := c.Texts()
	return Document{file, c.Hash(), texts}
}

// Read reads a file. The error says what is wrong with it and where.
func Read(text []byte) (*File, error) {
	var head struct {
		Version *int `json:"coldframeSession"`
	}
	switch err := json.Unmarshal(text, &head); {
	case err != nil:
		return nil, fmt.Errorf("it is no session file: %w", place(text, err))
	case head.Version == nil:
		return nil, errors.New("it is no session file: it has no coldframeSession")
	case *head.Version < 1 || *head.Version > Version:
		return nil, fmt.Errorf("it is a session file of version %d; this program reads versions up to %d",
			*head.Version, Version)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	f := new(File)
	if err := decoder.Decode(f); err != nil {
		return nil, place(text, err)
	}
	switch _, ok := f.Document.Texts[f.Document.File]; {
	case !ok:
		return nil, fmt.Errorf("/document/texts has no file %q", f.Document.File)
	case f.Scenarios == nil || f.Logins == nil:
		return nil, errors.New("it has no scenarios or no logins")
	}
	return f, nil
}

// place adds the line and the column to an error of package json.
func place(text []byte, err error) error {
	offset := int64(-1)
	if wrong, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = wrong.Offset
	} else if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = wrong.Offset
	}
	if offset < 0 || offset > int64(len(text)) {
		return err
	}
	before := text[:max(0, offset-1)] // the offset is behind the character
	line, column := 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%d:%d: %s", line, column, strings.TrimPrefix(err.Error(), "json: "))
}

// Write writes a file in pieces: initial are the items of a reset.
func (h *Head) Write(initial, items *state.View, write func([]byte) error) error {
	h.Version = Version
	text, err := marshal(h)
	if err != nil {
		return err
	}
	text = bytes.TrimSuffix(text, []byte("}"))
	for _, part := range []struct {
		name string
		view *state.View
	}{{"initial", initial}, {"state", items}} {
		saved, err := marshal(part.view.Saved())
		if err != nil {
			return err
		}
		text = fmt.Appendf(text, ",\n%q:%s", part.name, bytes.TrimSuffix(saved, []byte("null}")))
		separator := "["
		for item := range part.view.SavedItems() {
			one, err := marshal(item)
			if err != nil {
				return err
			}
			if err := write(append(append(text, separator...), one...)); err != nil {
				return err
			}
			text, separator = nil, ",\n"
		}
		if separator == "[" {
			text = append(text, '[')
		}
		text = append(text, "]}"...)
	}
	return write(append(text, "}\n"...))
}

// marshal returns a value as JSON whose texts are as they were.
func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
