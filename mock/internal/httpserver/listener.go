package httpserver

import (
	"errors"
	"fmt"
	"math"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	minRetry    = 5 * time.Millisecond // after a failed accept; doubled each time
	maxRetry    = time.Second
	episode     = time.Minute // after this time without trouble, it is logged again
	maxRefusals = 64          // concurrent connections that get a reason for the refusal; others are just closed
)

// listener accepts connections up to a limit, and survives a lack of file descriptors.
type listener struct {
	net.Listener
	all      *openConns
	most     int64 // limit of open connections
	open     atomic.Int64
	refusing chan struct{} // holds a value for each refusal in progress
	plain    bool          // http, so that clients can read a refusal
	slack    time.Duration // for the deadlines of connections
	note     func(format string, args ...any)
	done     chan struct{} // closed with the listener
	closing  sync.Once
	full     trouble
	failing  trouble
}

func newListener(c *Core, bound net.Listener, all *openConns, plain bool) *listener {
	l := &listener{
		Listener: bound, all: all, most: int64(c.MaxConnections), plain: plain, note: c.Note,
		refusing: make(chan struct{}, maxRefusals), done: make(chan struct{}),
		slack: min(maxSlack, c.readTimeout()/64),
	}
	if l.most == 0 {
		l.most = math.MaxInt64
	}
	if l.note == nil {
		l.note = func(string, ...any) {}
	}
	return l
}

// trouble is logged when it begins, not at each occurrence.
type trouble struct{ last time.Time }

func (t *trouble) begins() bool {
	now := time.Now()
	begins := now.Sub(t.last) > episode
	t.last = now
	return begins
}

// Accept returns the next connection within the limit. It fails only if the listener is closed: file descriptors
// become available again.
func (l *listener) Accept() (net.Conn, error) {
	for retry := minRetry; ; {
		conn, err := l.Listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil, err
		}
		if err != nil {
			if l.failing.begins() {
				l.note("no connection can be accepted for now: %v; "+
					"if there are too many open files, allow more with ulimit -n", err)
			}
			select {
			case <-time.After(retry):
			case <-l.done:
				return nil, net.ErrClosed
			}
			retry = min(2*retry, maxRetry)
			continue
		}
		retry = minRetry
		c := &trackedConn{
			Conn: conn, all: l.all, gone: sync.OnceFunc(func() { l.open.Add(-1) }), slack: l.slack,
		}
		c.work.Gone = c.leaves
		l.all.conns.Store(c, nil)
		if l.open.Add(1) > l.most {
			l.refuse(c)
			continue
		}
		return c, nil
	}
}

// refuse closes a connection beyond the limit, with a reason if possible.
func (l *listener) refuse(c *trackedConn) {
	c.gone()
	if l.full.begins() {
		l.note("%d connections are open: more are refused with 503; MaxConnections (--max-connections) allows more", l.most)
	}
	if !l.plain {
		c.Close()
		return
	}
	select {
	case l.refusing <- struct{}{}:
	default:
		c.Close()
		return
	}
	go func() {
		defer func() { <-l.refusing }()
		body := fmt.Sprintf(`{"detail":"%d connections are open, the most that are allowed","status":503,`+
			`"title":"Service Unavailable","type":"about:blank"}`, l.most)
		c.SetDeadline(time.Now().Add(maxLinger))
		c.Read(make([]byte, 1)) // clients report a response before their request as an error
		fmt.Fprintf(c, "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"+
			"Content-Type: application/problem+json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
		c.unread = true
		c.Close()
	}()
}

func (l *listener) Close() error {
	l.closing.Do(func() { close(l.done) })
	return l.Listener.Close()
}
