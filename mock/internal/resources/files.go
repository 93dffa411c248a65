package resources

import (
	"encoding/base64"
	"mime"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// fileRole is what an operation does to the file that its path names.
type fileRole uint8

const (
	noFile fileRole = iota
	uploads
	downloads
	removes
)

func (s *Set) findFiles() {
	type place struct {
		path string
		role fileRole
	}
	found := map[place]bool{}
	created := map[*Runtime]bool{} // resources whose items are created by uploads
	for o, op := range s.operations {
		op.file = fileRoleOf(o, s.responder.Operation(o).Documented)
		found[place{o.Path, op.file}] = true
		if op.file == uploads && op.Role == resource.Create {
			created[op.runtime] = true
		}
	}
	for o, op := range s.operations {
		isOfItem := op.file == downloads && created[op.runtime] && op.KeyIn == resource.InPath
		if _, below, _ := strings.Cut(o.Path, "{"+op.Variable+"}"); isOfItem {
			op.runtime.fileBelow = below
		}
		if !isOfItem && (!found[place{o.Path, uploads}] || !found[place{o.Path, downloads}]) {
			op.file = noFile
		}
	}
}

func fileRoleOf(o *spec.Operation, success *spec.Response) fileRole {
	switch {
	case o.Method == "GET" && success != nil && slices.ContainsFunc(success.Content, isDownload):
		return downloads
	case o.Method == "DELETE":
		return removes
	case o.Method != "PUT" && o.Method != "POST" || o.Body == nil:
	case slices.ContainsFunc(o.Body.Content, func(m *spec.MediaType) bool { return m.CarriesFile() || hasEncodedFile(m) }):
		return uploads
	}
	return noFile
}

// hasEncodedFile reports whether bodies of a media type have a file as Base64.
func hasEncodedFile(m *spec.MediaType) bool {
	return m.IsJSON() && m.Schema != nil && len(respond.EncodedFiles(m.Schema)) > 0
}

// isDownload reports whether a media type of a response is a file's, of whatever kind.
func isDownload(m *spec.MediaType) bool {
	return m.IsFile() || m.Type == "*" && m.Schema != nil && schema.CertainTypes(m.Schema.Keywords) == schema.String
}

// A kept file is an object of these members, so that the state shows it as JSON.
const (
	fileType  = "contentType"
	fileTitle = "name" // left out if the client sent none
	fileData  = "base64"
)

// handleFile does to the path's file what the request asks for, after the item that it
// belongs to. done says what became of that.
func handleFile(q *Request, done error) error {
	collection := fileCollection(q)
	switch q.op.file {
	case uploads:
		upload(q, collection)
	case removes:
		if _, deleted, _ := q.delete(collection, SingletonKey, state.Any); deleted && done == errNotHandled {
			return noFileThere(q, "the file was removed")
		}
	case downloads:
		item, deleted := q.get(collection, SingletonKey)
		if item == nil && !deleted { // the one that the item was created with
			item, _ = q.get(q.createdFile(), SingletonKey)
		}
		switch {
		case item != nil && download(q, item):
			return nil
		case item != nil:
		case deleted:
			return noFileThere(q, "the file was removed")
		case q.set.options.RefuseUnknown:
			return noFileThere(q, "no file was uploaded")
		}
	}
	return done
}

// fileCollection names the collection that holds the path's file alone: it goes with
// the item that the path names.
func fileCollection(q *Request) string {
	part := q.op.filePart()
	if part == "" {
		path := q.op.Binding.Operation.Path
		return "/" + q.op.runtime.Name + path[strings.LastIndexByte(path, '/'):]
	}
	return state.Below(q.collection, q.pathText(q.op.Variable), part)
}

// filePart names the file of an operation's path below the item that the path names; "" if it names none.
func (op *Operation) filePart() string {
	segments := strings.Split(op.Binding.Operation.Path, "/")
	at := slices.Index(segments, "{"+op.Variable+"}")
	if op.KeyIn != resource.InPath || at < 0 {
		return ""
	}
	return strings.Join(append(slices.Clone(segments[at+1:]), fileName), "/")
}

// fileName is the last part of the names of collections that hold a file.
const fileName = "file"

// createdFile names the collection of the file that the path's item was created with.
func (q *Request) createdFile() string {
	return state.Below(q.collection, q.pathText(q.op.Variable), fileName)
}

func upload(q *Request, collection string) {
	file := q.Upload()
	if file == nil {
		return
	}
	data := base64.StdEncoding.EncodeToString(file.Data)
	kept := map[string]any{fileType: file.Type, fileData: data}
	before, _ := q.get(collection, SingletonKey)
	if before == nil && q.op.KeyIn == resource.InPath {
		before, _ = q.get(q.createdFile(), SingletonKey)
	}
	if before != nil {
		if title, had := DecodeItem(before)[fileTitle]; had {
			kept[fileTitle] = title
			q.Replaces, _ = title.(string)
		}
	}
	if file.Name != "" {
		kept[fileTitle] = file.Name
	}
	text := jsontext.Append(nil, kept)
	if _, _, err := q.put(collection, SingletonKey, text, 0, state.Any); err != nil {
		q.set.options.StoreFull()
	}
}

// download answers with a kept file if the document has its media type and the request accepts it.
func download(q *Request, item *state.Item) bool {
	kept := DecodeItem(item)
	kind, _ := kept[fileType].(string)
	text, _ := kept[fileData].(string)
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return false
	}
	for _, m := range q.Documented.Content {
		isAny := m.Type == "*" || m.Subtype == "octet-stream" // which says nothing of the file
		isOfKind := m.Type+"/"+m.Subtype == kind || m.Subtype == "*" && strings.HasPrefix(kind, m.Type+"/")
		if !m.IsFile() && m.Type != "*" || !isAny && !isOfKind {
			continue
		}
		if accepted, _ := respond.Negotiate(q.Header, []*spec.MediaType{m}); accepted == nil {
			return false
		}
		if m.Subtype == "octet-stream" {
			kind = "application/octet-stream"
		}
		q.answer.SetBytes(kind, data)
		if title, _ := kept[fileTitle].(string); title != "" {
			q.nameFile(title)
		}
		return true
	}
	return false
}

// nameFile names a downloaded file in the answer, if the document has a field for it (RFC 6266 section 4).
func (q *Request) nameFile(title string) {
	for _, h := range q.Documented.Headers {
		text := mime.FormatMediaType("attachment", map[string]string{"filename": title})
		if strings.EqualFold(h.Name, "Content-Disposition") && text != "" && allowsText(h, text) {
			q.answer.Header.Set(h.Name, text)
		}
	}
}

func noFileThere(q *Request, message string) error {
	return refuse(respond.NoItem, exchange.Finding{
		Code: "no-such-item", Message: message, In: exchange.InPath, Name: q.op.Variable,
	})
}
