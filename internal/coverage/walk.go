package coverage

import "github.com/coldframe/coldframe/internal/jsontext"

// walker reads JSON text for what a layout knows of. It judges nothing: text that is no JSON ends its way.
type walker struct {
	*jsontext.Scanner
	text  string
	marks *marks
}

// walk counts what a JSON text has of f.
func walk(text string, f *field, m *marks) {
	w := walker{jsontext.NewScanner(text), text, m}
	_ = w.value(f)
}

// value reads one value; f is nil where nothing is known of it.
func (w *walker) value(f *field) *jsontext.SyntaxError {
	var texts, others map[string]int
	var properties map[string]*field
	var item *field
	if f != nil {
		if f.point > 0 {
			w.marks.hit(f.point)
		}
		texts, others = f.texts, f.others
		properties, item = f.inside().properties, f.inside().item
	}
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
			return w.value(item)
		})
	case '"':
		text, err := w.String()
		if err == nil {
			w.marks.enum(texts[text])
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
		w.marks.enum(others[w.text[start:w.Offset()]])
	}
	return err
}
