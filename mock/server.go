package mock

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coldframe/coldframe/internal/bodies"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/mock/internal/callbacks"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
	"github.com/coldframe/coldframe/mock/internal/images"
	"github.com/coldframe/coldframe/mock/internal/issuer"
	"github.com/coldframe/coldframe/mock/internal/journal"
	"github.com/coldframe/coldframe/mock/internal/learn"
	"github.com/coldframe/coldframe/mock/internal/proxy"
	"github.com/coldframe/coldframe/mock/internal/state"
	"github.com/coldframe/coldframe/report/coverage"
)

// Server is a mock of one document. Its methods are safe for concurrent use.
type Server struct {
	options    Options
	current    atomic.Pointer[contract]
	failed     atomic.Pointer[control.Reload] // the last call of Reload; nil if it succeeded
	sessions   *state.Sessions[*control.Memory]
	store      *state.State // of the session of requests that name none
	control    *control.Handler
	sender     *callbacks.Sender // sends callbacks and webhooks
	log        *logger
	journal    *journal.Journal // nil: none
	core       *httpserver.Core
	now        func() time.Time   // the clock of sessions
	issuer     *issuer.Issuer     // nil: none, see Options.Auth
	http       *httpserver.Server // nil: none, see Options.Listen.NoListener
	choices    *proxy.Choices     // of the operations that a proxy forwards; nil for a mock
	upstream   *proxy.Proxy       // nil: a mock, see Options.Proxy
	learner    *learn.Learner     // nil: none, see Options.Proxy.Learn
	recording  *recording.Writer  // nil: none, see Options.Proxy.Record
	apart      *httpserver.Server // serves the control API on its own port; nil if http serves it
	changing   sync.Mutex         // held while current is replaced
	context    context.Context    // done when the server stops
	stop       context.CancelFunc
	dropped    sync.Once
	unrecorded sync.Once
	forwards   sync.WaitGroup // requests that a proxy forwards
	closing    sync.Once
	closed     error // of closing
}

// New loads the document, the scenarios and the data, and binds the address unless Options.Listen.NoListener is set.
// Run serves; Close must be called in any case. The error is an *OptionError, a *ScenarioError, a *DataError, or comes
// from the document or the listener.
func New(ctx context.Context, o Options) (*Server, error) {
	if err := o.prepare(); err != nil {
		return nil, err
	}
	clock, err := o.clock()
	if err != nil {
		return nil, err
	}
	s := &Server{options: o, log: newLogger(&o), now: clock.now}
	if err := s.readable(nil); o.Watch && err != nil {
		return nil, &OptionError{"Watch", err.Error()}
	}
	if o.Control.Journal > 0 {
		s.journal = journal.New(o.Control.Journal, o.share(), o.Clock)
	}
	s.context, s.stop = context.WithCancel(context.Background())
	s.core = &httpserver.Core{
		Serve: s.serve, Unread: s.unread, Stopped: s.context, Note: s.log.note,
		RequestTimeout: o.Limits.RequestTimeout, ReadTimeout: o.Limits.ReadTimeout,
		MaxBody: o.Limits.MaxBody, Bodies: bodies.NewBudget(o.Limits.MaxBodies), MaxConnections: o.Limits.MaxConnections,
		Hosts: append(slices.Clip(o.Listen.AllowedHosts), o.Listen.Host),
	}
	s.upstream = newProxy(s)
	if s.issuer, err = newIssuer(s); err != nil {
		return nil, fmt.Errorf("the issuer has no key: %w", err)
	}
	c, err := s.load(ctx)
	if err != nil {
		return nil, err
	}
	s.use(c)
	if o.Proxy.Learn {
		s.learner = learn.New(c.OpenAPI)
	}
	s.sessions = newSessions(s, c.fixtures)
	s.store = s.sessions.Lookup("").State
	if err := s.continueSession(); err != nil {
		return nil, err
	}
	s.control = &control.Handler{
		Sessions:        s.sessions,
		SessionOf:       chosenSession,
		Served:          s.served,
		ChangeScenarios: s.changeScenarios,
		SeedState:       s.seedState,
		ExportSession:   s.exportSession,
		ImportSession:   s.importSession,
		BodyOf:          func(item *state.Item) []byte { return s.current.Load().resources.BodyOf(item) },
		SendWebhook:     s.sendWebhook,
		URL:             s.URL,
		ControlURL:      s.ControlURL,
		SessionCookie:   sessionCookie,
		Choices:         o.choices,
		Learner:         s.learner,
		ClockMode:       o.clockMode(),
		Off:             o.Control.Mode == "off",
		Hosts:           s.core.Hosts,
		Token:           o.Control.Token,
		ReadOnly:        o.Control.ReadOnlyConsole,
		AllowEdit:       o.Control.AllowEdit,
		ScenarioFiles:   o.Scenarios,
		Done:            s.context.Done(),
		Handlers:        map[string]http.Handler{},
	}
	for name, handler := range o.Control.Handlers {
		s.control.Handlers[name] = handler(s)
	}
	if s.recording, err = s.openRecording(); err != nil {
		s.stop()
		return nil, err
	}
	if !o.Listen.NoListener {
		if err := s.listen(); err != nil {
			s.stop()
			return nil, err
		}
		if address, ok := s.http.Addr().(*net.TCPAddr); ok && !address.IP.IsLoopback() && s.control.Token == "" {
			s.control.Token = rand.Text()
		}
	}
	s.sender = callbacks.New(o.allow, int64(o.share()))
	return s, nil
}

