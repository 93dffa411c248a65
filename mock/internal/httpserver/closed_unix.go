//go:build unix

package httpserver

import (
	"net"
	"syscall"
)

// isClosed reports whether the client has closed a connection. It consumes no data: if there is more to read, or only
// TLS knows, it returns false.
func isClosed(conn net.Conn) bool {
	system, ok := conn.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return true
	}
	closed := false
	err = raw.Control(func(fd uintptr) { // unlike Read, it ignores the read deadline
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		closed = n == 0 && err == nil || err == syscall.ECONNRESET
	})
	return closed || err != nil
}
