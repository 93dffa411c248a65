package auth

import (
	"bytes"
	"encoding/json"
	"mime"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// maxNested limits the nesting of multipart bodies that are read.
const maxNested = 3

// replaceInBody returns a body in which values with the name of a credential are replaced by with(value): parameters
// of forms, parts of multipart, elements and attributes of XML, and members of JSON anywhere in other text, such as
// lines or events. It reads the body both as its media type and as what it looks like, because clients send forms as
// text/plain, as JSON or without a media type.
func replaceInBody(contentType string, body []byte, with func(value string) string) []byte {
	return replaceNested(contentType, body, maxNested, with)
}

func replaceNested(contentType string, body []byte, depth int, with func(value string) string) []byte {
	trimmed := bytes.TrimSpace(bytes.TrimPrefix(body, []byte("\ufeff")))
	if len(trimmed) == 0 {
		return body
	}
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	isForm := kind == "application/x-www-form-urlencoded"
	first, last := trimmed[0], trimmed[len(trimmed)-1]
	closed := first == '{' && last == '}' || first == '[' && last == ']'
	switch {
	case closed && (jsontext.IsMediaType(kind) || !isForm && json.Valid(trimmed)):
		return replaceMembers(body, with)
	case depth > 0 && (first == '-' || strings.HasPrefix(kind, "multipart/")):
		if boundary := boundaryOf(contentType, trimmed); boundary != nil {
			return replaceParts(body, boundary, depth-1, with)
		}
	case first == '<' || strings.HasSuffix(kind, "xml"):
		if body = replaceInXML(body, with); !isForm {
			return replaceMembers(body, with)
		}
	}
	return replaceMembers(replacePairsOf(body, isForm, with), with)
}

// boundaryOf returns the delimiter of a multipart body (RFC 2046 section 5.1.1): from its media type, else its first
// line; nil if none.
func boundaryOf(contentType string, body []byte) []byte {
	_, parameters, _ := mime.ParseMediaType(contentType)
	if said := []byte("--" + parameters["boundary"]); len(said) > 2 && bytes.Contains(body, said) {
		return said
	}
	line, _, _ := bytes.Cut(body, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	if len(line) < 3 || len(line) > 72 || !bytes.HasPrefix(line, []byte("--")) || bytes.ContainsAny(line, "=: ") {
		return nil
	}
	return line
}

func replaceParts(body, delimiter []byte, depth int, with func(string) string) []byte {
	parts := bytes.Split(body, delimiter)
	for i, part := range parts {
		end := "\r\n"
		head, content, ok := bytes.Cut(part, []byte("\r\n\r\n"))
		if !ok {
			end = "\n"
			head, content, ok = bytes.Cut(part, []byte("\n\n"))
		}
		if !ok {
			parts[i] = replaceNested("", part, 0, with)
			continue
		}
		value := bytes.TrimSuffix(content, []byte(end))
		var replaced []byte
		contentType, name := describe(head)
		if IsSecretName(name) {
			replaced = []byte(with(string(value)))
		} else {
			replaced = replaceNested(contentType, value, depth, with)
		}
		if len(value) > 0 && (len(replaced) == 0 || &replaced[0] != &value[0]) {
			parts[i] = slices.Concat(part[:len(part)-len(content)], replaced, content[len(value):])
		}
	}
	return bytes.Join(parts, delimiter)
}

var partName = lazyregexp.New(`(?i)\bname="?([^";\r\n]+)`)

// describe returns the media type and the name (RFC 7578 section 4.2) of a part; "" if none.
func describe(head []byte) (contentType, name string) {
	for line := range bytes.Lines(head) {
		field, value, _ := strings.Cut(strings.TrimSpace(string(line)), ":")
		switch strings.ToLower(field) {
		case "content-type":
			contentType = value
		case "content-disposition":
			_, parameters, _ := mime.ParseMediaType(value)
			name = parameters["name"]
		}
	}
	if found := partName.Get().FindSubmatch(head); name == "" && found != nil {
		name = string(found[1])
	}
	return contentType, name
}

// replaceMembers finds members of JSON without parsing, so that it also works in truncated bodies and lines of JSON.
// It searches for colons and reads the names before them backwards; most endings belong to no credential: an item of
// 22 kB takes 10 µs instead of 45.
func replaceMembers(body []byte, with func(string) string) []byte {
	var out []byte
	copied := 0
	for at := 0; ; {
		colon := bytes.IndexByte(body[at:], ':')
		if colon < 0 {
			break
		}
		at += colon + 1
		if !IsSecretName(nameBefore(body[copied : at-1])) {
			continue
		}
		value := skipSpace(body, at)
		valueEnd, secret := endOfValue(body, value)
		if secret == "" {
			continue
		}
		if replaced := with(secret); replaced != secret {
			out = append(append(append(append(out, body[copied:value]...), '"'), replaced...), '"')
			copied = valueEnd
		}
		at = valueEnd
	}
	if copied == 0 {
		return body
	}
	return append(out, body[copied:]...)
}

// nameBefore returns the string at the end of a text, without its quotes and escapes, if it may be the name of a
// credential.
func nameBefore(text []byte) string {
	end := len(text) - 1
	for end >= 0 && (text[end] == ' ' || text[end] == '\n' || text[end] == '\t' || text[end] == '\r') {
		end--
	}
	if end < 3 || text[end] != '"' || !mayEnd(text[end-3:end]) {
		return ""
	}
	text = text[max(0, end-maxEscaped-1):end]
	text = text[bytes.LastIndexByte(text, '"')+1:]
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	return unescaped(string(text))
}

// unescaped returns the value of a JSON string without its quotes; the unchanged text if it is malformed.
func unescaped(text string) string {
	var plain string
	if json.Unmarshal([]byte(`"`+text+`"`), &plain) != nil {
		return text
	}
	return plain
}

const maxEscaped = longestName * len(`\u0000`) // longest name of a credential in JSON, in bytes

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// endOfString returns the offset of the quote that ends a string, or the text's length.
func endOfString(text []byte, at int) int {
	for ; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at, len(text))
}

// endOfValue returns the end of a value, and its text without quotes: "" for true, false, null and an empty string.
func endOfValue(text []byte, at int) (end int, secret string) {
	if at >= len(text) {
		return at, ""
	}
	switch text[at] {
	case '"':
		closing := endOfString(text, at+1)
		return min(closing+1, len(text)), string(text[at+1 : closing])
	case '{', '[':
		depth := 0
		for end = at; end < len(text); end++ {
			switch text[end] {
			case '"':
				end = endOfString(text, end+1)
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return end + 1, string(text[at : end+1])
				}
			}
		}
		return len(text), string(text[at:])
	case 't', 'f', 'n':
		return at, ""
	}
	for end = at; end < len(text) && bytes.IndexByte([]byte(",]} \r\n\t"), text[end]) < 0; end++ {
	}
	return end, string(text[at:end])
}