// Reload reads the document, the scenarios and the data again. If that fails, the server keeps its previous version,
// and the error is like New's. A scenario keeps its states and counts unless its content has changed: its name,
// initial state or rules. The log and the control API name the scenarios that were reset.
func (s *Server) Reload(ctx context.Context) error {
	s.changing.Lock()
	defer s.changing.Unlock()
	err := s.reload(ctx)
	if s.failed.Store(nil); err != nil {
		s.failed.Store(&control.Reload{At: s.options.Clock().UTC(), Error: err.Error()})
	}
	return err
}

func (s *Server) reload(ctx context.Context) error {
	if err := s.readable(s.Info().Files); err != nil {
		return err
	}
	c, err := s.load(ctx)
	if err != nil {
		return err
	}
	before := s.current.Load()
	var reset []string
	var findings []exchange.Finding
	c.scenarios, reset, findings = c.scenarios.Follow(before.scenarios, s.options.Clock())
	for _, f := range findings {
		if f.Severity == exchange.Error {
			s.log.note("a scenario no longer fits the document and is dropped: %s", f)
		}
	}
	s.use(c)
	if others := s.sessions.SetBase(c.fixtures); c.dataSum != before.dataSum {
		text := "the changed data is in new sessions, and in those that changed nothing"
		if others > 0 {
			text += "; as before until a reset (POST " + control.Prefix + "sessions/NAME/reset): " +
				exchange.Count(others, "session")
		}
		s.log.note("%s", text)
	}
	s.sessions.Each(func(m *control.Memory) { m.Scenarios.Release(c.scenarios) })
	if len(reset) > 0 {
		s.log.note("changed scenarios begin anew in all sessions, with their states and counts: %s",
			strings.Join(reset, ", "))
	}
	return nil
}

// use makes a contract the current one. It takes over the coverage of the previous contract.
func (s *Server) use(c *contract) {
	c.coverage.Bound(s.options.Limits.MaxSessions, func() (names []string) {
		for _, one := range s.sessions.List() {
			names = append(names, one.Name)
		}
		return names
	})
	if before := s.current.Load(); before != nil {
		c.coverage.Replace(before.coverage)
	}
	s.current.Store(c)
}

func (s *Server) listen() (err error) {
	config, err := s.tlsConfig()
	if err != nil {
		return err
	}
	if s.upstream != nil {
		s.http, err = httpserver.ListenStandard(
			s.core, http.HandlerFunc(s.proxied), s.options.Listen.Host, s.options.Listen.Port, config)
	} else {
		s.http, err = httpserver.Listen(s.core, s.options.Listen.Host, s.options.Listen.Port, config)
	}
	if err != nil || s.options.Control.Port == 0 {
		return err
	}
	port := max(s.options.Control.Port, 0)
	if s.apart, err = httpserver.Listen(s.controlCore(), s.options.Listen.Host, port, config); err != nil {
		s.http.Close()
		return err
	}
	s.control.MockOrigin = s.URL()
	return nil
}

