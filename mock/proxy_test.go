package mock

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/recording"
	"github.com/coldframe/coldframe/mock/client"
	report "github.com/coldframe/coldframe/report/exchange"
)

// startProxy returns a proxy of the Plant Store's document in front of a handler. change may change its options.
func startProxy(t *testing.T, upstream http.HandlerFunc, change func(*Options)) *Server {
	t.Helper()
	backend := httptest.NewServer(upstream)
	t.Cleanup(backend.Close)
	o := Options{Proxy: ProxyOptions{Upstream: backend.URL}}
	if change != nil {
		change(&o)
	}
	return start(t, o)
}

func namedRose(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"name":"Rose"}`)
}

// codes returns the findings of the journal's exchanges, each as its place and code.
func codes(s *Server) (all []string) {
	for _, e := range s.Requests() {
		for _, f := range e.Findings {
			all = append(all, f.Where()+" "+f.Code)
		}
	}
	return all
}

func TestProxyFindings(t *testing.T) {
	for _, c := range []struct {
		name, request, response, mediaType string
		status                             int
		want                               string
	}{
		{"fine", rose, `{"name":"Rose"}`, "application/json", 200, ""},
		{"request", `{"id":"x","name":"Rose"}`, `{"name":"Rose"}`, "application/json", 200, "body.id type"},
		{"response", rose, `{"name":7}`, "application/json", 200, "response.body.name type"},
		{"media-type", rose, `<a/>`, "text/html", 200, "response.header.Content-Type unsupported-media-type"},
		{"status", rose, `{}`, "application/json", 201, "response undocumented-status"},
		{"not-json", rose, `{"name"`, "application/json", 200, "response.body.name malformed-json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", c.mediaType)
				w.WriteHeader(c.status)
				io.WriteString(w, c.response)
			}, nil)
			status, body := post(t, http.DefaultClient, s.URL(), c.request)
			if status != c.status || body != c.response {
				t.Errorf("got %d %s", status, body)
			}
			s.Close() // after which the exchange is in the journal
			if got := strings.Join(codes(s), ", "); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
		})
	}
}

// TestProxyFinishesFirst: an exchange is in log and journal, and its items are known, before the client has all of the
// response, which for a response without a body is its head.
func TestProxyFinishesFirst(t *testing.T) {
	arrived := make(chan bool)
	upstream := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	s := startProxy(t, upstream, func(o *Options) {
		o.Log = LogOptions{Format: "json", To: writerFunc(func(b []byte) (int, error) {
			if strings.Contains(string(b), "/plants") {
				select {
				case <-arrived:
					t.Error("the response came before its exchange was logged")
				case <-time.After(50 * time.Millisecond): // it would come at once
				}
			}
			return len(b), nil
		})}
	})
	answer, err := http.Post(s.URL()+"/plants", "application/json", strings.NewReader(`{"id":1,"name":"Fern"}`))
	close(arrived)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
}

func TestProxyEnforces(t *testing.T) {
	reached := false
	s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		reached = true
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"name":7}`)
	}, func(o *Options) { o.Proxy.Enforce = "both" })
	status, body := post(t, http.DefaultClient, s.URL(), `{"id":"x","name":"Rose"}`)
	if status != 400 || reached || !strings.Contains(body, `"detail":"body.id: got string, want integer","pointer":"#/id"`) {
		t.Errorf("an invalid request: %d %s", status, body)
	}
	status, body = post(t, http.DefaultClient, s.URL(), rose)
	if status != 502 || !reached || !strings.Contains(body, "response.body.name: got number, want string") {
		t.Errorf("an invalid response: %d %s", status, body)
	}
}

// What is enforced is checked as it is decoded, and observed.
func TestProxyEnforcesEncoded(t *testing.T) {
	for body, want := range map[string]int{`{"name":"Rose"}`: 200, `{"name":7}`: 502} {
		observed := make(chan *report.Recorded, 1)
		s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, body)
			z.Close()
		}, func(o *Options) {
			o.Proxy.Enforce = "responses"
			o.Proxy.Observe = func(x *report.Recorded) { observed <- x }
		})
		if status, got := post(t, http.DefaultClient, s.URL(), rose); status != want {
			t.Errorf("%s: got %d %s", body, status, got)
		}
		if x := <-observed; string(x.Response.Body) != body || x.Response.Status != 200 {
			t.Errorf("observed %d %s", x.Response.Status, x.Response.Body)
		}
	}
}

