package wire

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

const empty = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

// answering answers every request on a connection.
func answering(conn net.Conn, answer func(*http.Request) string) {
	reader := bufio.NewReader(conn)
	for {
		request, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		io.Copy(io.Discard, request.Body)
		if _, err := io.WriteString(conn, answer(request)); err != nil {
			return
		}
	}
}

func TestConnectionsAreKept(t *testing.T) {
	var connections atomic.Int64
	c := client(t, serve(t, "127.0.0.1", func(_ int, conn net.Conn) {
		connections.Add(1)
		answering(conn, func(*http.Request) string { return empty })
	}), Options{})
	for range 20 {
		wantFault(t, send(c), "", "")
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// TestClosedBetween has a server that closes each connection after an answer
// without saying so: requests go over new ones, and none is judged for it.
func TestClosedBetween(t *testing.T) {
	var requests atomic.Int64
	c := client(t, serve(t, "127.0.0.1", func(_ int, conn net.Conn) {
		http.ReadRequest(bufio.NewReader(conn))
		requests.Add(1)
		io.WriteString(conn, empty)
	}), Options{})
	for range 50 {
		wantFault(t, send(c), "", "")
	}
	if n := requests.Load(); n != 50 {
		t.Errorf("%d requests", n)
	}
}

// TestClosedOnRequest has a server that closes a connection when its second
// request comes: that is sent once more, over a new one.
func TestClosedOnRequest(t *testing.T) {
	c := client(t, serve(t, "127.0.0.1", func(_ int, conn net.Conn) {
		reader := bufio.NewReader(conn)
		http.ReadRequest(reader)
		io.WriteString(conn, empty)
		http.ReadRequest(reader)
	}), Options{})
	for range 5 {
		wantFault(t, send(c), "", "")
	}
}

// TestGoneOnRequest has a server that goes when its second request comes: what
// reported error is about that request, and not a refused connection.
func TestGoneOnRequest(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		reader := bufio.NewReader(conn)
		http.ReadRequest(reader)
		io.WriteString(conn, empty)
		http.ReadRequest(reader)
		listener.Close()
		conn.Close()
	})
	c := client(t, listener.Addr(), Options{})
	wantFault(t, send(c), "", "")
	wantFault(t, send(c), NoAnswer, "closed without an answer, and then: ")
	wantFault(t, send(c), Unreachable, "refused")
	done.Wait()
}

// TestUnasked has a server that sends more than it was asked for, a while after
// its answer: these bytes are not read as the next answer.
func TestUnasked(t *testing.T) {
	more, sent := make(chan bool), make(chan bool)
	c := client(t, serve(t, "127.0.0.1", func(n int, conn net.Conn) {
		if n > 1 {
			answering(conn, func(*http.Request) string { return empty })
			return
		}
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, empty)
		<-more
		io.WriteString(conn, "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")
		sent <- true
		io.Copy(io.Discard, conn)
	}), Options{})
	wantFault(t, send(c), "", "")
	more <- true
	<-sent
	if a := send(c); a.Fault != nil || a.Response.Status != 200 {
		t.Errorf("%+v", a)
	}
}

// TestAnsweredEarly has a server that refuses a large request before it has read
// its body.
func TestAnsweredEarly(t *testing.T) {
	c := client(t, serve(t, "127.0.0.1", func(_ int, conn net.Conn) {
		http.ReadRequest(bufio.NewReader(conn))
		io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
		io.Copy(io.Discard, conn)
	}), Options{})
	for range 3 {
		a := c.Send(context.Background(), &exchange.Request{Method: "POST", Path: "/", Body: bytes.Repeat([]byte("a"), 32<<20)})
		if a.Fault != nil || a.Response.Status != 413 {
			t.Fatalf("%+v", a)
		}
	}
}

