package httpserver

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"math/big"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const maxLinger = 2 * time.Second // for reading the rest of a refused request

// idleTime is the time that connections without a complete request stay open after the server stops, because the rest
// may still arrive.
const idleTime = 200 * time.Millisecond

// openConns is the set of a server's open connections. It is safe for concurrent use.
type openConns struct {
	conns    sync.Map // of *trackedConn
	ended    atomic.Bool
	stopping atomic.Bool // the time for running requests is over
}

// endReading closes the connections that wait for a request or its rest, and from now on every connection that begins
// to wait.
func (o *openConns) endReading() {
	o.ended.Store(true)
	for c := range o.conns.Range {
		c.(*trackedConn).endReading()
	}
}

// cut closes all connections.
func (o *openConns) cut() {
	for c := range o.conns.Range {
		c.(*trackedConn).Conn.Close()
	}
}

// The phases of a connection.
const (
	reading   int32 = iota // waits for a request, or for the rest of one
	answering              // a request was read or refused, and its response is not written yet
	cutOff                 // closed by the stopping server
)

// trackedConn records whether something was read, and reads the rest of a refused request before it closes: closing a
// connection with unread bytes resets it, and a client that is still sending never sees why its request was refused
// (RFC 9112 section 9.6).
type trackedConn struct {
	net.Conn
	all    *openConns
	phase  atomic.Int32
	used   bool          // something has been read
	unread bool          // a request was refused before it was read completely
	bare   bool          // the head has no end that fasthttp recognizes
	gone   func()        // called once, when the connection is closed
	work   exchange.Work // of the last request
	head   sentHead      // of the last request
	after  []func()      // called once the current responses are sent; several for pipelined requests

	readEnd, writeEnd deadline
	slack             time.Duration // by which deadlines may be early
}

// beginAnswer reports whether a request can be answered, because the server has not closed the connection. Afterwards
// the server closes it only if the response takes too long.
func (c *trackedConn) beginAnswer() bool {
	return c.phase.CompareAndSwap(reading, answering) || c.phase.Load() == answering
}

// beginRead records that the connection waits for the client.
func (c *trackedConn) beginRead() {
	if c.phase.Load() == answering {
		c.phase.CompareAndSwap(answering, reading)
	}
	if c.all.ended.Load() {
		c.endReading()
	}
}

// endReading closes the connection if it waits for the client.
func (c *trackedConn) endReading() {
	if c.phase.CompareAndSwap(reading, cutOff) {
		c.Conn.Close()
	}
}

// leaves returns the reason why nobody waits for the response to the last request, nil if somebody does.
func (c *trackedConn) leaves() error {
	switch {
	case c.all.stopping.Load():
		return exchange.ErrStopping
	case isClosed(c.Conn):
		return exchange.ErrClientLeft
	}
	return nil
}

func (c *trackedConn) Read(b []byte) (int, error) {
	if c.bare {
		return 0, errBareLF
	}
	c.beginRead()
	n, err := c.Conn.Read(b)
	if n > 0 && !c.used {
		c.used = true
		c.bare = isBareHead(b[:n])
	}
	return n, err
}

var errBareLF = errors.New("the head ends with LF in place of CRLF")

// isBareHead reports whether the first bytes of a connection are a head whose lines end in LF alone. RFC 9112 section
// 2.2 allows a server to refuse it; fasthttp would wait for CRLF. TLS begins with a record type instead.
func isBareHead(b []byte) bool {
	return (bytes.HasSuffix(b, []byte("\n\n")) || bytes.HasSuffix(b, []byte("\n\r\n"))) &&
		!bytes.Contains(b, []byte("\r\n\r\n")) && b[0] >= ' '
}

func (c *trackedConn) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	for _, do := range c.after {
		do()
	}
	c.after = nil
	return n, err
}

func (c *trackedConn) Close() error {
	defer c.gone()
	defer c.all.conns.Delete(c)
	c.phase.CompareAndSwap(reading, cutOff) // fasthttp closes idle connections when the server stops
	t, ok := c.Conn.(*net.TCPConn)
	if !c.unread || !ok {
		return c.Conn.Close()
	}
	c.unread = false
	t.CloseWrite()
	c.beginRead()
	t.SetReadDeadline(time.Now().Add(maxLinger))
	io.Copy(io.Discard, t)
	return t.Close()
}

// tracked returns the connection below TLS; nil if it is of another kind.
func tracked(conn net.Conn) *trackedConn {
	if t, ok := conn.(*tls.Conn); ok {
		conn = t.NetConn()
	}
	c, _ := conn.(*trackedConn)
	return c
}

// reset closes a connection so that the peer receives RST instead of FIN.
func reset(conn net.Conn) {
	if c := tracked(conn); c != nil {
		conn = c.Conn
	}
	if t, ok := conn.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
	conn.Close()
}

// SelfSigned returns a certificate for this machine's names, valid for a week: it lives as long as the process.
func SelfSigned(host string) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, err
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(now.UnixNano()),
		Subject:               pkix.Name{CommonName: "coldframe (self-signed)"},
		NotBefore:             now.Add(-time.Hour),
		NotAfter:              now.Add(7 * 24 * time.Hour),
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
		DNSNames:              []string{"localhost"},
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	if ip := net.ParseIP(host); ip != nil {
		template.IPAddresses = append(template.IPAddresses, ip)
	} else {
		template.DNSNames = append(template.DNSNames, host)
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}
