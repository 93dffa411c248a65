package mock

import (
	"bufio"
	"errors"
	"net"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
)

// maxHeader is the most bytes that the fields of a request may have; tokens and
// cookies of real browsers outgrow fasthttp's 4 KiB.
const maxHeader = 64 << 10

// maxRequestLine is the room for the request line beside them.
const maxRequestLine = 8 << 10

// ioTimeout is how long a client may take to send a request or to take an
// answer.
const ioTimeout = 2 * time.Minute

// front is the web framework's side of the server. Fiber reuses its buffers,
// so everything that leaves this file is a copy.
type front struct {
	app *fiber.App
}

func newFront(s *Server, serve fasthttp.RequestHandler, failed fiber.ErrorHandler) *front {
	app := fiber.New(fiber.Config{
		DisableStartupMessage:        true,
		ReadBufferSize:               maxRequestLine + maxHeader,
		BodyLimit:                    s.options.MaxBody,
		ReadTimeout:                  ioTimeout,
		WriteTimeout:                 ioTimeout,
		IdleTimeout:                  ioTimeout,
		DisablePreParseMultipartForm: true,
		ErrorHandler:                 failed,
	})
	// Fiber's router has one way to go, and refuses methods that it was not told
	// of, where a document may have any.
	app.Server().Handler = serve
	return &front{app}
}

// serve answers one request.
func (s *Server) serve(c *fasthttp.RequestCtx) {
	r := readRequest(c)
	if strings.HasPrefix(r.Path, control.Prefix) {
		writeAnswer(c, s.beside(r))
		return
	}
	h := s.exchange(r)
	if h.delay > 0 {
		s.sleep(h.delay)
	}
	if h.fault != "" {
		s.breakAnswer(c, h)
		return
	}
	if len(h.messages) > 0 {
		afterAnswer(c.Conn(), func() {
			for _, m := range h.messages {
				s.sender.Enqueue(m)
			}
		})
	}
	writeResponse(c, &h.answer.Response)
	if h.rule != nil && h.rule.Bandwidth > 0 && len(h.answer.Body) > 0 {
		conn := c.Conn()
		c.Response.ImmediateHeaderFlush = true
		c.SetBodyStream(newThrottled(h.answer.Body, h.rule.Bandwidth, func(d time.Duration) {
			conn.SetWriteDeadline(time.Now().Add(d + ioTimeout))
			s.sleep(d)
		}), len(h.answer.Body))
	}
}

// serveControl answers one request on the port of the control API.
func (s *Server) serveControl(c *fasthttp.RequestCtx) {
	writeAnswer(c, s.control.Serve(readRequest(c)))
}

func writeAnswer(c *fasthttp.RequestCtx, a control.Answer) {
	writeResponse(c, a.Response)
	if a.Stream != nil {
		writeStream(c, a.Stream)
	}
}

// wait passes the time of a delay, or less when the server stops.
func (s *Server) wait(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-s.context.Done():
	}
}

// protocolError answers what fasthttp could not read as a request. It closes
// the connection then.
func (s *Server) protocolError(c *fiber.Ctx, err error) error {
	status := abandon(c, err)
	r := readRequest(c.Context())
	if len(c.Context().Host()) == 0 { // fasthttp has thrown away what it had read
		r.Method, r.Path = "-", "-"
	}
	h := s.unread(r, status)
	writeResponse(c.Context(), &h.answer.Response)
	return nil
}

// controlError is protocolError for the port of the control API.
func (s *Server) controlError(c *fiber.Ctx, err error) error {
	writeAnswer(c.Context(), control.Unreadable(abandon(c, err)))
	return nil
}

// abandon leaves the rest of a request unread and gives the status to answer
// with.
func abandon(c *fiber.Ctx, err error) int {
	if conn := lingering(c.Context().Conn()); conn != nil {
		conn.unread = true
	}
	var known *fiber.Error
	if errors.As(err, &known) {
		return known.Code
	}
	return fiber.StatusBadRequest
}

// usualFields is how many fields most requests do not exceed.
const usualFields = 16

// readRequest copies a request out of fasthttp's buffers: one string holds the
// text of all fields.
func readRequest(c *fasthttp.RequestCtx) *exchange.Request {
	h := &c.Request.Header
	target := string(h.RequestURI())
	if !strings.HasPrefix(target, "/") { // absolute-form (RFC 9112 section 3.2.2)
		if _, after, ok := strings.Cut(target, "://"); ok {
			_, path, _ := strings.Cut(after, "/")
			target = "/" + path
		}
	}
	target, _, _ = strings.Cut(target, "#")
	r := &exchange.Request{Method: string(h.Method()), Header: make(exchange.Header, 0, usualFields)}
	r.Path, r.Query, _ = strings.Cut(target, "?")
	var text strings.Builder
	text.Grow(len(h.RawHeaders()))
	h.VisitAll(func(name, value []byte) {
		start := text.Len()
		text.Write(name)
		text.Write(value)
		field := text.String()[start:]
		r.Header = append(r.Header, exchange.Field{Name: field[:len(name)], Value: field[len(name):]})
	})
	if body := c.Request.Body(); len(body) > 0 {
		r.Body = append(make([]byte, 0, len(body)), body...)
	}
	return r
}

func writeResponse(c *fasthttp.RequestCtx, r *exchange.Response) {
	c.Response.SetStatusCode(r.Status)
	c.Response.Header.DisableNormalizing() // WWW-Authenticate and ETag as people write them
	typed := false
	for _, f := range r.Header {
		if strings.EqualFold(f.Name, "Content-Type") {
			typed = true
			c.Response.Header.SetContentType(f.Value)
			continue
		}
		c.Response.Header.Add(f.Name, f.Value)
	}
	if !typed {
		c.Response.Header.SetNoDefaultContentType(true)
	}
	c.Response.SetBodyRaw(r.Body)
}

// writeStream sends a body as it is made. Each piece is on its way when write
// returns, and the client has ioTimeout to take it.
func writeStream(c *fasthttp.RequestCtx, stream func(write func([]byte) error)) {
	conn := c.Conn()
	c.Response.ImmediateHeaderFlush = true
	c.SetConnectionClose()
	c.SetBodyStreamWriter(func(w *bufio.Writer) {
		stream(func(piece []byte) error {
			conn.SetWriteDeadline(time.Now().Add(ioTimeout))
			w.Write(piece)
			return w.Flush()
		})
	})
}

func (f *front) serve(l net.Listener) error { return f.app.Listener(l) }

func (f *front) shutdown(limit time.Duration) error { return f.app.ShutdownWithTimeout(limit) }
