// Package wire sends requests to one origin and returns what came, with faults below HTTP's meaning: refused
// connections, timeouts, garbage, bodies that end early or never.
//
// It writes requests and keeps connections itself, because net/http's client hides what a tester looks for:
// bytes after an answer without a body, field lines as they were sent, methods and fields that break a rule.
package wire

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// Options say where requests go and within which limits.
type Options struct {
	// URL is the backend's: its origin, and a path that comes before the paths of
	// requests. Nothing is sent elsewhere.
	URL *url.URL
	// Timeout bounds one request from connecting to the last byte of its answer. Default 10 s.
	Timeout time.Duration
	// MaxBody is the most bytes of an answer's body that are read. Default 10 MiB.
	MaxBody int64
	// Insecure accepts any certificate.
	Insecure bool
	// Idle is how many connections are kept between requests. Default 16.
	Idle int
}

// Client sends requests. It is safe for concurrent use.
type Client struct {
	// Prefix is the path that comes before the paths of requests. It must not be changed while requests are sent.
	Prefix string

	options Options
	address string // host:port
	tls     *tls.Config
	timeout timeout

	mu     sync.Mutex
	idle   []*connection
	closed bool
}

// New makes a client.
func New(o Options) (*Client, error) {
	o.Timeout = cmp.Or(max(o.Timeout, 0), 10*time.Second)
	o.MaxBody = cmp.Or(max(o.MaxBody, 0), 10<<20)
	o.Idle = cmp.Or(max(o.Idle, 0), 16)
	if o.URL == nil || o.URL.Host == "" {
		return nil, errors.New("a URL with a host is needed: http://localhost:8080")
	}
	c := &Client{options: o, timeout: timeout{o.Timeout}, Prefix: strings.TrimSuffix(o.URL.EscapedPath(), "/")}
	port, ok := map[string]string{"http": "80", "https": "443"}[o.URL.Scheme]
	if !ok {
		return nil, fmt.Errorf("the scheme of a URL is http or https, not %q", o.URL.Scheme)
	}
	if o.URL.Scheme == "https" {
		c.tls = &tls.Config{ServerName: o.URL.Hostname(), InsecureSkipVerify: o.Insecure, NextProtos: []string{"http/1.1"}}
	}
	c.address = net.JoinHostPort(o.URL.Hostname(), cmp.Or(o.URL.Port(), port))
	return c, nil
}

// Result is the result of sending a request: a response, a fault, or both.
type Result struct {
	Response *exchange.Response // nil if nothing came that is a response
	Fault    *Fault             // nil if HTTP was followed
	Took     time.Duration      // from connecting to the last byte
}

// IsWhole reports whether the response is known to have ended by itself: streams are read for a while only.
func (r Result) IsWhole() bool {
	media, _ := r.Response.Header.Get("Content-Type")
	return r.Fault == nil && (!IsStream(media) || r.Took < streamTime/2 && len(r.Response.Body) < maxStream)
}

// Send sends a request and waits for its response. The context's end is a fault as well.
func (c *Client) Send(ctx context.Context, r *exchange.Request) Result {
	began := time.Now()
	prefix, isOwn := ctx.Value(ownPrefix{}).(string)
	if !isOwn {
		prefix = c.Prefix
	}
	placed := *r
	placed.Path = cmp.Or(prefix+r.Path, "/")
	response, fault := c.send(ctx, &placed)
	return Result{Response: response, Fault: fault, Took: time.Since(began)}
}

// ownPrefix is the key of a context's prefix.
type ownPrefix struct{}

// WithPrefix returns a context whose requests have another prefix than the client's.
func WithPrefix(ctx context.Context, prefix string) context.Context {
	return context.WithValue(ctx, ownPrefix{}, prefix)
}

// ownTimeout is the key of a context's timeout.
type ownTimeout struct{}

