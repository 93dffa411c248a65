package decode

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// ErrOmitted is the error of Encode for a value that a style represents by omitting the parameter: an empty list or
// object.
var ErrOmitted = errors.New("an empty value is written by leaving the parameter out")

// Encode writes a parameter's value in its style, the inverse of decoding. It returns, for a path, the text of the
// template's variable; for a query, name=value pairs joined by "&"; for a header, the field's value; for a cookie,
// pairs joined by "; ". The error says why the style cannot hold the value.
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
	switch value.(type) {
	case []any, map[string]any:
		text, err = p.encodeParts(value)
	default:
		if text, err = p.encodeText(value, ""); err == nil {
			text = p.prefix(text)
		}
	}
	if err == nil && text == "" && p.in == exchange.InPath {
		return "", errors.New("an empty text is no part of a path")
	}
	// "." and ".." have a special meaning in paths (RFC 3986 section 3.3)
	if p.in == exchange.InPath && p.style != label && strings.Trim(text, ".") == "" {
		text = strings.ReplaceAll(text, ".", "%2E")
	}
	return text, err
}

func (p *param) encodeContent(value any) (string, error) {
	var text string
	var err error
	switch {
	case p.content.IsJSON():
		text = string(jsontext.Append(nil, value))
	case p.content.IsJWT() && schema.TypeOf(value) == schema.Object:
		text = string(encodeJWT(p.content.Subtype, value))
	case isForm(p.content):
		text, err = newForm(p.content, shapeOf(p.content.Schema)).encode(value)
	default:
		text, err = scalarText(value)
	}
	switch {
	case err != nil || p.querystring && isForm(p.content):
		return text, err
	case p.escape == raw && !sendable(text, p.in, ""):
		return "", fmt.Errorf("%q cannot stand in a %s", text, p.in)
	}
	text = p.escape.encode(text, false, "")
	if p.in == exchange.InQuery && p.querystring || p.in == exchange.InHeader || p.in == exchange.InPath {
		return text, nil
	}
	return p.sentName() + "=" + text, nil
}

func (p *param) encodeParts(value any) (string, error) {
	if p.style == deepObject {
		return p.encodeDeep(value)
	}
	repeats := p.explode && p.style.repeats // the parameter's name precedes each element, or none
	var pieces []string
	list, isList := value.([]any)
	for _, element := range list {
		text, err := p.encodeText(element, p.delimiter())
		if err != nil {
			return "", err
		}
		if repeats {
			text = p.sentName() + "=" + text
		}
		pieces = append(pieces, text)
	}
	object, _ := value.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		var err error
		if pieces, err = p.encodeMember(pieces, name, object[name]); err != nil {
			return "", err
		}
	}
	text := strings.Join(pieces, p.delimiter())
	switch {
	case len(pieces) == 0 && (len(object) > 0 || repeats && p.style == form):
		return "", ErrOmitted
	case repeats && (len(pieces) > 0 || !isList):
		return p.style.lead + text, nil
	case len(pieces) > 0 && text == "":
		return "", errors.New("a list of one empty text cannot be told from an empty list")
	}
	return p.prefix(text), nil
}

// encodeMember adds a property: name=value, or, without explode, name and value as separate pieces. A list that style
// form explodes becomes a piece for each element.
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
	values := []any{value}
	if p.style == form && p.explode {
		values = listed(value)
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
	for tokens, inner := range jsonvalue.Walk(value) {
		name := p.sentName()
		for _, key := range tokens {
			if key == "" || strings.ContainsAny(key, "[]") || !utf8.ValidString(key) {
				return "", fmt.Errorf("property %q cannot stand in brackets", key)
			}
			name += "[" + p.escape.encode(key, false, "") + "]"
		}
		list, isList := inner.([]any)
		object, isObject := inner.(map[string]any)
		if isList || isObject {
			if len(list)+len(object) == 0 || len(tokens) == maxBrackets {
				return "", ErrOmitted
			}
			continue
		}
		text, err := p.encodeText(inner, "&")
		if err != nil {
			return "", err
		}
		pieces = append(pieces, name+"="+text)
	}
	return strings.Join(pieces, "&"), nil
}

func listed(value any) []any {
	if list, ok := value.([]any); ok {
		return list
	}
	return []any{value}
}

// encodeText writes a value that must not contain the delimiters.
func (p *param) encodeText(value any, delimiters string) (string, error) {
	text, err := nestedText(value)
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
		if strings.Contains(text, "/") && p.hasSegments() {
			segments := strings.Split(text, "/")
			for i, segment := range segments {
				segments[i] = p.escape.encode(segment, false, "")
			}
			return strings.Join(segments, "/"), nil
		}
		encoded := p.escape.encode(text, p.reserved, "/?#[]@;,=.")
		if strings.Contains(delimiters, ".") {
			encoded = strings.ReplaceAll(encoded, ".", "%2E")
		}
		return encoded, nil
	}
	return p.escape.encode(text, p.reserved, "&#+[],;"), nil
}

// nestedText writes scalars as text, and nested lists and objects, for which the specification has no form, as JSON.
func nestedText(value any) (string, error) {
	switch value.(type) {
	case map[string]any, []any:
		return string(jsontext.Append(nil, value)), nil
	}
	return scalarText(value)
}

// sendable reports whether text is valid without escaping in a header field (RFC 9110 section 5.5) or a cookie (RFC
// 6265 section 4.1.1).
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
	if text, ok := jsonvalue.Text(value); ok {
		if !utf8.ValidString(text) {
			return "", errors.New("text is not UTF-8")
		}
		return text, nil
	}
	switch value.(type) {
	case nil:
		return "null", nil
	case int, int64, float64:
		return fmt.Sprint(value), nil
	}
	return "", errors.New("a list or an object within another has no form in this style")
}
