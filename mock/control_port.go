package mock

import (
	"net"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
)

// controlPort is the control API on a port of its own.
type controlPort struct {
	listener net.Listener
	front    *front
}

func newControlPort(s *Server, listener net.Listener) *controlPort {
	return &controlPort{listener, newFront(s, s.serveControl, s.controlError)}
}

func (p *controlPort) run(s *Server) {
	if err := p.front.serve(p.listener); err != nil && s.context.Err() == nil {
		s.log.note("the port of the control API is closed: %v", err)
	}
}

// close returns when its requests have ended, or drainTime is over.
func (p *controlPort) close() error {
	err := p.front.shutdown(drainTime)
	p.listener.Close() // run may never have been called
	return err
}

// beside answers a request for the control API that comes to the mock's port.
func (s *Server) beside(r *exchange.Request) control.Answer {
	if s.apart != nil {
		return s.control.Elsewhere(r)
	}
	return s.control.Serve(r)
}
