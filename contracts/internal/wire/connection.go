package wire

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"time"
)

type connection struct {
	net.Conn
	limiter limiter
	reader  *bufio.Reader // of the limiter
	writer  *bufio.Writer
	used    bool
}

const (
	// maxHead is the most bytes of an answer's head that are read, interim answers
	// included: eight times what usual servers and clients allow.
	maxHead   = 1 << 20
	unlimited = math.MaxInt
)

type limiter struct {
	conn  net.Conn
	left  int // bytes
	ended bool
}

func (l *limiter) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errors.New("the head does not end")
	}
	n, err := l.conn.Read(p[:min(len(p), l.left)])
	l.left -= n
	l.ended = err == io.EOF
	return n, err
}

func (c *Client) connect(ctx context.Context) (*connection, error) {
	deadline, _ := ctx.Deadline()
	for conn := c.take(); conn != nil; conn = c.take() {
		conn.SetDeadline(deadline)
		if conn.reader.Buffered() == 0 && isQuiet(conn.Conn) {
			return conn, nil
		}
		conn.Close()
	}
	dial := (&net.Dialer{}).DialContext
	if c.tls != nil {
		dial = (&tls.Dialer{Config: c.tls}).DialContext
	}
	dialed, err := dial(ctx, "tcp", c.address)
	if err != nil {
		return nil, err
	}
	dialed.SetDeadline(deadline)
	conn := &connection{Conn: dialed, limiter: limiter{conn: dialed}, writer: bufio.NewWriter(dialed)}
	conn.reader = bufio.NewReader(&conn.limiter)
	return conn, nil
}

func (c *Client) take() *connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.idle)
	if n == 0 {
		return nil
	}
	conn := c.idle[n-1]
	c.idle = c.idle[:n-1]
	return conn
}

// put keeps a connection, or closes it if enough are kept.
func (c *Client) put(conn *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.idle) < c.options.Idle && !c.closed {
		c.idle = append(c.idle, conn)
	} else {
		conn.Close()
	}
}

// Close closes the idle connections. Requests on their way are not cut short, and
// their connections are not kept.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.idle {
		conn.Close()
	}
	c.idle, c.closed = nil, true
}

// extraBytesWait is how long bytes are waited for that must not come, after an answer that has no body.
const extraBytesWait = 2 * time.Millisecond

// extraBytes counts the bytes that follow an answer. One that can have no body may be followed by a body that
// is sent nevertheless, right behind the head or up to the end of a connection that closes.
func (conn *connection) extraBytes(bodiless, closes bool) int {
	if bodiless && conn.reader.Buffered() == 0 {
		wait := extraBytesWait
		if closes {
			wait *= 100
		}
		conn.SetReadDeadline(time.Now().Add(wait))
		conn.reader.Peek(1)
	}
	return conn.reader.Buffered()
}
