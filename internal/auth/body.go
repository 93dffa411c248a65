package auth

import (
	"bytes"
	"mime"
	"strings"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

// replaceInBody gives a body in which what has the name of a credential is replaced by what with gives for it:
// parameters of forms, parts of multipart, elements and attributes of XML, and members of JSON wherever they are
// in other text, such as lines or events.
func replaceInBody(contentType string, body []byte, with func(value string) string) []byte {
	if len(body) == 0 {
		return body
	}
	kind, rest, _ := strings.Cut(contentType, ";")
	switch kind = strings.TrimSpace(kind); {
	case strings.EqualFold(kind, "application/x-www-form-urlencoded"):
		return []byte(replacePairs(string(body), "&", func(name, value string) string {
			if IsSecretName(decoded(name)) {
				return with(value)
			}
			return value
		}))
	case rest != "" && strings.EqualFold(kind[:min(len(kind), len("multipart/"))], "multipart/"):
		_, parameters, _ := mime.ParseMediaType(contentType)
		return replaceParts(body, []byte("--"+parameters["boundary"]), with)
	case strings.HasSuffix(kind, "xml") || strings.HasSuffix(kind, "XML"):
		return replaceInXML(body, with)
	}
	return replaceMembers(body, with)
}

var partName = lazyregexp.New(`(?i)\bname="?([^";\r\n]+)`)

func replaceParts(body, delimiter []byte, with func(string) string) []byte {
	parts := bytes.Split(body, delimiter)
	for i, part := range parts {
		head, content, ok := bytes.Cut(part, []byte("\r\n\r\n"))
		if !ok {
			continue
		}
		if name := partName.Get().FindSubmatch(head); name != nil && IsSecretName(string(name[1])) {
			value := with(string(bytes.TrimSuffix(content, []byte("\r\n"))))
			parts[i] = bytes.Join([][]byte{head, []byte(value + "\r\n")}, []byte("\r\n\r\n"))
		} else if replaced := replaceMembers(content, with); len(replaced) > 0 && &replaced[0] != &content[0] {
			parts[i] = bytes.Join([][]byte{head, replaced}, []byte("\r\n\r\n"))
		}
	}
	return bytes.Join(parts, delimiter)
}

var xmlValue = lazyregexp.New(`<([\w:.-]+)[^<>]*>([^<]+)<|([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`)

func replaceInXML(body []byte, with func(string) string) []byte {
	var out []byte
	end := 0
	for at := 0; ; {
		m := xmlValue.Get().FindSubmatchIndex(body[at:])
		if m == nil {
			break
		}
		next := at + m[1]
		if m[2] >= 0 {
			next = at + m[3] // its attributes are looked at as well
		}
		for _, pair := range [][2]int{{2, 4}, {6, 8}, {6, 10}} {
			name, value := pair[0], pair[1]
			if m[name] < 0 || m[value] < 0 || !IsSecretName(string(body[at+m[name]:at+m[name+1]])) {
				continue
			}
			out = append(append(out, body[end:at+m[value]]...), with(string(body[at+m[value]:at+m[value+1]]))...)
			end = at + m[value+1]
			next = max(next, end)
		}
		at = next
	}
	if end == 0 {
		return body
	}
	return append(out, body[end:]...)
}

// replaceMembers looks for members of JSON without parsing: half a body, and lines of JSON, have them as well. It goes
// from colon to colon and reads the names before them from their ends, most of which no credential has: an item of
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

// nameBefore gives the string that ends a text, without its quotes, where it may be the name of a credential.
func nameBefore(text []byte) string {
	end := len(text) - 1
	for end >= 0 && (text[end] == ' ' || text[end] == '\n' || text[end] == '\t' || text[end] == '\r') {
		end--
	}
	if end < 3 || text[end] != '"' || !mayEnd(text[end-3:end]) {
		return ""
	}
	text = text[max(0, end-longestName-1):end]
	return string(text[bytes.LastIndexByte(text, '"')+1:])
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r') {
		at++
	}
	return at
}

// endOfString gives where the quote is that ends a string, or the text's length.
func endOfString(text []byte, at int) int {
	for ; at < len(text) && text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return min(at, len(text))
}

// endOfValue gives where a value ends, and its text without quotes: "" for true, false, null and an empty string.
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
