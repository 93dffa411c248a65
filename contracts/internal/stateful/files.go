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
func contents(t *tester) {
	for _, down := range t.resource.Bindings {
		if down.Operation.Method != "GET" || !t.tests(down) || !slices.ContainsFunc(down.Success.Content, (*spec.MediaType).IsFile) {
			continue
		}
		for _, method := range []string{"PUT", "POST"} {
			up := t.beside(down, method)
			if up != nil && up.Operation.Body != nil && slices.ContainsFunc(up.Operation.Body.Content, (*spec.MediaType).CarriesFile) {
				t.content(up, down)
				break
			}
		}
	}
}

// beside gives the tested operation of another method on the same path, nil
// where there is none.
func (t *tester) beside(b *resource.Binding, method string) *resource.Binding {
	for _, other := range t.resource.Bindings {
		if other.Operation.Path == b.Operation.Path && other.Operation.Method == method && t.tests(other) {
			return other
		}
	}
	return nil
}

func (t *tester) tests(b *resource.Binding) bool {
	return b.Success != nil && t.Builder(b.Operation) != nil
}

// content uploads one file, downloads it, and removes it where that can be done.
func (t *tester) content(up, down *resource.Binding) {
	var media string
	for _, m := range up.Operation.Body.Content {
		if m.CarriesFile() {
			media = m.Range
			break
		}
	}
	r := request{media: media, title: "upload a file"}
	if up.Role == resource.Action {
		i := t.create(nil, request{title: "create an item"})
		if i == nil {
			return
		}
		r.scope, r.key = i.Scope, i.Key
	} else if r.scope = t.scope(up, ""); r.scope == nil {
		return
	}
	sent := t.send(up, r)
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
	got := t.send(down, r)
	switch {
	case got == nil:
		return
	case gone(got):
		t.report("created-readable", "", fmt.Sprintf("what was uploaded is answered %d", got.Status()), sent, got)
		return
	case got.Succeeded():
		t.asUploaded(down, file, sent, got)
		got = t.anotherFile(up, down, r, file, got)
	}
	remove := t.beside(down, "DELETE")
	if remove == nil {
		return
	}
	r.title = "remove it"
	removal := t.send(remove, r)
	if removal == nil || !removal.Succeeded() {
		return
	}
	r.title, r.absent = "download what was removed", true
	if after := t.send(down, r); after != nil && after.Succeeded() && bytes.Equal(after.Response.Body, got.Response.Body) {
		t.report("removed", "read", fmt.Sprintf("what was removed is still answered %d", after.Status()), sent, removal, after)
	}
}

// anotherFile uploads another file in the place of one, of another media type where
// the document has several, and downloads it. It gives the last download.
func (t *tester) anotherFile(up, down *resource.Binding, r request, first *decode.File, before *checks.Exchange) *checks.Exchange {
	have, _ := t.Pool.References(t.ctx, up.Operation)
	for c := range t.Builder(up.Operation).Coverage(t.ctx, have, 0) {
		contentType, _ := c.Request.Header.Get("Content-Type")
		file := decode.FileOf(contentType, c.Request.Body)
		if c.Expected != cases.Accepted || file == nil || len(file.Data) == 0 || bytes.Equal(file.Data, first.Data) {
			continue
		}
		c.Phase, c.Title = "stateful", "upload another file"
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+up.Variable+"}", url.PathEscape(r.key))
		fillScope(c, t, up, r.scope)
		sent := t.Send(t.ctx, c)
		if sent == nil || !sent.Succeeded() {
			return before
		}
		r.title = "download that"
		got := t.send(down, r)
		if got == nil || !got.Succeeded() {
			return before
		}
		if bytes.Equal(got.Response.Body, first.Data) {
			t.report("updated", "body", "is still the first file after another was uploaded", sent, got)
		} else {
			t.asUploaded(down, file, sent, got)
		}
		return got
	}
	return before
}

// asUploaded holds a download to what was uploaded. A file that comes as another
// media type was converted, and is not compared.
func (t *tester) asUploaded(down *resource.Binding, sent *decode.File, upload, download *checks.Exchange) {
	contentType, _ := download.Response.Header.Get("Content-Type")
	kind, _, _ := mime.ParseMediaType(contentType)
	got := download.Response.Body
	if !bytes.Equal(got, sent.Data) {
		if kind == sent.Type {
			t.report("read-back", "body", fmt.Sprintf("%d bytes of %s were uploaded, and %d other bytes come back", len(sent.Data), sent.Type, len(got)), upload, download)
		}
		return
	}
	documented := slices.ContainsFunc(down.Success.Content, func(m *spec.MediaType) bool { return m.Type+"/"+m.Subtype == sent.Type })
	if documented && kind != sent.Type && kind != "application/octet-stream" {
		t.report("read-back", "header.Content-Type", fmt.Sprintf("was uploaded as %s, and comes back as %s", sent.Type, kind), upload, download)
	}
}
