package decode

import (
	"bytes"
	"io"
	"mime/multipart"
)

// File is a file in a request's body.
type File struct {
	Type string // its media type in lower case, without parameters
	Data []byte
}

// FileOf gives the file in a body: all of it, or the one part of a multipart body
// that names a media type other than JSON and text, or has a filename; nil where
// there is none or more than one.
func FileOf(contentType string, body []byte) *File {
	m, ok := parseMediaType(contentType)
	if !ok {
		return nil
	}
	if m.kind != "multipart" {
		return &File{m.kind + "/" + m.subtype, body}
	}
	r := multipart.NewReader(bytes.NewReader(body), m.param("boundary"))
	var found *File
	for range maxParts {
		part, err := r.NextPart()
		if err == io.EOF {
			return found
		}
		if err != nil {
			return nil
		}
		declared, ok := parseMediaType(part.Header.Get("Content-Type"))
		if !ok || (declared.kind == "text" || declared.subtype == "json") && part.FileName() == "" {
			continue
		}
		if found != nil {
			return nil
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return nil
		}
		found = &File{declared.kind + "/" + declared.subtype, data}
	}
	return nil
}
