// Package proxy passes requests on to one upstream, and reads along. It streams: neither a body nor a stream of events
// waits for its end. What is rewritten is in rewrite.go (requests) and answer.go (responses); everything else arrives
// as it was sent, within what net/http can keep: the case of field names and the order of fields with different names
// are lost.
//
//	p := proxy.New(proxy.Options{Upstream: u})
//	seen := p.Forward(w, r, proxy.Steps{Head: func(h *proxy.Head) { … }})
//
// No request goes to another host than the upstream, whatever a request's target or a response's redirect names.
package proxy

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/http/httputil"
	"net/textproto"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/coldframe/coldframe/internal/bodies"
)

// Options configure a Proxy. Upstream is required.
type Options struct {
	// Upstream is the base URL of the upstream. If it has a path, even "/", that replaces the document's base paths.
	Upstream *url.URL
	// Header has fields that replace those of each request.
	Header http.Header
	// TLS is for upstreams with https; nil for the defaults.
	TLS *tls.Config
	// Timeout limits the time from the end of a request to the head of its response. Default: one minute.
	Timeout time.Duration
	// TrustProxy keeps the fields by which a proxy in front of this one says who its client is.
	TrustProxy bool
	// MaxBody is the number of bytes of each body that are kept for reading along.
	MaxBody int
	// Bodies limits the memory of all bodies in flight.
	Bodies *bodies.Budget
}

// Proxy forwards requests to one upstream. It is safe for concurrent use.
type Proxy struct {
	options Options
	reverse httputil.ReverseProxy
	// via names this proxy in the field Via, by which it recognizes its own requests.
	via string
}

// New returns a proxy.
func New(o Options) *Proxy {
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	p := &Proxy{options: o, via: "coldframe-" + strings.ToLower(rand.Text()[:8])}
	p.reverse = httputil.ReverseProxy{
		Rewrite: p.rewrite,
		Transport: &http.Transport{
			Proxy:                  nil, // requests go to the upstream alone
			DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			TLSClientConfig:        o.TLS,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true, // bodies stay as they are encoded
			MaxIdleConnsPerHost:    256,
			IdleConnTimeout:        90 * time.Second,
			ResponseHeaderTimeout:  o.Timeout,
			ExpectContinueTimeout:  time.Second,
			MaxResponseHeaderBytes: maxHead,
		},
		FlushInterval:  -1, // each piece at once
		BufferPool:     &buffers{},
		ErrorLog:       log.New(io.Discard, "", 0), // errors are returned by Forward
		ModifyResponse: modifyResponse,
		ErrorHandler:   keepError,
	}
	return p
}

// maxHead limits the fields of a response, in bytes.
const maxHead = 256 << 10

// buffers are reused between the bodies that are copied.
type buffers struct{ pool sync.Pool }

func (b *buffers) Get() []byte {
	if buffer, ok := b.pool.Get().(*[32 << 10]byte); ok {
		return buffer[:]
	}
	return make([]byte, 32<<10)
}

func (b *buffers) Put(buffer []byte) { b.pool.Put((*[32 << 10]byte)(buffer)) }

// Close closes the connections to the upstream that are not in use.
func (p *Proxy) Close() { p.reverse.Transport.(*http.Transport).CloseIdleConnections() }

// Steps are called while a request is forwarded.
type Steps struct {
	// Base is the document's base path that the request's path begins with; "" if none.
	Base string
	// MissingBase is the document's base path that the request's path lacks; "" if none.
	MissingBase string
	// Whole asks for all of a representation: with GET, without ranges and conditions.
	Whole bool
	// Head is called with the head of the final response before it is sent, and may change its fields. An error
	// refuses the response: nothing of it is sent, and Forward returns the error.
	Head func(*Head) error
	// Stopped ends event streams and upgraded connections.
	Stopped context.Context
}

