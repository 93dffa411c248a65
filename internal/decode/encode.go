package decode

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// ErrOmitted is what Encode says of a value that a style writes by leaving the
// parameter out: an empty list or object.
var ErrOmitted = errors.New("an empty value is written by leaving the parameter out")

// Encode writes a parameter's value in its style, the inverse of decoding: for
// a path the text of the template's variable, for a query its name=value pairs
// joined by "&", for a header the field's value, for a cookie its pairs joined
// by "; ". A value that the style cannot hold is an error.
func Encode(p *spec.Parameter, value any) (string, error) {
	bound := bindStyle(p)
	text, err := bound.encode(value)
	if err != nil {
		return "", fmt.Errorf("%s parameter %q: %w", p.In, p.Name, err)
	}
	return text, nil
}

func (p *param) encode(value any) (string, error) {
	if p.content != nil {
		return p.encodeContent(value)
	}
	var text string
	var err error
	switch v := value.(type) {
	case []any:
		text, err = p.encodeArray(v)
	case map[string]any:
		text, err = p.encodeObject(v)
	default:
		if text, err = p.encodeText(value, ""); err == nil {
			text = p.prefix(text)
		}
	}
	if err == nil && text == "" && p.in == exchange.InPath {
		return "", errors.New("an empty text is no part of a path")
	}
	// "." and ".." have a meaning of their own (RFC 3986 section 3.3)
	if p.in == exchange.InPath && strings.Trim(text, ".") == "" {
		if p.style == label {
			return text, err
		}
		text = strings.ReplaceAll(text, ".", "%2E")
	}
	return text, err
}

func (p *param) encodeContent(value any) (string, error) {
	var text string
	switch {
	case p.content.IsJSON():
		text = string(jsontext.Append(nil, value))
	case isForm(p.content):
		var err error
		if text, err = newForm(p.content, shapeOf(p.content.Schema)).encode(value); err != nil || p.querystring {
			return text, err
		}
	default:
		var err error
		if text, err = scalarText(value); err != nil {
			return "", err
		}
	}
	if p.escape == raw && !sendable(text, p.in, "") {
		return "", fmt.Errorf("%q cannot stand in a %s", text, p.in)
	}
	text = p.escape.encode(text, false, "")
	if p.in == exchange.InQuery && p.querystring || p.in == exchange.InHeader || p.in == exchange.InPath {
		return text, nil
	}
	return p.escape.encode(p.name, false, "") + "=" + text, nil
}

func (p *param) encodeArray(array []any) (string, error) {
	if p.style == deepObject {
		return p.encodeDeep(array)
	}
	repeats := p.explode && p.style.repeats
	if len(array) == 0 {
		if repeats && p.style == form {
			return "", ErrOmitted
		}
		return p.prefix(""), nil
	}
	pieces := make([]string, len(array))
	for i, element := range array {
		text, err := p.encodeText(element, p.delimiter())
		if err != nil {
			return "", err
		}
		if repeats {
			text = p.escape.encode(p.name, false, "") + "=" + text
		}
		pieces[i] = text
	}
	text := strings.Join(pieces, p.delimiter())
	switch {
	case repeats:
		return p.style.lead + text, nil
	case text == "":
		return "", errors.New("a list of one empty text cannot be told from an empty list")
	}
	return p.prefix(text), nil
}

func (p *param) encodeObject(object map[string]any) (string, error) {
	spreads := p.explode && p.style.repeats // without the parameter's own name
	switch {
	case p.style == deepObject:
		return p.encodeDeep(object)
	case len(object) > 0:
	case spreads && p.style == form:
		return "", ErrOmitted
	case spreads:
		return p.style.lead, nil
	default:
		return p.prefix(""), nil
	}
	var pieces []string
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var err error
		if pieces, err = p.encodeMember(pieces, name, object[name]); err != nil {
			return "", err
		}
	}
	if len(pieces) == 0 {
		return "", ErrOmitted
	}
	text := strings.Join(pieces, p.delimiter())
	if spreads {
		return p.style.lead + text, nil
	}
	return p.prefix(text), nil
}

