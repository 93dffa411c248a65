package spec

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// maxExcerpt is the longest excerpt, in bytes.
const maxExcerpt = 160

// Excerpt gives the line of the document that a place is on, of a long one the
// part from the place on. It is "" for an unknown place.
func (c *Contract) Excerpt(p exchange.Place) string {
	if f := c.files[p.File]; f != nil {
		return f.Line(p, maxExcerpt)
	}
	return ""
}

// PlaceOfName gives the place of the name under which something stands in its
// object, p itself where it has none. Its pointer stays.
func (c *Contract) PlaceOfName(p exchange.Place) exchange.Place {
	f, end := c.files[p.File], strings.LastIndexByte(p.Pointer, '/')
	if f == nil || end < 0 {
		return p
	}
	parent, name := f.Root.At(p.Pointer[:end]), exchange.UnescapePointer(p.Pointer[end+1:])
	if parent.Get(name) == nil {
		return p
	}
	place := parent.PlaceOf(name)
	p.Line, p.Column = place.Line, place.Column
	return p
}
