// Package callbacks sends callbacks and webhooks, the requests that an API itself sends, to allowed targets only.
package callbacks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/visible"
)

const (
	queueSize    = 1000             // requests that may wait; further ones are dropped
	workers      = 4                // concurrent requests
	maxAttempts  = 3                // for one queued request
	sendTimeout  = 10 * time.Second // for one attempt
	maxAnswer    = 1 << 20          // bytes that are read of a response's body
	firstBackoff = 500 * time.Millisecond
)

// UserAgent is the User-Agent of messages.
const UserAgent = "coldframe"

// Message is a request to send.
type Message struct {
	URL     string            // absolute
	Request *exchange.Request // without Path and Query
	// Done is called with the result of a queued message.
	Done func(*Result)
}

// Result is the result of a message.
type Result struct {
	URL      string
	Response *exchange.Response // nil with Err
	Err      error
	Attempts int // 0 if nothing was sent
}

var (
	errFull   = errors.New("too many requests wait to be sent")
	errClosed = errors.New("the server has stopped")
)

// Sender sends messages. It is safe for concurrent use.
type Sender struct {
	allow   Allow
	client  *http.Client
	backoff time.Duration // before the second attempt; doubled for each further one
	queue   chan *Message
	most    int64        // limit of the bodies in queue, in bytes
	waiting atomic.Int64 // their present size
	context context.Context
	stop    context.CancelFunc
	running sync.WaitGroup
}