// encodeMember adds a property: name=value, or with explode off the two in turn. A
// list that style form explodes is a piece for each element.
func (p *param) encodeMember(pieces []string, name string, value any) ([]string, error) {
	delimiter := p.delimiter()
	between := delimiter
	if p.explode {
		between = "="
	}
	key, err := p.encodeText(name, delimiter+between)
	if err != nil {
		return nil, err
	}
	values, ok := value.([]any)
	if !ok || p.style != form || !p.explode {
		values = []any{value}
	}
	for _, value := range values {
		text, err := p.encodeText(value, delimiter)
		if err != nil {
			return nil, err
		}
		if p.explode && p.style == form && key == "" && text == "" {
			return nil, errors.New("a property without name and value cannot be written")
		}
		pieces = append(pieces, key+between+text)
	}
	return pieces, nil
}

// encodeDeep writes name[a][b]=value.
func (p *param) encodeDeep(value any) (string, error) {
	var pieces []string
	var walk func(name string, depth int, value any) error
	walk = func(name string, depth int, value any) error {
		switch v := value.(type) {
		case map[string]any:
			if len(v) == 0 || depth == maxBrackets {
				return ErrOmitted
			}
			for _, key := range slices.Sorted(maps.Keys(v)) {
				if key == "" || strings.ContainsAny(key, "[]") || !utf8.ValidString(key) {
					return fmt.Errorf("property %q cannot stand in brackets", key)
				}
				if err := walk(name+"["+p.escape.encode(key, false, "")+"]", depth+1, v[key]); err != nil {
					return err
				}
			}
		case []any:
			if len(v) == 0 || depth == maxBrackets {
				return ErrOmitted
			}
			for i, element := range v {
				if err := walk(name+"["+strconv.Itoa(i)+"]", depth+1, element); err != nil {
					return err
				}
			}
		default:
			text, err := p.encodeText(value, "&")
			if err != nil {
				return err
			}
			pieces = append(pieces, name+"="+text)
		}
		return nil
	}
	if err := walk(p.escape.encode(p.name, false, ""), 0, value); err != nil {
		return "", err
	}
	return strings.Join(pieces, "&"), nil
}

// encodeText writes a value that must not look like one of the delimiters.
func (p *param) encodeText(value any, delimiters string) (string, error) {
	text, err := scalarText(value)
	switch value.(type) {
	case map[string]any, []any: // nested, where the specification has no form: JSON
		text, err = string(jsontext.Append(nil, value)), nil
	}
	if err != nil {
		return "", err
	}
	if p.escape == raw {
		if !sendable(text, p.in, delimiters) {
			return "", fmt.Errorf("%q cannot stand in a %s", text, p.in)
		}
		return text, nil
	}
	if s := p.style.separators; s != nil && delimiters != "" && strings.Contains(text, s[0]) {
		return "", fmt.Errorf("%q holds the delimiter of its style", text)
	}
	if p.in == exchange.InPath {
		encoded := p.escape.encode(text, p.reserved, "/?#[]@;,=.")
		if strings.Contains(delimiters, ".") {
			encoded = strings.ReplaceAll(encoded, ".", "%2E")
		}
		return encoded, nil
	}
	return p.escape.encode(text, p.reserved, "&#+[],;"), nil
}

// sendable reports whether text can stand unescaped in a header field (RFC
// 9110 section 5.5) or a cookie (RFC 6265 section 4.1.1).
func sendable(text, in, delimiters string) bool {
	if in == exchange.InCookie {
		delimiters += "\",;\\ "
	}
	for i := range len(text) {
		if c := text[i]; c < ' ' && c != '\t' || c == 0x7f || strings.IndexByte(delimiters, c) >= 0 {
			return false
		}
	}
	return strings.Trim(text, " \t") == text && utf8.ValidString(text)
}

func scalarText(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "null", nil
	case bool:
		return strconv.FormatBool(v), nil
	case string:
		if !utf8.ValidString(v) {
			return "", errors.New("text is not UTF-8")
		}
		return v, nil
	case json.Number:
		return v.String(), nil
	case int:
		return strconv.Itoa(v), nil
	case int64:
		return strconv.FormatInt(v, 10), nil
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64), nil
	}
	return "", errors.New("a list or an object within another has no form in this style")
}
