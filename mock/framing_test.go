package mock

import (
	"bufio"
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestFraming sends raw bytes, each on a connection of its own. It checks the statuses of the answers, and whether the
// connection takes another request after them. Numbers are sections of RFC 9112.
func TestFraming(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Document: "openapi.yaml", Text: []byte(wireDocument), Limits: Limits{MaxBody: 1000}, Listen: ListenOptions{AllowedHosts: []string{"*"}}})
	const (
		get    = "GET /plants HTTP/1.1\r\nHost: a\r\n\r\n"
		post   = "POST /plants HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
		body   = `{"name":"Rose"}`
		chunks = "f\r\n" + body + "\r\n0\r\n\r\n"
	)
	for _, c := range []struct{ name, bytes, want string }{
		// Lengths and codings (6.1, 6.2, 6.3)
		{"a length", post + "Content-Length: 15\r\n\r\n" + body, "200 open"},
		{"chunks", post + "Transfer-Encoding: chunked\r\n\r\n" + chunks, "200 open"},
		{"a coding in other letters", post + "transfer-encoding: CHUNKED\r\n\r\n" + chunks, "200 open"},
		{"lengths that differ", post + "Content-Length: 15\r\nContent-Length: 16\r\n\r\n" + body, "400 closed"},
		{"the same length twice", post + "Content-Length: 15\r\nContent-Length: 15\r\n\r\n" + body, "400 closed"},
		{"a list of lengths", post + "Content-Length: 15, 15\r\n\r\n" + body, "400 closed"},
		{"a signed length", post + "Content-Length: +15\r\n\r\n" + body, "400 closed"},
		{"a negative length", post + "Content-Length: -1\r\n\r\n" + body, "400 closed"},
		{"a hexadecimal length", post + "Content-Length: 0xf\r\n\r\n" + body, "400 closed"},
		{"an empty length", post + "Content-Length:\r\n\r\n" + body, "400 closed"},
		{"a length that overflows", post + "Content-Length: 18446744073709551631\r\n\r\n" + body, "400 closed"},
		{"a length over the limit", post + "Content-Length: 1001\r\n\r\n{", "413 closed"},
		{"length and coding", post + "Content-Length: 15\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "400 closed"},
		{"coding and length", post + "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n" + chunks, "400 closed"},
		{"length and identity", post + "Content-Length: 15\r\nTransfer-Encoding: identity\r\n\r\n" + body, "400 closed"},
		{"identity", get[:len(get)-2] + "Transfer-Encoding: identity\r\n\r\n", "400 closed"},
		{"an unknown coding", post + "Transfer-Encoding: xchunked\r\n\r\n" + chunks, "400 closed"},
		{"two codings", post + "Transfer-Encoding: gzip, chunked\r\n\r\n" + chunks, "400 closed"},
		{"a coding twice", post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "400 closed"},
		{"an empty coding", post + "Transfer-Encoding:\r\n\r\n" + chunks, "400 closed"},
		{"a quoted coding", post + "Transfer-Encoding: \"chunked\"\r\n\r\n" + chunks, "400 closed"},
		{"a vertical tab in a coding", post + "Transfer-Encoding: \vchunked\r\n\r\n" + chunks, "400 closed"},
		{"a coding in HTTP/1.0", "POST /plants HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks, "400 closed"},

		// Chunks (7.1)
		{"an extension", post + "Transfer-Encoding: chunked\r\n\r\nf;a=b;c=\"d\"\r\n" + chunks[3:], "200 open"},
		{"leading zeros", post + "Transfer-Encoding: chunked\r\n\r\n000" + chunks, "200 open"},
		{"a trailer", post + "Transfer-Encoding: chunked\r\n\r\n" + chunks[:len(chunks)-2] + "A: b\r\n\r\n", "200 open"},
		{"a line end in an extension", post + "Transfer-Encoding: chunked\r\n\r\nf;a\n\r\n" + chunks[3:], "400 closed"},
		{"a size without digits", post + "Transfer-Encoding: chunked\r\n\r\n\r\n" + body, "400 closed"},
		{"a negative size", post + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + body, "400 closed"},
		{"a size with 0x", post + "Transfer-Encoding: chunked\r\n\r\n0xf\r\n" + chunks[3:], "400 closed"},
		{"a size that overflows", post + "Transfer-Encoding: chunked\r\n\r\n1000000000000000f\r\n" + chunks[3:], "400 closed"},
		{"a size over the limit", post + "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\n" + strings.Repeat("a", 1001), "413 closed"},
		{"LF after a size", post + "Transfer-Encoding: chunked\r\n\r\nf\n" + chunks[3:], "400 closed"},
		{"no CRLF after a chunk", post + "Transfer-Encoding: chunked\r\n\r\nf\r\n" + body + "0\r\n\r\n", "400 closed"},
		{"a length in a trailer", post + "Transfer-Encoding: chunked\r\n\r\n" + chunks[:len(chunks)-2] + "Content-Length: 3\r\n\r\n",
			"400 closed"},

		// Fields (5)
		{"spaces around a value", "GET /plants HTTP/1.1\r\nHost: \t a \t \r\nA:b\r\nC:\r\n\r\n", "200 open"},
		{"a space before the colon", "GET /plants HTTP/1.1\r\nHost: a\r\nA : b\r\n\r\n", "400 closed"},
		{"a coding before a space", post + "Content-Length: 15\r\nTransfer-Encoding : chunked\r\n\r\n" + body, "400 closed"},
		{"a tab before the colon", "GET /plants HTTP/1.1\r\nHost: a\r\nA\t: b\r\n\r\n", "400 closed"},
		{"a space in a name", "GET /plants HTTP/1.1\r\nHost: a\r\nA B: c\r\n\r\n", "400 closed"},
		{"a folded line", "GET /plants HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n", "400 closed"},
		{"a line folded with a tab", "GET /plants HTTP/1.1\r\nHost: a\r\nA: b\r\n\tc\r\n\r\n", "400 closed"},
		{"a space before the first field", "GET /plants HTTP/1.1\r\n Host: a\r\nA: b\r\n\r\n", "400 closed"},
		{"a folded coding", post + "Content-Length: 15\r\nTransfer-Encoding:\r\n chunked\r\n\r\n" + body, "400 closed"},
		{"no name", "GET /plants HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", "400 closed"},
		{"no colon", "GET /plants HTTP/1.1\r\nHost: a\r\nA\r\n\r\n", "400 closed"},
		{"NUL in a name", "GET /plants HTTP/1.1\r\nHost: a\r\nA\x00: b\r\n\r\n", "400 closed"},
		{"NUL in a value", "GET /plants HTTP/1.1\r\nHost: a\r\nA: b\x00c\r\n\r\n", "400 closed"},
		{"CR in a value", "GET /plants HTTP/1.1\r\nHost: a\r\nOrigin: http://a\rX: y\r\n\r\n", "400 closed"},
		{"CR in a name", "GET /plants HTTP/1.1\r\nHost: a\r\nA\r: b\r\n\r\n", "400 closed"},
		{"CR at the end of a value", "GET /plants HTTP/1.1\r\nHost: a\r\nA: b\r\r\n\r\n", "400 closed"},
		{"an escape in a value", "GET /plants HTTP/1.1\r\nHost: a\r\nA: \x1b[31m\r\n\r\n", "400 closed"},
		{"letters beyond ASCII in a value", "GET /plants HTTP/1.1\r\nHost: a\r\nA: \xff\xe2\x82\xac\r\n\r\n", "200 open"},

		// Lines (2.2): LF alone may be read as CRLF, and is not.
		{"empty lines first", "\r\n\r\n" + get, "200 open"},
		{"LF alone", "GET /plants HTTP/1.1\nHost: a\n\n", "400 closed"},
		{"LF alone at the end", "GET /plants HTTP/1.1\r\nHost: a\n\r\n", "400 closed"},

		// The request line (2.3, 3) and Host (3.2)
		{"HTTP/1.0", "GET /plants HTTP/1.0\r\n\r\n", "200 closed"},
		{"HTTP/1.0 that stays", "GET /plants HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "200 open"},
		{"a later minor version", "GET /plants HTTP/1.9\r\nHost: a\r\nConnection: keep-alive\r\n\r\n", "200 open"},
		{"HTTP/2.0", "GET /plants HTTP/2.0\r\nHost: a\r\n\r\n", "505 closed"},
		{"HTTP/0.9", "GET /plants\r\n\r\n", "400 closed"},
		{"HTTP/9.9999", "GET /plants HTTP/9.9999\r\nHost: a\r\n\r\n", "400 closed"},
		{"http in small letters", "GET /plants http/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"two spaces", "GET  /plants HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"NUL in the target", "GET /a\x00b HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"CR in the target", "GET /a\rb HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"no method", " /plants HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"a method that is no token", "G(T /plants HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"no Host", "GET /plants HTTP/1.1\r\n\r\n", "400 closed"},
		{"an empty Host", "GET /plants HTTP/1.1\r\nHost:\r\n\r\n", "400 closed"},
		{"two Hosts", "GET /plants HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "400 closed"},
		{"the same Host twice", "GET /plants HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", "400 closed"},
		{"spaces in Host", "GET /plants HTTP/1.1\r\nHost: a b\r\n\r\n", "400 closed"},
		{"a path in Host", "GET /plants HTTP/1.1\r\nHost: a/b\r\n\r\n", "400 closed"},

		// Targets (3.2.1 to 3.2.4)
		{"absolute-form", "GET http://a/plants HTTP/1.1\r\nHost: b\r\n\r\n", "200 open"},
		{"absolute-form with a query", "GET http://a?b HTTP/1.1\r\nHost: b\r\n\r\n", "404 open"},
		{"absolute-form without Host", "GET http://a/plants HTTP/1.1\r\n\r\n", "400 closed"},
		{"an URL in the query", "GET /plants?to=http://b/c HTTP/1.1\r\nHost: a\r\n\r\n", "200 open"},
		{"asterisk-form", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "204 open"},
		{"asterisk-form of GET", "GET * HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"authority-form of GET", "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"no slash", "GET plants HTTP/1.1\r\nHost: a\r\n\r\n", "400 closed"},
		{"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "400 closed"},

		// Connections (9)
		{"pipelined", get + post + "Content-Length: 15\r\n\r\n" + body + get, "200 200 200 open"},
		{"pipelined before what is none", get + "GET /plants HTTP/1.1\r\n\r\n" + get, "200 400 closed"},
		{"pipelined after what is none", "GET /plants HTTP/1.1\r\nHost: a\r\nA: b\r\n c\r\n\r\n" + get, "400 closed"},
		{"the last", "GET /plants HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "200 closed"},
		{"a body on GET", "GET /plants HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc" + get, "200 200 open"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			conn, err := net.Dial("tcp", s.http.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(patience))
			io.WriteString(conn, c.bytes)
			var raw bytes.Buffer
			r := bufio.NewReader(io.TeeReader(conn, &raw))
			method, _, _ := strings.Cut(c.bytes, " ")
			next := func() string {
				answer, err := http.ReadResponse(r, &http.Request{Method: method})
				if err != nil {
					return "closed"
				}
				io.Copy(io.Discard, answer.Body)
				return strconv.Itoa(answer.StatusCode)
			}
			var got []string
			for range strings.Fields(c.want)[1:] {
				got = append(got, next())
			}
			method = "GET"
			io.WriteString(conn, "GET /none HTTP/1.1\r\nHost: a\r\n\r\n")
			end := next()
			if end == "404" {
				end = "open"
			}
			if got := strings.Join(append(got, end), " "); got != c.want {
				t.Errorf("got %s, want %s\n%q", got, c.want, raw.String())
			}
			if lone := strings.ReplaceAll(raw.String(), "\r\n", ""); strings.ContainsAny(lone, "\r\n") {
				t.Errorf("a line end of its own in %q", raw.String())
			}
		})
	}
}
