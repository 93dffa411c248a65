package coverage

import (
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// walker reads JSON text and counts the points of a layout. It does not validate: it stops at invalid JSON.
type walker struct {
	*jsontext.Scanner
	text  string
	marks *marks
	parts []*Part // the next parts
}

// walk counts the points of f in a JSON text. The shared parts occur in it in this order.
func walk(text string, f *field, m *marks, parts []*Part) {
	w := walker{jsontext.NewScanner(text), text, m, parts}
	_ = w.value(f)
}

// skipCounted skips the next part if it begins here and has been counted.
func (w *walker) skipCounted() bool {
	if len(w.parts) == 0 || w.Peek() != '{' {
		return false
	}
	part := w.parts[0]
	if !strings.HasPrefix(w.text[w.Offset():], textOf(part.JSON)) {
		return false
	}
	w.parts = w.parts[1:]
	if part.isNew(w.marks) {
		return false
	}
	w.Skip(len(part.JSON))
	return true
}

// value reads one value; f is nil if it has no points.
func (w *walker) value(f *field) *jsontext.SyntaxError {
	if f != nil && f.point > 0 {
		w.marks.see(f.point)
	}
	if f == nil || w.marks.complete(f) {
		w.SkipValue()
		return nil
	}
	texts, others := f.texts, f.others
	properties, item := f.inside().properties, f.inside().item
	first, start := w.Peek(), w.Offset()
	var err *jsontext.SyntaxError
	switch first {
	case '{':
		return w.Object(func(name string, _ int) *jsontext.SyntaxError { return w.value(properties[name]) })
	case '[':
		i := 0
		return w.Array(func() *jsontext.SyntaxError {
			if i++; i > maxItems {
				return w.value(nil)
			}
			if w.skipCounted() {
				return nil
			}
			return w.value(item)
		})
	case '"':
		text, err := w.String()
		if err == nil {
			w.enum(texts[text])
		}
		return err
	case 't':
		err = w.Literal("true")
	case 'f':
		err = w.Literal("false")
	case 'n':
		err = w.Literal("null")
	default:
		_, err = w.Number()
	}
	if err == nil {
		w.enum(others[w.text[start:w.Offset()]])
	}
	return err
}

// enum counts a value of an enum; 0 means no value.
func (w *walker) enum(i int) {
	if i > 0 {
		w.marks.see(i)
	}
}