// A body that is longer than what is held is forwarded, with a finding.
func TestProxyLongBodies(t *testing.T) {
	long := `{"name":"` + strings.Repeat("x", 2000) + `"}`
	var got atomic.Int64
	s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		n, _ := io.Copy(io.Discard, r.Body)
		got.Store(n)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, long)
	}, func(o *Options) { o.Proxy.Enforce, o.Limits.MaxBody = "both", 1000 })
	if status, body := post(t, http.DefaultClient, s.URL(), long); status != 200 || body != long || got.Load() != int64(len(long)) {
		t.Errorf("got %d and %d bytes; %d were forwarded", status, len(body), got.Load())
	}
	s.Close()
	if want := []string{"body body-not-checked", "response.body body-not-checked"}; !slices.Equal(codes(s), want) {
		t.Errorf("found %q, want %q", codes(s), want)
	}
}

// The first event arrives before the second one is sent, and stopping the proxy ends the stream.
func TestProxyEvents(t *testing.T) {
	next := make(chan bool)
	s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for i := 1; ; i++ {
			fmt.Fprintf(w, "data: %d\n\n", i)
			w.(http.Flusher).Flush()
			select {
			case <-next:
			case <-r.Context().Done():
				return
			}
		}
	}, nil)
	response, err := http.Get(s.URL() + "/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewReader(response.Body)
	for i := 1; i <= 2; i++ {
		if line, err := lines.ReadString('\n'); line != fmt.Sprintf("data: %d\n", i) {
			t.Fatalf("got %q, %v", line, err)
		}
		lines.ReadString('\n')
		if i == 1 {
			next <- true
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestProxyWebSocket(t *testing.T) {
	s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") != "websocket" {
			w.WriteHeader(400)
			return
		}
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		io.Copy(conn, buffered) // an echo
	}, nil)
	conn, err := net.Dial("tcp", s.http.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	io.WriteString(conn, "GET /socket HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
	in := bufio.NewReader(conn)
	response, err := http.ReadResponse(in, nil)
	if err != nil || response.StatusCode != 101 {
		t.Fatal(response, err)
	}
	for range 3 {
		io.WriteString(conn, "ping")
		echo := make([]byte, 4)
		if _, err := io.ReadFull(in, echo); err != nil || string(echo) != "ping" {
			t.Fatalf("got %q, %v", echo, err)
		}
	}
	conn.Close()
	s.Close()
	if all := s.Requests(); len(all) != 1 || all[0].Response.Status != 101 {
		t.Errorf("the journal has %v", all)
	}
}

// HTTP/2 at both ends.
func TestProxyHTTP2(t *testing.T) {
	backend := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Trailer", "Checksum")
		fmt.Fprintf(w, `{"name":%q}`, r.Proto)
		w.Header().Set("Checksum", "abc")
	}))
	backend.EnableHTTP2 = true
	backend.StartTLS()
	defer backend.Close()
	s := start(t, Options{
		Listen: ListenOptions{SelfSigned: true},
		Proxy:  ProxyOptions{Upstream: backend.URL, TLS: &tls.Config{InsecureSkipVerify: true}},
	})
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true,
	}}
	defer client.CloseIdleConnections()
	response, err := client.Get(s.URL() + "/plants")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, _ := io.ReadAll(response.Body)
	if response.Proto != "HTTP/2.0" || string(body) != `{"name":"HTTP/2.0"}` || response.Trailer.Get("Checksum") != "abc" {
		t.Errorf("got %s %s %v", response.Proto, body, response.Trailer)
	}
}