// TestWritten compares the bytes that are sent with the request.
func TestWritten(t *testing.T) {
	for _, test := range []struct {
		name, url string
		request   exchange.Request
		want      string
	}{
		{"no path", "", exchange.Request{Method: "GET"}, "GET / HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"a path before", "/v1/", exchange.Request{Method: "GET", Path: "/a"}, "GET /v1/a HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"an encoded path before", "/a%20b%2Fc", exchange.Request{Method: "GET", Path: "/%C3%BC%2F"}, "GET /a%20b%2Fc/%C3%BC%2F HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"a query", "", exchange.Request{Method: "GET", Path: "/a", Query: "b=%20&c"}, "GET /a?b=%20&c HTTP/1.1\r\nHost: HOST\r\n\r\n"},
		{"a body", "", exchange.Request{Method: "POST", Path: "/a", Body: []byte("abc")}, "POST /a HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\n\r\nabc"},
		{"no body where one is usual", "", exchange.Request{Method: "PUT", Path: "/a"}, "PUT /a HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n"},
		{"fields twice, empty and odd", "", exchange.Request{Method: "GET", Path: "/", Header: exchange.Header{{Name: "x-a", Value: "1"}, {Name: "X-A", Value: ""}, {Name: "x_y.z", Value: "ü\t\""}}},
			"GET / HTTP/1.1\r\nHost: HOST\r\nx-a: 1\r\nX-A: \r\nx_y.z: ü\t\"\r\n\r\n"},
		{"a field that would be two", "", exchange.Request{Method: "GET", Path: "/", Header: exchange.Header{{Name: "X-A", Value: "1\r\nX-B: 2\n\x00"}}},
			"GET / HTTP/1.1\r\nHost: HOST\r\nX-A: 1  X-B: 2  \r\n\r\n"},
		{"another host and length", "", exchange.Request{Method: "TRACE", Path: "/", Header: exchange.Header{{Name: "host", Value: "x"}, {Name: "content-length", Value: "0"}}},
			"TRACE / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := make(chan string, 1)
			address := serve(t, "127.0.0.1", func(_ int, conn net.Conn) {
				buffer := make([]byte, 4096)
				n, _ := conn.Read(buffer)
				got <- string(buffer[:n])
				io.WriteString(conn, empty)
			})
			u, err := url.Parse("http://" + address.String() + test.url)
			if err != nil {
				t.Fatal(err)
			}
			wantFault(t, client(t, nil, Options{URL: u}).Send(context.Background(), &test.request), "", "")
			if text := <-got; text != strings.ReplaceAll(test.want, "HOST", address.String()) {
				t.Errorf("%q", text)
			}
		})
	}
}

func TestIPv6(t *testing.T) {
	address := serve(t, "::1", func(_ int, conn net.Conn) {
		answering(conn, func(r *http.Request) string { return empty })
	})
	wantFault(t, send(client(t, address, Options{})), "", "")
}

func TestCertificates(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.Header().Set("X-A", "1") }))
	defer server.Close()
	u, _ := url.Parse(server.URL)
	wantFault(t, send(client(t, nil, Options{URL: u})), Certificate, "Options.Insecure accepts any certificate")
	c := client(t, nil, Options{URL: u, Insecure: true})
	for range 3 { // over the same connection
		wantFault(t, send(c), "", "")
	}
	if len(c.idle) != 1 {
		t.Errorf("%d connections are kept", len(c.idle))
	}
	plain := httptest.NewServer(server.Config.Handler)
	defer plain.Close()
	u, _ = url.Parse(plain.URL)
	u.Scheme = "https"
	wantFault(t, send(client(t, nil, Options{URL: u, Insecure: true})), Certificate, "the backend does not speak TLS")
}

func TestExpiredCertificate(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Unix(1, 0), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	certificate := tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
	address := serve(t, "127.0.0.1", func(_ int, conn net.Conn) {
		over := tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{certificate}})
		answering(over, func(*http.Request) string { return empty })
	})
	u := &url.URL{Scheme: "https", Host: address.String()}
	trusting := client(t, nil, Options{URL: u})
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	trusting.tls.RootCAs = x509.NewCertPool()
	trusting.tls.RootCAs.AddCert(parsed)
	wantFault(t, send(trusting), Certificate, "expired")
	wantFault(t, send(client(t, nil, Options{URL: u, Insecure: true})), "", "")
}

// TestPath reads references in answers.
func TestPath(t *testing.T) {
	u, _ := url.Parse("http://host:80/v1")
	c := client(t, nil, Options{URL: u})
	for reference, want := range map[string]string{
		"/v1/a": "/a", "http://host:80/v1/a?b": "/a", "/v1": "", "/v2/a": "", "/v10/a": "", "http://other/v1/a": "", "https://host:80/v1/a": "", "%zz": "", "//other/v1/a": "",
	} {
		if got := c.Path(reference); got != want {
			t.Errorf("%q: %q, want %q", reference, got, want)
		}
	}
}

func TestURLs(t *testing.T) {
	for text, want := range map[string]string{"": "a URL with a host is needed", "localhost:80": "a URL with a host", "ftp://host/": "http or https", "/x": "a URL with a host"} {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := New(Options{URL: u}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestMany sends from many goroutines at once to a server that closes now and
// then.
func TestMany(t *testing.T) {
	c := client(t, serve(t, "127.0.0.1", func(n int, conn net.Conn) {
		left := n%7 + 1
		answering(conn, func(*http.Request) string {
			if left--; left == 0 {
				return "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na"
			}
			return "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
		})
	}), Options{Idle: 4})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if a := send(c); a.Fault != nil || string(a.Response.Body) != "a" {
					t.Errorf("%+v", a)
				}
			}
		})
	}
	wg.Wait()
	if len(c.idle) > 4 {
		t.Errorf("%d connections are kept", len(c.idle))
	}
}

func BenchmarkSend(b *testing.B) {
	c := client(b, serve(b, "127.0.0.1", func(_ int, conn net.Conn) {
		buffer := make([]byte, 4096)
		for {
			if _, err := conn.Read(buffer); err != nil {
				return
			}
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"a\": \"bcde\"}")
		}
	}), Options{})
	b.ReportAllocs()
	for b.Loop() {
		if a := send(c); a.Fault != nil {
			b.Fatal(a.Fault)
		}
	}
}
