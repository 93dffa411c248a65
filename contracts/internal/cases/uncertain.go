package cases

import (
	"encoding/json"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
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

// uncertain reports whether a draft that conforms has what programs refuse for
// good reasons which its schemas do not state: a URI without a host, a number
// with an exponent, which many programs cannot read as an integer. Where numbers
// travel as text, that is written out as far as it can be.
func (d *draft) uncertain() bool {
	for p, value := range d.values {
		if unusual(value, p.Content == nil) {
			return true
		}
	}
	return d.body != nil && unusual(d.value, !d.body.IsJSON())
}

// unusual reports whether a value has a URI without a host or a number with an
// exponent. asText says that numbers are written out where they can be.
func unusual(value any, asText bool) bool {
	for _, at := range jsonvalue.Walk(value) {
		switch v := at.(type) {
		case string:
			if hostless(v) {
				return true
			}
		case json.Number:
			if asText {
				v = decimal(v)
			}
			if strings.ContainsAny(string(v), "eE") {
				return true
			}
		}
	}
	return false
}

// hasLongAddress reports whether a draft has an e-mail address with a name longer than
// mail and DNS have room for (RFC 5321 section 4.5.3.1, RFC 1035 section 2.3.4),
// which many programs do not count: they may take it, and show it then.
func (d *draft) hasLongAddress() bool {
	for _, value := range d.values {
		if longAddress(value) {
			return true
		}
	}
	return longAddress(d.value)
}

func longAddress(value any) bool {
	for _, at := range jsonvalue.Walk(value) {
		text, ok := at.(string)
		if !ok || !strings.Contains(text, "@") {
			continue
		}
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '@' || r == '.' }) {
			if len(part) > 63 {
				return true
			}
		}
	}
	return false
}