// Long bodies pass at constant memory, both ways.
func TestProxyMemory(t *testing.T) {
	const size = 96 << 20
	s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		if n, _ := io.Copy(io.Discard, r.Body); n != size {
			w.WriteHeader(500)
			return
		}
		piece := make([]byte, 1<<20)
		for range size / len(piece) {
			w.Write(piece)
		}
	}, nil)
	before := liveHeap()
	response, err := http.Post(s.URL()+"/plants", "application/octet-stream", io.LimitReader(zeros{}, size))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var most uint64
	var n int64
	for buffer := make([]byte, 1<<20); ; {
		read, err := response.Body.Read(buffer)
		if n += int64(read); err != nil {
			break
		}
		if n%(16<<20) < int64(read) {
			most = max(most, liveHeap())
		}
	}
	if n != size || response.StatusCode != 200 {
		t.Errorf("got %d bytes with %d", n, response.StatusCode)
	}
	if grown := int64(most) - int64(before); grown > 24<<20 {
		t.Errorf("the live heap grew by %d MiB", grown>>20)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// liveHeap returns the bytes that are in use after a collection: garbage depends on GOGC.
func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestProxyUpstreamFails(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	s := start(t, Options{Proxy: ProxyOptions{Upstream: "http://" + closed.Addr().String(), Fallback: []string{"off"}}})
	if status, body := post(t, http.DefaultClient, s.URL(), rose); status != 502 || !strings.Contains(body, "no response came from") {
		t.Errorf("unreachable: %d %s", status, body)
	}
	if want := []string{"response upstream-unreachable"}; !slices.Equal(codes(s), want) {
		t.Errorf("found %q, want %q", codes(s), want)
	}
	for _, begin := range []func(*httptest.Server){(*httptest.Server).StartTLS, (*httptest.Server).Start} { // no TLS
		backend := httptest.NewUnstartedServer(nil)
		backend.Config.ErrorLog = log.New(io.Discard, "", 0)
		begin(backend)
		defer backend.Close()
		s = start(t, Options{Proxy: ProxyOptions{Upstream: "https://" + backend.Listener.Addr().String()}})
		if status, body := post(t, http.DefaultClient, s.URL(), rose); status != 502 {
			t.Errorf("untrusted: %d %s", status, body)
		}
		if want := []string{"response upstream-certificate"}; !slices.Equal(codes(s), want) {
			t.Errorf("found %q, want %q", codes(s), want)
		}
	}
	s = startProxy(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(io.Discard, r.Body); <-r.Context().Done() },
		func(o *Options) { o.Proxy.Timeout = 1 })
	if status, _ := post(t, http.DefaultClient, s.URL(), rose); status != 504 {
		t.Errorf("timeout: %d", status)
	}
	s = startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100")
		io.WriteString(w, `{"name":`)
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}, nil)
	response, err := http.Post(s.URL()+"/plants", "application/json", strings.NewReader(rose))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if body, err := io.ReadAll(response.Body); err == nil || string(body) != `{"name":` {
		t.Errorf("got %q, %v", body, err)
	}
	s.Close()
	if !slices.Contains(codes(s), "response.body upstream-broke-off") {
		t.Errorf("found %q", codes(s))
	}
}

// The upstream leads back to the proxy.
func TestProxyLoop(t *testing.T) {
	var s *Server
	s = startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		again, _ := http.NewRequest("GET", s.URL()+r.URL.Path, nil)
		again.Header = r.Header
		response, err := http.DefaultClient.Do(again)
		if err != nil {
			w.WriteHeader(500)
			return
		}
		defer response.Body.Close()
		w.WriteHeader(response.StatusCode)
	}, nil)
	if status, _ := get(t, s, "/plants"); status != http.StatusLoopDetected {
		t.Errorf("got %d", status)
	}
}

// Redirects are for the client: the proxy follows none.
func TestProxyRedirect(t *testing.T) {
	reached := false
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer elsewhere.Close()
	s := startProxy(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, elsewhere.URL, http.StatusFound) }, nil)
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Get(s.URL() + "/plants")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != 302 || reached {
		t.Errorf("got %d; the other host was reached: %v", response.StatusCode, reached)
	}
}

