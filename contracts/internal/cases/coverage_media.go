package cases

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
)

// foreignTypes are media types that hardly any API takes for what it documents.
var foreignTypes = []string{"text/plain", "application/xml", "application/x-www-form-urlencoded", "application/x-unknown"}

// bodyProposals proposes what is about whole bodies: their media type, none, and
// broken syntax.
func (c *coverage) bodyProposals() []*proposal {
	if c.operation.Body == nil || len(c.bodies) == 0 {
		return nil
	}
	var all []*proposal
	anyBody := &site{body: c.bodies[0]}
	field := &site{} // a header field that no parameter describes
	add := func(s *site, rank int, want Outcome, what string, base func(generate.Key) (*draft, bool),
		edit func(*exchange.Request) bool) {
		all = append(all, &proposal{site: s, rank: rank, want: want, what: what, base: base, edit: edit})
	}
	if c.operation.Body.Required {
		add(anyBody, essential, Refused, "left out", nil, func(r *exchange.Request) bool {
			r.Body = nil
			r.Header.Del("Content-Type")
			return true
		})
		add(anyBody, usual, Refused, "empty", nil, func(r *exchange.Request) bool { r.Body = nil; return true })
	} else {
		want := Accepted
		if s := c.bodies[0].Schema; s != nil && len(s.Requires()) > 0 {
			want = Anything // that it may be left out is more likely a slip
		}
		add(anyBody, usual, want, "left out", nil, func(r *exchange.Request) bool {
			r.Body = nil
			r.Header.Del("Content-Type")
			return true
		})
	}
	for i, b := range c.bodies {
		if _, ok := c.completeBodies[b]; !ok {
			continue
		}
		of := &site{body: b}
		sent := func(key generate.Key) (*draft, bool) { return c.sending(b, key, "required") }
		full := func(key generate.Key) (*draft, bool) { return c.sending(b, key, "all") }
		if i > 0 {
			add(of, essential, Accepted, "as "+b.Range, sent, unchanged)
		}
		add(of, usual, Accepted, "with all that is optional, as "+b.Range, full, unchanged)
		if b.IsJSON() {
			all = append(all, malformed(of, sent, i)...)
			add(of, exotic, Anything, "with charset=utf-8", sent, typed(b.Concrete()+"; charset=utf-8"))
			add(of, exotic, Anything, "with charset=iso-8859-1", sent, typed(b.Concrete()+"; charset=iso-8859-1"))
		}
		if b.Type == "multipart" {
			all = append(all, brokenParts(of, sent)...)
			all = append(all, c.fileParts(of)...)
		}
		if b.Subtype == "xml" || strings.HasSuffix(b.Subtype, "+xml") {
			add(of, usual, Refused, "cut short", sent, cutShort)
		}
	}
	if !slices.ContainsFunc(c.bodies, func(b *body) bool {
		return b.IsJSON() || b.Range == "*/*" ||
			b.Range == "application/*"
	}) {
		all = append(all, c.asJSON(field))
	}
	for i, media := range foreignTypes {
		rank := exotic
		if i == 0 {
			rank = essential
		}
		add(field, rank, Refused, "of media type "+media, nil, typed(media))
	}
	add(field, exotic, Refused, "with a Content-Type that is none", nil, typed("json"))
	add(field, exotic, Anything, "without Content-Type", nil,
		func(r *exchange.Request) bool { r.Header.Del("Content-Type"); return true })
	return all
}

func unchanged(*exchange.Request) bool { return true }

func typed(contentType string) func(*exchange.Request) bool {
	return func(r *exchange.Request) bool { r.Header.Set("Content-Type", contentType); return true }
}

func cutShort(r *exchange.Request) bool {
	text := bytes.TrimRight(r.Body, " \r\n\t")
	r.Body = bytes.Clone(text[:max(len(text)-1, 0)])
	return len(r.Body) > 0
}

// sending gives the plain draft with a body of another media type, or a fuller
// one.
func (c *coverage) sending(b *body, key generate.Key, fill string) (*draft, bool) {
	d := c.plain(key).clone()
	if d.body == b && fill == "required" {
		return d, true
	}
	d.body = b
	value, err := b.make(key.Child("body"), c.have, fill)
	d.value = value
	return d, err == nil
}

