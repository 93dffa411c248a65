package mock

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// relayed accepts every request and every response below /things.
const relayed = `
openapi: 3.1.0
info: {title: Relay, version: "1"}
servers: [{url: /v1}]
paths:
  /things/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get: &any {responses: {default: {description: any}}}
    head: *any
    delete: *any
    options: *any
    put: &body {requestBody: {content: {"*/*": {}}}, responses: {default: {description: any}}}
    post: *body
    patch: *body
`

// wire has the exchanges that a raw upstream answers.
type rawUpstream struct {
	net.Listener
	response []byte
	request  chan []byte
}

// startRaw returns an upstream that sends given bytes to each connection once it has read a request, and closes it.
func startRaw(t *testing.T) *rawUpstream {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	u := &rawUpstream{Listener: l, request: make(chan []byte, 1)}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			var raw bytes.Buffer
			r, err := http.ReadRequest(bufio.NewReader(io.TeeReader(conn, &raw)))
			if err == nil {
				if r.Header.Get("Expect") != "" {
					io.WriteString(conn, "HTTP/1.1 100 Continue\r\n\r\n")
				}
				io.Copy(io.Discard, r.Body)
			}
			u.request <- raw.Bytes()
			conn.Write(u.response)
			conn.Close()
		}
	}()
	return u
}

var (
	escape = regexp.MustCompile(`\\x[0-9a-f]{2}`)
	ports  = regexp.MustCompile(`127\.0\.0\.1:[0-9]+`)
	viaID  = regexp.MustCompile(`coldframe-[a-z0-9]{8}`)
	dates  = regexp.MustCompile(`Date: .* 20(2[6-9]|[3-9].) .*`)
	sized  = regexp.MustCompile(`Content-Length: [0-9]{3,}`) // of problem details, which name a port
)

// onWire returns the bytes of a message in a data file: lines of the head end in CRLF, \xNN is a byte, and
// "Content-Length: *" has the length of the body.
func onWire(section []byte) []byte {
	text := escape.ReplaceAllStringFunc(strings.TrimSuffix(string(section), "\n"), func(e string) string {
		b, _ := strconv.ParseUint(e[2:], 16, 8)
		return string([]byte{byte(b)})
	})
	head, body, _ := strings.Cut(text+"\n", "\n\n")
	body = strings.TrimSuffix(body, "\n")
	head = strings.ReplaceAll(head, "Content-Length: *", "Content-Length: "+strconv.Itoa(len(body)))
	head = strings.ReplaceAll(strings.TrimSuffix(head, "\n"), "\n", "\r\n")
	if strings.HasPrefix(head, "HTTP/1.1 1") { // an interim response comes before the final one
		return append([]byte(head+"\r\n\r\n"), onWire([]byte(body))...)
	}
	if strings.Contains(head, "hunked") { // bodies in chunks are written with their CRLF
		body = strings.ReplaceAll(body, "\n", "\r\n") + "\r\n\r\n"
	}
	return []byte(head + "\r\n\r\n" + body)
}

// offWire is the reverse of onWire.
func offWire(raw []byte, names map[string]string) []byte {
	text := viaID.ReplaceAllString(string(raw), "coldframe-ID")
	text = ports.ReplaceAllStringFunc(text, func(address string) string {
		if name, ok := names[address]; ok {
			return name
		}
		return "CLIENT"
	})
	text = dates.ReplaceAllString(text, "Date: NOW\r")
	text = sized.ReplaceAllString(text, "Content-Length: SOME")
	var b strings.Builder
	for _, c := range []byte(strings.ReplaceAll(text, "\r\n", "\n")) {
		if c >= 0x80 || c < ' ' && c != '\n' || c == 0x7f {
			fmt.Fprintf(&b, `\x%02x`, c)
		} else {
			b.WriteByte(c)
		}
	}
	return []byte(strings.TrimRight(b.String(), "\n") + "\n")
}

// What the upstream receives is what the client sent, and what the client receives is what the upstream sent, but for
// what docs/proxy.md lists. Each exchange is four sections: NAME.request and NAME.response are sent, NAME.forwarded and
// NAME.received arrive.
func TestProxyWire(t *testing.T) {
	golden.Cases(t, "testdata/proxy/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		var files []txtar.File
		for i := 0; i < len(archive.Files); i++ {
			name, kind, _ := strings.Cut(archive.Files[i].Name, ".")
			if kind != "request" {
				continue
			}
			section := func(kind string) []byte {
				at := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == name+"."+kind })
				if at < 0 {
					return nil
				}
				return archive.Files[at].Data
			}
			upstream := startRaw(t)
			upstream.response = onWire(section("response"))
			o := Options{Document: "relay.yaml", Text: []byte(relayed)}
			o.Proxy.Upstream = "http://" + upstream.Addr().String() + strings.TrimSpace(string(archive.Comment))
			s := start(t, o)
			conn, err := net.Dial("tcp", s.http.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			conn.Write(onWire(section("request")))
			received, _ := io.ReadAll(conn)
			conn.Close()
			var forwarded []byte
			select {
			case forwarded = <-upstream.request:
			default:
				forwarded = []byte("nothing\n")
			}
			names := map[string]string{upstream.Addr().String(): "UPSTREAM", s.http.Addr().String(): "PROXY"}
			results := map[string][]byte{"forwarded": offWire(forwarded, names), "received": offWire(received, names)}
			for _, kind := range []string{"forwarded", "received"} {
				if want := section(kind); !golden.Update() && string(want) != string(results[kind]) {
					t.Errorf("%s.%s:\n%s\nwant:\n%s", name, kind, results[kind], want)
				}
			}
			files = append(files, txtar.File{Name: name + ".request", Data: section("request")},
				txtar.File{Name: name + ".forwarded", Data: results["forwarded"]},
				txtar.File{Name: name + ".response", Data: section("response")},
				txtar.File{Name: name + ".received", Data: results["received"]})
		}
		archive.Files = files
	})
}
