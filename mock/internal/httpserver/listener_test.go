package httpserver

import (
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// failing is a listener that has no descriptors for some connections.
type failing struct {
	net.Listener
	failures int
}

func (f *failing) Accept() (net.Conn, error) {
	if f.failures--; f.failures >= 0 {
		return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", syscall.EMFILE)}
	}
	server, client := net.Pipe()
	client.Close()
	return server, nil
}

func (f *failing) Close() error { return nil }

// Connections are accepted again when there are descriptors, and the log says once that there were none.
func TestAcceptWithoutDescriptors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var notes []string
		core := &Core{Note: func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }}
		below := &failing{}
		l := newListener(core, below, &openConns{}, true)
		for _, c := range []struct {
			pause time.Duration // by synctest's clock
			notes int
		}{{0, 1}, {time.Second, 1}, {2 * episode, 2}} {
			time.Sleep(c.pause)
			below.failures = 20
			conn, err := l.Accept()
			if err != nil {
				t.Fatal(err)
			}
			conn.Close()
			if len(notes) != c.notes {
				t.Errorf("logged %q, want %d", notes, c.notes)
			}
		}
		below.failures = 1 << 30
		time.AfterFunc(time.Hour, func() { l.Close() })
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
}
