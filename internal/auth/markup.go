package auth

import (
	"bytes"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

var (
	xmlTag       = lazyregexp.New(`<([\w:.-]+)((?:[^<>"']|"[^"]*"|'[^']*')*)>?`)
	xmlAttribute = lazyregexp.New(`([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')`)
)

// replaceInXML returns XML, or a part of it, in which attributes and elements with the name of a credential are
// replaced. The whole content of an element is replaced, including elements and CDATA sections.
func replaceInXML(body []byte, with func(string) string) []byte {
	var out []byte
	copied := 0
	replace := func(from, to int, value []byte) {
		out = append(append(out, body[copied:from]...), with(string(value))...)
		copied = to
	}
	for at := 0; ; {
		m := xmlTag.Get().FindSubmatchIndex(body[at:])
		if m == nil {
			break
		}
		name, attributes, end := body[at+m[2]:at+m[3]], at+m[4], at+m[1]
		for _, a := range xmlAttribute.Get().FindAllSubmatchIndex(body[attributes:at+m[5]], -1) {
			from, to := attributes+max(a[4], a[6]), attributes+max(a[5], a[7])
			if from < to && IsSecretName(string(body[attributes+a[2]:attributes+a[3]])) {
				replace(from, to, body[from:to])
			}
		}
		at = end
		if body[end-1] != '>' || bytes.HasSuffix(body[:end], []byte("/>")) || !IsSecretName(string(name)) {
			continue
		}
		content := body[end:]
		if closing := bytes.Index(content, append([]byte("</"), name...)); closing >= 0 {
			content = content[:closing]
		}
		value := bytes.TrimSpace(content)
		if inner, ok := bytes.CutPrefix(value, []byte("<![CDATA[")); ok {
			value = bytes.TrimSuffix(inner, []byte("]]>"))
		}
		if at += len(content); len(value) > 0 {
			replace(end, at, value)
		}
	}
	if copied == 0 {
		return body
	}
	return append(out, body[copied:]...)
}
