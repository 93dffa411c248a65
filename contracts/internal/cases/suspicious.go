package cases

import (
	"encoding/json"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// all returns the values of a draft and what is in them. asText says that numbers are
// written out if they can be.
func (d *draft) all() iter.Seq2[any, bool] {
	return func(yield func(value any, asText bool) bool) {
		for p, value := range d.values {
			for _, at := range jsonvalue.Walk(value) {
				if !yield(at, p.Content == nil) {
					return
				}
			}
		}
		for _, at := range jsonvalue.Walk(d.value) {
			if !yield(at, d.body != nil && !d.body.IsJSON()) {
				return
			}
		}
	}
}

// uncertain reports whether a draft that conforms has what programs refuse for good reasons which its schemas
// do not state: a URI without a host, a number with an exponent, which many programs cannot read as an
// integer. If numbers travel as text, it is written without an exponent if possible.
func (d *draft) uncertain() bool {
	for value, asText := range d.all() {
		switch v := value.(type) {
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

// hostSchemes are the schemes of URIs that have a host: RFC 9110 section 4.2.1 calls
// one without it invalid, though the syntax of RFC 3986 has room for it.
var hostSchemes = []string{"http", "https", "ws", "wss", "ftp"}

func hostless(text string) bool {
	u, err := url.Parse(text)
	return err == nil && slices.Contains(hostSchemes, u.Scheme) && u.Hostname() == ""
}

// oftenRefused reports whether a conforming draft contains what many programs refuse for
// good reasons that documents do not state: names that the document does not
// know, NUL, foreign letters in addresses, numbers beyond machine words.
func (d *draft) oftenRefused() bool {
	for value := range d.all() {
		switch v := value.(type) {
		case string:
			isForeign := func(r rune) bool { return r < '!' || r > '~' || strings.ContainsRune("\"'`<>\\^{|}", r) }
			if strings.Contains(v, "\x00") || strings.ContainsAny(v, ":@") && strings.ContainsFunc(v, isForeign) {
				return true
			}
		case json.Number:
			text := v.String()
			_, err := strconv.ParseInt(text, 10, 64)
			if err != nil && !strings.ContainsAny(text, ".eE") || strings.Contains(text, "308") {
				return true
			}
		case map[string]any:
			for name := range v {
				if strings.HasPrefix(name, unknownPrefix) {
					return true
				}
			}
		}
	}
	return false
}

// hasLongAddress reports whether a draft has an e-mail address with a name longer than
// mail and DNS have room for (RFC 5321 section 4.5.3.1, RFC 1035 section 2.3.4),
// which many programs do not count: they may take it, and show it then.
func (d *draft) hasLongAddress() bool {
	for value := range d.all() {
		text, ok := value.(string)
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