// Head is the head of an upstream's response, as it came.
type Head struct {
	Path    string // that was requested of the upstream, still percent-encoded
	Status  int
	Header  http.Header // as it came
	Answer  http.Header // which is sent to the client
	Request *Tap        // the request's body; it may still be arriving
	Body    *Tap        // the response's body, of which nothing has been read
	// Streams says that the body may never end: a stream of events, or another protocol.
	Streams bool

	response *http.Response
}

// Seen is what passed.
type Seen struct {
	*Head        // nil if no final response came
	Path  string // that was requested of the upstream, still percent-encoded
	Sent  bool   // the head of a response was sent to the client
	Err   error  // why no response came, or why it was not sent to its end; nil if all is well
}

// ErrLoop says that a request has been through this proxy already.
var ErrLoop = errors.New("the request has been through this proxy: the upstream leads back to it")

// Forward passes a request on, and its response back. The body of r is a *Tap, or there is none. If nothing was sent,
// the caller answers. If a response broke off after its head was sent, Seen has an error, and the caller breaks off as
// well.
func (p *Proxy) Forward(w http.ResponseWriter, r *http.Request, steps Steps) (seen Seen) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	f := &forwarding{proxy: p, steps: steps, plain: r.TLS == nil, cancel: cancel, host: r.Host}
	f.request, _ = r.Body.(*Tap)
	if f.request == nil {
		f.request = &Tap{ended: true}
	}
	for _, via := range r.Header.Values("Via") {
		if strings.Contains(via, p.via) {
			return Seen{Err: ErrLoop}
		}
	}
	out := &writer{ResponseWriter: w}
	defer func() {
		if f.stop != nil {
			f.stop()
		}
		upgraded := f.head != nil && f.head.Status == http.StatusSwitchingProtocols && f.err == nil
		seen = Seen{Head: f.head, Path: f.path, Sent: out.begun || upgraded, Err: f.err}
		if cause := recover(); cause != nil {
			if cause != http.ErrAbortHandler {
				panic(cause)
			}
			if seen.Err == nil {
				seen.Err = io.ErrUnexpectedEOF
			}
		}
		if f.head != nil && seen.Err == nil {
			seen.Err = f.head.Body.Failed()
		}
	}()
	ctx = httptrace.WithClientTrace(context.WithValue(ctx, forwardingKey{}, f), &httptrace.ClientTrace{
		Got1xxResponse: func(int, textproto.MIMEHeader) error { return f.countInterim() },
	})
	p.reverse.ServeHTTP(out, r.WithContext(ctx))
	return seen
}

// maxInterim limits the interim responses (1xx) before a final one.
const maxInterim = 100

func (f *forwarding) countInterim() error {
	if f.interim++; f.interim > maxInterim {
		return fmt.Errorf("it sent more than %d interim responses", maxInterim)
	}
	return nil
}

// forwarding is one request on its way.
type forwarding struct {
	proxy   *Proxy
	steps   Steps
	plain   bool // the client came over http
	host    string
	request *Tap
	path    string // of the upstream
	head    *Head
	err     error
	interim int // responses before the final one
	cancel  context.CancelFunc
	stop    func() bool
}

type forwardingKey struct{}

func of(r *http.Request) *forwarding { return r.Context().Value(forwardingKey{}).(*forwarding) }

// keepError is called instead of a response.
func keepError(_ http.ResponseWriter, r *http.Request, err error) {
	of(r).err = err
}

// writer sends a response's head without the fields that net/http would add.
type writer struct {
	http.ResponseWriter
	begun bool
}

func (w *writer) WriteHeader(status int) {
	if status == http.StatusContinue {
		return // net/http sends it when the body is read, which the upstream's has led to
	}
	if status >= 200 || status == http.StatusSwitchingProtocols {
		w.begin()
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) Write(b []byte) (int, error) {
	w.begin()
	return w.ResponseWriter.Write(b)
}

func (w *writer) begin() {
	if w.begun {
		return
	}
	w.begun = true
	for _, name := range []string{"Content-Type", "Date"} {
		if _, has := w.Header()[name]; !has {
			w.Header()[name] = nil
		}
	}
}

// Unwrap lets an http.ResponseController flush and hijack.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }
