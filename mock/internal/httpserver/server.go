package httpserver

import (
	"crypto/tls"
	"net"
	"strconv"
	"time"
)

// drainTime is how long running requests may take to end when a server stops.
const drainTime = 4 * time.Second

// Server serves a core on one address.
type Server struct {
	address  net.Addr
	listener net.Listener
	scheme   string
	idle     *idleConns
	serve    func(net.Listener) error
	shutdown func(time.Duration) error
}

// Listen binds an address; port 0 is any free one. config is that of https, nil
// for http.
func Listen(c *Core, host string, port int, config *tls.Config) (*Server, error) {
	bound, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	app := newApp(c)
	s := &Server{
		address: bound.Addr(), scheme: "http", idle: &idleConns{conns: map[*trackedConn]struct{}{}},
		serve: app.Listener, shutdown: app.ShutdownWithTimeout,
	}
	s.listener = listener{bound, s.idle}
	if config != nil {
		s.listener, s.scheme = tls.NewListener(s.listener, config), "https"
	}
	return s, nil
}

// Addr is the address that is bound.
func (s *Server) Addr() net.Addr { return s.address }

// URL is where the server answers: http://127.0.0.1:4010. An unspecified host is
// given as localhost.
func (s *Server) URL() string {
	host, port, _ := net.SplitHostPort(s.address.String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return s.scheme + "://" + net.JoinHostPort(host, port)
}

// Run serves until Close is called or the listener breaks.
func (s *Server) Run() error { return s.serve(s.listener) }

// Close stops the server and returns when it has stopped: there are no new
// connections, and running requests have four seconds to end.
func (s *Server) Close() error {
	defer time.AfterFunc(idleTime, s.idle.end).Stop()
	err := s.shutdown(drainTime)
	s.listener.Close() // Run may never have been called
	return err
}
