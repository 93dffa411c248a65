package formats

import (
	"errors"
	"net/netip"
	"strings"
	"unicode/utf8"
)

const (
	unreserved = "-._~"
	subDelims  = "!$&'()*+,;="
)

var (
	errCharacter = errors.New("a character is not allowed there")
	errAuthority = errors.New("the authority is malformed")
	errTemplate  = errors.New("an expression is malformed")
)

// uriText validates URIs (RFC 3986 appendix A). iri also allows the characters of RFC 3987 section 2.2, relative also
// references without a scheme.
func uriText(iri, relative bool) func(any) error {
	return func(v any) error {
		if text, ok := v.(string); ok && !isPlainURL(text) {
			return checkURI(text, iri, relative)
		}
		return nil
	}
}

func checkURI(text string, iri, relative bool) error {
	rest, fragment, _ := strings.Cut(text, "#")
	rest, query, _ := strings.Cut(rest, "?")
	if colon := strings.IndexByte(rest, ':'); colon >= 0 && !strings.Contains(rest[:colon], "/") {
		if !isScheme(rest[:colon]) {
			return errors.New("the scheme is malformed")
		}
		rest = rest[colon+1:]
	} else if !relative {
		return errors.New("it has no scheme")
	}
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		authority, _, _ := strings.Cut(after, "/")
		if !isAuthority(authority, iri) {
			return errAuthority
		}
		rest = after[len(authority):]
	}
	isPrivate := func(r rune) bool { return iri && r >= 0xE000 }
	if !consists(rest, subDelims+":@/", iri, nil) || !consists(query, subDelims+":@/?", iri, isPrivate) ||
		!consists(fragment, subDelims+":@/?", iri, nil) {
		return errCharacter
	}
	return nil
}

// isPlainURL reports whether a text is certainly a URL: a host and a path of unescaped characters, like most URLs.
func isPlainURL(text string) bool {
	rest, ok := strings.CutPrefix(text, "https://")
	for i := range len(rest) {
		if !plainURL[rest[i]] {
			return false
		}
	}
	return ok
}

// plainURL are the characters that isPlainURL accepts.
var plainURL = func() (is [256]bool) {
	for c := range is {
		is[c] = isLetter(byte(c)) || isDigit(byte(c)) || strings.IndexByte("-._~/", byte(c)) >= 0
	}
	return is
}()

func isScheme(text string) bool {
	for i := range len(text) {
		if !isLetter(text[i]) && (i == 0 || !isDigit(text[i]) && !strings.ContainsRune("+-.", rune(text[i]))) {
			return false
		}
	}
	return text != ""
}

func isAuthority(text string, iri bool) bool {
	user, host, ok := strings.Cut(text, "@")
	if !ok {
		user, host = "", text
	}
	port := ""
	if literal, isLiteral := strings.CutPrefix(host, "["); isLiteral {
		address, after, closed := strings.Cut(literal, "]")
		ip, err := netip.ParseAddr(address)
		if isFuture := strings.HasPrefix(strings.ToLower(address), "v"); !closed ||
			!isFuture && (err != nil || !ip.Is6() || ip.Zone() != "") || after != "" && after[0] != ':' {
			return false
		}
		host, port = "", strings.TrimPrefix(after, ":")
	} else {
		host, port, _ = strings.Cut(host, ":")
	}
	return consists(user, subDelims+":", iri, nil) && consists(host, subDelims, iri, nil) &&
		strings.Trim(port, "0123456789") == ""
}

// consists reports whether a text has only unreserved characters, percent-encoded ones and those in others.
func consists(text, others string, iri bool, also func(rune) bool) bool {
	for i, r := range text {
		switch {
		case r == '%':
			if !isEncoded(text[i:]) {
				return false
			}
		case r < utf8.RuneSelf:
			if c := byte(r); !isLetter(c) && !isDigit(c) && !strings.ContainsRune(unreserved+others, r) {
				return false
			}
		case also != nil && also(r):
		case !iri || r < 0xA0 || r == utf8.RuneError || isOutside(r):
			return false
		}
	}
	return true
}

// isOutside reports whether a character is outside of ucschar (RFC 3987 section 2.2): private use, or not a
// character.
func isOutside(r rune) bool {
	return r >= 0xD800 && r < 0xF900 || r >= 0xFDD0 && r < 0xFDF0 || r >= 0xFFF0 && r < 0x10000 ||
		r&0xFFFE == 0xFFFE || r >= 0xE0000 && r < 0xE1000 || r >= 0xF0000
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

// isEncoded reports whether a text begins with a percent-encoded byte.
func isEncoded(text string) bool {
	return len(text) > 2 && text[0] == '%' && strings.IndexByte(hexDigits, text[1]) >= 0 &&
		strings.IndexByte(hexDigits, text[2]) >= 0
}

const hexDigits = "0123456789abcdefABCDEF"

// uriTemplate validates URI templates (RFC 6570 section 2).
func uriTemplate(v any) error {
	text, ok := v.(string)
	if !ok {
		return nil
	}
	for text != "" {
		literal, after, isExpression := strings.Cut(text, "{")
		for i, r := range literal {
			if r <= ' ' || r >= 0x7f && r < 0xA0 || strings.ContainsRune("\"<>\\^`|}", r) || r == utf8.RuneError ||
				r == '%' && !isEncoded(literal[i:]) {
				return errCharacter
			}
		}
		if !isExpression {
			return nil
		}
		expression, rest, closed := strings.Cut(after, "}")
		if expression != "" && strings.IndexByte("+#./;?&=,!@|", expression[0]) >= 0 {
			expression = expression[1:]
		}
		for name := range strings.SplitSeq(expression, ",") {
			if !closed || !isVariable(name) {
				return errTemplate
			}
		}
		text = rest
	}
	return nil
}

// isVariable reports whether a text is a variable of a template with its modifier.
func isVariable(text string) bool {
	name, length, isPrefix := strings.Cut(text, ":")
	if isPrefix && (length == "" || len(length) > 4 || length[0] == '0' || strings.Trim(length, "0123456789") != "") {
		return false
	}
	if !isPrefix {
		name = strings.TrimSuffix(name, "*")
	}
	for part := range strings.SplitSeq(name, ".") {
		if part == "" || strings.ContainsAny(part, "-~") || !consists(part, "_", false, nil) {
			return false
		}
	}
	return true
}
