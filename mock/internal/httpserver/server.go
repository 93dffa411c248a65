package httpserver

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strconv"
	"time"
)

const (
	drainTime = 4 * time.Second // for running requests when a server stops
	lastCall  = 3 * time.Second // the last part of drainTime, in which unfinished work ends with 503
	cutTime   = time.Second     // for requests to end after their connection was closed
)

// Server serves one address: a core with fiber, or a handler with net/http.
type Server struct {
	address  net.Addr
	listener net.Listener // TLS for https
	scheme   string
	conns    *openConns
	drain    time.Duration // see drainTime

	serve      func(net.Listener) error
	shutdown   func(within time.Duration) error
	endReading func() // closes the connections without a complete request
}

func bind(c *Core, host string, port int, config *tls.Config) (*Server, error) {
	bound, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	s := &Server{address: bound.Addr(), scheme: "http", conns: &openConns{}, drain: drainTime}
	s.listener = newListener(c, bound, s.conns, config == nil)
	if config != nil {
		s.listener, s.scheme = tls.NewListener(s.listener, config), "https"
	}
	return s, nil
}

// Addr returns the bound address.
func (s *Server) Addr() net.Addr { return s.address }

// URL returns the server's address: http://127.0.0.1:4010. An unspecified host becomes localhost.
func (s *Server) URL() string {
	host, port, _ := net.SplitHostPort(s.address.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return s.scheme + "://" + net.JoinHostPort(host, port)
}

// Run serves until Close is called or the listener fails.
func (s *Server) Run() error { return s.serve(s.listener) }

// Close stops the server and returns when it has stopped. It accepts no new connections. Connections without a
// complete request are closed after 0.2 seconds. Running requests have four seconds to end; then connections whose
// clients have not taken their response are closed. The error says that a response is still being made after that.
func (s *Server) Close() error {
	defer time.AfterFunc(idleTime, s.endReading).Stop()
	defer time.AfterFunc(lastCall, func() { s.conns.stopping.Store(true) }).Stop()
	defer time.AfterFunc(s.drain, s.conns.cut).Stop()
	err := s.shutdown(s.drain + cutTime)
	s.listener.Close() // Run may not have been called
	if errors.Is(err, context.DeadlineExceeded) {
		return errors.New("the server stops while an answer is still being made")
	}
	return err
}
