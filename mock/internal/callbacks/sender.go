// Package callbacks sends the requests that an API sends by itself, callbacks
// and webhooks, to targets that are allowed and to no other.
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
	queueSize    = 1000             // requests that wait to be sent; more are not taken
	workers      = 4                // requests that are sent at a time
	maxAttempts  = 3                // of one queued request
	sendTimeout  = 10 * time.Second // of one attempt
	maxAnswer    = 1 << 20          // bytes that are read of an answer's body
	firstBackoff = 500 * time.Millisecond
)

// UserAgent is what messages are sent as.
const UserAgent = "coldframe"

// Message is a request to be sent.
type Message struct {
	URL     string            // absolute
	Request *exchange.Request // its Path and Query are not used
	// Done is called with the result of a queued message.
	Done func(*Result)
}

// Result is the result of a message.
type Result struct {
	URL      string
	Response *exchange.Response // nil with Err
	Err      error
	Attempts int // 0 where nothing was sent
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
	most    int64        // bytes of the bodies in queue
	waiting atomic.Int64 // of these
	context context.Context
	stop    context.CancelFunc
	running sync.WaitGroup
}

// New makes a sender, which is to be closed. Bodies of so many bytes may wait to be sent. A sender that may send
// nothing costs nothing.
func New(allow Allow, bytes int64) *Sender {
	s := &Sender{allow: allow, backoff: firstBackoff, queue: make(chan *Message, queueSize), most: bytes}
	s.context, s.stop = context.WithCancel(context.Background())
	dialer := &net.Dialer{Timeout: sendTimeout, Control: allow.control}
	s.client = &http.Client{
		Timeout: sendTimeout,
		// No proxy of the environment: it would reach what the dialer must not.
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

// Enqueue sends a message soon, and again where its target cannot be reached
// or answers with 429 or 5xx. It never waits.
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

// send sends a message once and waits for the result.
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
		if !strings.EqualFold(f.Name, "User-Agent") { // by which a mock knows what a mock sent
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

// plain leaves the method and URL out of an error: its reader knows them.
func plain(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		if wrapped.Timeout() {
			return errors.New("no answer within " + sendTimeout.String())
		}
		return wrapped.Err
	}
	return err
}

// Close stops sending: what is under way is broken off, what waits is dropped.
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

// Allow is the set of targets that requests may go to. The zero value is empty.
type Allow struct {
	text     string
	loopback bool
	hosts    []target
}

// target is a host and a port; port is empty for all of them.
type target struct{ host, port string }

// ParseAllow reads "off", "loopback" or a comma-separated list of hosts with or without ports; "" is "off".
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

// check returns the reason why a URL is no target, nil if it is one.
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
			return nil // a name is judged by its address, when it is dialled
		}
	}
	for _, t := range a.hosts {
		if t.host == host && (t.port == "" || t.port == port) {
			return nil
		}
	}
	return fmt.Errorf("target %s is not allowed by the option callbacks (%s)", net.JoinHostPort(host, port), a)
}

// control refuses to dial addresses beyond this machine where only that is allowed: a name can lead anywhere.
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
