package mock

import (
	"errors"
	"net"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/admin"
)

// maxHeader is the most bytes that the fields of a request may have; tokens and
// cookies of real browsers outgrow fasthttp's 4 KiB.
const maxHeader = 64 << 10

// front is the web framework's side of the server. Fiber reuses its buffers,
// so everything that leaves this file is a copy.
type front struct {
	app *fiber.App
}

func newFront(s *Server) *front {
	app := fiber.New(fiber.Config{
		DisableStartupMessage:        true,
		ReadBufferSize:               maxHeader,
		BodyLimit:                    s.options.MaxBody,
		ReadTimeout:                  2 * time.Minute,
		IdleTimeout:                  2 * time.Minute,
		DisablePreParseMultipartForm: true,
		StreamRequestBody:            false,
		RequestMethods:               requestMethods(s.current.Load()),
		ErrorHandler: func(c *fiber.Ctx, err error) error {
			return s.protocolError(c, err)
		},
	})
	app.Use(func(c *fiber.Ctx) error {
		r := readRequest(c.Context())
		if strings.HasPrefix(r.Path, admin.Prefix) {
			writeResponse(c.Context(), s.control.Serve(r))
			return nil
		}
		x := s.exchange(r)
		if x.delay > 0 {
			s.wait(x.delay)
		}
		if x.fault != "" {
			s.breakAnswer(c.Context(), x)
			return nil
		}
		writeResponse(c.Context(), &x.response)
		return nil
	})
	return &front{app}
}

// requestMethods are all methods that reach the pipeline; others are answered
// with 501 by fiber.
func requestMethods(c *contract) []string {
	methods := append([]string{}, fiber.DefaultMethods...)
	methods = append(methods, "QUERY", "PROPFIND", "PROPPATCH", "MKCOL", "COPY", "MOVE", "LOCK", "UNLOCK", "REPORT", "SEARCH", "LINK", "UNLINK", "PURGE", "VIEW")
	known := map[string]bool{}
	for _, m := range methods {
		known[m] = true
	}
	for _, o := range c.Operations {
		if !known[o.Method] {
			known[o.Method] = true
			methods = append(methods, o.Method)
		}
	}
	return methods
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

// protocolError answers what fasthttp could not read as a request.
func (s *Server) protocolError(c *fiber.Ctx, err error) error {
	status := fiber.StatusBadRequest
	var known *fiber.Error
	if errors.As(err, &known) {
		status = known.Code
	}
	x := &visit{Server: s, in: s.current.Load(), request: readRequest(c.Context())}
	began := time.Now()
	f := exchange.Finding{Code: "unreadable-request", Message: err.Error(), In: exchange.InRequest}
	if status == fiber.StatusRequestEntityTooLarge {
		f = exchange.Finding{Code: "body-too-large", Message: "the body is larger than " + bytesText(s.options.MaxBody), In: exchange.InBody}
		if x.route() {
			x.refuse(tooLarge, []exchange.Finding{f})
			x.validateResponse()
		}
	} else {
		x.problem(status, f)
	}
	x.finish()
	s.log.exchange(x, time.Since(began))
	writeResponse(c.Context(), &x.response)
	return nil
}

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
	r := &exchange.Request{Method: string(h.Method())}
	r.Path, r.Query, _ = strings.Cut(target, "?")
	size := 0
	count := 0
	h.VisitAll(func(name, value []byte) { size += len(name) + len(value); count++ })
	text := make([]byte, 0, size)
	h.VisitAll(func(name, value []byte) { text = append(append(text, name...), value...) })
	all := string(text)
	r.Header = make(exchange.Header, 0, count)
	h.VisitAll(func(name, value []byte) {
		r.Header = append(r.Header, exchange.Field{Name: all[:len(name)], Value: all[len(name) : len(name)+len(value)]})
		all = all[len(name)+len(value):]
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

func (f *front) serve(l net.Listener) error { return f.app.Listener(l) }

func (f *front) shutdown(limit time.Duration) error { return f.app.ShutdownWithTimeout(limit) }
