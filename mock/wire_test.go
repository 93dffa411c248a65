package mock

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
)

// wireDocument has an operation for each way in which bodies travel.
const wireDocument = `
openapi: 3.1.0
info: {title: Wire, version: "1"}
paths:
  /plants:
    get:
      responses: {"200": {description: fine, content: {text/plain: {schema: {const: plants}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {const: Rose}}}}}}
      responses: {"200": {description: fine, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}}
  /search:
    get:
      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [query]}}}}
      responses: {"200": {description: fine, content: {text/plain: {schema: {const: found}}}}}
  /empty: {delete: {responses: {"204": {description: fine, content: {text/plain: {schema: {const: never}}}}}}}
  /cached: {get: {responses: {"304": {description: unchanged, headers: {ETag: {schema: {const: '"1"'}}}}}}}
  /bare: {get: {responses: {"200": {description: fine}}}}
`

// dial opens a connection for raw requests.
func dial(t *testing.T) (net.Conn, *bufio.Reader) {
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(wireDocument)})
	conn, err := net.Dial("tcp", s.http.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn, bufio.NewReader(conn)
}

// answer reads an answer and returns its status, Content-Length and body.
func answer(t *testing.T, r *bufio.Reader, method string) string {
	t.Helper()
	response, err := http.ReadResponse(r, &http.Request{Method: method})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	length := "none"
	if values := response.Header.Values("Content-Length"); len(values) > 0 {
		length = strings.Join(values, ",")
	}
	return strings.TrimSpace(fmt.Sprintf("%d length %s %s", response.StatusCode, length, body))
}

func TestExpectContinue(t *testing.T) {
	conn, r := dial(t)
	const body = `{"name":"Rose"}`
	fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", len(body))
	if line, err := r.ReadString('\n'); line != "HTTP/1.1 100 Continue\r\n" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	if line, err := r.ReadString('\n'); line != "\r\n" || err != nil {
		t.Fatalf("%q, %v", line, err)
	}
	io.WriteString(conn, body)
	if got := answer(t, r, "POST"); got != `200 length 15 {"name":"Rose"}` {
		t.Error(got)
	}
}

// TestBodiesKeepTheirPlace sends requests one after another on one connection:
// a body that is miscounted, in a request or in an answer, would be read as
// the message after it.
func TestBodiesKeepTheirPlace(t *testing.T) {
	conn, r := dial(t)
	for _, c := range []struct{ method, request, want string }{
		{"GET", "GET /plants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\nignored", "200 length 6 plants"},
		{"GET", "GET /plants HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "200 length 6 plants"},
		{"GET", "GET /search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 13\r\n\r\n{\"query\":\"x\"}", "200 length 5 found"},
		{"HEAD", "HEAD /plants HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 length 6"},
		{"HEAD", "HEAD /plants HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc", "200 length 6"},
		{"DELETE", "DELETE /empty HTTP/1.1\r\nHost: localhost\r\n\r\n", "204 length none"},
		{"GET", "GET /cached HTTP/1.1\r\nHost: localhost\r\n\r\n", "304 length none"},
		{"GET", "GET /bare HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 length 0"},
		{"POST", "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n{\"name\"\r\n8\r\n:\"Rose\"}\r\n0\r\n\r\n", `200 length 15 {"name":"Rose"}`},
		{"GET", "GET /plants HTTP/1.1\r\nHost: localhost\r\n\r\n", "200 length 6 plants"},
	} {
		io.WriteString(conn, c.request)
		if got := answer(t, r, c.method); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.request, got, c.want)
		}
	}
}

func TestCompressedRequests(t *testing.T) {
	conn, r := dial(t)
	const body = `{"name":"Rose"}`
	compress := func(make func(io.Writer) io.WriteCloser) string {
		var b bytes.Buffer
		w := make(&b)
		io.WriteString(w, body)
		w.Close()
		return b.String()
	}
	zipped := compress(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	for _, c := range []struct{ encoding, body, want string }{
		{"gzip", zipped, "200"},
		{"x-gzip", zipped, "200"},
		{"GZIP", zipped, "200"},
		{"br", compress(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }), "200"},
		{"deflate", compress(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }), "200"},
		{"identity", body, "200"},
		{"gzip", body, "400"},
		{"gzip", zipped[:10], "400"},
		{"compress", body, "415"},
	} {
		fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n%s", c.encoding, len(c.body), c.body)
		if got := answer(t, r, "POST"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.encoding, got, c.want)
		}
	}
}
