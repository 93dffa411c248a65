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
	s.replace(req, func(in, value string) string {
		switch in {
		case exchange.InHeader:
			for word := range strings.FieldsSeq(value) {
				sent = sent.add(word)
			}
		case exchange.InCookie:
			sent = sent.add(strings.Trim(value, ` "`))
		default:
			sent = sent.add(value)
			if decoded, err := url.QueryUnescape(value); err == nil {
				sent = sent.add(decoded)
			}
		}
		return value
	})
	return sent
}

// plain are the characters that are written the same everywhere.
const plain = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_."

// add keeps a credential with the forms it may be written in.
func (s Sent) add(value string) Sent {
	if len(value) < leastSecret || slices.Contains(s, value) {
		return s
	}
	s = append(s, value)
	if strings.Trim(value, plain) == "" {
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
		if value == h[i].Value {
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
