package backends

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strings"
)

// cursorPage answers with a page of items that begins after the item that the
// cursor names.
func (c *call) cursorPage(items []*item, q map[string]any, show func(*call, *item) map[string]any) {
	limit := count(q["limit"])
	from := 0
	if cursor, has := q["cursor"].(string); has {
		plain, err := base64.RawURLEncoding.DecodeString(cursor)
		id, isOne := strings.CutPrefix(string(plain), "after:")
		if err != nil || !isOne {
			switch {
			case c.has("accepts-any-cursor"):
			case c.has("fails-on-odd-cursor"):
				c.refuse(http.StatusInternalServerError, "illegal base64 data")
				return
			default:
				c.refuse(http.StatusBadRequest, "the cursor is none of ours", problem{"cursor", "is unknown"})
				return
			}
		}
		if !c.has("ignores-cursor") {
			from = slices.IndexFunc(items, func(i *item) bool { return i.id == id }) + 1
		}
		if c.has("repeats-last-of-page") && from > 0 {
			from--
		}
		if c.has("skips-first-of-page") {
			from++
		}
	}
	if c.has("ignores-limit") {
		limit = len(items)
	}
	shown := page(items, from, limit)
	var next any
	if len(shown) > 0 && (from+limit < len(items) || c.has("never-ends")) {
		next = base64.RawURLEncoding.EncodeToString([]byte("after:" + shown[len(shown)-1].id))
	}
	if c.has("ends-after-first-page") {
		next = nil
	}
	body := map[string]any{
		"data": bodies(shown, func(i *item) map[string]any { return show(c, i) }),
		"next": next,
	}
	if c.has("lacks-next-at-end") && next == nil {
		delete(body, "next")
	}
	if c.has("writes-empty-next") && next == nil {
		body["next"] = 0
	}
	c.reply(http.StatusOK, body)
}
