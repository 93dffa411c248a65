package backends

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// distort is the faults that an operation's answer can have whatever the
// operation is: OPERATION-LAPSE.
func (c *call) distort() {
	a := &c.answer
	good := a.status < 300
	switch {
	case !good:
		c.distortError()
		return
	case c.has("answers-200"):
		a.status = http.StatusOK
	case c.has("answers-418"):
		a.status = http.StatusTeapot
	case c.has("answers-202"):
		a.status = http.StatusAccepted
	case c.has("answers-500"):
		c.refuse(http.StatusInternalServerError, "something went wrong")
	case c.has("redirects-away"):
		*a = answer{status: http.StatusFound}
		c.set("Location", "http://elsewhere.invalid"+c.r.URL.Path)
	case c.has("sends-html"):
		a.kind, a.body = "text/html; charset=utf-8", []byte("<p>fine</p>")
	case c.has("says-text"):
		a.kind = "text/plain; charset=utf-8"
	case c.has("says-no-type"):
		a.kind = ""
	case c.has("says-latin1"):
		a.kind += "; charset=iso-8859-1"
		a.body = bytes.ReplaceAll(a.body, []byte("é"), []byte{0xe9})
	case c.has("says-gzip"):
		c.set("Content-Encoding", "gzip")
	case c.has("sends-broken-json"):
		a.body = a.body[:len(a.body)-1]
	case c.has("sends-two-values"):
		a.body = append(a.body, "{}"...)
	case c.has("sends-duplicate-key"):
		a.body = append([]byte(`{"id":null,`), a.body[1:]...)
	case c.has("sends-invalid-utf8"):
		a.body = bytes.Replace(a.body, []byte(`":"`), []byte("\":\"\xff"), 1)
	case c.has("sends-byte-order-mark"):
		a.body = append([]byte("\ufeff"), a.body...)
	case c.has("sends-nothing"):
		a.body = nil
	case c.has("204-with-body"):
		a.kind, a.body = "application/json", []byte(`{"deleted":true}`)
	case c.has("wraps"):
		a.body = []byte(`{"data":` + string(a.body) + `}`)
	case c.has("points-nowhere"):
		c.set("Location", "/nowhere/"+c.r.URL.Path[1:])
	case c.has("without-location"):
		a.header.Del("Location")
	case c.has("is-slow"):
		c.s.Wait(c.r, c.s.Slow)
	}
}

// distortError is the faults of error answers: OPERATION-STATUS-LAPSE.
func (c *call) distortError() {
	a := &c.answer
	code := strconv.Itoa(a.status)
	switch {
	case c.has(code + "-as-text"):
		a.kind, a.body = "text/plain; charset=utf-8", []byte("no")
	case c.has(code + "-as-json"):
		a.kind, a.body = "application/json", []byte(`{"error":"no"}`)
	case c.has(code + "-empty"):
		a.kind, a.body = "", nil
	case c.has(code + "-without-detail"):
		a.body = c.edit(func(o map[string]any) { delete(o, c.s.service.errors.needed) })
	case c.has(code + "-with-text-status"):
		a.body = c.edit(func(o map[string]any) { o["status"] = code })
	case c.has(code + "-with-stack"):
		a.body = c.edit(func(o map[string]any) { o["stack"] = "main.go:1" })
	case c.has(code + "-as-500"):
		a.status = http.StatusInternalServerError
	case c.has(code + "-as-200"):
		a.status = http.StatusOK
	case c.has(code + "-as-404"):
		a.status = http.StatusNotFound
	case c.has(code + "-without-challenge"):
		a.header.Del("WWW-Authenticate")
	}
}

// edit changes the object that the answer's body is.
func (c *call) edit(change func(map[string]any)) []byte {
	decoder := json.NewDecoder(bytes.NewReader(c.answer.body))
	decoder.UseNumber()
	var object map[string]any
	if decoder.Decode(&object) != nil {
		return c.answer.body
	}
	change(object)
	return text(object)
}
