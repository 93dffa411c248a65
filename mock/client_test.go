package mock

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/jsonvalue"

	"github.com/coldframe/coldframe/internal/jsontext"
)

// caseClient sends the requests of a case.
type caseClient struct {
	t        *testing.T
	server   *Server
	upstream *Server // of a proxy; nil for a mock
	fields   string
	log      *lineLog
	dir      string            // of the scenarios
	name     string            // of the request being sent
	bodies   map[string]string // of the answers by name
	headers  map[string]http.Header
}

// exchange sends a request and returns the answer in the form of the file, as
// far as want asks for it.
func (c *caseClient) exchange(request, want string) string {
	method, target, message := c.message(request)
	server := c.server
	if strings.HasPrefix(c.name, "upstream ") {
		server = c.upstream
	}
	conn, err := net.Dial("tcp", server.http.Addr().String())
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	seen := c.log.count()
	go conn.Write(message)
	first, rest, _ := strings.Cut(want, "\n")
	if first == "silence" {
		// The server has dealt with the request when it is logged; the end of the
		// connection is then the client's doing.
		c.log.wait(c.t, seen)
		conn.(*net.TCPConn).CloseWrite()
		if text, err := io.ReadAll(conn); len(text) > 0 || err != nil {
			return fmt.Sprintf("%q, %v", text, err)
		}
		return want
	}
	var raw bytes.Buffer
	r, err := http.ReadResponse(bufio.NewReader(io.TeeReader(conn, &raw)), &http.Request{Method: method})
	if errors.Is(err, syscall.ECONNRESET) {
		return "reset\n"
	}
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		first, body = "truncated", nil
	} else if err != nil {
		c.t.Fatal(err)
	}
	violates := strings.HasSuffix(first, " violates")
	if first != "truncated" && !violates {
		c.conforms(method, target, r, body)
	}
	var got strings.Builder
	got.WriteString(strconv.Itoa(r.StatusCode))
	if first == "truncated" {
		got.Reset()
		got.WriteString("truncated")
	} else if violates {
		got.WriteString(" violates")
	}
	got.WriteByte('\n')
	head, wantBody, _ := strings.Cut("\n"+rest, "\n\n")
	sent, _, _ := strings.Cut(raw.String(), "\r\n\r\n")
	fields := strings.Split(sent, "\r\n")[1:]
	if want == "" {
		for _, field := range fields {
			if name, _, _ := strings.Cut(field, ":"); !slices.Contains([]string{"Date", "Content-Length", "Connection"}, name) {
				got.WriteString(field + "\n")
			}
		}
	}
	for line := range strings.Lines(strings.TrimPrefix(head, "\n")) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		absent := strings.HasPrefix(name, "-")
		name = strings.TrimPrefix(name, "-")
		at := slices.IndexFunc(fields, func(field string) bool {
			sent, _, _ := strings.Cut(field, ":")
			return strings.EqualFold(sent, name)
		})
		switch {
		case at >= 0:
			got.WriteString(fields[at] + "\n")
			fields = slices.Delete(fields, at, at+1)
		case absent:
			got.WriteString("-" + name + "\n")
		}
	}
	body = bytes.ReplaceAll(body, []byte(c.dir+"/"), nil)
	c.bodies[c.name], c.headers[c.name] = string(body), r.Header
	relation, other, _ := strings.Cut(strings.Trim(wantBody, "()\n"), ": ")
	switch {
	case relation == "conforms" && len(body) > 0,
		relation == "same as" && string(body) == c.bodies[other],
		relation == "not" && string(body) != c.bodies[other]:
		got.WriteString("\n" + wantBody)
	case len(body) > 100 && (!utf8.Valid(body) || bytes.IndexByte(body, 0) >= 0):
		fmt.Fprintf(&got, "\n(a file of %s)\n", http.DetectContentType(body))
	case !utf8.Valid(body):
		fmt.Fprintf(&got, "\n%q\n", body)
	case len(body) > 0 && body[len(body)-1] == '\n':
		fmt.Fprintf(&got, "\n%s", body)
	case len(body) > 0:
		fmt.Fprintf(&got, "\n%s\n", body)
	}
	return got.String()
}

var earlier = regexp.MustCompile(`\$\{([^}*]+) (at|field) ([^}]*)\}`)

// known puts what earlier answers say in the place of its name.
func (c *caseClient) known(text string) string {
	return earlier.ReplaceAllStringFunc(text, func(match string) string {
		parts := earlier.FindStringSubmatch(match)
		name, in := parts[1], parts[3]
		if parts[2] == "field" {
			return c.headers[name].Get(in)
		}
		value, err := jsontext.Decode(c.bodies[name])
		if err != nil {
			return match
		}
		for step := range strings.SplitSeq(strings.TrimPrefix(in, "/"), "/") {
			switch v := value.(type) {
			case map[string]any:
				value = v[step]
			case []any:
				if i, err := strconv.Atoi(step); err == nil && i < len(v) {
					value = v[i]
				}
			}
		}
		found, ok := jsonvalue.Text(value)
		if !ok {
			return match
		}
		return found
	})
}

var repeated = regexp.MustCompile(`\$\{(\d+)\*([^}]*)\}|\$\{hex ([0-9a-f]+)\}`)

// message writes a request of the file as it goes over the wire.
func (c *caseClient) message(request string) (method, target string, message []byte) {
	request = repeated.ReplaceAllStringFunc(request, func(match string) string {
		parts := repeated.FindStringSubmatch(match)
		if parts[3] != "" {
			n, err := strconv.ParseUint(parts[3], 16, 8)
			if err != nil {
				c.t.Fatal(err)
			}
			return string([]byte{byte(n)})
		}
		n, _ := strconv.Atoi(parts[1])
		return strings.Repeat(parts[2], n)
	})
	head, body, _ := strings.Cut(request, "\n\n")
	body = strings.ReplaceAll(strings.TrimSuffix(body, "\n"), "\n&", "")
	line, fields, _ := strings.Cut(strings.TrimSuffix(head, "\n"), "\n")
	method, target, _ = strings.Cut(line, " ")
	within := func(fields, name string) bool {
		for line := range strings.Lines(fields) {
			if sent, _, _ := strings.Cut(line, ":"); strings.EqualFold(strings.Trim(sent, "-\n"), name) {
				return true
			}
		}
		return false
	}
	has := func(name string) bool { return within(fields, name) }
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s HTTP/1.1\r\n", line)
	if !has("Host") && !within(c.fields, "Host") {
		b.WriteString("Host: localhost\r\n")
	}
	if body != "" && !has("Content-Length") && !has("Transfer-Encoding") {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	for line := range strings.Lines(c.fields) {
		if name, _, _ := strings.Cut(line, ":"); !has(name) {
			b.WriteString(strings.TrimSuffix(line, "\n") + "\r\n")
		}
	}
	for line := range strings.Lines(fields) {
		if line[0] != '-' {
			b.WriteString(strings.TrimSuffix(line, "\n") + "\r\n")
		}
	}
	b.WriteString("\r\n" + body)
	return method, target, b.Bytes()
}
