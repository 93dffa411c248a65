package generate

import (
	"strings"

	"github.com/coldframe/coldframe/internal/samplefile"
)

const fileNames = "filename originalfilename originalname name title attachmentname documentname downloadname key path"

// fileRelations make what is said of a file agree with the end of its name.
var fileRelations = []relation{
	{parts: []string{"mimetype contenttype mediatype filetype mime", fileNames}, apply: func(m *members) {
		name, kind := m.fileKind()
		base, _, _ := strings.Cut(m.text(0), ";")
		if kind == nil || !strings.Contains(base, "/") || samplefile.OfType(base) == kind {
			return
		}
		if own := samplefile.OfType(base); !m.set(0, kind.Type()) && own != nil {
			m.set(1, name+"."+own.Extension)
		}
	}},
	{parts: []string{"extension fileextension ext filesuffix", fileNames}, apply: func(m *members) {
		name, kind := m.fileKind()
		end := strings.TrimPrefix(m.text(0), ".")
		if kind == nil || samplefile.OfExtension(end) == kind {
			return
		}
		dot := strings.TrimSuffix(m.text(0), end)
		if !m.set(0, dot+kind.Extension) && samplefile.OfExtension(end) != nil {
			m.set(1, name+"."+end)
		}
	}},
	{parts: []string{"extension fileextension ext filesuffix", "mimetype contenttype mediatype filetype mime"}, apply: func(m *members) {
		base, _, _ := strings.Cut(m.text(1), ";")
		end := strings.TrimPrefix(m.text(0), ".")
		if kind := samplefile.OfType(base); kind != nil && samplefile.OfExtension(end) != kind {
			m.set(0, strings.TrimSuffix(m.text(0), end)+kind.Extension)
		}
	}},
}

// fileKind returns the name of a file, part 1, without its end, and the kind that this stands for; nil for none.
func (m *members) fileKind() (name string, kind *samplefile.Kind) {
	text := m.text(1)
	at := strings.LastIndexByte(text, '.')
	if at < 0 {
		return "", nil
	}
	return text[:at], samplefile.OfExtension(text[at+1:])
}