// Fields that the proxy adds are not for pages of other origins, and no such page may read a response.
func TestProxyOrigins(t *testing.T) {
	for _, c := range []struct {
		origin string
		secret bool
		status int
		allow  string
	}{
		{"http://localhost:3000", true, 200, "http://localhost:3000"},
		{"http://127.0.0.1:3000", true, 200, "http://127.0.0.1:3000"},
		{"https://evil.example", true, 403, "https://evil.example"}, // who may know why
		{"https://evil.example", false, 200, ""},
		{"http://203.0.113.7", true, 403, "http://203.0.113.7"},
		{"null", true, 403, "null"},
		{"https://app.example", true, 200, "https://app.example"},
	} {
		s := startProxy(t, namedRose, func(o *Options) {
			o.Listen.AllowedHosts = []string{"app.example"}
			if c.secret {
				o.Proxy.Header = http.Header{"Authorization": {"Bearer s3cret-of-proxy"}}
			}
		})
		r, _ := http.NewRequest("GET", s.URL()+"/plants", nil)
		r.Header.Set("Origin", c.origin)
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if got := response.Header.Get("Access-Control-Allow-Origin"); response.StatusCode != c.status || got != c.allow {
			t.Errorf("%s: %d, allowed %q", c.origin, response.StatusCode, got)
		}
	}
}

