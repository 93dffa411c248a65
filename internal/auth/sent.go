package auth

import (
	"bytes"
	"net/url"
	"slices"
	"strings"
	"unsafe"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// leastSecret is how many bytes a credential has at least that is looked for
// elsewhere: shorter ones are words that stand there anyway.
const leastSecret = 8

// Sent are the credentials of a request as they may be repeated elsewhere: as
// they came, decoded, and as JSON and queries write them.
type Sent []string

// Sent gives the credentials of a request, nil for none that are worth looking
// for.
func (s *Secrets) Sent(req *exchange.Request) Sent {
	var sent Sent
	for i := range req.Header {
		f := &req.Header[i]
		switch {
		case s.header(f.Name):
			for word := range strings.FieldsSeq(f.Value) {
				sent = sent.add(word)
			}
		case len(s.Cookies) > 0 && strings.EqualFold(f.Name, "Cookie"):
			for pair := range strings.SplitSeq(f.Value, ";") {
				if name, value, _ := strings.Cut(pair, "="); slices.Contains(s.Cookies, strings.Trim(name, " \t")) {
					sent = sent.add(strings.Trim(value, ` "`))
				}
			}
		}
	}
	if len(s.Query) == 0 || req.Query == "" {
		return sent
	}
	for pair := range strings.SplitSeq(req.Query, "&") {
		if name, value, _ := strings.Cut(pair, "="); slices.ContainsFunc(s.Query,
			func(want string) bool { return isNamed(name, want) }) {
			sent = sent.add(value)
			if decoded, err := url.QueryUnescape(value); err == nil && decoded != value {
				sent = sent.add(decoded)
			}
		}
	}
	return sent
}

// add keeps a credential with the forms it may be written in.
func (s Sent) add(value string) Sent {
	if len(value) < leastSecret || slices.Contains(s, value) {
		return s
	}
	s = append(s, value)
	if plain(value) {
		return s
	}
	quoted := string(jsontext.AppendString(nil, value))
	for _, form := range []string{quoted[1 : len(quoted)-1], url.QueryEscape(value), url.PathEscape(value)} {
		if !slices.Contains(s, form) {
			s = append(s, form)
		}
	}
	return s
}

// plain reports whether a value is written the same everywhere.
func plain(value string) bool {
	for i := range len(value) {
		switch c := value[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c == '-', c == '_', c == '.':
		default:
			return false
		}
	}
	return true
}

// Hide puts Redacted in the place of credentials.
func (s Sent) Hide(text string) string {
	for _, value := range s {
		if strings.Contains(text, value) {
			text = strings.ReplaceAll(text, value, Redacted)
		}
	}
	return text
}

// HideBytes is Hide for bytes: text itself where it has none, else a copy.
func (s Sent) HideBytes(text []byte) []byte {
	for _, value := range s {
		if bytes.Contains(text, unsafe.Slice(unsafe.StringData(value), len(value))) { // read only
			text = bytes.ReplaceAll(text, []byte(value), []byte(Redacted))
		}
	}
	return text
}

// HideHeader gives fields without credentials: the same where they have none,
// else copies.
func (s Sent) HideHeader(h exchange.Header) exchange.Header {
	copied := false
	for i := range h {
		value := s.Hide(h[i].Value)
		if len(value) == len(h[i].Value) && value == h[i].Value {
			continue
		}
		if !copied {
			h, copied = slices.Clone(h), true
		}
		h[i].Value = value
	}
	return h
}

// HideFindings gives findings without credentials: the same where they have
// none, else copies.
func (s Sent) HideFindings(findings []exchange.Finding) []exchange.Finding {
	copied := false
	for i := range findings {
		message, pointer := s.Hide(findings[i].Message), s.Hide(findings[i].Pointer)
		if message == findings[i].Message && pointer == findings[i].Pointer {
			continue
		}
		if !copied {
			findings, copied = slices.Clone(findings), true
		}
		findings[i].Message, findings[i].Pointer = message, pointer
	}
	return findings
}
