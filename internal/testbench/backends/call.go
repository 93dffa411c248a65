package backends

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
)

// call is one request on its way to its answer.
type call struct {
	s         *Server
	r         *http.Request
	operation *operation
	path      []string
	role      string // whom the credentials belong to
	raw       []byte // the body
	kind      string // its media type
	value     any    // the body as a JSON value
	parts     []part // of a multipart body
	answer    answer
}

// answer is what will be sent. A nil body with a kind is an empty one.
type answer struct {
	status int
	header http.Header
	kind   string // Content-Type; "" if there is no body
	body   []byte
}

// has reports whether the operation has the fault.
func (c *call) has(lapse string) bool {
	return c.operation != nil && c.s.has(c.operation.name+"-"+lapse)
}

func (c *call) set(name, value string) {
	if c.answer.header == nil {
		c.answer.header = http.Header{}
	}
	c.answer.header.Set(name, value)
}

// reply answers with a JSON value.
func (c *call) reply(status int, value any) {
	c.answer.status, c.answer.kind, c.answer.body = status, "application/json", text(value)
}

// text writes a JSON value without escaping what needs none.
func text(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // only values that JSON has get here
	}
	return bytes.TrimSpace(b.Bytes())
}

// ServeHTTP takes a request the whole way.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{s: s, r: r}
	if c.route() && c.authenticate() && c.negotiate() && c.read() {
		s.mu.Lock()
		c.operation.handle(c)
		s.mu.Unlock()
	}
	c.distort()
	c.send(w)
}

// send writes the answer.
func (c *call) send(w http.ResponseWriter) {
	for name, values := range c.answer.header {
		w.Header()[name] = values
	}
	if c.answer.kind != "" {
		w.Header().Set("Content-Type", c.answer.kind)
	} else if c.answer.body != nil {
		w.Header()["Content-Type"] = nil // keeps net/http from guessing
	}
	bodiless := c.answer.status == http.StatusNoContent || c.answer.status == http.StatusNotModified
	if bodiless && len(c.answer.body) > 0 {
		c.sendAnyway(w)
		return
	}
	length := len(c.answer.body)
	if c.has("short-body") && length > 0 {
		length += 7
	}
	if !bodiless {
		w.Header().Set("Content-Length", strconv.Itoa(length))
	}
	w.WriteHeader(c.answer.status)
	if c.r.Method == http.MethodHead {
		return
	}
	w.Write(c.answer.body)
	if length > len(c.answer.body) {
		panic(http.ErrAbortHandler) // closes the connection before the promised end
	}
}

// sendAnyway writes a body where HTTP allows none, which net/http refuses to do.
func (c *call) sendAnyway(w http.ResponseWriter) {
	hijacker, ok := w.(http.Hijacker)
	if !ok {
		w.WriteHeader(c.answer.status)
		w.Write(c.answer.body)
		return
	}
	connection, buffer, err := hijacker.Hijack()
	if err != nil {
		return
	}
	defer connection.Close()
	buffer.WriteString("HTTP/1.1 " + strconv.Itoa(c.answer.status) + " " + http.StatusText(c.answer.status) + "\r\n")
	w.Header().Set("Content-Length", strconv.Itoa(len(c.answer.body)))
	w.Header().Write(buffer)
	buffer.WriteString("\r\n")
	buffer.Write(c.answer.body)
	buffer.Flush()
}