// Journal and recording have no credentials; the recording has the upstream's addresses, and check reads it.
func TestProxyRecords(t *testing.T) {
	file := filepath.Join(t.TempDir(), "traffic.har")
	var observed atomic.Pointer[report.Recorded]
	s := startProxy(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Set-Cookie", "sid=secret-cookie")
		z := gzip.NewWriter(w)
		io.WriteString(z, `{"name":"Rose"}`)
		z.Close()
	}, func(o *Options) {
		o.Proxy.Record, o.Proxy.ConsumerHeader = file, "X-App"
		o.Proxy.Header = http.Header{"X-Api-Key": {"added-secret"}}
		o.Proxy.Observe = func(x *report.Recorded) { observed.Store(x) }
	})
	r, _ := http.NewRequest("POST", s.URL()+"/plants?access_token=secret-query", strings.NewReader(rose))
	r.Header = http.Header{
		"Authorization": {"Bearer secret-token"}, "Content-Type": {"application/json"}, "X-App": {"web"},
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	s.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(text) || bytes.Contains(text, []byte("secret")) {
		t.Errorf("the recording is\n%s", text)
	}
	var entries []*recording.Entry
	for e, err := range recording.Read(bytes.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	if len(entries) != 1 || string(entries[0].Response.Body) != `{"name":"Rose"}` ||
		entries[0].Origin != s.options.Proxy.Upstream {
		t.Errorf("got %+v", entries)
	}
	journal, err := json.Marshal(s.Requests())
	if err != nil || bytes.Contains(journal, []byte("secret")) || s.Requests()[0].Consumer != "web" {
		t.Errorf("the journal is %s, %v", journal, err)
	}
	if x := observed.Load(); x == nil || x.Request.Path != "/plants" || string(x.Response.Body) != `{"name":"Rose"}` {
		t.Errorf("observed %+v", x)
	}
}

func TestProxyOptions(t *testing.T) {
	for upstream, want := range map[string]string{
		"localhost:80":              "is not of the form",
		"ftp://localhost":           "is not of the form",
		"http://u:p@localhost":      "credentials do not belong",
		"http://localhost?x=1":      "a query or a fragment",
		"http://u:secret@localhost": "credentials do not belong",
	} {
		_, err := New(t.Context(), Options{Proxy: ProxyOptions{Upstream: upstream}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", upstream, err)
		}
	}
}

// The control API of a proxy has a port of its own: the upstream's pages have the origin of the proxy.
func TestProxyControl(t *testing.T) {
	observed := make(chan bool, 1)
	s := startProxy(t, namedRose, func(o *Options) { o.Proxy.Observe = func(*report.Recorded) { observed <- true } })
	if status, _ := get(t, s, "/__coldframe/requests"); status != 404 {
		t.Errorf("the proxy's port answers %d", status)
	}
	if status, _ := get(t, s, "/__coldframe/health"); status != 200 {
		t.Errorf("health is %d", status)
	}
	post(t, http.DefaultClient, s.URL(), rose)
	<-observed // after it was counted
	for path, want := range map[string]int{
		"requests": 200, "coverage?consumer=Go-http-client": 200, "coverage?consumer=other": 404,
	} {
		response, err := http.Get(s.ControlURL() + "/__coldframe/" + path)
		if err != nil || response.StatusCode != want {
			t.Fatal(path, response, err)
		}
		response.Body.Close()
	}
}

// Chosen operations, and those that the upstream does not have, are mocked; each response says why.
func TestProxyMocks(t *testing.T) {
	const document = `
openapi: 3.1.0
info: {title: Mix, version: "1"}
paths:
  /plants:
    get: {operationId: list, tags: [read], responses: {"200": {description: fine, content: {application/json: {schema: {type: array, items: &plant {type: object, required: [id, name], properties: {id: {type: integer, readOnly: true}, name: {type: string}}}}}}}}}
    post: {operationId: create, requestBody: {content: {application/json: {schema: *plant}}}, responses: {"201": {description: fine, content: {application/json: {schema: *plant}}}}}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: read, tags: [read], responses: {"200": {description: fine, content: {application/json: {schema: *plant}}}, "404": {description: none}}}
`
	for _, c := range []struct {
		name               string
		mock, forward      []string
		fallback           []string
		status             int // of the upstream; 0 if it is unreachable
		request, want, why string
	}{
		{"default", nil, nil, nil, 200, "GET /plants", "upstream", ""},
		{"mock", []string{"create"}, nil, nil, 200, "POST /plants", "mock", "chosen"},
		{"mock-other", []string{"create"}, nil, nil, 200, "GET /plants", "upstream", ""},
		{"forward-wins", []string{"/plants*"}, []string{"tag:read"}, nil, 200, "GET /plants/1", "upstream", ""},
		{"forward-alone", nil, []string{"tag:read"}, nil, 200, "POST /plants", "mock", "not chosen to be forwarded"},
		{"501", nil, nil, nil, 501, "POST /plants", "mock", "the upstream answered 501"},
		{"501-off", nil, nil, []string{"off"}, 501, "POST /plants", "501", ""},
		{"404-default", nil, nil, nil, 404, "GET /plants", "404", ""},
		{"404", nil, nil, []string{"404"}, 404, "GET /plants", "mock", "the upstream answered 404"},
		{"404-item", nil, nil, []string{"404"}, 404, "GET /plants/1", "404", ""},
		{"unreachable", nil, nil, nil, 0, "POST /plants", "mock", "the upstream is unreachable"},
		{"unreachable-off", nil, nil, []string{"off"}, 0, "POST /plants", "502", ""},
		{"error-502", nil, nil, []string{"unreachable", "error=502"}, 0, "POST /plants", "502", ""},
		{"error-mock", nil, nil, []string{"off", "error=mock"}, 0, "POST /plants", "mock", "the upstream is unreachable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			forwarded := 0
			backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				io.Copy(io.Discard, r.Body)
				forwarded++
				w.Header().Set("From", "upstream")
				w.WriteHeader(c.status)
			}))
			if c.status == 0 {
				backend.Close()
			} else {
				defer backend.Close()
			}
			onError := ""
			if last := len(c.fallback) - 1; last > 0 {
				onError = strings.TrimPrefix(c.fallback[last], "error=")
				c.fallback = c.fallback[:last]
			}
			s := start(t, Options{Document: "mix.yaml", Text: []byte(document), Proxy: ProxyOptions{
				Upstream: backend.URL, Mock: c.mock, Forward: c.forward, Fallback: c.fallback, OnUpstreamError: onError,
			}})
			method, path, _ := strings.Cut(c.request, " ")
			for range 2 { // the second time it is known
				var body io.Reader
				if method == "POST" {
					body = strings.NewReader(`{"name":"Rose"}`)
				}
				r, _ := http.NewRequest(method, s.URL()+path, body)
				r.Header.Set("Content-Type", "application/json")
				response, err := http.DefaultClient.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				text, _ := io.ReadAll(response.Body)
				response.Body.Close()
				got := fmt.Sprint(response.StatusCode)
				switch why := response.Header.Get("Coldframe-Mocked"); {
				case why != c.why:
					t.Errorf("mocked: %q, want %q", why, c.why)
				case why != "":
					got = "mock"
					if method == "POST" && !strings.Contains(string(text), `"Rose"`) {
						t.Errorf("the mock got no body: %s", text)
					}
				case response.StatusCode == 200 && response.Header.Get("From") != "":
					got = "upstream"
				}
				if got != c.want {
					t.Errorf("got %s %s, want %s", got, text, c.want)
				}
			}
			if c.why == "the upstream answered 501" && forwarded != 1 {
				t.Errorf("%d requests were forwarded after the upstream said that it has no such operation", forwarded-1)
			}
		})
	}
}

