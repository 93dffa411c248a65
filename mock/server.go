package mock

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/scenario"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// drainTime is how long running requests may take to end when the server
// stops.
const drainTime = 4 * time.Second

// builtIn names the document that is served where none is given.
const builtIn = "plant-store.yaml"

// Finding is one disagreement between an exchange, a document or a scenario
// file and the contract.
type Finding = exchange.Finding

// Server is a mock of one document. Its methods are safe for concurrent use.
type Server struct {
	options  Options
	current  atomic.Pointer[contract]
	sessions *state.Sessions[*memory]
	store    *state.State // of the session of those who name none
	control  *control.Handler
	sender   *callbacks.Sender // of callbacks and webhooks
	log      *logger
	journal  *journal.Journal // nil: none
	listener net.Listener     // nil: none, see Options.NoListener
	silent   silence          // connections that nothing has come over
	front    *front
	apart    *controlPort        // nil: the control API is on listener
	changing sync.Mutex          // of those who replace current
	changes  *scenario.Changes   // of the scenarios for all sessions, under changing
	sleep    func(time.Duration) // passes the time of delays and bandwidths; tests have their own
	context  context.Context     // done when the server stops
	stop     context.CancelFunc
	dropped  sync.Once
	closing  sync.Once
	closed   error // of closing
}

// ScenarioError is what is wrong with scenario files.
type ScenarioError struct {
	Findings []Finding
}

func (e *ScenarioError) Error() string {
	text := ""
	for i, f := range e.Findings {
		if i > 0 {
			text += "\n"
		}
		text += f.String()
	}
	return text
}

// New loads the document, its scenarios and its data and binds the address, but for
// Options.NoListener; Run serves.
// The error is an *OptionError, a document's, a *ScenarioError, a *DataError or
// the listener's.
func New(ctx context.Context, o Options) (*Server, error) {
	if err := o.prepare(); err != nil {
		return nil, err
	}
	s := &Server{options: o, log: newLogger(&o), silent: silence{conns: map[*lingerConn]struct{}{}}}
	if o.Journal > 0 {
		s.journal = journal.New(journal.Options{Entries: o.Journal, Clock: o.Clock})
	}
	s.context, s.stop = context.WithCancel(context.Background())
	s.sleep = s.wait
	c, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	s.counts(c)
	s.current.Store(c)
	s.sessions = newSessions(s, c.fixtures)
	s.store = s.sessions.Lookup("").State
	s.control = s.controls()
	if !o.NoListener {
		if err := s.listen(); err != nil {
			s.stop()
			return nil, err
		}
	}
	s.sender = callbacks.New(o.allow)
	s.front = newFront(s, s.serve, s.protocolError)
	return s, nil
}

// load makes the contract of the options' files as they are now.
func (s *Server) load(ctx context.Context) (*contract, error) {
	o := &s.options
	location, text := o.Document, o.Text
	if location == "" && text == nil {
		location, text = builtIn, coldframe.PlantStore
	}
	document, err := spec.Load(ctx, location, spec.Options{Text: text, AllowExternal: o.AllowExternalRefs})
	if err != nil {
		return nil, err
	}
	book := scenario.NewBook()
	var findings []exchange.Finding
	if len(o.Scenarios) > 0 {
		if book, findings, err = scenario.Load(document, o.Scenarios...); err != nil {
			return nil, err
		}
		if book == nil {
			return nil, &ScenarioError{findings}
		}
	}
	c := s.newContract(document, book)
	c.findings = slices.Concat(document.Findings, c.findings, findings)
	if err := c.loadFixtures(o); err != nil {
		return nil, err
	}
	return c, nil
}

// Reload reads the document, the scenarios and the data again. Where that fails the
// server goes on with what it has.
func (s *Server) Reload(ctx context.Context) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	c, err := s.load(ctx)
	if err != nil {
		return err
	}
	changes, findings := s.changes.Fitting(c.Contract)
	for _, f := range findings {
		if f.Severity == exchange.Error {
			s.log.note("a scenario no longer fits the document and is dropped: %s", f)
		}
	}
	s.changes = changes
	c.book = changes.Book(c.loaded)
	c.version = s.current.Load().version + 1
	s.counts(c)
	s.current.Store(c)
	s.sessions.SetBase(c.fixtures)
	return nil
}

// listen binds the addresses.
func (s *Server) listen() error {
	config, err := s.options.tlsConfig()
	if err != nil {
		return err
	}
	if s.listener, err = s.bind(s.options.Port, config); err != nil {
		return err
	}
	if s.options.ControlPort == 0 {
		return nil
	}
	listener, err := s.bind(max(s.options.ControlPort, 0), config)
	if err != nil {
		s.listener.Close()
		return err
	}
	s.apart = newControlPort(s, listener)
	return nil
}

func (s *Server) bind(port int, config *tls.Config) (net.Listener, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort(s.options.Host, strconv.Itoa(port)))
	switch {
	case err != nil:
		return nil, err
	case config == nil:
		return lingerListener{listener, &s.silent}, nil
	}
	return tls.NewListener(lingerListener{listener, &s.silent}, config), nil
}

// URL is where the server answers: http://127.0.0.1:4010. An unspecified host
// is given as localhost. Without a listener it is http://localhost, of which
// Client knows.
func (s *Server) URL() string { return s.urlOf(s.listener) }

// ControlURL is where the control API answers, as URL: the same, but for
// Options.ControlPort.
func (s *Server) ControlURL() string {
	if s.apart == nil {
		return s.URL()
	}
	return s.urlOf(s.apart.listener)
}

func (s *Server) urlOf(listener net.Listener) string {
	if listener == nil {
		return "http://localhost"
	}
	host, port, _ := net.SplitHostPort(listener.Addr().String())
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http"
	if s.options.SelfSigned || s.options.TLSCert != "" {
		scheme = "https"
	}
	return scheme + "://" + net.JoinHostPort(host, port)
}

// Run serves until the context is done or Close is called, and returns when
// running requests have ended. It is called once.
func (s *Server) Run(ctx context.Context) error {
	release := context.AfterFunc(ctx, func() { s.Close() })
	defer release()
	if s.options.Watch {
		w, err := newWatcher(s)
		if err != nil {
			return err
		}
		go w.run(s.context)
	}
	if s.listener == nil {
		<-s.context.Done()
		return s.Close()
	}
	if s.apart != nil {
		go s.apart.run(s)
	}
	err := s.front.serve(s.listener)
	if s.context.Err() == nil {
		return err // the listener broke
	}
	return s.Close()
}

// Close stops the server and returns when it has stopped: there are no new
// connections, and running requests have four seconds to end.
func (s *Server) Close() error {
	s.closing.Do(func() {
		s.stop()
		defer time.AfterFunc(silentTime, s.silent.end).Stop()
		if s.apart != nil {
			s.closed = s.apart.close()
		}
		s.closed = errors.Join(s.closed, s.front.shutdown(drainTime))
		s.sender.Close()
		if s.listener != nil {
			s.listener.Close() // Run may never have been called
		}
	})
	return s.closed
}

// warnDropped says once that the store is full.
func (s *Server) warnDropped() {
	s.dropped.Do(func() {
		s.log.note("the store is full: it keeps the last %d created items, older ones are dropped", s.store.Limits().Items)
	})
}
