package images

import (
	"bytes"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/samplefile"
)

// head and tail make up samplefile.Origin. The tail is looked for, which begins with a letter that is rare: a body of
// 12 kB without it takes 0.3 µs, and 8 with a longer one (BenchmarkAbsolute).
var (
	head = []byte(strings.TrimSuffix(samplefile.Origin, string(tail)))
	tail = []byte("k.coldframe.example")
)

// Absolute has the URLs of pictures and items in a body lead to the server that a client reached by a request; server
// gives the address that it has itself.
func Absolute(body []byte, r *exchange.Request, server func() string) []byte {
	if !bytes.Contains(body, tail) {
		return body
	}
	origin := r.OriginAt(server())
	if _, host, _ := strings.Cut(origin, "://"); !isHost(host) {
		origin = server()
	}
	if len(origin) > len(samplefile.Origin) {
		return body // the URL might be longer than its schema allows
	}
	return replace(body, origin)
}

// replace puts an address that is not longer in the place of samplefile.Origin, in half the time that bytes.ReplaceAll
// takes, a twentieth of that in which an item of 20 kB is created (BenchmarkLargeAnswer).
func replace(body []byte, origin string) []byte {
	replaced := make([]byte, 0, len(body))
	for at := bytes.Index(body, tail); at >= 0; at = bytes.Index(body, tail) {
		end := at + len(tail)
		if before, ok := bytes.CutSuffix(body[:at], head); ok {
			replaced = append(append(replaced, before...), origin...)
		} else {
			replaced = append(replaced, body[:end]...)
		}
		body = body[end:]
	}
	return append(replaced, body...)
}
