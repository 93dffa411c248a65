//go:build !unix

package wire

import "net"

// quiet reports whether an idle connection may be used; here it is not known
// beforehand.
func quiet(net.Conn) bool { return true }
