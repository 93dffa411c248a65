//go:build unix

package wire

import (
	"crypto/tls"
	"net"
	"syscall"
)

// isQuiet reports whether an idle connection is open and nothing has come over it:
// unsolicited bytes would be read as the answer to the next request.
func isQuiet(conn net.Conn) bool {
	if over, ok := conn.(*tls.Conn); ok {
		conn = over.NetConn()
	}
	system, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return false
	}
	quiet := false
	err = raw.Read(func(fd uintptr) bool {
		var one [1]byte
		_, _, err := syscall.Recvfrom(int(fd), one[:], syscall.MSG_PEEK)
		quiet = err == syscall.EAGAIN || err == syscall.EWOULDBLOCK
		return true
	})
	return err == nil && quiet
}
