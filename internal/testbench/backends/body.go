package backends

import (
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

const maxBody = 1 << 20 // bytes; more is answered with 413

// bodyRule is what an operation's body must be.
type bodyRule struct {
	kinds    []string // media types
	optional bool
	rule     rule // of JSON and form bodies; nil if the operation checks by itself
}

// read takes the body in: 413, 415, 400 and 422 are answered here.
func (c *call) read() bool {
	want := c.operation.body
	if want == nil {
		return true
	}
	raw, err := io.ReadAll(io.LimitReader(c.r.Body, maxBody+1))
	if err != nil {
		c.refuse(http.StatusBadRequest, "the body could not be read")
		return false
	}
	if len(raw) > maxBody {
		c.refuse(http.StatusRequestEntityTooLarge, "the body is too large")
		return false
	}
	c.raw = raw
	header := c.r.Header.Get("Content-Type")
	if len(raw) == 0 && (want.optional || header == "") {
		return want.optional && c.check() || c.empty()
	}
	kind, params, err := mime.ParseMediaType(header)
	charset, given := params["charset"]
	fits := err == nil && slices.Contains(want.kinds, kind) && c.r.Header.Get("Content-Encoding") == ""
	if given && !strings.EqualFold(charset, "utf-8") && !strings.EqualFold(charset, "us-ascii") &&
		!c.has("accepts-any-charset") || c.dislikes(header, given) {
		fits = false
	}
	if !fits {
		if !c.has("accepts-any-type") && !(strings.HasPrefix(kind, "text/") && c.has("accepts-text")) &&
			!(header == "" && c.has("accepts-no-type")) {
			c.refuse(http.StatusUnsupportedMediaType, "send "+strings.Join(want.kinds, " or "))
			return false
		}
		kind = want.kinds[0]
	}
	c.kind = kind
	switch {
	case len(raw) == 0:
		return c.empty()
	case kind == "multipart/form-data":
		return c.readParts(params["boundary"])
	case kind == "application/x-www-form-urlencoded":
		return c.readForm() && c.check()
	case kind == "application/xml":
		return c.readXML() && c.check()
	case kind == "application/octet-stream":
		return true
	case strings.HasPrefix(kind, "text/"):
		if !utf8.Valid(raw) && !c.has("accepts-invalid-utf8") {
			c.refuse(http.StatusBadRequest, "the text is no UTF-8")
			return false
		}
		c.value = string(raw)
		return c.check()
	}
	return c.readJSON() && c.check()
}

// dislikes reports whether a lapse refuses another notation of the right media type.
func (c *call) dislikes(header string, hasCharset bool) bool {
	kind, _, _ := strings.Cut(header, ";")
	return hasCharset && c.has("refuses-charset") || strings.Contains(header, `"`) && c.has("refuses-quoted-charset") ||
		kind != strings.ToLower(kind) && c.has("refuses-type-in-capitals")
}

// empty answers for a body that is needed and not there.
func (c *call) empty() bool {
	switch {
	case c.has("accepts-empty-body"):
		c.answer = answer{status: http.StatusOK, kind: "application/json", body: []byte("{}")}
	case c.has("fails-on-empty-body"):
		c.refuse(http.StatusInternalServerError, "unexpected end of input")
	default:
		c.refuse(http.StatusBadRequest, "the body is missing")
	}
	return false
}

// readJSON reads a JSON body, or answers 400.
func (c *call) readJSON() bool {
	raw := string(c.raw)
	value, fault := parseJSON(raw)
	switch {
	case fault == "":
		c.value = value
		return true
	case fault == duplicateKey && c.has("accepts-duplicate-keys"),
		fault == badUTF8 && c.has("accepts-invalid-utf8"):
		c.value = value
		return true
	case fault == trailing && c.has("accepts-trailing-text"):
		c.value = value
		return true
	case fault == badSyntax && c.has("accepts-malformed"):
		if c.value, fault = parseJSON(mend(raw)); fault == "" {
			return true
		}
		c.answer = answer{status: http.StatusOK, kind: "application/json", body: []byte("{}")}
		return false
	case c.has("fails-on-malformed"):
		c.refuse(http.StatusInternalServerError, "unexpected token")
		return false
	case fault == tooDeep && c.has("fails-on-depth"):
		c.refuse(http.StatusInternalServerError, "stack overflow")
		return false
	}
	c.refuse(http.StatusBadRequest, "the body is no JSON: "+fault)
	return false
}

// mend is what a lenient parser makes of JSON that was cut or has a comma too
// many.
func mend(raw string) string {
	raw = strings.TrimRight(strings.TrimSpace(raw), "},] \n")
	if strings.Count(raw, `"`)%2 == 1 {
		raw += `"`
	}
	return raw + strings.Repeat("]", max(0, strings.Count(raw, "[")-strings.Count(raw, "]"))) +
		strings.Repeat("}", max(0, strings.Count(raw, "{")-strings.Count(raw, "}")))
}

// check holds the body to its rule, or answers 422.
func (c *call) check() bool {
	if c.operation.body.rule == nil {
		return true
	}
	k := &check{s: c.s}
	value := c.value
	if c.raw != nil && len(c.raw) == 0 && c.operation.body.optional {
		value = map[string]any{}
	}
	c.value = c.operation.body.rule(k, "", value)
	if len(k.problems) == 1 {
		c.keepRefused(k.problems[0].Field)
	}
	return c.accept(k, http.StatusUnprocessableEntity)
}

// keepRefused keeps what is refused for one property, without that.
func (c *call) keepRefused(pointer string) {
	values, ok := c.value.(map[string]any)
	if !ok {
		return
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	switch c.operation.name + pointer {
	case "create-book/pages":
		if c.s.has("book-of-refused-pages-is-kept") {
			c.s.keepBook(c.s.collection("books"), without(values, "pages"))
		}
	case "create-member/pin":
		if c.s.has("member-of-refused-pin-is-kept") {
			c.s.keepMember(c.s.collection("members"), values)
		}
	case "create-room/rate":
		if c.s.has("room-of-refused-rate-is-kept") {
			c.s.keepRoom(without(values, "rate"))
		}
	}
}

// accept answers with the problems that were found, if there are any.
func (c *call) accept(k *check, status int) bool {
	switch {
	case k.crash != "":
		c.refuse(http.StatusInternalServerError, k.crash)
	case len(k.problems) > 0:
		c.refuse(status, "the request does not hold to the document", k.problems...)
	default:
		return true
	}
	return false
}
