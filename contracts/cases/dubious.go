package cases

import (
	"encoding/json"
	"strings"
)

// hostSchemes are those of URIs that have a host: RFC 9110 section 4.2.1 calls
// one without it invalid, though the syntax of RFC 3986 has room for it.
var hostSchemes = []string{"http:", "https:", "ws:", "wss:", "ftp:"}

// hostless reports whether a text is a URI that lacks the host which its scheme
// asks for.
func hostless(text string) bool {
	for _, scheme := range hostSchemes {
		if len(text) < len(scheme) || !strings.EqualFold(text[:len(scheme)], scheme) {
			continue
		}
		rest, ok := strings.CutPrefix(text[len(scheme):], "//")
		if !ok {
			return true
		}
		authority, _, _ := strings.Cut(rest, "/")
		authority, _, _ = strings.Cut(authority, "?")
		authority, _, _ = strings.Cut(authority, "#")
		if at := strings.LastIndexByte(authority, '@'); at >= 0 {
			authority = authority[at+1:]
		}
		return authority == "" || authority[0] == ':'
	}
	return false
}

// dubious reports whether a draft that conforms has what programs refuse for
// good reasons which its schemas do not state: a URI without a host, a number
// that travels as text and is not plain decimal.
func (d *draft) dubious() bool {
	found := false
	text := func(at any) {
		if v, ok := at.(string); ok {
			found = found || hostless(v)
		}
	}
	written := func(at any) {
		text(at)
		if n, ok := at.(json.Number); ok {
			found = found || strings.ContainsAny(string(decimal(n)), "eE")
		}
	}
	for p, value := range d.values {
		if p.Content == nil {
			each(value, written)
		} else {
			each(value, text)
		}
	}
	if d.body != nil {
		if d.body.IsJSON() {
			each(d.value, text)
		} else {
			each(d.value, written)
		}
	}
	return found
}
