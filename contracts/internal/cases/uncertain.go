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

// uncertain reports whether a draft that conforms has what programs refuse for
// good reasons which its schemas do not state: a URI without a host, a number
// with an exponent, which many programs cannot read as an integer. Where numbers
// travel as text, that is written out as far as it can be.
func (d *draft) uncertain() bool {
	found := false
	look := func(written func(json.Number) json.Number) func(any) {
		return func(at any) {
			switch v := at.(type) {
			case string:
				found = found || hostless(v)
			case json.Number:
				found = found || strings.ContainsAny(string(written(v)), "eE")
			}
		}
	}
	asIs := func(n json.Number) json.Number { return n }
	for p, value := range d.values {
		if p.Content == nil {
			each(value, look(decimal))
		} else {
			each(value, look(asIs))
		}
	}
	switch {
	case d.body == nil:
	case d.body.IsJSON():
		each(d.value, look(asIs))
	default:
		each(d.value, look(decimal))
	}
	return found
}

// hasLongAddress reports whether a draft has an e-mail address with a name longer than
// mail and DNS have room for (RFC 5321 section 4.5.3.1, RFC 1035 section 2.3.4),
// which many programs do not count: they may take it, and show it then.
func (d *draft) hasLongAddress() bool {
	found := false
	look := func(at any) {
		text, ok := at.(string)
		if !ok || !strings.Contains(text, "@") {
			return
		}
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '@' || r == '.' }) {
			found = found || len(part) > 63
		}
	}
	for _, value := range d.values {
		each(value, look)
	}
	each(d.value, look)
	return found
}
