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
	minRetry    = 5 * time.Millisecond // after a connection could not be accepted; doubled each time
	maxRetry    = time.Second
	episode     = time.Minute // without a trouble, after which it is logged again
	maxRefusals = 64          // connections that are told why they are refused, at a time; others are closed
)

// listener accepts connections up to a limit, also while there are no descriptors for more.
type listener struct {
	net.Listener
	all      *openConns
	most     int64 // connections that are open at a time
	open     atomic.Int64
	refusing chan struct{} // holds a value for each refusal under way
	plain    bool          // http, so that a refusal can be read
	slack    time.Duration // of the deadlines of connections
	note     func(format string, args ...any)
	done     chan struct{} // closed when the listener is
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

// trouble is logged when it begins, not each time that it is met.
type trouble struct{ last time.Time }

func (t *trouble) begins() bool {
	now := time.Now()
	begins := now.Sub(t.last) > episode
	t.last = now
	return begins
}

// Accept returns the next connection within the limit. Only a closed listener ends it: descriptors come back.
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

// refuse closes a connection beyond the limit, and says why where there is time for it.
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
		c.Read(make([]byte, 1)) // clients take what comes before their request for a fault
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
