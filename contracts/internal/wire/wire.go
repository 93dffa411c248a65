// Package wire sends requests to one origin and says what came, faults below
// HTTP's meaning included: refused connections, timeouts, garbage, bodies that
// end early or never.
//
// It writes requests and keeps connections itself, because net/http's client
// tidies away what a tester looks for: bytes after an answer without a body,
// field lines as they were sent, methods and fields that break a rule.
package wire

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Options say where requests go and within which limits.
type Options struct {
	// URL is the backend's: its origin, and a path that stands before those of
	// requests. Nothing is sent elsewhere.
	URL *url.URL
	// Timeout bounds one request from connecting to the last byte of its answer.
	// Default 10 s.
	Timeout time.Duration
	// MaxBody is the most bytes of an answer's body that are read. Default 10 MiB.
	MaxBody int64
	// Insecure takes any certificate.
	Insecure bool
	// Idle is how many connections are kept between requests. Default 16.
	Idle int
}

const (
	defaultTimeout = 10 * time.Second
	defaultMaxBody = 10 << 20
	defaultIdle    = 16
)

// Client sends requests. It is safe for concurrent use.
type Client struct {
	options Options
	address string // host:port
	prefix  string // of every path
	tls     *tls.Config
	limit   limit

	mu     sync.Mutex
	idle   []*connection
	closed bool
}

// New makes a client.
func New(o Options) (*Client, error) {
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxBody <= 0 {
		o.MaxBody = defaultMaxBody
	}
	if o.Idle <= 0 {
		o.Idle = defaultIdle
	}
	if o.URL == nil || o.URL.Host == "" {
		return nil, errors.New("a URL with a host is needed: http://localhost:8080")
	}
	c := &Client{options: o, limit: limit{o.Timeout}, prefix: strings.TrimSuffix(o.URL.EscapedPath(), "/")}
	port := o.URL.Port()
	switch o.URL.Scheme {
	case "http":
		if port == "" {
			port = "80"
		}
	case "https":
		if port == "" {
			port = "443"
		}
		c.tls = &tls.Config{ServerName: o.URL.Hostname(), InsecureSkipVerify: o.Insecure, NextProtos: []string{"http/1.1"}}
	default:
		return nil, fmt.Errorf("the scheme of a URL is http or https, not %q", o.URL.Scheme)
	}
	c.address = net.JoinHostPort(o.URL.Hostname(), port)
	return c, nil
}

// Answer is what came back.
type Answer struct {
	Response *exchange.Response // nil where nothing came that is an answer
	Fault    *Fault             // nil where HTTP itself was kept; a Response may be there beside it
	Took     time.Duration      // from connecting to the last byte
}

// Send sends a request and waits for its answer. The context's end is a fault
// as well.
func (c *Client) Send(ctx context.Context, r *exchange.Request) Answer {
	began := time.Now()
	response, fault := c.send(ctx, r)
	return Answer{Response: response, Fault: fault, Took: time.Since(began)}
}

func (c *Client) send(ctx context.Context, r *exchange.Request) (*exchange.Response, *Fault) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.options.Timeout, &c.limit)
	defer cancel()
	closed := false
	for {
		conn, err := c.connect(ctx)
		if err != nil {
			fault := connectFault(ctx, err)
			if closed && fault.Code == Unreachable {
				fault = &Fault{Code: NoAnswer, Message: "the connection was closed without an answer, and then: " + fault.Message}
			}
			return nil, fault
		}
		response, fault, again := c.exchange(ctx, conn, r)
		if !again {
			return response, fault
		}
		closed = true
	}
}

// exchange sends a request over a connection and keeps the connection where it
// can. again says that the connection was an old one, and closed without a byte:
// most likely the server had closed it before the request came.
func (c *Client) exchange(ctx context.Context, conn *connection, r *exchange.Request) (_ *exchange.Response, _ *Fault, again bool) {
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	keep := false
	defer func() {
		if stop() && keep {
			c.put(conn)
		} else {
			conn.Close()
		}
	}()
	old := conn.used
	conn.used = true
	conn.guard.bound(maxHead)
	sent := c.sending(conn, r)
	if _, err := conn.reader.Peek(1); err != nil {
		if old && ctx.Err() == nil && !timedOut(err) {
			return nil, nil, true
		}
		return nil, silence(ctx, err), false
	}
	answer, err := c.head(conn.reader, r.Method)
	if err != nil {
		return nil, headFault(ctx, err, &conn.guard), false
	}
	conn.guard.unbound()
	response := &exchange.Response{Status: answer.StatusCode, Header: fields(answer)}
	body, err := readBody(r.Method, answer, c.options.MaxBody)
	response.Body = body
	if err != nil {
		return response, bodyFault(ctx, err, len(body)), false
	}
	if int64(len(body)) > c.options.MaxBody {
		response.Body = body[:c.options.MaxBody]
		return response, &Fault{Code: TooLarge, Message: fmt.Sprintf("the body has more than %d bytes; the rest was not read", c.options.MaxBody)}, false
	}
	switching := answer.StatusCode == http.StatusSwitchingProtocols
	if extra := conn.extra(bare(r.Method, answer), answer.Close); extra > 0 && !switching {
		return response, &Fault{Code: ExtraBytes, Message: extraMessage(r.Method, answer, extra)}, false
	}
	keep = !answer.Close && sent() && !switching
	return response, nil, false
}

