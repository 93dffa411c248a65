package httpserver

import (
	"bufio"
	"reflect"
	"strings"
	"testing"

	"github.com/valyala/fasthttp"

	"github.com/coldframe/coldframe/internal/exchange"
)

// FuzzSharedHead reads two requests by turns on one connection, whose fields may be shared, and each on a connection of
// its own: both return the same.
func FuzzSharedHead(f *testing.F) {
	plain := "POST /plants?a=b HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 3\r\nX-A: 1\r\nX-A: 2\r\n\r\n"
	for _, other := range []string{
		strings.Replace(plain, "POST", "GET", 1),
		strings.Replace(plain, "HTTP/1.1", "HTTP/1.0", 1),
		strings.Replace(plain, "/plants", "http://example.com:80/plants#top", 1),
		strings.Replace(plain, "X-A: 2", "X-A: 3", 1),
		strings.Replace(plain, "X-A: 2", "Transfer-Encoding: chunked", 1), // malformed
		strings.Replace(plain, "X-A: 2", "Connection: close", 1),
		"GET / HTTP/1.1\r\n\r\n",
	} {
		f.Add(plain, other)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		shared := &trackedConn{}
		for _, head := range []string{a, a, b, a, b, b, a} {
			got, status, ok := readText(shared, head)
			want, wantStatus, _ := readText(&trackedConn{}, head)
			if !ok {
				return
			}
			got.Head, want.Head = nil, nil
			if status != wantStatus || !reflect.DeepEqual(got, want) {
				t.Fatalf("%q\n got %d %+v\nwant %d %+v", head, status, got, wantStatus, want)
			}
		}
	})
}

// readText reads the head of a request without a body as the server does.
func readText(conn *trackedConn, head string) (r *exchange.Request, status int, ok bool) {
	var ctx fasthttp.RequestCtx
	ctx.Init2(conn, nil, false)
	if err := ctx.Request.Header.Read(bufio.NewReader(strings.NewReader(head))); err != nil {
		return nil, 0, false
	}
	r, status = new(Core).readRequest(&ctx)
	return r, status, true
}