// New returns a sender, which must be closed. bytes limits the waiting bodies. A sender that may send nothing starts
// no goroutines.
func New(allow Allow, bytes int64) *Sender {
	s := &Sender{allow: allow, backoff: firstBackoff, queue: make(chan *Message, queueSize), most: bytes}
	s.context, s.stop = context.WithCancel(context.Background())
	dialer := &net.Dialer{Timeout: sendTimeout, Control: allow.control}
	s.client = &http.Client{
		Timeout: sendTimeout,
		// Proxies of the environment are not used: they could reach forbidden targets.
		Transport: &http.Transport{
			DialContext: dialer.DialContext, DisableCompression: true,
			MaxIdleConnsPerHost: workers, IdleConnTimeout: sendTimeout,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if allow.Off() {
		return s
	}
	for range workers {
		s.running.Go(s.work)
	}
	return s
}

// Enqueue sends a message soon, and retries if its target cannot be reached or answers with 429 or 5xx. It never
// waits.
func (s *Sender) Enqueue(m *Message) {
	if err := s.allow.check(m.URL); err != nil {
		m.Done(&Result{URL: m.URL, Err: err})
		return
	}
	if s.waiting.Add(m.size()) <= s.most {
		select {
		case s.queue <- m:
			return
		default:
		}
	}
	s.waiting.Add(-m.size())
	m.Done(&Result{URL: m.URL, Err: errFull})
}

func (m *Message) size() int64 { return int64(len(m.Request.Body)) }

func (s *Sender) work() {
	for {
		select {
		case <-s.context.Done():
			return
		case m := <-s.queue:
			m.Done(s.persist(m))
			s.waiting.Add(-m.size())
		}
	}
}

// persist sends a message until it is answered, or has failed too often.
func (s *Sender) persist(m *Message) *Result {
	wait := s.backoff
	for attempt := 1; ; attempt++ {
		r := s.send(s.context, m)
		r.Attempts = attempt
		answered := r.Err == nil && r.Response.Status < 500 && r.Response.Status != http.StatusTooManyRequests
		if attempt == maxAttempts || answered {
			return r
		}
		select {
		case <-s.context.Done():
			if r.Err == nil {
				r.Err = errClosed
			}
			return r
		case <-time.After(wait):
		}
		wait *= 2
	}
}

// send sends a message once and returns the result.
func (s *Sender) send(ctx context.Context, m *Message) *Result {
	r := &Result{URL: m.URL}
	if r.Err = s.allow.check(m.URL); r.Err != nil {
		return r
	}
	request, err := http.NewRequestWithContext(ctx, m.Request.Method, m.URL, bytes.NewReader(m.Request.Body))
	if err != nil {
		r.Err = err
		return r
	}
	request.Header.Set("User-Agent", UserAgent)
	for _, f := range m.Request.Header {
		if !strings.EqualFold(f.Name, "User-Agent") { // it identifies messages of a mock
			request.Header.Add(f.Name, f.Value)
		}
	}
	response, err := s.client.Do(request)
	r.Attempts = 1
	if err != nil {
		r.Err = plain(err)
		return r
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		r.Err = plain(err)
		return r
	}
	r.Response = &exchange.Response{Status: response.StatusCode, Body: body}
	for name, values := range response.Header {
		for _, value := range values {
			r.Response.Header = append(r.Response.Header, exchange.Field{Name: name, Value: value})
		}
	}
	return r
}

// plain removes the method and URL from an error, because the reader knows them.
func plain(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		if wrapped.Timeout() {
			return errors.New("no answer within " + sendTimeout.String())
		}
		return wrapped.Err
	}
	return err
}

// Close stops sending: it cancels running requests and drops waiting ones.
func (s *Sender) Close() {
	s.stop()
	s.running.Wait()
	s.client.CloseIdleConnections()
	for {
		select {
		case m := <-s.queue:
			m.Done(&Result{URL: m.URL, Err: errClosed})
		default:
			return
		}
	}
}

// Allow is the set of allowed targets. The zero value is empty.
type Allow struct {
	text     string
	loopback bool
	hosts    []target
}

// target is a host and a port; port is empty for all ports.
type target struct{ host, port string }

// ParseAllow parses "off", "loopback" or a comma-separated list of hosts with or without ports; "" is "off".
func ParseAllow(text string) (Allow, error) {
	a := Allow{text: text}
	switch text {
	case "", "off":
		a.text = "off"
		return a, nil
	case "loopback":
		a.loopback = true
		return a, nil
	}
	for element := range strings.SplitSeq(text, ",") {
		element = strings.TrimSpace(element)
		u, err := url.Parse("//" + element)
		if err != nil || u.Host != element || u.Hostname() == "" || strings.ContainsAny(element, "*/@ ") {
			if at := strings.LastIndexByte(element, '@'); at >= 0 {
				element = "***" + element[at:]
			}
			return Allow{}, fmt.Errorf("%q is none of off, loopback and a list of HOST or HOST:PORT", element)
		}
		a.hosts = append(a.hosts, target{strings.ToLower(u.Hostname()), u.Port()})
	}
	return a, nil
}

// Off reports whether nothing may be sent.
func (a Allow) Off() bool { return !a.loopback && len(a.hosts) == 0 }

// String returns the text that was parsed.
func (a Allow) String() string { return a.text }

// check returns the reason why a URL is not allowed, nil if it is.
func (a Allow) check(location string) error {
	if a.Off() {
		return errors.New("nothing is sent: the option callbacks is off")
	}
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return errors.New("not an absolute URL: " + exchange.Shorten(visible.WithoutUserinfo(location), 200))
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil {
		return fmt.Errorf("%q is not an http(s) URL with a host and without a password",
			exchange.Shorten(visible.WithoutUserinfo(location), 200))
	}
	host, port := strings.ToLower(u.Hostname()), u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	if a.loopback {
		if ip := net.ParseIP(host); ip == nil || ip.IsLoopback() {
			return nil // a name is checked by its address when dialling
		}
	}
	for _, t := range a.hosts {
		if t.host == host && (t.port == "" || t.port == port) {
			return nil
		}
	}
	return fmt.Errorf("target %s is not allowed by the option callbacks (%s)", net.JoinHostPort(host, port), a)
}

// control refuses to dial addresses outside this machine if only loopback is allowed, because a name can resolve to
// any address.
func (a Allow) control(_, address string, _ syscall.RawConn) error {
	if !a.loopback {
		return nil
	}
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return fmt.Errorf("address %s is not allowed by the option callbacks (%s)", address, a)
	}
	return nil
}
