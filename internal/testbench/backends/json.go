package backends

import (
	"encoding/json"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// The reasons why a service refuses a JSON text.
const (
	badSyntax    = "bad syntax"
	badUTF8      = "invalid UTF-8"
	badEscape    = "a lone surrogate"
	duplicateKey = "a name appears twice in an object"
	trailing     = "something follows the value"
	tooDeep      = "too deep"
)

const maxDepth = 64 // of nested arrays and objects

// parseJSON reads one JSON value, numbers as json.Number. With duplicateKey,
// badUTF8 and trailing it still returns the value.
func parseJSON(raw string) (any, string) {
	fault := ""
	if !utf8.ValidString(raw) {
		fault = badUTF8
	}
	if loneSurrogate(raw) {
		return nil, badEscape
	}
	p := &jsonParser{decoder: json.NewDecoder(strings.NewReader(raw))}
	p.decoder.UseNumber()
	value := p.value(0)
	if p.fault != "" && p.fault != duplicateKey {
		return nil, p.fault
	}
	if fault == "" {
		fault = p.fault
	}
	if _, err := p.decoder.Token(); err != io.EOF {
		if fault == "" {
			fault = trailing
		}
	}
	return value, fault
}

type jsonParser struct {
	decoder *json.Decoder
	fault   string
}

func (p *jsonParser) value(depth int) any {
	token, err := p.decoder.Token()
	switch {
	case err != nil:
		p.fail(badSyntax)
		return nil
	case depth > maxDepth:
		p.fail(tooDeep)
		return nil
	}
	switch token {
	case json.Delim('['):
		items := []any{}
		for p.more() {
			items = append(items, p.value(depth+1))
		}
		p.close()
		return items
	case json.Delim('{'):
		object := map[string]any{}
		for p.more() {
			token, err := p.decoder.Token()
			name, ok := token.(string)
			if err != nil || !ok {
				p.fail(badSyntax)
				return nil
			}
			if _, twice := object[name]; twice && p.fault == "" {
				p.fault = duplicateKey
			}
			object[name] = p.value(depth + 1)
		}
		p.close()
		return object
	}
	return token
}

func (p *jsonParser) more() bool {
	return (p.fault == "" || p.fault == duplicateKey) && p.decoder.More()
}

func (p *jsonParser) close() {
	if _, err := p.decoder.Token(); err != nil {
		p.fail(badSyntax)
	}
}

func (p *jsonParser) fail(fault string) {
	if p.fault == "" || p.fault == duplicateKey {
		p.fault = fault
	}
}

var surrogates = regexp.MustCompile(`\\(?:[^u]|u[0-9a-fA-F]{4})`)

// loneSurrogate finds an escaped surrogate without its other half, which no
// UTF-8 can carry.
func loneSurrogate(raw string) bool {
	if !strings.Contains(raw, `\u`) {
		return false
	}
	high := -1 // where an escaped high surrogate ended
	for _, at := range surrogates.FindAllStringIndex(raw, -1) {
		escape := strings.ToLower(raw[at[0]:at[1]])
		isHigh := len(escape) == 6 && escape[2] == 'd' && strings.IndexByte("89ab", escape[3]) >= 0
		isLow := len(escape) == 6 && escape[2] == 'd' && strings.IndexByte("cdef", escape[3]) >= 0
		if isLow != (high == at[0]) {
			return true
		}
		high = -1
		if isHigh {
			high = at[1]
		}
	}
	return high >= 0
}
