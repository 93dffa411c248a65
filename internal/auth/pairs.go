package auth

import "bytes"

const (
	maxPairName = 3 * longestName // bytes of the name of a credential in a form
	beforeName  = "=&;\r\n\t "
)

// replacePairsOf returns a form, or text with such pairs, in which values with the name of a credential are replaced.
// In a form of the usual media type a value ends before "&". Elsewhere it ends at the end of its line or of its quotes
// too, and goes on behind an "&" that no other pair follows: a browser writes text/plain a pair a line, unescaped
// (https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#plain-text-form-data).
func replacePairsOf(body []byte, isForm bool, with func(string) string) []byte {
	var out []byte
	copied, seen := 0, 0
	inQuotes := false // at seen
	byLine := !isForm && bytes.Contains(body, []byte("\r\n"))
	for at := 0; ; {
		equals := bytes.IndexByte(body[at:], '=')
		if equals < 0 {
			break
		}
		equals += at
		at = equals + 1
		name := pairName(body[max(copied, equals-maxPairName):equals])
		if name == "" || !IsSecretName(name) {
			continue
		}
		if line := bytes.LastIndexByte(body[seen:equals], '\n'); line >= 0 {
			seen, inQuotes = seen+line+1, false
		}
		inQuotes = inQuotes != (bytes.Count(body[seen:equals], []byte{'"'})%2 == 1)
		seen = equals
		end := endOfPair(body, at, isForm, byLine, inQuotes)
		if end > at {
			out = append(append(out, body[copied:at]...), with(string(body[at:end]))...)
			copied = end
		}
		at = end
	}
	if copied == 0 {
		return body
	}
	return append(out, body[copied:]...)
}

// pairName returns the name that ends a text, decoded, if it may be the name of a credential.
func pairName(text []byte) string {
	text = bytes.TrimRight(text, " \t")
	if len(text) < 3 || !mayEnd(text[len(text)-3:]) {
		return ""
	}
	return decoded(string(text[bytes.LastIndexAny(text, beforeName)+1:]))
}

// endOfPair returns where a value ends that begins at a place. It looks at most at one pair more.
func endOfPair(body []byte, at int, isForm, byLine, inQuotes bool) int {
	ends := "\r\n&"
	switch {
	case isForm:
		ends = "&"
	case inQuotes:
		ends += "\""
	}
	for {
		next := bytes.IndexAny(body[at:], ends)
		if next < 0 {
			return len(body)
		}
		if at += next; body[at] != '&' {
			return at
		}
		following := bytes.IndexAny(body[at+1:], ends+"=")
		if isForm || !byLine && following >= 0 && body[at+1+following] == '=' {
			return at
		}
		at++
	}
}
