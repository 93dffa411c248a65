package decode

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// cookies reads the pairs of every Cookie field (RFC 6265 section 4.2).
func (f *fields) cookies(dst []field, h exchange.Header) ([]field, *fault) {
	var first *fault
	for i := range h {
		if !strings.EqualFold(h[i].Name, "Cookie") {
			continue
		}
		var wrong *fault
		if dst, wrong = f.parse(dst, h[i].Value, ';', raw); wrong != nil && first == nil {
			first = wrong
		}
	}
	for i := range dst {
		c := &dst[i]
		c.value = unquote(c.value)
		if c.owner == nobody && strings.IndexByte(c.name, '%') >= 0 && f.encoded() {
			if name, wrong := percent.decode(c.name); wrong == nil {
				c.name, c.owner = name, f.owner(name)
			}
		}
	}
	for i := 0; i < len(dst) && len(dst) < maxValues; i++ {
		if at := f.joined(&dst[i]); at > 0 {
			rest := dst[i].value[at+1:]
			dst[i].value = dst[i].value[:at]
			name, value, _ := strings.Cut(rest, "=")
			dst = append(dst, field{})
			copy(dst[i+2:], dst[i+1:])
			dst[i+1] = field{name, value, f.owner(name)}
		}
	}
	return dst, first
}

// encoded reports whether names are percent-encoded: all but those of style
// cookie are.
func (f *fields) encoded() bool {
	for _, p := range f.params {
		if p.escape == raw {
			return false
		}
	}
	return true
}

// joined gives the place of an "&" in a cookie's value that begins the next
// element or property, as RFC 6570 writes what style form explodes; browsers
// send a cookie for each instead. 0 is none.
func (f *fields) joined(c *field) int {
	at := strings.IndexByte(c.value, '&')
	if at < 0 {
		return 0
	}
	name, _, ok := strings.Cut(c.value[at+1:], "=")
	if !ok {
		return 0
	}
	if c.owner != nobody {
		p := f.params[c.owner]
		if name == p.name && p.explode && p.escape != raw && p.content == nil {
			return at
		}
		return 0
	}
	for _, p := range f.params {
		if p.escape != raw && p.takes(c) && p.takes(&field{name: name, owner: f.owner(name)}) {
			return at
		}
	}
	return 0
}

// unquote takes the double quotes off a cookie's value (RFC 6265 section
// 4.1.1).
func unquote(value string) string {
	if len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' {
		return value[1 : len(value)-1]
	}
	return value
}
