package stateful

import (
	"bytes"
	"cmp"
	"mime"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/contracts/internal/cases"
	"github.com/coldframe/coldframe/contracts/internal/checks"
	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
)

func files(t *tester) {
	for _, down := range t.resource.Bindings {
		if down.Operation.Method != "GET" || !t.tested(down) ||
			!slices.ContainsFunc(down.Success.Content, (*spec.MediaType).IsFile) {
			continue
		}
		uploads := []*resource.Binding{sibling(t, down, "PUT"), sibling(t, down, "POST"), t.operation(resource.Create)}
		for _, up := range uploads {
			if up == nil || up.Operation.Body == nil {
				continue
			}
			content := up.Operation.Body.Content
			if at := slices.IndexFunc(content, (*spec.MediaType).CarriesFile); at >= 0 {
				if up.Role == resource.Create && up.Operation.Path != down.Operation.Path {
					t.step(func() { fileOfCreation(t, up, down, content[at]) })
					break
				}
				t.step(func() { fileLifecycle(t, up, down, content[at].Range) })
				t.step(func() { fileOfDeleted(t, up, down, content[at].Range) })
				break
			}
		}
	}
}

// fileOfCreation creates an item from bytes, and downloads them. Bytes of other types may be shown in other ways: the
// download of an image may be its thumbnail.
func fileOfCreation(t *tester, up, down *resource.Binding, media *spec.MediaType) {
	t.require(down.KeyIn == resource.InPath && media.Subtype == "octet-stream")
	scope := t.mustScope(up)
	c := must(t, t.build(up, request{scope: scope, media: media.Range, title: "create an item from bytes"}))
	c.Request.Body = allBytes()
	upload := t.sendCase(c, up, scope)
	t.require(upload.Succeeded())
	i := must(t, t.createdBy(up, upload, scope))
	download := t.send(down, request{item: i, title: "download the bytes"})
	t.require(!t.reportIf(notFound(download), "created-readable", "", exchanges{upload, download},
		"the uploaded file is answered with %d", download.Status()))
	t.require(download.Succeeded())
	compareFile(t, down, &decode.File{Type: "application/octet-stream", Data: c.Request.Body}, upload, download)
}

// allBytes returns bytes of all values, more than fit into a short buffer, and ends that some transfers take for line
// ends.
func allBytes() []byte {
	b := make([]byte, maxBytes)
	for n := range b {
		b[n] = byte(n)
	}
	return append(b, "\r\n\n\r\n"...)
}

// sibling returns the tested operation of another method on the same path, nil if none.
func sibling(t *tester, b *resource.Binding, method string) *resource.Binding {
	for _, other := range t.resource.Bindings {
		if other.Operation.Path == b.Operation.Path && other.Operation.Method == method && t.tested(other) {
			return other
		}
	}
	return nil
}

func fileLifecycle(t *tester, up, down *resource.Binding, media string) {
	r := request{media: media, title: "upload a file"}
	if up.Role == resource.Action {
		i := must(t, t.create(request{title: "create an item"}))
		r.scope, r.key = i.Scope, i.Key
	} else {
		r.scope = t.mustScope(up)
	}
	upload := t.mustSend(up, r)
	file := must(t, fileIn(upload.Request))
	if named := pathVariables(upload)[up.Variable]; named != "" {
		r.key = named
	}
	r.media, r.title = "", "download it"
	download := must(t, t.send(down, r))
	t.require(!t.reportIf(notFound(download), "created-readable", "", exchanges{upload, download},
		"the uploaded file is answered with %d", download.Status()))
	if download.Succeeded() {
		compareFile(t, down, file, upload, download)
		download = replaceFile(t, up, down, r, file, download)
		if up.Role == resource.Action && strings.HasSuffix(media, "/octet-stream") {
			t.step(func() { download = replaceByBytes(t, up, down, r, download) })
		}
	}
	remove := must(t, sibling(t, down, "DELETE"))
	r.title = "delete it"
	removal := t.mustSend(remove, r)
	r.title, r.mayFail = "download the deleted file", true
	after := t.send(down, r)
	t.report(after.Succeeded() && bytes.Equal(after.Response.Body, download.Response.Body),
		violation{check: "removed", about: "read", doubt: keptSentence(t, removal), sent: exchanges{upload, removal, after}},
		"the deleted file is still answered with %d", after.Status())
}