// controlCore answers the requests of the control API alone.
func (s *Server) controlCore() *httpserver.Core {
	core := *s.core
	core.Serve = s.control.Serve
	core.Unread = func(_ *exchange.Request, status int) httpserver.Answer { return control.Unreadable(status) }
	return &core
}

func (s *Server) tlsConfig() (*tls.Config, error) {
	o := &s.options
	var certificate tls.Certificate
	var err error
	switch {
	case o.Listen.TLSCert != "":
		if certificate, err = tls.LoadX509KeyPair(o.Listen.TLSCert, o.Listen.TLSKey); err != nil {
			return nil, &OptionError{"Listen.TLSCert", err.Error()}
		}
	case o.Listen.SelfSigned:
		if certificate, err = httpserver.SelfSigned(o.Listen.Host); err != nil {
			return nil, fmt.Errorf("cannot make a certificate: %w", err)
		}
	default:
		return nil, nil
	}
	config := &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}
	if s.upstream != nil {
		config.NextProtos = []string{"h2", "http/1.1"}
	}
	asking := config.Clone()
	asking.ClientAuth = tls.RequestClientCert // browsers then ask people for a certificate, so only if the document does
	config.GetConfigForClient = func(*tls.ClientHelloInfo) (*tls.Config, error) {
		if s.current.Load().asksCertificate {
			return asking, nil
		}
		return config, nil
	}
	return config, nil
}

func (s *Server) serve(r *exchange.Request) httpserver.Answer {
	if s.options.Listen.TrustProxy {
		r.Origin = httpserver.ForwardedOrigin(r.Header, s.URL())
	}
	if images.IsFor(r.Path) {
		a := images.Serve(r)
		httpserver.Sandbox(a.Response)
		return a
	}
	if answer := serveIssuer(s, r); answer != nil {
		return *answer
	}
	if strings.HasPrefix(r.Path, control.Prefix) {
		if s.apart != nil {
			return s.control.Elsewhere(r)
		}
		return s.control.Serve(r)
	}
	if file := pageFile(s, r); file != nil {
		return *file
	}
	if page := startPage(s, r); page != nil {
		return *page
	}
	return s.answerOf(guarded(s, r, nil))
}

// answerOf returns the answer of an exchange, and how it is sent.
func (s *Server) answerOf(h *exchanged) httpserver.Answer {
	a := httpserver.Answer{Response: &h.answer.Response, Delay: h.delay, Fault: h.fault}
	if h.rule != nil {
		a.Bandwidth = h.rule.Bandwidth
	}
	if h.stream != nil && h.answer.Status < 300 && h.fault == "" {
		a.Stream = func(write func([]byte) error) {
			if write(h.answer.Body) == nil {
				h.stream.Run(func(event []byte) error { return write(s.absolute(h, event)) }, s.context.Done())
			}
		}
	}
	if len(h.messages) > 0 {
		a.Sent = func() {
			for _, m := range h.messages {
				s.sender.Enqueue(m)
			}
		}
	}
	return a
}

// Handler answers like the server, including the control API, for use with net/http and net/http/httptest. It needs
// neither Run nor a listener; see Options.Listen.NoListener. Faults of scenarios break the connection if the
// http.ResponseWriter allows it, and panic with http.ErrAbortHandler.
func (s *Server) Handler() http.Handler { return s.core }

// Transport answers requests in this process, without a socket, whatever the host in their URL. It needs neither Run
// nor a listener; see Options.Listen.NoListener. Faults of scenarios are errors as of a real connection.
func (s *Server) Transport() http.RoundTripper { return s.core }

// Client returns an http.Client that uses Transport.
func (s *Server) Client() *http.Client { return &http.Client{Transport: s.core} }

// ControlClient returns an http.Client for the control API, also if that has a port of its own. It uses no socket.
// Requests need ControlToken, if there is one.
func (s *Server) ControlClient() *http.Client { return &http.Client{Transport: s.controlCore()} }

// ControlDocument returns the OpenAPI document of the control API.
func ControlDocument() []byte { return slices.Clone(control.Document) }

// URL returns the address of the server: http://127.0.0.1:4010. An unspecified host becomes localhost. Without a
// listener it is http://localhost, which Client answers.
func (s *Server) URL() string {
	if s.http == nil {
		return "http://localhost"
	}
	return s.http.URL()
}

