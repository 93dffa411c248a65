package stateful

import (
	"bytes"
	"fmt"
	"mime"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

// contents uploads files to the paths that files are downloaded from.
func contents(s *story) {
	for _, down := range s.resource.Bindings {
		if down.Operation.Method != "GET" || !s.tests(down) || !slices.ContainsFunc(down.Success.Content, (*spec.MediaType).IsFile) {
			continue
		}
		for _, method := range []string{"PUT", "POST"} {
			up := s.beside(down, method)
			if up != nil && up.Operation.Body != nil && slices.ContainsFunc(up.Operation.Body.Content, (*spec.MediaType).CarriesFile) {
				s.content(up, down)
				break
			}
		}
	}
}

// beside gives the tested operation of another method on the same path, nil
// where there is none.
func (s *story) beside(b *resource.Binding, method string) *resource.Binding {
	for _, other := range s.resource.Bindings {
		if other.Operation.Path == b.Operation.Path && other.Operation.Method == method && s.tests(other) {
			return other
		}
	}
	return nil
}

func (s *story) tests(b *resource.Binding) bool {
	return b.Success != nil && s.Maker(b.Operation) != nil
}

// content uploads one file, downloads it, and removes it where that can be done.
func (s *story) content(up, down *resource.Binding) {
	var media string
	for _, m := range up.Operation.Body.Content {
		if m.CarriesFile() {
			media = m.Range
			break
		}
	}
	r := request{media: media, title: "upload a file"}
	if up.Role == resource.Action {
		i := s.create(nil, request{title: "create an item"})
		if i == nil {
			return
		}
		r.scope, r.key = i.Scope, i.Key
	} else if r.scope = s.scope(up, ""); r.scope == nil {
		return
	}
	sent := s.send(up, r)
	if sent == nil || !sent.Succeeded() {
		return
	}
	contentType, _ := sent.Request.Header.Get("Content-Type")
	file := decode.FileOf(contentType, sent.Request.Body)
	if file == nil {
		return
	}
	if named := variables(up.Operation.Path, sent.Request.Path)[up.Variable]; named != "" {
		r.key = named
	}
	r.media, r.title = "", "download it"
	got := s.send(down, r)
	switch {
	case got == nil:
		return
	case gone(got):
		s.accuse("created-readable", "", fmt.Sprintf("what was uploaded is answered %d", got.Status()), sent, got)
		return
	case got.Succeeded():
		s.asUploaded(down, file, sent, got)
		got = s.anotherFile(up, down, r, file, got)
	}
	remove := s.beside(down, "DELETE")
	if remove == nil {
		return
	}
	r.title = "remove it"
	removal := s.send(remove, r)
	if removal == nil || !removal.Succeeded() {
		return
	}
	r.title, r.absent = "download what was removed", true
	if after := s.send(down, r); after != nil && after.Succeeded() && bytes.Equal(after.Response.Body, got.Response.Body) {
		s.accuse("removed", "read", fmt.Sprintf("what was removed is still answered %d", after.Status()), sent, removal, after)
	}
}

// anotherFile uploads another file in the place of one, of another media type where
// the document has several, and downloads it. It gives the last download.
func (s *story) anotherFile(up, down *resource.Binding, r request, first *decode.File, before *checks.Exchange) *checks.Exchange {
	have, _ := s.Supply.References(s.ctx, up.Operation)
	for c := range s.Maker(up.Operation).Coverage(s.ctx, have, 0) {
		contentType, _ := c.Request.Header.Get("Content-Type")
		file := decode.FileOf(contentType, c.Request.Body)
		if c.Expected != cases.Accepted || file == nil || len(file.Data) == 0 || bytes.Equal(file.Data, first.Data) {
			continue
		}
		c.Phase, c.Title = "stateful", "upload another file"
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+up.Variable+"}", url.PathEscape(r.key))
		fillScope(c, s, up, r.scope)
		sent := s.Send(s.ctx, c)
		if sent == nil || !sent.Succeeded() {
			return before
		}
		r.title = "download that"
		got := s.send(down, r)
		if got == nil || !got.Succeeded() {
			return before
		}
		if bytes.Equal(got.Response.Body, first.Data) {
			s.accuse("updated", "body", "is still the first file after another was uploaded", sent, got)
		} else {
			s.asUploaded(down, file, sent, got)
		}
		return got
	}
	return before
}

// asUploaded holds a download to what was uploaded. A file that comes as another
// media type was converted, and is not compared.
func (s *story) asUploaded(down *resource.Binding, sent *decode.File, upload, download *checks.Exchange) {
	contentType, _ := download.Response.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(contentType)
	got := download.Response.Body
	if !bytes.Equal(got, sent.Data) {
		if kind == sent.Type {
			s.accuse("read-back", "body", fmt.Sprintf("%d bytes of %s were uploaded, and %d other bytes come back", len(sent.Data), sent.Type, len(got)), upload, download)
		}
		return
	}
	documented := slices.ContainsFunc(down.Success.Content, func(m *spec.MediaType) bool { return m.Type+"/"+m.Subtype == sent.Type })
	if documented && kind != sent.Type && kind != "application/octet-stream" {
		s.accuse("read-back", "header.Content-Type", fmt.Sprintf("was uploaded as %s, and comes back as %s", sent.Type, kind), upload, download)
	}
}
