//go:build !unix

package httpserver

import "net"

// isClosed reports whether the client has closed a connection; here it is not known before something is written.
func isClosed(net.Conn) bool { return false }
