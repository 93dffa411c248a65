package cases

import (
	"bytes"
	"encoding/base64"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// fileParts proposes for the parts of a multipart body that are files: each media
// type that the document lists for one, with a true file of it, and none at all
// in it. The first type is that of plain requests.
func (c *coverage) fileParts(s *site) []*proposal {
	var all []*proposal
	for _, name := range slices.Sorted(maps.Keys(s.body.files)) {
		about := &site{body: s.body, tokens: []string{name}}
		if e := s.body.Encoding[name]; e != nil {
			for i, kind := range strings.Split(e.ContentType, ",") {
				if kind = strings.TrimSpace(kind); i == 0 || strings.ContainsAny(kind, "*;") || sampleFile(kind) == "" {
					continue
				}
				all = append(all, &proposal{
					site: about, rank: usual, want: Accepted, what: "as " + kind, base: c.holding(s.body, name, sampleFile(kind)),
					edit: func(r *exchange.Request) bool { return partTyped(r, name, kind) },
				})
			}
		}
		all = append(all, &proposal{
			site: about, rank: usual, want: Anything, what: "an empty file", base: c.holding(s.body, name, ""), edit: unchanged,
		})
	}
	return all
}

// holding gives drafts in whose body a file holds a content; the other parts are
// those that are required.
func (c *coverage) holding(b *body, name, content string) func(generate.Key) (*draft, bool) {
	return func(key generate.Key) (*draft, bool) {
		d, ok := c.sending(b, key, "required")
		if !ok {
			return nil, false
		}
		object, ok := d.value.(map[string]any)
		if !ok {
			return nil, false
		}
		var file any = content
		if at, has := object[name]; has {
			if _, list := at.([]any); list {
				file = []any{content}
			}
		}
		d, object = d.clone(), maps.Clone(object)
		object[name] = file
		d.value = object
		return d, true
	}
}

// partTyped gives the part of a name another media type.
func partTyped(r *exchange.Request, name, kind string) bool {
	const field = "Content-Type: "
	start := bytes.Index(r.Body, []byte("; name="+strconv.Quote(name)))
	if start < 0 {
		return false
	}
	end := bytes.Index(r.Body[start:], []byte("\r\n\r\n"))
	at := bytes.Index(r.Body[start:], []byte(field))
	if at < 0 || end < at {
		return false
	}
	at += start + len(field)
	rest := bytes.IndexByte(r.Body[at:], '\r')
	r.Body = append(append(bytes.Clone(r.Body[:at]), kind...), r.Body[at+rest:]...)
	return true
}

// asJSON proposes the values of a body that is never JSON as JSON, files as
// base64.
func (c *coverage) asJSON(s *site) *proposal {
	var value any
	return &proposal{
		site: s, rank: usual, want: Refused, what: "of media type application/json",
		base: func(key generate.Key) (*draft, bool) {
			d := c.plain(key)
			value = d.value
			return d, true
		},
		edit: func(r *exchange.Request) bool {
			if object, ok := value.(map[string]any); ok {
				value = c.bodies[0].inBase64(object)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Body = jsontext.Append(nil, value)
			return true
		},
	}
}

// inBase64 gives the parts of a body with its files as texts.
func (b *body) inBase64(object map[string]any) map[string]any {
	object = maps.Clone(object)
	for name := range b.files {
		if text, ok := object[name].(string); ok {
			object[name] = base64.StdEncoding.EncodeToString([]byte(text))
		}
	}
	return object
}
