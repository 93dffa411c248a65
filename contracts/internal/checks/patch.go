package checks

import "github.com/coldframe/coldframe/internal/jsontext"

// isPatch reports whether a request's body is a JSON Patch (RFC 6902): whether its
// steps can be taken depends on the item, which no schema says.
func (x *Exchange) isPatch() bool {
	body, err := jsontext.Decode(string(x.Request.Body))
	steps, ok := body.([]any)
	if err != nil || !ok || len(steps) == 0 {
		return false
	}
	for _, step := range steps {
		members, _ := step.(map[string]any)
		_, does := members["op"].(string)
		_, at := members["path"].(string)
		if !does || !at {
			return false
		}
	}
	return true
}