// fileOfDeleted deletes an item that has a file, and looks for the file.
func fileOfDeleted(t *tester, up, down *resource.Binding, media string) {
	remove := must(t, t.keyedOperation(resource.Delete))
	t.require(up.Role == resource.Action)
	i := must(t, t.create(request{title: "create an item"}))
	upload := t.mustSend(up, request{item: i, media: media, title: "upload a file"})
	removal := t.mustSend(remove, request{item: i, title: "delete the item"})
	t.require(notFound(t.tryRead(i, "read the deleted item")))
	after := t.send(down, request{item: i, title: "download the file of the deleted item", mayFail: true})
	t.report(after.Succeeded(),
		violation{check: "removed", about: "below", doubt: keptSentence(t, removal),
			sent: exchanges{i.created, upload, removal, after}},
		"the file of a deleted item is still answered with %d", after.Status())
}

// replaceFile uploads another file in the place of the first, of another media type
// if the document has several, and downloads it. It returns the last download.
func replaceFile(t *tester, up, down *resource.Binding, r request, first *decode.File, before *checks.Exchange,
) *checks.Exchange {
	references, _ := t.Pool.References(t.ctx, up.Operation)
	for c := range t.Builder(up.Operation).Coverage(t.ctx, references, 0) {
		file := fileIn(c.Request)
		if c.Expected != cases.Accepted || file == nil || len(file.Data) == 0 || bytes.Equal(file.Data, first.Data) {
			continue
		}
		c.Title = "upload another file"
		c.Request.Path = strings.ReplaceAll(c.Request.Path, "{"+up.Variable+"}", url.PathEscape(r.key))
		upload := t.sendCase(c, up, r.scope)
		if !upload.Succeeded() {
			return before
		}
		r.title = "download the other file"
		download := t.send(down, r)
		if !download.Succeeded() {
			return before
		}
		if !t.reportIf(bytes.Equal(download.Response.Body, first.Data), "updated", "body", exchanges{upload, download},
			"is still the first file after another was uploaded") {
			compareFile(t, down, file, upload, download)
		}
		return download
	}
	return before
}

// replaceByBytes uploads bytes of all values in the place of a file.
func replaceByBytes(t *tester, up, down *resource.Binding, r request, before *checks.Exchange) *checks.Exchange {
	r.media, r.title = "application/octet-stream", "upload bytes"
	c := must(t, t.build(up, r))
	c.Request.Body = allBytes()
	upload := t.sendCase(c, up, r.scope)
	t.require(upload.Succeeded())
	r.media, r.title = "", "download the bytes"
	download := must(t, t.send(down, r))
	if !download.Succeeded() {
		return before
	}
	compareFile(t, down, &decode.File{Type: "application/octet-stream", Data: c.Request.Body}, upload, download)
	return download
}

// maxBytes is the size of a file of all values of bytes, without its end.
const maxBytes = 3000

func fileIn(r *exchange.Request) *decode.File {
	contentType, _ := r.Header.Get("Content-Type")
	return decode.FileOf(contentType, r.Body)
}

// compareFile compares a download with what was uploaded. A file that comes as
// another media type was converted, and is not compared.
func compareFile(t *tester, down *resource.Binding, file *decode.File, upload, download *checks.Exchange) {
	contentType, _ := download.Response.Header.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(contentType)
	got := download.Response.Body
	if !bytes.Equal(got, file.Data) {
		t.report(media == file.Type,
			violation{check: "read-back", about: "body", sent: exchanges{upload, download},
				doubt: cmp.Or(t.doubtOfForm(down.Operation, "file"), t.doubtOfForm(upload.Case.Operation, "file"))},
			"%d bytes of %s were uploaded, and %d other bytes come back", len(file.Data), file.Type, len(got))
		return
	}
	isType := func(m *spec.MediaType) bool { return m.Type+"/"+m.Subtype == file.Type }
	mayBeMedia := media == file.Type || media == "application/octet-stream"
	t.warnIf(slices.ContainsFunc(down.Success.Content, isType) && !mayBeMedia,
		"read-back", "header.Content-Type", exchanges{upload, download},
		"was uploaded as %s, and comes back as %s", file.Type, media)
}
