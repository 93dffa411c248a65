package backends

import "net/http"

// dialect is how a service writes its errors.
type dialect struct {
	kind   string // media type
	needed string // a property that every error has
	body   func(status int, detail string, problems []problem) any
}

// problemJSON is RFC 9457 with a list of problems.
var problemJSON = dialect{"application/problem+json", "title", func(status int, detail string, problems []problem) any {
	body := map[string]any{"title": http.StatusText(status), "status": status, "detail": detail}
	if len(problems) > 0 {
		var list []any
		for _, p := range problems {
			list = append(list, map[string]any{"field": p.Field, "problem": p.Problem})
		}
		body["errors"] = list
	}
	return body
}}

// refuse answers with an error.
func (c *call) refuse(status int, detail string, problems ...problem) {
	d := c.s.service.errors
	c.answer = answer{status: status, kind: d.kind}
	switch body := d.body(status, detail, problems).(type) {
	case string:
		c.answer.body = []byte(body)
	default:
		c.answer.body = text(body)
	}
}
