package httpserver

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	maxRequestLine = 8 << 10         // bytes beside the fields
	usualFields    = 16              // that most requests do not exceed
	drainTime      = 4 * time.Second // for running requests when a server stops
)

// Server serves a core on one address.
type Server struct {
	app      *fiber.App
	address  net.Addr
	listener net.Listener
	scheme   string
	idle     *idleConns
}

// Listen binds an address; port 0 is any free one. config is that of https, nil for http.
func Listen(c *Core, host string, port int, config *tls.Config) (*Server, error) {
	bound, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	s := &Server{address: bound.Addr(), scheme: "http", idle: &idleConns{}}
	s.listener = listener{bound, s.idle}
	if config != nil {
		s.listener, s.scheme = tls.NewListener(s.listener, config), "https"
	}
	s.app = fiber.New(fiber.Config{
		DisableStartupMessage:        true,
		ReadBufferSize:               maxRequestLine + MaxHeader,
		BodyLimit:                    c.MaxBody,
		ReadTimeout:                  Timeout,
		WriteTimeout:                 Timeout,
		IdleTimeout:                  Timeout,
		DisablePreParseMultipartForm: true,
		ErrorHandler:                 c.serveUnread,
	})
	// Fiber's router has one way to go, and refuses methods that it was not told
	// of, where a document may have any.
	s.app.Server().Handler = c.serveSocket
	return s, nil
}

// Addr is the address that is bound.
func (s *Server) Addr() net.Addr { return s.address }

// URL is where the server answers: http://127.0.0.1:4010. An unspecified host is given as localhost.
func (s *Server) URL() string {
	host, port, _ := net.SplitHostPort(s.address.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return s.scheme + "://" + net.JoinHostPort(host, port)
}

// Run serves until Close is called or the listener breaks.
func (s *Server) Run() error { return s.app.Listener(s.listener) }

// Close stops the server and returns when it has stopped: there are no new
// connections, and running requests have four seconds to end.
func (s *Server) Close() error {
	defer time.AfterFunc(idleTime, s.idle.end).Stop()
	err := s.app.ShutdownWithTimeout(drainTime)
	s.listener.Close() // Run may never have been called
	return err
}

// serveSocket answers one request. Fiber reuses its buffers, so everything that leaves this file is a copy.
func (c *Core) serveSocket(ctx *fasthttp.RequestCtx) {
	a := c.serveHost(readRequest(ctx))
	c.pause(context.Background(), a.Delay)
	body, length := a.body()
	writeHead(ctx, a.Response)
	conn := ctx.Conn()
	switch {
	case a.Stream != nil:
		writeStream(ctx, a.Stream)
	case a.Fault == Reset || a.Fault == Truncate || a.Fault == Hang:
		c.breakOff(ctx, a.Fault, body, length)
		return
	case a.Bandwidth > 0 && length > 0:
		ctx.Response.ImmediateHeaderFlush = true
		ctx.SetBodyStream(newThrottled(body, a.Bandwidth, func(d time.Duration) {
			conn.SetWriteDeadline(time.Now().Add(d + Timeout))
			c.pause(context.Background(), d)
		}), length)
	default:
		ctx.Response.SetBodyRaw(body)
	}
	if a.Sent != nil {
		c := tracked(conn)
		c.after = append(c.after, a.Sent)
	}
}

// serveUnread answers what fasthttp could not read as a request. It closes the connection then.
func (c *Core) serveUnread(ctx *fiber.Ctx, err error) error {
	tracked(ctx.Context().Conn()).unread = true
	status := fiber.StatusBadRequest
	if known, ok := errors.AsType[*fiber.Error](err); ok {
		status = known.Code
	}
	r := readRequest(ctx.Context())
	if len(ctx.Context().Host()) == 0 { // fasthttp has thrown away what it had read
		r.Method, r.Path = "-", "-"
	}
	a := c.Unread(r, status)
	writeHead(ctx.Context(), a.Response)
	ctx.Context().Response.SetBodyRaw(a.Response.Body)
	return nil
}

// readRequest copies a request out of fasthttp's buffers: one string holds the text of all fields.
func readRequest(ctx *fasthttp.RequestCtx) *exchange.Request {
	h := &ctx.Request.Header
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
	if body := ctx.Request.Body(); len(body) > 0 {
		r.Body = append(make([]byte, 0, len(body)), body...)
	}
	return r
}

func writeHead(ctx *fasthttp.RequestCtx, r *exchange.Response) {
	ctx.Response.SetStatusCode(r.Status)
	ctx.Response.Header.DisableNormalizing() // WWW-Authenticate and ETag as people write them
	typed := false
	for _, f := range fields(r.Header) {
		if strings.EqualFold(f.Name, "Content-Type") {
			typed = true
			ctx.Response.Header.SetContentType(f.Value)
			continue
		}
		ctx.Response.Header.Add(f.Name, f.Value)
	}
	if !typed {
		ctx.Response.Header.SetNoDefaultContentType(true)
	}
}

// writeStream sends a body as it is made. Each piece is on its way when write
// returns, and the client has Timeout to take it.
func writeStream(ctx *fasthttp.RequestCtx, stream func(write func([]byte) error)) {
	conn := ctx.Conn()
	ctx.Response.ImmediateHeaderFlush = true
	ctx.SetConnectionClose()
	ctx.SetBodyStreamWriter(func(w *bufio.Writer) {
		stream(func(piece []byte) error {
			conn.SetWriteDeadline(time.Now().Add(Timeout))
			w.Write(piece)
			return w.Flush()
		})
	})
}

func (c *Core) breakOff(ctx *fasthttp.RequestCtx, fault Fault, body []byte, length int) {
	ctx.Response.Header.SetContentLength(length)
	head := append([]byte{}, ctx.Response.Header.Header()...)
	conn := ctx.Conn()
	ctx.HijackSetNoResponse(true)
	ctx.Hijack(func(buffered net.Conn) {
		switch fault {
		case Reset:
			reset(conn)
		case Truncate:
			buffered.Write(head)
			buffered.Write(body)
		case Hang:
			end := context.AfterFunc(c.Stopped, func() { conn.Close() })
			defer end()
			buffered.SetReadDeadline(time.Now().Add(maxHang))
			io.Copy(io.Discard, buffered)
		}
	})
}