// The source of an operation can be changed at run time.
func TestProxySources(t *testing.T) {
	s := startProxy(t, namedRose, nil)
	c := client.New(s.ControlURL(), client.Options{})
	mocked := func() string {
		r, _ := http.NewRequest("POST", s.URL()+"/plants", strings.NewReader(rose))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer token"}}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		return response.Header.Get("Coldframe-Mocked")
	}
	for _, step := range []struct{ source, want, listed string }{
		{"mock", "set by the control API", "mock"}, {"forward", "", "forward"}, {"mock", "set by the control API", "mock"}, {"default", "", "forward"},
	} {
		if err := c.SetSource(t.Context(), "POST /plants", step.source); err != nil {
			t.Fatal(err)
		}
		if got := mocked(); got != step.want {
			t.Errorf("after %s: mocked %q", step.source, got)
		}
		all, err := c.Sources(t.Context())
		if err != nil || len(all) != 1 || all[0].Operation != "POST /plants" || all[0].Source != step.listed {
			t.Errorf("after %s: %v, %v", step.source, all, err)
		}
	}
	if err := c.SetSource(t.Context(), "GET /none", "mock"); err == nil {
		t.Error("an unknown operation was accepted")
	}
}

const mixed = `
openapi: 3.1.0
info: {title: Mixed, version: "1"}
paths:
  /plants:
    get: {operationId: list, responses: {"200": {description: some, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Plant"}}}}}}}
    post: {operationId: create, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}, responses: {"201": {description: new, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}}
  /plants/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get: {operationId: read, responses: {"200": {description: one, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}, "404": {description: none}}}
    patch: {operationId: change, requestBody: {content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}, responses: {"200": {description: changed, content: {application/json: {schema: {$ref: "#/components/schemas/Plant"}}}}}}
components: {schemas: {Plant: {type: object, required: [name], properties: {id: {type: integer, readOnly: true}, name: {type: string}}}}}
`

// startMixed returns a proxy that mocks operations in front of a handler.
func startMixed(t *testing.T, upstream http.HandlerFunc, mocked ...string) *Server {
	return startProxy(t, upstream, func(o *Options) {
		o.Document, o.Text, o.Proxy.Mock = "mixed.yaml", []byte(mixed), mocked
	})
}

// call sends a request and returns its response with the body.
func call(t *testing.T, s *Server, method, path, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if r.Header = header; header == nil {
		r.Header = http.Header{"Content-Type": {"application/json"}}
	}
	response, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(text)
}

