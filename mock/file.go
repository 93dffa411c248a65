package mock

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/spec"
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

// files finds the paths that files are uploaded to and downloaded from.
func (c *contract) files() {
	paths := map[string][]*operation{}
	for _, op := range c.Operations {
		paths[op.Path] = append(paths[op.Path], c.operations[op])
	}
	for _, ops := range paths {
		down := slices.ContainsFunc(ops, func(o *operation) bool { return o.role() == downloads })
		up := slices.ContainsFunc(ops, func(o *operation) bool { return o.role() == uploads })
		for _, o := range ops {
			if down && up {
				o.file = o.role()
			}
		}
	}
}

// role gives what an operation does to a file if its path names one.
func (o *operation) role() fileRole {
	switch {
	case o.keeps == nil:
	case o.Method == "GET" && o.Documented != nil && slices.ContainsFunc(o.Documented.Content, (*spec.MediaType).IsFile):
		return downloads
	case (o.Method == "PUT" || o.Method == "POST") && o.Body != nil && slices.ContainsFunc(o.Body.Content, (*spec.MediaType).CarriesFile):
		return uploads
	case o.Method == "DELETE":
		return removes
	}
	return noFile
}

// kept file is an object of these members, so that the state shows it as JSON.
const (
	fileType = "contentType"
	fileData = "base64"
)

// withFile does to the path's file what the request asks for, after the item that
// it belongs to had its say.
func (x *visit) withFile(result outcome, documented *spec.Response) outcome {
	if x.operation.file == noFile || x.response.Status >= 300 || x.preferences.Example != "" || x.preferences.Code != 0 {
		return result
	}
	collection := x.fileCollection()
	switch x.operation.file {
	case uploads:
		x.upload(collection)
	case removes:
		if _, gone, _ := x.session.State.Delete(collection, theOne, state.Any); gone && result == passed {
			return x.withoutFile("the file was removed")
		}
	case downloads:
		item, gone := x.session.State.Get(collection, theOne)
		switch {
		case item != nil:
			return x.download(item, documented, result)
		case gone:
			return x.withoutFile("the file was removed")
		case x.closed():
			return x.withoutFile("no file was uploaded")
		}
	}
	return result
}

// fileCollection names the collection that holds the path's file alone: it goes
// with the item that the path names.
func (x *visit) fileCollection() string {
	b := x.operation.binding
	segments := strings.Split(x.operation.Path, "/")
	at := slices.Index(segments, "{"+b.Variable+"}")
	if b.KeyIn != resource.InPath || at < 0 {
		return "/" + x.operation.keeps.Name + "/" + segments[len(segments)-1]
	}
	return state.Below(x.collection(), x.pathText(b.Variable), strings.Join(append(segments[at+1:], "file"), "/"))
}

func (x *visit) upload(collection string) {
	contentType, _ := x.request.Header.Get("Content-Type")
	file := decode.FileOf(contentType, x.request.Body)
	if file == nil {
		return
	}
	text := jsontext.Append(nil, map[string]any{fileType: file.Type, fileData: base64.StdEncoding.EncodeToString(file.Data)})
	if _, _, err := x.session.State.Put(collection, theOne, text, 0, state.Any); err != nil {
		x.warnDropped() // larger than the whole store
	}
}

// download answers with a kept file where the document has its media type and the
// request takes it.
func (x *visit) download(item *state.Item, documented *spec.Response, result outcome) outcome {
	kept := decodeItem(item)
	kind, _ := kept[fileType].(string)
	text, _ := kept[fileData].(string)
	data, err := base64.StdEncoding.DecodeString(text)
	at := slices.IndexFunc(documented.Content, func(m *spec.MediaType) bool {
		return m.IsFile() && (m.Type+"/"+m.Subtype == kind || m.Subtype == "*" && strings.HasPrefix(kind, m.Type+"/"))
	})
	if err != nil || at < 0 || x.negotiate(documented.Content[at:at+1]) == nil {
		return result
	}
	x.response.SetBytes(kind, data)
	return answered
}

func (x *visit) withoutFile(why string) outcome {
	x.refuse(noItem, []exchange.Finding{{Code: "no-such-item", Message: why, In: exchange.InPath, Name: x.operation.binding.Variable}})
	return answered
}
