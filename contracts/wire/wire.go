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

	mu   sync.Mutex
	idle []*connection
}

// connection is one connection and what was read ahead of it.
type connection struct {
	net.Conn
	reader *bufio.Reader
	writer *bufio.Writer
	used   bool
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
	c := &Client{options: o, prefix: strings.TrimSuffix(o.URL.EscapedPath(), "/")}
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
	ctx, cancel := context.WithTimeout(ctx, c.options.Timeout)
	defer cancel()
	for {
		conn, err := c.connect(ctx)
		if err != nil {
			return nil, connectFault(ctx, err)
		}
		response, fault, again := c.exchange(ctx, conn, r)
		if !again {
			return response, fault
		}
	}
}

// exchange sends a request over a connection and keeps the connection where it
// can. again says that the connection had gone before the request reached
// anybody.
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
	stale := conn.used
	conn.used = true
	c.write(conn.writer, r)
	sent := conn.writer.Flush()
	if _, err := conn.reader.Peek(1); err != nil {
		if stale && ctx.Err() == nil && conn.reader.Buffered() == 0 {
			return nil, nil, true
		}
		if sent != nil && !errors.Is(err, io.EOF) {
			err = sent
		}
		return nil, silence(ctx, err), false
	}
	answer, err := c.head(conn.reader, r.Method)
	if err != nil {
		return nil, headFault(ctx, err), false
	}
	response := &exchange.Response{Status: answer.StatusCode, Header: fields(answer)}
	body, err := io.ReadAll(io.LimitReader(answer.Body, c.options.MaxBody+1))
	response.Body = body
	if err != nil {
		return response, bodyFault(ctx, err, len(body)), false
	}
	if int64(len(body)) > c.options.MaxBody {
		response.Body = body[:c.options.MaxBody]
		return response, &Fault{Code: TooLarge, Message: fmt.Sprintf("the body has more than %d bytes; the rest was not read", c.options.MaxBody)}, false
	}
	if extra := conn.reader.Buffered(); extra > 0 {
		return response, &Fault{Code: ExtraBytes, Message: fmt.Sprintf("%d bytes follow the end of the answer", extra)}, false
	}
	keep = !answer.Close && sent == nil && answer.StatusCode != http.StatusSwitchingProtocols
	return response, nil, false
}

// head reads the head of the final answer.
func (c *Client) head(reader *bufio.Reader, method string) (*http.Response, error) {
	for range maxInterim {
		answer, err := http.ReadResponse(reader, &http.Request{Method: method})
		if err != nil || answer.StatusCode >= 200 || answer.StatusCode == http.StatusSwitchingProtocols {
			return answer, err
		}
	}
	return nil, errors.New("interim answers without end")
}

// maxInterim is how many 1xx answers may come before the final one.
const maxInterim = 8

// write writes a request. Host and Content-Length are added where the request
// does not have them.
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
		w.WriteString(f.Value)
		w.WriteString("\r\n")
	}
	if _, ok := r.Header.Get("Content-Length"); !ok && (len(r.Body) > 0 || r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH") {
		fmt.Fprintf(w, "Content-Length: %d\r\n", len(r.Body))
	}
	w.WriteString("\r\n")
	w.Write(r.Body)
}

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
	if !ok {
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

// connect gives an idle connection, or a new one.
func (c *Client) connect(ctx context.Context) (*connection, error) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 {
		conn := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		deadline, _ := ctx.Deadline()
		conn.SetDeadline(deadline)
		return conn, nil
	}
	c.mu.Unlock()
	dialer := net.Dialer{}
	var conn net.Conn
	var err error
	if c.tls != nil {
		conn, err = (&tls.Dialer{NetDialer: &dialer, Config: c.tls}).DialContext(ctx, "tcp", c.address)
	} else {
		conn, err = dialer.DialContext(ctx, "tcp", c.address)
	}
	if err != nil {
		return nil, err
	}
	deadline, _ := ctx.Deadline()
	conn.SetDeadline(deadline)
	return &connection{Conn: conn, reader: bufio.NewReader(conn), writer: bufio.NewWriter(conn)}, nil
}

func (c *Client) put(conn *connection) {
	c.mu.Lock()
	if len(c.idle) < c.options.Idle {
		c.idle = append(c.idle, conn)
		conn = nil
	}
	c.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// Close closes the connections that are kept.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.idle {
		conn.Close()
	}
	c.idle = nil
}