// The fields of a merged response are about what is sent.
func TestProxyMergedFields(t *testing.T) {
	var got http.Header
	s := startMixed(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		h := w.Header()
		for name, value := range map[string]string{
			"Content-Type": "application/json; charset=utf-8", "Content-Encoding": "gzip", "ETag": `W/"v1"`,
			"Last-Modified": "Mon, 02 Jan 2006 15:04:05 GMT", "Accept-Ranges": "bytes", "Content-Digest": "sha-256=:x:",
			"Cache-Control": "max-age=1", "Trailer": "Checksum",
		} {
			h.Set(name, value)
		}
		if r.Header.Get("If-None-Match") == `W/"v1"` {
			w.WriteHeader(304)
			return
		}
		z := gzip.NewWriter(w)
		io.WriteString(z, `[ {"id":1,"name":"Rose"} ]`)
		z.Close()
		h.Set("Checksum", "abc")
	}, "create")
	sent := http.Header{"If-None-Match": {`W/"v1"`}, "Range": {"bytes=0-1"}, "If-Modified-Since": {"Mon, 02 Jan 2006 15:04:05 GMT"}}
	if r, _ := call(t, s, "GET", "/plants", "", sent); r.StatusCode != 304 {
		t.Fatalf("before a change: %d", r.StatusCode)
	}
	call(t, s, "POST", "/plants", `{"name":"Fern"}`, nil)
	r, body := call(t, s, "GET", "/plants", "", sent)
	const want = `[{"id":1,"name":"Rose"},{"id":1000000001,"name":"Fern"}]`
	tag := r.Header.Get("ETag")
	if r.StatusCode != 200 || body != want || r.ContentLength != int64(len(want)) || r.Header.Get("Coldframe-Merged") != "1 added" {
		t.Errorf("got %d %s %v", r.StatusCode, body, r.Header)
	}
	for _, name := range []string{"Content-Encoding", "Last-Modified", "Accept-Ranges", "Content-Digest", "Trailer"} {
		if value := r.Header.Get(name); value != "" || r.Trailer != nil {
			t.Errorf("%s: %s, trailers %v", name, value, r.Trailer)
		}
	}
	for _, name := range []string{"If-None-Match", "Range", "If-Modified-Since"} {
		if value := got.Get(name); value != "" {
			t.Errorf("the upstream got %s: %s", name, value)
		}
	}
	if !strings.HasPrefix(tag, `W/"v1--coldframe-`) || r.Header.Get("Cache-Control") != "max-age=1" {
		t.Errorf("got %v", r.Header)
	}
	if r, body := call(t, s, "GET", "/plants", "", http.Header{"If-None-Match": {`"x", ` + tag}}); r.StatusCode != 304 || body != "" ||
		r.Header.Get("ETag") != tag {
		t.Errorf("with the tag: %d %q %v", r.StatusCode, body, r.Header)
	}
	call(t, s, "PATCH", "/plants/1", `{"name":"Lily"}`, http.Header{"Content-Type": {"application/json"}, "If-Match": {tag}})
	if tag := got.Get("If-Match"); tag != `W/"v1"` {
		t.Errorf("the upstream got If-Match: %s", tag)
	}
}

// Whatever an upstream sends is forwarded unchanged if it cannot be merged.
func TestProxyMergesNoGarbage(t *testing.T) {
	deep := strings.Repeat("[", 200_000)
	long := `[{"id":1,"name":"` + strings.Repeat("x", 11<<20) + `"}]`
	many := "[" + strings.Repeat(`{"id":1,"name":"Rose"},`, 50_000) + `{"id":2,"name":"Lily"}]`
	for _, body := range []string{
		"", "null", "{}", "[", "7", `"text"`, "\xff\xfe", `[null,7,"x",[],{}]`, `[{"id":{"a":1},"name":"Rose"}]`,
		`[{"id":"1000000001","name":7}]`, `[{"id":1.5,"name":"Rose"}]`, `{"data":[{"id":1,"name":"Rose"}]}`,
		`[{"coldframe:x":1,"id":true,"name":[]}]`, `[{"id":1e400,"name":"Rose"}]`, deep, long, many,
	} {
		t.Run(fmt.Sprintf("%.40q", body), func(t *testing.T) {
			s := startMixed(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("ETag", `"v1"`)
				io.WriteString(w, body)
			}, "create", "change")
			call(t, s, "POST", "/plants", `{"name":"Fern"}`, nil)
			call(t, s, "PATCH", "/plants/1", `{"name":"Lily"}`, nil)
			for _, path := range []string{"/plants", "/plants/2"} {
				r, got := call(t, s, "GET", path, "", nil)
				if merged := r.Header.Get("Coldframe-Merged"); got != body && merged == "" || r.StatusCode != 200 {
					t.Errorf("%s: got %d, %d bytes of %d, merged %q", path, r.StatusCode, len(got), len(body), merged)
				}
			}
			if r, _ := call(t, s, "POST", "/plants", `{"name":"Ivy"}`, nil); r.StatusCode != 201 {
				t.Errorf("then the mock answers %d", r.StatusCode)
			}
		})
	}
}

type writerFunc func(b []byte) (int, error)

func (w writerFunc) Write(b []byte) (int, error) { return w(b) }
