package mock

import (
	"crypto/tls"
	"io"
	"net"
	"time"
)

// maxLinger is how long the rest of a refused request is read.
const maxLinger = 2 * time.Second

// lingerListener makes connections that close in two steps.
type lingerListener struct{ net.Listener }

func (l lingerListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &lingerConn{Conn: conn}, nil
}

// lingerConn reads what is left of a request before it is closed: a connection
// that is closed with unread bytes is reset, and the client, still sending,
// never sees why its request was refused (RFC 9112 section 9.6).
type lingerConn struct {
	net.Conn
	unread bool   // a request was refused before all of it was read
	after  func() // to be called when the answer is on its way; nil for nothing
}

func (c *lingerConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	if after := c.after; after != nil {
		c.after = nil
		after()
	}
	return n, err
}

// afterAnswer has something done once the answer to the request at hand is on
// its way.
func afterAnswer(conn net.Conn, do func()) {
	if l := lingering(conn); l != nil {
		l.after = do
		return
	}
	do()
}

func (c *lingerConn) Close() error {
	t, ok := c.Conn.(*net.TCPConn)
	if !c.unread || !ok {
		return c.Conn.Close()
	}
	c.unread = false
	t.CloseWrite()
	t.SetReadDeadline(time.Now().Add(maxLinger))
	io.Copy(io.Discard, t)
	return t.Close()
}

// lingering finds the connection below TLS, nil where it is of another kind.
func lingering(conn net.Conn) *lingerConn {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	l, _ := conn.(*lingerConn)
	return l
}
