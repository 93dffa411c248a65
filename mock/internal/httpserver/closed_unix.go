//go:build unix

package httpserver

import (
	"net"
	"syscall"
)

// isClosed reports whether the client has closed a connection. It takes nothing of what may have come: where there
// is more to read, or only TLS would know, the connection is open.
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
	err = raw.Control(func(fd uintptr) { // Read would heed the deadline for reading
		var one [1]byte
		n, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		closed = n == 0 && err == nil || err == syscall.ECONNRESET
	})
	return closed || err != nil
}
