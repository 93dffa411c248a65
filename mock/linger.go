package mock

import (
	"crypto/tls"
	"io"
	"net"
	"sync"
	"time"
)

// maxLinger is how long the rest of a refused request is read.
const maxLinger = 2 * time.Second

// silentTime is how long connections that nobody has spoken on are left open
// when the server stops: a request may be on its way. The server below keeps
// them for longer than running requests have.
const silentTime = 200 * time.Millisecond

// silence is the connections on which nothing has been read yet. It is safe for
// concurrent use.
type silence struct {
	mu    sync.Mutex
	conns map[*lingerConn]struct{}
	ended bool
}

func (s *silence) add(c *lingerConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		c.Conn.Close()
		return
	}
	s.conns[c] = struct{}{}
}

func (s *silence) remove(c *lingerConn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// end closes the connections, and those that are still to come.
func (s *silence) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for c := range s.conns {
		c.Conn.Close()
	}
	clear(s.conns)
}

// lingerListener makes connections that close in two steps.
type lingerListener struct {
	net.Listener
	silent *silence
}

func (l lingerListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &lingerConn{Conn: conn, silent: l.silent}
	l.silent.add(c)
	return c, nil
}

// lingerConn reads what is left of a request before it is closed: a connection
// that is closed with unread bytes is reset, and the client, still sending,
// never sees why its request was refused (RFC 9112 section 9.6).
type lingerConn struct {
	net.Conn
	silent *silence
	heard  bool   // something has been read
	unread bool   // a request was refused before all of it was read
	after  func() // to be called when the answer is on its way; nil for nothing
}

func (c *lingerConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.heard {
		c.heard = true
		c.silent.remove(c)
	}
	return n, err
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
	c.silent.remove(c)
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
