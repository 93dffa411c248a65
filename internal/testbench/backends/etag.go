package backends

import (
	"net/http"
	"strings"
)

// etag is the entity tag of an item's version.
func (c *call) etag(i *item) string {
	if c.s.has("etag-never-changes") {
		return `"` + i.id + `"`
	}
	return `"` + i.id + "-" + string(text(i.values["version"])) + `"`
}

func (c *call) tag(i *item) {
	switch {
	case c.has("without-etag"):
	case c.has("with-bare-etag"):
		c.set("ETag", strings.Trim(c.etag(i), `"`))
	default:
		c.set("ETag", c.etag(i))
	}
}

// lists reports whether a list of entity tags has one; weak ones count only
// where weak is set (RFC 9110 section 8.8.3.2).
func lists(header, tag string, weak bool) bool {
	for one := range strings.SplitSeq(header, ",") {
		one = strings.TrimSpace(one)
		if weak {
			one = strings.TrimPrefix(one, "W/")
		}
		if one == "*" || one == tag {
			return true
		}
	}
	return false
}

// matches holds If-Match to an item, or answers 412, or 428 where it is needed
// and missing.
func (c *call) matches(i *item, needed bool) bool {
	header := strings.Join(c.r.Header.Values("If-Match"), ",")
	switch {
	case header == "" && needed && !c.has("needs-no-if-match"):
		c.refuse(http.StatusPreconditionRequired, "send If-Match")
		return false
	case header == "" || lists(header, c.etag(i), false):
		return true
	case c.has("ignores-if-match"):
		return true
	case c.has("changes-before-if-match"):
		i.values = changed(i.values, "name", "changed")
	}
	c.refuse(http.StatusPreconditionFailed, "it has changed")
	return false
}

// unchanged answers 304 where If-None-Match knows the item's version.
func (c *call) unchanged(i *item) bool {
	header := strings.Join(c.r.Header.Values("If-None-Match"), ",")
	if header == "" || !lists(header, c.etag(i), true) || c.has("ignores-if-none-match") {
		return false
	}
	c.answer.status = http.StatusNotModified
	c.tag(i)
	if c.has("304-with-body") {
		c.answer.kind, c.answer.body = "application/json", text(i.values)
	}
	return true
}
