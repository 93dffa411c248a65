package backends

import (
	"net/http"
	"net/url"
	"unicode/utf8"
)

// readForm reads application/x-www-form-urlencoded: an object of strings, and
// of arrays if a name stands twice; or answers 400.
func (c *call) readForm() bool {
	values, err := url.ParseQuery(string(c.raw))
	if err != nil {
		c.refuse(http.StatusBadRequest, "the form cannot be read")
		return false
	}
	object := map[string]any{}
	for name, texts := range values {
		for _, t := range texts {
			if !utf8.ValidString(t) {
				c.refuse(http.StatusBadRequest, "the form is no UTF-8")
				return false
			}
		}
		if len(texts) == 1 {
			object[name] = texts[0]
			continue
		}
		items := []any{}
		for _, t := range texts {
			items = append(items, t)
		}
		object[name] = items
	}
	c.value = object
	return true
}

// numeral reads the text of a number before the rules that follow.
func numeral(rules ...rule) rule {
	inner := all(rules...)
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok {
			if n, ok := jsonNumber(s); ok {
				value = n
			} else {
				k.report("", at, "must be a number")
				return value
			}
		}
		return inner(k, at, value)
	}
}
