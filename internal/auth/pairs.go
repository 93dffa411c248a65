package auth

import "bytes"

const (
	maxPairName = 3 * longestName // longest name of a credential in a form, in bytes
	beforeName  = "=&;\r\n\t "
)

// replacePairsOf returns a form, or a text with name=value pairs, in which values with the name of a credential are
// replaced. In a form with the usual media type a value ends before "&". In other text it also ends at the end of its
// line or of its quotes, and it continues after an "&" that does not begin another pair, because browsers send
// text/plain forms as one unescaped pair a line
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

// pairName returns the decoded name at the end of a text, if it may be the name of a credential.
func pairName(text []byte) string {
	text = bytes.TrimRight(text, " \t")
	if len(text) < 3 || !mayEnd(text[len(text)-3:]) {
		return ""
	}
	return decoded(string(text[bytes.LastIndexAny(text, beforeName)+1:]))
}

// endOfPair returns the end of the value that begins at an offset. It looks ahead at most one pair.
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
