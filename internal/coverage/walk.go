package coverage

import (
	"bytes"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// walker reads JSON text for what a layout knows of, and passes over the rest.
// It judges nothing: text that is no JSON ends its way.
type walker struct {
	text  []byte
	at    int
	depth int
	marks *marks
}

// maxWalk is how deep objects and arrays are read that are within each other.
const maxWalk = 200

// walk counts what a JSON text has of f.
func walk(text []byte, f *field, m *marks) {
	(&walker{text: text, marks: m}).value(f)
}

// value reads one value and reports whether it could; f is nil where nothing is
// known of it.
func (w *walker) value(f *field) bool {
	if f == nil || w.depth >= maxWalk {
		return w.skip()
	}
	w.depth++
	defer func() { w.depth-- }()
	if f.point > 0 {
		w.marks.hit(f.point)
	}
	switch w.space() {
	case '{':
		if f = f.inside(); f.properties == nil {
			return w.skip()
		}
		return w.object(f)
	case '[':
		if f = f.inside(); f.item == nil {
			return w.skip()
		}
		return w.array(f)
	case '"':
		text, ok := w.str()
		if ok {
			w.marks.enum(f.texts[string(text)])
		}
		return ok
	case 0:
		return false
	}
	start := w.at
	if !w.skip() {
		return false
	}
	w.marks.enum(f.others[string(w.text[start:w.at])])
	return true
}

func (w *walker) object(f *field) bool {
	return w.each('}', func(int) bool {
		if w.space() != '"' {
			return false
		}
		name, ok := w.str()
		if !ok || w.space() != ':' {
			return false
		}
		w.at++
		return w.value(f.properties[string(name)])
	})
}

func (w *walker) array(f *field) bool {
	return w.each(']', func(i int) bool {
		if i >= maxItems {
			return w.value(nil)
		}
		return w.value(f.item)
	})
}

// each reads the members of an object or the items of an array.
func (w *walker) each(end byte, read func(i int) bool) bool {
	w.at++
	if w.space() == end {
		w.at++
		return true
	}
	for i := 0; read(i); i++ {
		c := w.space()
		if c != ',' && c != end {
			return false
		}
		w.at++
		if c == end {
			return true
		}
	}
	return false
}

// space passes white space and gives the byte that follows, 0 for none.
func (w *walker) space() byte {
	for ; w.at < len(w.text); w.at++ {
		switch c := w.text[w.at]; c {
		case ' ', '\n', '\r', '\t':
		default:
			return c
		}
	}
	return 0
}

// str reads a string, whose first byte is at hand.
func (w *walker) str() (text []byte, ok bool) {
	start := w.at
	if !w.pass() {
		return nil, false
	}
	text = w.text[start+1 : w.at-1]
	if bytes.IndexByte(text, '\\') < 0 {
		return text, true
	}
	value, err := jsontext.Decode(string(w.text[start:w.at]))
	decoded, ok := value.(string)
	return []byte(decoded), err == nil && ok
}

// pass passes over a string.
func (w *walker) pass() bool {
	for w.at++; w.at < len(w.text); {
		n := bytes.IndexByte(w.text[w.at:], '"')
		if n < 0 {
			return false
		}
		w.at += n + 1
		escapes := 0
		for i := w.at - 2; w.text[i] == '\\'; i-- {
			escapes++
		}
		if escapes%2 == 0 {
			return true
		}
	}
	return false
}

// skip passes over one value.
func (w *walker) skip() bool {
	for depth := 0; ; {
		switch w.space() {
		case 0:
			return false
		case '"':
			if !w.pass() {
				return false
			}
		case '{', '[':
			depth++
			w.at++
		case '}', ']':
			if depth--; depth < 0 {
				return false
			}
			w.at++
		case ',', ':':
			if depth == 0 {
				return false
			}
			w.at++
			continue
		default:
			w.scalar()
		}
		if depth == 0 {
			return true
		}
	}
}

// scalar passes over a number, true, false or null.
func (w *walker) scalar() {
	for w.at++; w.at < len(w.text); w.at++ {
		switch w.text[w.at] {
		case ' ', '\n', '\r', '\t', ',', ':', ']', '}', '[', '{', '"':
			return
		}
	}
}
