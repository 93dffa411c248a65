package spec

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// mostExcerpt is the longest excerpt, in bytes.
const mostExcerpt = 160

// Excerpt gives the line of the document that a place is on, without white space
// around it. Of a long one it is the part from the place on. It is "" for a place
// that is not known.
func (c *Contract) Excerpt(p exchange.Place) string {
	f := c.files[p.File]
	if f == nil || p.Line < 1 || p.Line > len(f.lines) {
		return ""
	}
	line := f.text[f.lines[p.Line-1]:]
	line, _, _ = strings.Cut(line, "\n")
	line = strings.TrimRight(line, " \t\r")
	if len(line) > mostExcerpt {
		if at := int(f.offset(p.Line, p.Column) - f.lines[p.Line-1]); at < len(line) {
			line = line[at:]
		}
	}
	line = strings.TrimSpace(line)
	if len(line) > mostExcerpt {
		line = strings.ToValidUTF8(line[:mostExcerpt], "") + "…"
	}
	return line
}
