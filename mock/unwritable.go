package mock

import (
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// otherwise writes a body that its media type cannot hold, as XML cannot hold the
// character NUL (XML 1.0 section 2.2): in another documented media type that the
// request accepts, or else with U+FFFD for such characters.
func (x *visit) otherwise() (body []byte, contentType string, ok bool) {
	var documented *spec.Response
	if x.operation != nil {
		documented = x.operation.Response(x.response.Status)
	}
	if documented != nil {
		accept, sent := x.request.Header.Get("Accept")
		ranges := parseAccept(strings.Join(x.request.Header.Values("Accept"), ","))
		for _, media := range documented.Content {
			if media == x.media || media.Subtype == "*" || !media.Conforms(x.value) {
				continue
			}
			if q, _, _ := quality(ranges, media); q == 0 && sent && strings.TrimSpace(accept) != "" {
				continue
			}
			if body, contentType, err := x.in.producer(media).encoder().Encode(media.Concrete(), x.value); err == nil {
				return body, contentType, true
			}
		}
	}
	value := replaced(x.value)
	if !x.media.Conforms(value) {
		return nil, "", false
	}
	body, contentType, err := x.in.producer(x.media).encoder().Encode(x.concrete(x.media), value)
	return body, contentType, err == nil
}

// replaced gives a value with U+FFFD for the characters that XML cannot hold. The
// value is not changed.
func replaced(value any) any {
	switch v := value.(type) {
	case string:
		return strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
				return '\uFFFD'
			}
			return r
		}, v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = replaced(v[i])
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = replaced(member)
		}
		return object
	}
	return value
}