// largeBody is from how many bytes on a request is written while its answer is
// waited for: a server may refuse it before it has all of it.
const largeBody = 16 << 10

// sending writes a request. What it gives tells whether all was written; it may
// be called once, and not while the connection is written to without end.
func (c *Client) sending(conn *connection, r *exchange.Request) (sent func() bool) {
	c.write(conn.writer, r)
	if len(r.Body) < largeBody {
		conn.writer.Write(r.Body)
		err := conn.writer.Flush()
		return func() bool { return err == nil }
	}
	done := make(chan error, 1)
	go func() {
		conn.writer.Write(r.Body)
		done <- conn.writer.Flush()
	}()
	return func() bool {
		select {
		case err := <-done:
			return err == nil
		default: // answered before all was there
			return false
		}
	}
}

// readBody reads a body, and one byte more than the most.
func readBody(method string, answer *http.Response, most int64) ([]byte, error) {
	switch n := answer.ContentLength; {
	case n == 0, bare(method, answer):
		return nil, nil
	case n > 0 && n <= most && n <= maxAhead:
		body := make([]byte, n)
		read, err := io.ReadFull(answer.Body, body)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return body[:read], err
	}
	return io.ReadAll(io.LimitReader(answer.Body, most+1))
}

// maxAhead is the most bytes that are made room for because an answer says so.
const maxAhead = 64 << 10

// bare reports whether an answer has no body whatever its fields say: RFC 9112
// section 6.3.
func bare(method string, answer *http.Response) bool {
	return method == "HEAD" || answer.StatusCode == http.StatusNoContent || answer.StatusCode == http.StatusNotModified
}

func extraMessage(method string, answer *http.Response, extra int) string {
	switch {
	case method == "HEAD":
		return fmt.Sprintf("the answer to a HEAD has a body; %d bytes of it had come", extra)
	case bare(method, answer):
		return fmt.Sprintf("a %d has a body; %d bytes of it had come", answer.StatusCode, extra)
	}
	return fmt.Sprintf("%d bytes follow the end of the answer", extra)
}

// head reads the head of the final answer.
func (c *Client) head(reader *bufio.Reader, method string) (*http.Response, error) {
	request := http.Request{Method: method}
	for range maxInterim {
		answer, err := http.ReadResponse(reader, &request)
		if err != nil || answer.StatusCode >= 200 || answer.StatusCode == http.StatusSwitchingProtocols {
			return answer, err
		}
	}
	return nil, errors.New("interim answers without end")
}

// maxInterim is how many 1xx answers may come before the final one.
const maxInterim = 8

// write writes the head of a request. Host and Content-Length are added where the
// request does not have them.
func (c *Client) write(w *bufio.Writer, r *exchange.Request) {
	w.WriteString(r.Method)
	w.WriteByte(' ')
	w.WriteString(c.Target(r))
	w.WriteString(" HTTP/1.1\r\n")
	if _, ok := r.Header.Get("Host"); !ok {
		w.WriteString("Host: " + c.options.URL.Host + "\r\n")
	}
	for _, f := range r.Header {
		w.WriteString(f.Name)
		w.WriteString(": ")
		w.WriteString(oneLine.Replace(f.Value))
		w.WriteString("\r\n")
	}
	if _, ok := r.Header.Get("Content-Length"); !ok && (len(r.Body) > 0 || r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH") {
		w.WriteString("Content-Length: ")
		w.WriteString(strconv.Itoa(len(r.Body)))
		w.WriteString("\r\n")
	}
	w.WriteString("\r\n")
}

// oneLine keeps a field's value in its line: RFC 9110 section 5.5.
var oneLine = strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")

// Target gives the path and query with which a request is sent.
func (c *Client) Target(r *exchange.Request) string {
	target := c.prefix + r.Path
	if target == "" {
		target = "/"
	}
	if r.Query != "" {
		target += "?" + r.Query
	}
	return target
}

// Prefix gives the path that stands before those of requests.
func (c *Client) Prefix() string { return c.prefix }

// SetPrefix changes it. It must not be called while requests are sent.
func (c *Client) SetPrefix(prefix string) { c.prefix = prefix }

// Path gives the path of a URL reference as requests name it; "" for one that
// leads elsewhere.
func (c *Client) Path(reference string) string {
	u, err := c.options.URL.Parse(reference)
	if err != nil || u.Scheme != c.options.URL.Scheme || u.Host != c.options.URL.Host {
		return ""
	}
	path, ok := strings.CutPrefix(u.EscapedPath(), c.prefix)
	if !ok || !strings.HasPrefix(path, "/") {
		return ""
	}
	return path
}

// Base gives what stands before the paths of requests: http://localhost:8080/v1.
func (c *Client) Base() string {
	return c.options.URL.Scheme + "://" + c.options.URL.Host + c.prefix
}

// fields copies the field lines of an answer, sorted by name.
func fields(answer *http.Response) exchange.Header {
	header := make(exchange.Header, 0, len(answer.Header)+1)
	for name, values := range answer.Header {
		for _, value := range values {
			header = append(header, exchange.Field{Name: name, Value: value})
		}
	}
	if len(answer.TransferEncoding) > 0 {
		header = append(header, exchange.Field{Name: "Transfer-Encoding", Value: strings.Join(answer.TransferEncoding, ", ")})
	}
	return sorted(header)
}
