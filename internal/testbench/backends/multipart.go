package backends

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
)

// part is one part of a multipart body.
type part struct {
	name, kind string // kind is its media type; "" if it says none
	data       []byte
}

// readParts reads a multipart body, or answers 400.
func (c *call) readParts(boundary string) bool {
	reader := multipart.NewReader(bytes.NewReader(c.raw), boundary)
	for {
		p, err := reader.NextPart()
		if err == io.EOF {
			return true
		}
		if err != nil {
			c.refuse(http.StatusBadRequest, "the multipart body cannot be read")
			return false
		}
		data, err := io.ReadAll(p)
		if err != nil {
			c.refuse(http.StatusBadRequest, "a part cannot be read")
			return false
		}
		kind, _, err := mime.ParseMediaType(p.Header.Get("Content-Type"))
		if err != nil {
			kind = ""
		}
		c.parts = append(c.parts, part{p.FormName(), kind, data})
	}
}

// partNamed returns the only part with the name.
func (c *call) partNamed(name string) (part, int) {
	var found part
	n := 0
	for _, p := range c.parts {
		if p.name == name {
			found, n = p, n+1
		}
	}
	return found, n
}
