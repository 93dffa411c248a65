package httpserver

import (
	"sync/atomic"
	"time"
)

// maxSlack limits how early a connection may end before its timeout.
const maxSlack = time.Second

// deadline is the deadline for reads or writes of a connection. fasthttp moves three of them at each request, by
// microseconds; a move by less than the slack is skipped, which saves POST /plants 3 % CPU. It is safe for concurrent
// use: the writer of a stream has its own goroutine.
type deadline struct{ at atomic.Int64 } // nanoseconds since 1970; 0 if none

// move reports whether the connection's deadline must be set.
func (d *deadline) move(to time.Time, slack time.Duration) bool {
	at := int64(0)
	if !to.IsZero() {
		at = to.UnixNano()
	}
	if later := at - d.at.Load(); later >= 0 && later < int64(slack) {
		return false
	}
	d.at.Store(at)
	return true
}

func (c *trackedConn) SetReadDeadline(t time.Time) error {
	if !c.readEnd.move(t, c.slack) {
		return nil
	}
	return c.Conn.SetReadDeadline(t)
}

func (c *trackedConn) SetWriteDeadline(t time.Time) error {
	if !c.writeEnd.move(t, c.slack) {
		return nil
	}
	return c.Conn.SetWriteDeadline(t)
}

func (c *trackedConn) SetDeadline(t time.Time) error {
	c.readEnd.move(t, 0)
	c.writeEnd.move(t, 0)
	return c.Conn.SetDeadline(t)
}
