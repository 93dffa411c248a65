package mock

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/admin"
	"github.com/coldframe/coldframe/mock/crud"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata")

// TestExchanges runs testdata/*.txtar and testdata/state/*.txtar: a document (openapi.yaml; the Plant
// Store where there is none), scenarios (scenarios/*.yaml), options, fields that
// every request gets which does not have them (fields), and requests with
// their answers.
//
// A request is a request line, fields and a body. Host and Content-Length are
// added; "-Name" leaves a field of fields out; ${3*ab} stands for ababab and
// ${hex ff} for a byte. "&" at the start of a body's line joins it to the line
// before, for text that must not end in a line break.
//
// In both, ${NAME at /pointer} is a string or number in the body of the answer
// called NAME, and ${NAME field F} what its field F says.
//
// An answer is a status, the fields that it must have ("-Name": must not have)
// and the exact body. "(conforms)" is any body that the document allows, "(same as:
// NAME)" and "(not: NAME)" are that of another answer and any but that. Every
// answer is held to the document, but one with "violates" behind its status.
// In place of a status stands what happens to the connection: reset, truncated
// or silence.
//
// A file named log is the whole log, with TIME for how long requests took.
//
// -update rewrites the answers; the choice of fields stays.
func TestExchanges(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	stateful, _ := filepath.Glob("testdata/state/*.txtar")
	files = append(files, stateful...)
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(file, "testdata/"), ".txtar"), func(t *testing.T) {
			t.Parallel()
			runArchive(t, file)
		})
	}
}