// WithTimeout returns a context whose requests have another timeout than the options'; 0 changes nothing.
func WithTimeout(ctx context.Context, limit time.Duration) context.Context {
	if limit <= 0 {
		return ctx
	}
	return context.WithValue(ctx, ownTimeout{}, &timeout{limit})
}

func (c *Client) send(ctx context.Context, r *exchange.Request) (*exchange.Response, *Fault) {
	limit := &c.timeout
	if own, ok := ctx.Value(ownTimeout{}).(*timeout); ok {
		limit = own
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit.Duration, limit)
	defer cancel()
	for retried := false; ; retried = true {
		conn, err := c.connect(ctx)
		if err != nil {
			fault := connectFault(ctx, err)
			if retried && fault.Code == Unreachable {
				fault = newFault(NoAnswer, "the connection was closed without an answer, and then: %s", fault.Message)
			}
			return nil, fault
		}
		response, fault, again := c.exchange(ctx, conn, r)
		if !again {
			return response, fault
		}
	}
}

// exchange sends a request over a connection and keeps the connection if it can. again says that a reused
// connection closed without a byte: most likely the server had closed it before the request came.
func (c *Client) exchange(ctx context.Context, conn *connection, r *exchange.Request) (_ *exchange.Response, _ *Fault,
	again bool) {
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	keep := false
	defer func() {
		if stop() && keep {
			c.put(conn)
		} else {
			conn.Close()
		}
	}()
	reused := conn.used
	conn.used = true
	conn.limiter.left = maxHead
	sent := c.write(conn, r)
	if _, err := conn.reader.Peek(1); err != nil {
		if reused && ctx.Err() == nil && !isTimeout(err) {
			return nil, nil, true
		}
		return nil, noAnswerFault(ctx, err), false
	}
	answer, err := readHead(conn.reader, r.Method)
	if err != nil {
		return nil, headFault(ctx, err, &conn.limiter), false
	}
	conn.limiter.left = unlimited
	response := &exchange.Response{Status: answer.StatusCode, Header: fields(answer)}
	if IsStream(answer.Header.Get("Content-Type")) && !isBodiless(r.Method, answer) {
		if fault := c.readStream(ctx, conn, answer, response); fault != nil {
			return response, fault, false
		}
		return response, nil, false
	}
	body, err := readBody(r.Method, answer, c.options.MaxBody)
	response.Body = body
	if err != nil {
		return response, bodyFault(ctx, err, len(body)), false
	}
	if int64(len(body)) > c.options.MaxBody {
		response.Body = body[:c.options.MaxBody]
		return response, newFault(TooLarge, "the body has more than %d bytes; the rest was not read",
			c.options.MaxBody), false
	}
	switching := answer.StatusCode == http.StatusSwitchingProtocols
	if n := conn.extraBytes(isBodiless(r.Method, answer), answer.Close); n > 0 && !switching {
		return response, extraFault(r.Method, answer, n), false
	}
	keep = !answer.Close && sent() && !switching
	return response, nil, false
}

const (
	// streamTime is how long a stream is read, at most half of the timeout.
	streamTime = time.Second
	// maxStream is how many bytes of a stream are read.
	maxStream = 64 << 10
)

// streams are media types of answers that need not end.
var streams = []string{"text/event-stream", "application/x-ndjson", "application/ndjson", "application/jsonl",
	"application/stream+json", "application/json-seq", "multipart/x-mixed-replace"}

// IsStream reports whether answers of a media type need not end.
func IsStream(mediaType string) bool {
	mediaType, _, _ = strings.Cut(strings.ToLower(mediaType), ";")
	return slices.Contains(streams, strings.TrimSpace(mediaType))
}

// readStream reads the whole lines that come from a stream for a while.
func (c *Client) readStream(ctx context.Context, conn *connection, answer *http.Response, to *exchange.Response,
) *Fault {
	conn.SetReadDeadline(time.Now().Add(min(streamTime, c.options.Timeout/2)))
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxStream))
	if ctx.Err() != nil {
		return bodyFault(ctx, err, len(body))
	}
	if isTimeout(err) || len(body) == maxStream {
		end := bytes.LastIndex(body, []byte("\n"))
		body, err = body[:end+1], nil
	}
	if to.Body = body; err != nil {
		return bodyFault(ctx, err, len(body))
	}
	return nil
}

