package httpserver

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/coldframe/coldframe/internal/exchange"
)

const (
	maxRequestLine = 8 << 10  // bytes of the request line, beside the fields
	usualAnswer    = 32 << 10 // bytes of a single write
)

// Listen binds an address for a core, which fiber then serves; port 0 is any free one. config is for https, nil for
// http.
func Listen(c *Core, host string, port int, config *tls.Config) (*Server, error) {
	s, err := bind(c, host, port, config)
	if err != nil {
		return nil, err
	}
	app := fiber.New(fiber.Config{
		DisableStartupMessage: true,
		ReadBufferSize:        maxRequestLine + MaxHeader,
		// With fasthttp's 4 KiB a response of 22 kB takes 1.9 times the CPU of a constant one instead of 1.5.
		WriteBufferSize: usualAnswer,

		StreamRequestBody:            true, // Core.readBody reads and limits bodies
		BodyLimit:                    1,    // limits what fasthttp reads ahead, in bytes; 0 would be its default
		ReadTimeout:                  c.readTimeout(),
		WriteTimeout:                 c.readTimeout(),
		IdleTimeout:                  c.readTimeout(),
		DisablePreParseMultipartForm: true,
		ErrorHandler:                 c.serveUnread,
	})
	// Fiber's router is bypassed: there is only one handler, and it refuses unknown methods, while a document may
	// have any.
	app.Server().Handler = c.serveSocket
	s.serve, s.shutdown, s.endReading = app.Listener, app.ShutdownWithTimeout, s.conns.endReading
	return s, nil
}

// serveSocket answers one request. Fiber reuses its buffers, so everything that leaves this file is a copy.
func (c *Core) serveSocket(ctx *fasthttp.RequestCtx) {
	r, status := c.readRequest(ctx)
	defer r.Share.Release()
	if status != 0 {
		c.refuse(ctx, r, status)
		return
	}
	if t := tracked(ctx.Conn()); t != nil {
		if !t.beginAnswer() {
			ctx.SetConnectionClose()
			return
		}
		r.Work = &t.work
		r.Work.Begin(c.RequestTimeout)
	}
	a := c.serveHost(r)
	c.Pause(context.Background(), a.Delay)
	body, length := a.body()
	writeHead(ctx, a.Response)
	conn := ctx.Conn()
	switch {
	case a.Stream != nil:
		writeStream(ctx, a.Stream, c.readTimeout())
	case a.Fault == Reset || a.Fault == Truncate || a.Fault == Hang:
		c.breakOff(ctx, a.Fault, body, length)
		return
	case a.Bandwidth > 0 && length > 0:
		ctx.Response.ImmediateHeaderFlush = true
		ctx.SetBodyStream(newThrottled(body, a.Bandwidth, func(d time.Duration) {
			conn.SetWriteDeadline(time.Now().Add(d + c.readTimeout()))
			c.Pause(context.Background(), d)
		}), length)
	default:
		ctx.Response.SetBodyRaw(body)
	}
	if a.Sent != nil {
		c := tracked(conn)
		c.after = append(c.after, a.Sent)
	}
}

// serveUnread answers bytes that fasthttp could not read as a request.
func (c *Core) serveUnread(ctx *fiber.Ctx, err error) error {
	status := fiber.StatusBadRequest
	if known, ok := errors.AsType[*fiber.Error](err); ok {
		status = known.Code
	}
	r := readHead(ctx.Context())
	if len(ctx.Context().Host()) == 0 { // fasthttp has discarded what it had read
		r.Method, r.Path = "-", "-"
	}
	c.refuse(ctx.Context(), r, status)
	return nil
}

// refuse answers a request that was not read completely, and closes the connection.
func (c *Core) refuse(ctx *fasthttp.RequestCtx, r *exchange.Request, status int) {
	t := tracked(ctx.Conn())
	if !t.beginAnswer() { // the stopping server is the reason why the request is incomplete
		ctx.SetConnectionClose()
		return
	}
	t.unread = true
	a := c.Unread(r, status)
	writeHead(ctx, a.Response)
	ctx.SetConnectionClose()
	ctx.Response.SetBodyRaw(a.Response.Body)
}

// readRequest copies a request from fasthttp's buffers. status refuses it, 0 if none.
func (c *Core) readRequest(ctx *fasthttp.RequestCtx) (r *exchange.Request, status int) {
	h := &ctx.Request.Header
	r = readHead(ctx)
	switch {
	case !bytes.HasPrefix(h.Protocol(), []byte("HTTP/1.")):
		return r, fiber.StatusHTTPVersionNotSupported
	case r.Head == nil && isMalformed(h.RawHeaders()):
		return r, fiber.StatusBadRequest
	case ctx.RequestBodyStream() == nil:
		return r, 0
	}
	if err := c.readBody(r, ctx.RequestBodyStream(), int64(h.ContentLength())); err != nil {
		return r, statusOf(err)
	}
	return r, 0
}

// methodOf returns a method. It does not allocate for common ones.
func methodOf(b []byte) string {
	for _, common := range [...]string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} {
		if string(b) == common {
			return common
		}
	}
	return string(b)
}

func writeHead(ctx *fasthttp.RequestCtx, r *exchange.Response) {
	ctx.Response.SetStatusCode(r.Status)
	ctx.Response.Header.DisableNormalizing() // keep the spelling of WWW-Authenticate and ETag
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

// streamPiece limits the bytes of a streamed body per write, because fasthttp copies them.
const streamPiece = 32 << 10

// writeStream sends a body while it is produced. write returns after each piece is sent, and the client has the
// timeout to take it.
func writeStream(ctx *fasthttp.RequestCtx, stream func(write func([]byte) error), timeout time.Duration) {
	conn := ctx.Conn()
	ctx.Response.ImmediateHeaderFlush = true
	ctx.SetBodyStreamWriter(func(w *bufio.Writer) {
		stream(func(piece []byte) error {
			for part := range slices.Chunk(piece, streamPiece) {
				conn.SetWriteDeadline(time.Now().Add(timeout))
				w.Write(part)
				if err := w.Flush(); err != nil {
					return err
				}
			}
			return nil
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
