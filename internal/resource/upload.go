package resource

import (
	"slices"

	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// findUploads finds the items whose files are uploaded in one place and downloaded in another, whose path names them by
// the key that the upload answers: POST /upload answers {fileId}, GET /files/{fileId} the file.
func (in *inference) findUploads() {
	for _, o := range in.operations {
		success := o.binding.Success
		isDownload := o.Method == "GET" && success != nil && len(success.Content) > 0 &&
			!slices.ContainsFunc(success.Content, func(m *spec.MediaType) bool { return !m.IsFile() && m.Type != "*" })
		item := o.at
		for item.parent != nil && !item.last.variable() {
			item = item.parent
		}
		known := in.candidates[item]
		isKnown := known != nil && (known.value.ok() || known.item != item || known.collection.method("POST") != nil)
		if !isDownload || item.parent == nil || len(item.last.variables) != 1 || isKnown {
			continue
		}
		upload, shown := in.uploadOf(item)
		if upload == nil {
			continue
		}
		uploaded := in.candidates[upload.at]
		switch {
		case uploaded != nil && uploaded.collection == upload.at && uploaded.item == nil && !uploaded.singleton:
			if uploaded.item = item; known != nil {
				in.order = slices.DeleteFunc(in.order, func(c *candidate) bool { return c == known })
			}
			in.candidates[item] = uploaded
		case uploaded == nil:
			if known == nil {
				known = &candidate{collection: item.parent, item: item}
				in.register(known)
			}
			known.value, known.listed, known.document = shown, shown, shown.schema
			upload.creates = known
		}
	}
}

// uploadOf returns the only POST that takes a file and answers an object with the key of items, and that object; nil
// if none. A plain id is a key of theirs only if nothing else is kept where the POST is.
func (in *inference) uploadOf(item *node) (found *operation, shown view) {
	key, names := naming.Fold(item.last.variables[0]), namesOf(item)
	for _, o := range in.operations {
		isUpload := o.Method == "POST" && o.Body != nil && o.creates == nil &&
			slices.ContainsFunc(o.Body.Content, (*spec.MediaType).CarriesFile)
		s := findItem(o.answer, names, view{})
		if !isUpload || s == nil || s.Many {
			continue
		}
		v := o.answer.of(s.Value)
		isKey := func(m member) bool {
			isNamed := m.folded == key && (key != "id" || in.candidates[o.at] == nil)
			return canBeKey(m.view.kind()) && (isNamed || m.folded == names[0]+key)
		}
		if !slices.ContainsFunc(v.members(), isKey) {
			continue
		}
		if found != nil {
			return nil, view{}
		}
		found, shown = o, v
	}
	return found, shown
}
