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
		if c.owner == noField && strings.IndexByte(c.name, '%') >= 0 && f.encoded() {
			if name, wrong := percent.decode(c.name); wrong == nil {
				c.name, c.owner = name, f.owner(name)
			}
		}
	}
	for i := range dst {
		if f.joined(&dst[i]) > 0 {
			return f.split(dst), first
		}
	}
	return dst, first
}

// split cuts the cookies that hold several elements or properties.
func (f *fields) split(cookies []field) []field {
	all := make([]field, 0, 2*len(cookies))
	for _, c := range cookies {
		at := f.joined(&c)
		for ; at > 0 && len(all) < maxValues; at = f.joined(&c) {
			name, value, _ := strings.Cut(c.value[at+1:], "=")
			c.value = c.value[:at]
			all = append(all, c)
			c = field{name, value, f.owner(name), noField}
		}
		all = append(all, c)
	}
	return all
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
	if c.owner != noField {
		p := f.params[c.owner]
		if name == p.name && p.explode && p.escape != raw && p.content == nil {
			return at
		}
		return 0
	}
	for _, p := range f.params {
		if p.escape != raw && p.hasProperty(c) && p.hasProperty(&field{name: name, owner: f.owner(name)}) {
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