// ControlURL returns the address of the control API: URL, unless Options.Control.Port sets a port of its own.
func (s *Server) ControlURL() string {
	if s.apart == nil {
		return s.URL()
	}
	return s.apart.URL()
}

// ControlToken returns the bearer token that clients of the control API must send: the one in the options, or one
// that was generated because the server is not on a loopback address; "" if none is needed.
func (s *Server) ControlToken() string { return s.control.Token }

// Run serves until the context is done or Close is called, and returns when running requests have ended. Call it
// once.
func (s *Server) Run(ctx context.Context) error {
	release := context.AfterFunc(ctx, func() { s.Close() })
	defer release()
	go s.expireSessions()
	if s.options.Watch {
		w, err := newWatcher(s)
		if err != nil {
			return err
		}
		go w.run(s.context)
	}
	if s.http == nil {
		<-s.context.Done()
		return s.Close()
	}
	if s.apart != nil {
		go func() {
			if err := s.apart.Run(); err != nil && s.context.Err() == nil {
				s.log.note("the port of the control API is closed: %v", err)
			}
		}()
	}
	err := s.http.Run()
	if s.context.Err() == nil {
		return err // the listener failed
	}
	return s.Close()
}

// expireSessions drops unused sessions until the server stops.
func (s *Server) expireSessions() {
	every := time.NewTicker(time.Minute)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			s.sessions.Expire()
		case <-s.context.Done():
			return
		}
	}
}

// Close stops the server and returns when it has stopped. It accepts no new connections. Connections without a
// complete request are closed after 0.2 seconds. Running requests have four seconds to end; then clients that have
// not taken their response are cut off. The error says that a response is still being made after that. Close may be
// called several times.
func (s *Server) Close() error {
	s.closing.Do(func() {
		s.stop()
		var closing sync.WaitGroup
		var errs [2]error
		for i, server := range []*httpserver.Server{s.apart, s.http} {
			if server != nil {
				closing.Go(func() { errs[i] = server.Close() })
			}
		}
		closing.Wait()
		s.forwards.Wait() // of upgraded connections, too, which end with the context
		if s.upstream != nil {
			s.upstream.Close()
		}
		s.closed = errors.Join(append(errs[:], s.recording.Close())...)
		s.sender.Close()
	})
	return s.closed
}

func (s *Server) warnDropped() {
	s.dropped.Do(func() {
		s.log.note("the store is full: it keeps the last %d created items, older ones are dropped", s.store.Limits().Items)
	})
}

// Bounds returns the terms of the server's memory bound, in bytes: the size of all files of the document,
// Options.Limits.Memory and Options.Limits.MaxBodies.
func (s *Server) Bounds() (document, memory, bodies int64) {
	return s.current.Load().Size, s.options.Limits.Memory, s.options.Limits.MaxBodies
}

// Info describes what the server serves now.
func (s *Server) Info() Info {
	c := s.current.Load()
	info := Info{
		Title:     c.Title,
		Version:   c.Version,
		File:      c.File,
		BasePaths: c.router.BasePaths(),
		Scenarios: c.scenarios.Names(),
		Findings:  c.findings,
		Files:     slices.Concat(c.Files, c.scenarios.Files, c.data),
	}
	if c.replay != nil {
		info.Replayed = ReplayInfo{len(c.replay.Entries), c.replay.Findings, c.replay.Left}
		info.Files = append(info.Files, c.replay.Files...)
	}
	info.Upstream = s.options.Proxy.Upstream
	for _, o := range c.Operations {
		if s.choices != nil && s.choices.IsMocked(o) {
			info.Mocked = append(info.Mocked, o.Method+" "+o.Path)
		}
	}
	if s.issuer != nil {
		info.Issuer = s.URL() + issuer.Prefix
	}
	for _, o := range c.Operations {
		info.Operations = append(info.Operations, OperationInfo{
			ID: o.ID, Method: o.Method, Path: o.Path, Summary: o.Summary,
			example: func(url string) string {
				r, err := request.Sample(o)
				if err != nil {
					return ""
				}
				shell := exchange.Shell{Insecure: s.options.Listen.SelfSigned}
				return shell.Curl(url, r)
			},
		})
	}
	return info
}

// Coverage reports what of the document was used since the server started. Parts
// that a reload keeps keep their counts.
func (s *Server) Coverage() *coverage.Report { return s.current.Load().coverage.Report() }
