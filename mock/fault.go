package mock

import (
	"context"
	"io"
	"net"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// maxHang ends an answer that never comes, lest forgotten connections pile up.
const maxHang = 10 * time.Minute

// breakAnswer sends an answer the way a scenario's fault wants it.
func (s *Server) breakAnswer(c *fasthttp.RequestCtx, h *handled) {
	if h.fault == scenario.Malformed {
		h.answer.Body = malformed(h.answer.Body)
		writeResponse(c, &h.answer.Response)
		return
	}
	writeResponse(c, &h.answer.Response)
	body := append([]byte{}, c.Response.Body()...)
	c.Response.Header.SetContentLength(max(len(body), 2))
	head := append([]byte{}, c.Response.Header.Header()...)
	raw := c.Conn()
	c.HijackSetNoResponse(true)
	c.Hijack(func(conn net.Conn) {
		switch h.fault {
		case scenario.Reset:
			reset(raw)
		case scenario.Truncate:
			conn.Write(head)
			conn.Write(body[:len(body)/2])
		case scenario.Hang:
			end := context.AfterFunc(s.context, func() { raw.Close() })
			conn.SetReadDeadline(time.Now().Add(maxHang))
			io.Copy(io.Discard, conn)
			end()
		}
	})
}

// malformed gives a body that no JSON, XML or UTF-8 text ends like.
func malformed(body []byte) []byte { return append(append([]byte{}, body...), "\xff{<"...) }

// reset closes a connection so that the peer sees RST instead of FIN.
func reset(conn net.Conn) {
	if l := lingering(conn); l != nil {
		conn = l.Conn
	}
	if t, ok := conn.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
	conn.Close()
}
