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

// connection is one connection and what was read ahead of it.
type connection struct {
	net.Conn
	guard  guard
	reader *bufio.Reader // of the guard
	writer *bufio.Writer
	used   bool
}

// maxHead is the most bytes of an answer's head that are read, interim answers
// included: eight times what the usual servers and clients allow.
const maxHead = 1 << 20

var errHeadTooLarge = errors.New("the head does not end")

// guard reads from a connection until its bound is reached.
type guard struct {
	conn  net.Conn
	left  int // bytes
	ended bool
}

func (g *guard) Read(p []byte) (int, error) {
	if g.left <= 0 {
		return 0, errHeadTooLarge
	}
	n, err := g.conn.Read(p[:min(len(p), g.left)])
	g.left -= n
	g.ended = err == io.EOF
	return n, err
}

// bound gives the guard a new bound; unbound takes it away.
func (g *guard) bound(most int) { g.left = most }
func (g *guard) unbound()       { g.left = math.MaxInt }

// connect gives an idle connection, or a new one.
func (c *Client) connect(ctx context.Context) (*connection, error) {
	deadline, _ := ctx.Deadline()
	for {
		conn := c.take()
		if conn == nil {
			break
		}
		conn.SetDeadline(deadline)
		if conn.reader.Buffered() == 0 && quiet(conn.Conn) {
			return conn, nil
		}
		conn.Close()
	}
	dialer := net.Dialer{}
	var made net.Conn
	var err error
	if c.tls != nil {
		made, err = (&tls.Dialer{NetDialer: &dialer, Config: c.tls}).DialContext(ctx, "tcp", c.address)
	} else {
		made, err = dialer.DialContext(ctx, "tcp", c.address)
	}
	if err != nil {
		return nil, err
	}
	made.SetDeadline(deadline)
	conn := &connection{Conn: made, guard: guard{conn: made}, writer: bufio.NewWriter(made)}
	conn.reader = bufio.NewReader(&conn.guard)
	return conn, nil
}

// take takes the connection that was kept last; nil where none is.
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

func (c *Client) put(conn *connection) {
	c.mu.Lock()
	if len(c.idle) < c.options.Idle && !c.closed {
		c.idle = append(c.idle, conn)
		conn = nil
	}
	c.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
}

// Close closes the connections that are kept. Requests on their way are not cut
// short, and their connections are not kept.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.idle {
		conn.Close()
	}
	c.idle, c.closed = nil, true
}

// lateBytes is how long bytes are waited for that must not come, after an
// answer that has no body. It only decides whether a fault is seen.
const lateBytes = 2 * time.Millisecond

// extra counts the bytes that follow an answer. bare says that the answer can
// have no body: a body that is sent nevertheless comes right behind the head, or
// up to the end of a connection that closes.
func (conn *connection) extra(bare, closes bool) int {
	if !bare {
		return conn.reader.Buffered()
	}
	if conn.reader.Buffered() == 0 {
		wait := lateBytes
		if closes {
			wait = 100 * wait
		}
		conn.SetReadDeadline(time.Now().Add(wait))
		conn.reader.Peek(1)
	}
	return conn.reader.Buffered()
}