// malformed breaks the syntax of JSON. Duplicate names are left out: RFC 8259
// section 4 leaves them to the recipient.
func malformed(s *site, base func(generate.Key) (*draft, bool), alternativeBody int) []*proposal {
	var all []*proposal
	add := func(rank int, what string, edit func(body []byte) []byte) {
		all = append(all, &proposal{
			site: s, rank: max(rank, min(alternativeBody, 1)*exotic), want: Refused, what: what, base: base,
			edit: func(r *exchange.Request) bool { r.Body = edit(bytes.Clone(r.Body)); return len(r.Body) > 0 },
		})
	}
	constant := func(text string) func([]byte) []byte { return func([]byte) []byte { return []byte(text) } }
	replaced := func(old, with string) func([]byte) []byte {
		return func(b []byte) []byte {
			if !bytes.Contains(b, []byte(old)) {
				return nil
			}
			return bytes.Replace(b, []byte(old), []byte(with), 1)
		}
	}
	add(essential, "cut short", func(b []byte) []byte { return b[:len(b)-1] })
	add(usual, "with a comma after the last", func(b []byte) []byte {
		if len(b) < 3 {
			return nil
		}
		return append(b[:len(b)-1], ',', b[len(b)-1])
	})
	add(usual, "with text after the end", func(b []byte) []byte { return append(b, " x"...) })
	add(usual, "that is not JSON", constant("name=value"))
	add(exotic, "twice in a row", func(b []byte) []byte { return append(append(bytes.Clone(b), '\n'), b...) })
	add(exotic, "in single quotes", func(b []byte) []byte {
		if !bytes.ContainsRune(b, '"') {
			return nil
		}
		return bytes.ReplaceAll(b, []byte{'"'}, []byte{'\''})
	})
	add(exotic, "with a name without quotes", func(b []byte) []byte {
		start := bytes.IndexByte(b, '"')
		if start < 0 || start > 0 && b[start-1] != '{' {
			return nil
		}
		end := bytes.IndexByte(b[start+1:], '"')
		if end < 0 {
			return nil
		}
		return append(append(bytes.Clone(b[:start]), b[start+1:start+1+end]...), b[start+2+end:]...)
	})
	add(exotic, "without a colon", replaced(`":`, `" `))
	add(exotic, "with a comment", func(b []byte) []byte { return append([]byte("// comment\n"), b...) })
	add(exotic, "NaN", constant("NaN"))
	add(exotic, "of bytes that are not UTF-8", func(b []byte) []byte {
		at := bytes.LastIndexByte(b, '"')
		if at < 0 {
			return nil
		}
		return append(append(bytes.Clone(b[:at]), 0xff, 0xfe), b[at:]...)
	})
	add(exotic, "nested a hundred deep", constant(strings.Repeat("[", 100)+strings.Repeat("]", 100)))
	add(exotic, "of a hundred brackets", constant(strings.Repeat("[", 100)))
	all = append(all, &proposal{site: s, rank: exotic, want: Anything, what: "nested ten thousand deep", base: base,
		edit: func(r *exchange.Request) bool {
			r.Body = []byte(strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000))
			return true
		}})
	return all
}

// brokenParts breaks the syntax of multipart.
func brokenParts(s *site, base func(generate.Key) (*draft, bool)) []*proposal {
	edit := func(rank int, want Outcome, what string, edit func(*exchange.Request) bool) *proposal {
		return &proposal{site: s, rank: rank, want: want, what: what, base: base, edit: edit}
	}
	return []*proposal{
		edit(usual, Refused, "without its boundary", func(r *exchange.Request) bool {
			contentType, _ := r.Header.Get("Content-Type")
			base, _, _ := strings.Cut(contentType, ";")
			r.Header.Set("Content-Type", base)
			return true
		}),
		edit(usual, Refused, "with another boundary", func(r *exchange.Request) bool {
			contentType, _ := r.Header.Get("Content-Type")
			base, _, _ := strings.Cut(contentType, ";")
			r.Header.Set("Content-Type", base+"; boundary="+strconv.Quote("another"))
			return true
		}),
		edit(exotic, Refused, "cut short", func(r *exchange.Request) bool {
			r.Body = bytes.Clone(r.Body[:len(r.Body)/2])
			return true
		}),
		edit(usual, Refused, "with a part of another media type", func(r *exchange.Request) bool { return retyped(r, 0) }),
		edit(usual, Refused, "with a second part of another media type",
			func(r *exchange.Request) bool { return retyped(r, 1) }),
		edit(usual, Refused, "with a part of JSON that is cut short", func(r *exchange.Request) bool {
			start := bytes.Index(r.Body, []byte("application/json\r\n\r\n"))
			if start < 0 {
				return false
			}
			end := bytes.Index(r.Body[start:], []byte("\r\n--"))
			if end < 0 {
				return false
			}
			end += start
			r.Body = append(bytes.Clone(r.Body[:end-1]), r.Body[end:]...)
			return true
		}),
	}
}

// retyped gives the n-th part that has a media type another one.
func retyped(r *exchange.Request, n int) bool {
	const field = "Content-Type: "
	start := 0
	for range n + 1 {
		next := bytes.Index(r.Body[start:], []byte(field))
		if next < 0 {
			return false
		}
		start += next + len(field)
	}
	end := bytes.IndexByte(r.Body[start:], '\r')
	if end < 0 {
		return false
	}
	r.Body = append(append(bytes.Clone(r.Body[:start]), "application/x-unknown"...), r.Body[start+end:]...)
	return true
}
