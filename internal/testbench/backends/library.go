// Package backends is the backend that the contract tester is measured on: four
// small services, each written by hand to its own OpenAPI document, and a
// catalogue of faults that can be switched on by name. It imports nothing of
// this module, so what it thinks of a document is a second opinion.
//
// A service answers as its document says. With a fault switched on it deviates
// in that one thing and is right in everything else. Every fault is described,
// and shown by requests, in faults/*.txt.
package backends

import (
	_ "embed"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Service is one of the backends.
type Service struct {
	Name     string
	Document []byte // its OpenAPI document, YAML
	// Credentials are good ones by security scheme: a token, a key, or
	// USER:PASSWORD.
	Credentials map[string]string
	// Header are good credentials for all operations but those that take them
	// in the query or ask for a user name.
	Header http.Header

	routes func(*Server) []operation
	errors dialect
	reset  func(*Server)
}

//go:embed openapi.yaml
var libraryDocument []byte

// Services returns the backends.
func Services() []Service {
	return []Service{libraryService(), bookingsService(), kioskService(), depotService()}
}

// Server is one service with its state. It is safe for concurrent use.
type Server struct {
	// Slow is how long an answer takes that a fault makes slow. Default 10 s.
	Slow time.Duration
	// Wait waits. Default is time.Sleep, cut short when the client goes away.
	Wait func(*http.Request, time.Duration)

	service Service
	faults  map[string]bool
	routes  []operation

	mu    sync.Mutex // guards what follows
	ticks int        // moments since the start, for times that do not depend on a clock
	serial
	collections map[string]*collection
	remembered  map[string]answer // by idempotency key
	single      map[string]any    // of the singletons
}

// New makes a service with faults switched on.
func New(service string, faults ...string) (*Server, error) {
	services := Services()
	at := slices.IndexFunc(services, func(s Service) bool { return s.Name == service })
	if at < 0 {
		return nil, fmt.Errorf("no service %q", service)
	}
	s := &Server{service: services[at], Slow: 10 * time.Second, Wait: wait, faults: map[string]bool{}}
	for _, name := range faults {
		if !known(service, name) {
			return nil, fmt.Errorf("the service %q has no fault %q", service, name)
		}
		s.faults[name] = true
	}
	s.routes = s.service.routes(s)
	s.Reset()
	return s, nil
}

// Reset returns the service the state that it had at first.
func (s *Server) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ticks, s.serial = 0, serial{}
	s.collections = map[string]*collection{}
	s.remembered = map[string]answer{}
	s.single = map[string]any{}
	s.service.reset(s)
}

// has reports whether a fault is switched on.
func (s *Server) has(fault string) bool { return fault != "" && s.faults[fault] }

// now is the service's time: a fixed day, a second later at each change.
func (s *Server) now() time.Time {
	s.ticks++
	return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(s.ticks) * time.Second)
}

func wait(r *http.Request, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.Context().Done():
	}
}
