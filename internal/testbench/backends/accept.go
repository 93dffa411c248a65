package backends

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// negotiate picks the media type of the answer by Accept (RFC 9110 section
// 12.5.1), or answers 406.
func (c *call) negotiate() bool {
	header := strings.Join(c.r.Header.Values("Accept"), ",")
	if len(c.operation.produces) == 0 {
		return true
	}
	c.answer.kind = c.operation.produces[0]
	if header == "" || c.has("ignores-accept") {
		return true
	}
	best, found := 0.0, false
	for _, kind := range c.operation.produces {
		if q := quality(header, kind); q > best {
			best, found = q, true
			c.answer.kind = kind
		}
	}
	if !found && !c.has("serves-the-unacceptable") {
		c.refuse(http.StatusNotAcceptable, "there is "+strings.Join(c.operation.produces, " and "))
		return false
	}
	return true
}

// quality is what an Accept header thinks of a media type, by its most
// specific range.
func quality(header, kind string) float64 {
	q, specific := 0.0, -1
	main, _, _ := strings.Cut(kind, "/")
	for part := range strings.SplitSeq(header, ",") {
		name, params, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		rank := map[string]int{"*/*": 0, main + "/*": 1, kind: 2}
		r, fits := rank[name]
		if !fits || r < specific {
			continue
		}
		q, specific = 1, r
		if text, has := params["q"]; has {
			q, _ = strconv.ParseFloat(text, 64)
		}
	}
	return q
}
