package backends

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strings"
)

// readXML reads an XML body of one level: attributes and elements become
// properties, elements that stand twice arrays of strings; the root's name is
// kept as the property "". It answers 400 for text that is not XML.
func (c *call) readXML() bool {
	object, err := parseXML(c.raw)
	switch {
	case err == nil:
		c.value = object
		return true
	case c.has("fails-on-malformed"):
		c.refuse(http.StatusInternalServerError, "unexpected end of file")
	case c.has("accepts-malformed") && object != nil:
		c.value = object
		return true
	default:
		c.refuse(http.StatusBadRequest, "the body is no XML")
	}
	return false
}

// parseXML returns what it has read so far along with an error.
func parseXML(raw []byte) (map[string]any, error) {
	decoder := xml.NewDecoder(bytes.NewReader(raw))
	var object map[string]any
	depth, name := 0, ""
	var inner strings.Builder
	for {
		token, err := decoder.Token()
		switch {
		case err == io.EOF && depth == 0 && object != nil:
			return object, nil
		case err != nil:
			return object, err
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, errors.New("document types are not read")
		case xml.StartElement:
			depth++
			switch {
			case depth == 1 && object == nil:
				object = map[string]any{"": t.Name.Local}
				for _, a := range t.Attr {
					if a.Name.Local != "xmlns" && a.Name.Space != "xmlns" {
						object["@"+a.Name.Local] = a.Value
					}
				}
			case depth == 2:
				name = t.Name.Local
				inner.Reset()
			default:
				return object, errors.New("too deep")
			}
		case xml.CharData:
			switch {
			case depth == 2:
				inner.Write(t)
			case strings.TrimSpace(string(t)) != "":
				return object, errors.New("text between elements")
			}
		case xml.EndElement:
			if depth == 2 {
				items, _ := object[name].([]any)
				object[name] = append(items, inner.String())
			}
			depth--
		}
	}
}

// lone takes the only element of a name.
func lone(rules ...rule) rule {
	inner := all(rules...)
	return func(k *check, at string, value any) any {
		if items, ok := value.([]any); ok {
			if len(items) != 1 {
				k.report("", at, "stands twice")
				return value
			}
			value = items[0]
		}
		return inner(k, at, value)
	}
}

// repeated takes one text or several.
func repeated(rules ...rule) rule {
	inner := all(rules...)
	return func(k *check, at string, value any) any {
		if s, ok := value.(string); ok {
			value = []any{s}
		}
		return inner(k, at, value)
	}
}

// element writes an object as XML: names that begin with "@" are attributes.
func element(name string, object map[string]any, names ...string) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header + "<" + name)
	for _, n := range names {
		if attribute, ok := strings.CutPrefix(n, "@"); ok && object[attribute] != nil {
			b.WriteString(" " + attribute + `="`)
			xml.EscapeText(&b, []byte(plainText(object[attribute])))
			b.WriteString(`"`)
		}
	}
	b.WriteString(">")
	for _, n := range names {
		if strings.HasPrefix(n, "@") || object[n] == nil {
			continue
		}
		items, several := object[n].([]any)
		if !several {
			items = []any{object[n]}
		}
		for _, one := range items {
			b.WriteString("<" + n + ">")
			xml.EscapeText(&b, []byte(plainText(one)))
			b.WriteString("</" + n + ">")
		}
	}
	b.WriteString("</" + name + ">")
	return b.Bytes()
}

func plainText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return string(v)
	}
	return string(text(value))
}