// isBodiless reports whether an answer has no body whatever its fields say (RFC 9112 section 6.3).
func isBodiless(method string, answer *http.Response) bool {
	return method == "HEAD" || answer.StatusCode == http.StatusNoContent || answer.StatusCode == http.StatusNotModified
}

const (
	// largeBody is from how many bytes on a body is written while the answer is
	// waited for: a server may refuse it before it has all of it.
	largeBody = 16 << 10
	// maxPreallocated is the most bytes that are allocated because an answer says so.
	maxPreallocated = 64 << 10
	// maxInterim is how many 1xx answers may come before the final one.
	maxInterim = 8
)

// write writes a request. The returned function reports whether all of it was written; it may be called once.
func (c *Client) write(conn *connection, r *exchange.Request) (sent func() bool) {
	c.writeHead(conn.writer, r)
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
		default: // answered before all was written
			return false
		}
	}
}

// writeHead writes the head of a request. Host and Content-Length are added if
// the request does not have them.
func (c *Client) writeHead(w *bufio.Writer, r *exchange.Request) {
	write := func(parts ...string) {
		for _, part := range parts {
			w.WriteString(part)
		}
	}
	write(r.Method, " ", c.target(r), " HTTP/1.1\r\n")
	if _, ok := r.Header.Get("Host"); !ok {
		write("Host: ", c.options.URL.Host, "\r\n")
	}
	for _, f := range r.Header {
		write(f.Name, ": ", oneLine.Replace(f.Value), "\r\n")
	}
	if _, ok := r.Header.Get("Content-Length"); !ok && len(r.Body) > 0 || r.AnnouncesEmptyBody() {
		write("Content-Length: ", strconv.Itoa(len(r.Body)), "\r\n")
	}
	write("\r\n")
}

// oneLine keeps a field's value in its line (RFC 9110 section 5.5).
var oneLine = strings.NewReplacer("\r", " ", "\n", " ", "\x00", " ")

func (c *Client) target(r *exchange.Request) string {
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	return target
}

func readHead(reader *bufio.Reader, method string) (*http.Response, error) {
	request := http.Request{Method: method}
	for range maxInterim {
		answer, err := http.ReadResponse(reader, &request)
		if err != nil || answer.StatusCode >= 200 || answer.StatusCode == http.StatusSwitchingProtocols {
			return answer, err
		}
	}
	return nil, errors.New("interim answers without end")
}

// readBody reads a body, and at most one byte more than the limit.
func readBody(method string, answer *http.Response, limit int64) ([]byte, error) {
	switch n := answer.ContentLength; {
	case n == 0, isBodiless(method, answer):
		return nil, nil
	case n > 0 && n <= limit && n <= maxPreallocated:
		body := make([]byte, n)
		read, err := io.ReadFull(answer.Body, body)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return body[:read], err
	}
	return io.ReadAll(io.LimitReader(answer.Body, limit+1))
}

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
	slices.SortStableFunc(header, func(a, b exchange.Field) int { return cmp.Compare(a.Name, b.Name) })
	return header
}

// Base returns what comes before the paths of requests: http://localhost:8080/v1.
func (c *Client) Base(prefix string) string {
	return c.options.URL.Scheme + "://" + c.options.URL.Host + prefix
}

// Path returns the path of a URL reference as requests name it; "" for one that leads elsewhere.
func (c *Client) Path(reference string) string {
	u, err := c.options.URL.Parse(reference)
	if err != nil || u.Scheme != c.options.URL.Scheme || u.Host != c.options.URL.Host {
		return ""
	}
	path, ok := strings.CutPrefix(u.EscapedPath(), c.Prefix)
	if !ok || !strings.HasPrefix(path, "/") {
		return ""
	}
	return path
}