func runArchive(t *testing.T, file string) {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &client{t: t, log: &lineLog{}, dir: t.TempDir(), bodies: map[string]string{}, headers: map[string]http.Header{}}
	o := Options{LogTo: c.log}
	var written []txtar.File
	for _, f := range archive.Files {
		switch kind := filepath.Ext(f.Name); {
		case f.Name == "openapi.yaml":
			o.Document, o.Text = f.Name, f.Data
		case strings.HasPrefix(f.Name, "scenarios/"):
			path := filepath.Join(c.dir, filepath.Base(f.Name))
			if err := os.WriteFile(path, f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
			o.Scenarios = append(o.Scenarios, path)
		case f.Name == "options":
			setOptions(t, &o, string(f.Data))
		case f.Name == "fields":
			c.fields = strings.TrimSpace(string(f.Data))
		case kind != ".request" && kind != ".answer" && f.Name != "log":
			t.Fatalf("%s is no part of a case", f.Name)
		}
	}
	c.server = start(t, o)
	for i, f := range archive.Files {
		name, isRequest := strings.CutSuffix(f.Name, ".request")
		if !isRequest {
			if filepath.Ext(f.Name) != ".answer" {
				written = append(written, f)
			}
			continue
		}
		want := ""
		if i+1 < len(archive.Files) && archive.Files[i+1].Name == name+".answer" {
			want = string(archive.Files[i+1].Data)
		} else if !*update {
			t.Fatalf("%s has no answer", f.Name)
		}
		t.Run(name, func(t *testing.T) {
			c.t, c.name = t, name
			got := c.exchange(c.known(string(f.Data)), want)
			if known := c.known(want); got == known {
				got = want
			} else if !*update {
				t.Errorf("got:\n%s\nwant:\n%s", got, known)
			}
			written = append(written, f, txtar.File{Name: name + ".answer", Data: []byte(got)})
		})
	}
	for i, f := range written {
		if f.Name != "log" {
			continue
		}
		got := strings.ReplaceAll(took.ReplaceAllString(c.log.String(), " TIME"), c.dir+"/", "")
		if want := string(f.Data); got != want && !*update {
			t.Errorf("log:\n%s\nwant:\n%s", got, want)
		}
		written[i].Data = []byte(got)
	}
	if *update && !t.Failed() {
		archive.Files = written
		if err := os.WriteFile(file, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

var took = regexp.MustCompile(`(?m) [0-9.]+(ns|µs|ms|s)\b`)

// setOptions reads lines such as "validate: warn".
func setOptions(t *testing.T, o *Options, text string) {
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		number, _ := strconv.Atoi(value)
		switch name {
		case "validate":
			o.Validate = value
		case "auth":
			o.Auth = value
		case "undeclared":
			o.Undeclared = value
		case "callbacks":
			o.Callbacks = value
		case "examples":
			o.Examples = value
		case "fill":
			o.Fill = value
		case "cors":
			o.CORS = value
		case "dynamic":
			o.Dynamic = value == "true"
		case "seed":
			o.Seed = uint64(number)
		case "control":
			o.Control = value
		case "control-token":
			o.ControlToken = value
		case "journal":
			o.Journal = number
		case "clock": // stands still
			at, err := time.Parse(time.RFC3339, value)
			if err != nil {
				t.Fatal(err)
			}
			o.Clock = func() time.Time { return at }
		case "world":
			o.World = value
		case "seed-items":
			o.SeedItems = number
		case "max-body":
			o.MaxBody = number
		case "max-items":
			o.MaxItems = number
		case "scenario":
			o.Scenarios = append(o.Scenarios, value)
		default:
			t.Fatalf("option %q", name)
		}
	}
}

// start runs a server until the test ends.
func start(t testing.TB, o Options) *Server {
	t.Helper()
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Run(t.Context()) }()
	t.Cleanup(func() {
		s.Close()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s
}

// client sends the requests of a case.
type client struct {
	t       *testing.T
	server  *Server
	fields  string
	log     *lineLog
	dir     string            // of the scenarios
	name    string            // of the request being sent
	bodies  map[string]string // of the answers by name
	headers map[string]http.Header
}

// exchange sends a request and gives the answer in the form of the file, as
// far as want asks for it.
func (c *client) exchange(request, want string) string {
	method, target, message := c.message(request)
	conn, err := net.Dial("tcp", c.server.listener.Addr().String())
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.Close()
	seen := c.log.count()
	go conn.Write(message)
	first, rest, _ := strings.Cut(want, "\n")
	if first == "silence" {
		// The server has dealt with the request when it is logged; the end of the
		// connection is then the client's doing.
		c.log.wait(seen)
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
func (c *client) known(text string) string {
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
		found, ok := crud.Text(value)
		if !ok {
			return match
		}
		return found
	})
}

var repeated = regexp.MustCompile(`\$\{(\d+)\*([^}]*)\}|\$\{hex ([0-9a-f]+)\}`)

// message writes a request of the file as it goes over the wire.
func (c *client) message(request string) (method, target string, message []byte) {
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
	has := func(name string) bool {
		for line := range strings.Lines(fields) {
			if sent, _, _ := strings.Cut(line, ":"); strings.EqualFold(strings.Trim(sent, "-\n"), name) {
				return true
			}
		}
		return false
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s HTTP/1.1\r\n", line)
	if !has("Host") {
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

// conforms holds an answer to the document.
func (c *client) conforms(method, target string, r *http.Response, body []byte) {
	answer := &exchange.Response{Status: r.StatusCode, Body: body}
	for name, values := range r.Header {
		for _, v := range values {
			answer.Header = append(answer.Header, exchange.Field{Name: name, Value: v})
		}
	}
	if strings.HasPrefix(target, admin.Prefix) {
		for _, f := range judgeControl(method, target, answer) {
			c.t.Errorf("the answer breaks the control API's document: %s", f)
		}
		return
	}
	for _, f := range judge(c.server, method, target, answer) {
		c.t.Errorf("the answer breaks the document: %s", f)
	}
}

// judge holds an answer to the document. What the document does not describe
// must say so, and be problem details or have no body.
func judge(s *Server, method, target string, r *exchange.Response) []exchange.Finding {
	problem := func(format string, args ...any) []exchange.Finding {
		return []exchange.Finding{{Message: fmt.Sprintf(format, args...)}}
	}
	in := s.current.Load()
	kind, _ := r.Header.Get("Content-Type")
	if status, ok := r.Header.Get(undocumentedField); ok {
		if status != strconv.Itoa(r.Status) {
			return problem("%s: %s with status %d", undocumentedField, status, r.Status)
		}
		if len(r.Body) > 0 && kind != "application/problem+json" {
			return problem("undocumented %s", kind)
		}
		return nil
	}
	if _, after, ok := strings.Cut(target, "://"); ok {
		_, target, _ = strings.Cut(after, "/")
		target = "/" + target
	}
	target, _, _ = strings.Cut(target, "#")
	path, query, _ := strings.Cut(target, "?")
	var m route.Match
	result := in.router.Find(method, path, query, &m)
	if result != route.Found && method == "HEAD" {
		result = in.router.Find("GET", path, query, &m)
	}
	if result == route.Found {
		if _, ok := r.Header.Get("Access-Control-Allow-Methods"); ok && method == "OPTIONS" {
			return nil // preflights are not the operation's
		}
		return validate.New(m.Operation).Response(method, r)
	}
	if method == "HEAD" || len(r.Body) == 0 {
		return nil
	}
	var value any
	decoder := json.NewDecoder(bytes.NewReader(r.Body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return problem("%v", err)
	}
	if kind == "application/problem+json" {
		return nil
	}
	if in.prevailing == nil {
		return problem("%s without a prevailing error", kind)
	}
	return in.prevailing.Schema.Check(value, exchange.InBody, "")
}

// lineLog is a log that tests can wait on.
type lineLog struct {
	mu      sync.Mutex
	text    bytes.Buffer
	lines   int
	waiters []chan struct{}
}

func (l *lineLog) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines += bytes.Count(text, []byte("\n"))
	for _, w := range l.waiters {
		close(w)
	}
	l.waiters = nil
	return l.text.Write(text)
}

func (l *lineLog) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lines
}

func (l *lineLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// wait returns when there are more lines than before.
func (l *lineLog) wait(before int) {
	l.until(func(string) bool { return l.lines > before })
}

// until returns when the text is as wanted.
func (l *lineLog) until(wanted func(text string) bool) {
	for {
		l.mu.Lock()
		if wanted(l.text.String()) {
			l.mu.Unlock()
			return
		}
		more := make(chan struct{})
		l.waiters = append(l.waiters, more)
		l.mu.Unlock()
		<-more
	}
}
