package backends

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// step is one request of a script and its expected answer.
type step struct {
	line    string
	method  string
	target  string
	header  http.Header
	body    string // before substitution
	hasBody bool
	want    string // after "=> "
}

// parseScript reads requests. A line that is not indented is
// "METHOD TARGET [@WHO…]". The indented lines below are header fields and then
// the body, which is one of
//
//	{"any": "JSON"}
//	NAME + {"property": "changed"}     a body of testdata/bodies.txt, merged
//	NAME - property other              the same without properties
//	raw "any\x00bytes"                 a Go string literal
//	part NAME TYPE TEXT                a part of a multipart body
//	form name=value&other=value        a form
//	text any text                      plain text
//	<any>XML</any>
//
// $2.id is a property or header field of the answer to the second request,
// $book1 a book that is there from the start, $(x*200) 200 times x, and
// "=> 201" or "=> 201 TEXT" what comes back.
func parseScript(t *testing.T, text string) []*step {
	t.Helper()
	var steps []*step
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
		case strings.HasPrefix(line, "=> "):
			steps[len(steps)-1].want = strings.TrimPrefix(line, "=> ")
		case line[0] != ' ' && line[0] != '\t':
			words := strings.Fields(line)
			s := &step{line: line, method: words[0], target: words[1], header: http.Header{}}
			for _, who := range words[2:] {
				credentials(t, s.header, who)
			}
			steps = append(steps, s)
		default:
			s := steps[len(steps)-1]
			name, value, isField := strings.Cut(trimmed, ":")
			if isField && !s.hasBody && headerName.MatchString(name) {
				s.header[http.CanonicalHeaderKey(name)] = append(s.header[http.CanonicalHeaderKey(name)], strings.TrimSpace(value))
				continue
			}
			s.hasBody = true
			s.body += trimmed + "\n"
		}
	}
	return steps
}

var headerName = regexp.MustCompile(`^[A-Za-z][A-Za-z-]*$`)

func credentials(t *testing.T, h http.Header, who string) {
	t.Helper()
	switch who {
	case "@staff":
		h.Set("Authorization", "Bearer "+staffToken)
		h.Set("X-Api-Key", apiKey)
	case "@token":
		h.Set("Authorization", "Bearer "+staffToken)
	case "@reader":
		h.Set("Authorization", "Bearer "+readerToken)
	case "@key":
		h.Set("X-Api-Key", apiKey)
	case "@auditor":
		h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(userName+":"+password)))
	case "@cookie":
		h.Set("Cookie", "session="+apiKey)
	default:
		t.Fatalf("nobody is called %s", who)
	}
}

// told is an answer in the form that scripts compare.
type told struct {
	status int
	header http.Header
	body   string
	fault  string // why it could not be read
}

// String is everything about an answer that a client can see.
func (a told) String() string {
	h := a.header.Clone()
	h.Del("Date")
	h.Del("Connection")
	length := h.Get("Content-Length")
	h.Del("Content-Length")
	var b bytes.Buffer
	h.Write(&b)
	return strconv.Itoa(a.status) + " " + a.body + a.fault + "; " + strings.ReplaceAll(b.String(), "\r\n", "; ") + "Content-Length: " + length
}

// run sends a script to a fresh service. waited says how long the service
// would have waited.
func run(t *testing.T, service string, steps []*step, faults ...string) (answers []told, requests []*exchange.Request) {
	t.Helper()
	s, err := New(service, faults...)
	if err != nil {
		t.Fatal(err)
	}
	waited := time.Duration(0)
	s.Wait = func(_ *http.Request, d time.Duration) { waited += d }
	server := httptest.NewUnstartedServer(s)
	server.Config.ErrorLog = nil
	server.Start()
	defer server.Close()
	client := &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport:     &http.Transport{DisableCompression: true, DisableKeepAlives: true},
	}
	defer client.CloseIdleConnections()
	for _, st := range steps {
		request := build(t, s, st, answers)
		sent, err := http.NewRequest(request.Method, server.URL+request.Path, bytes.NewReader(request.Body))
		if err != nil {
			t.Fatalf("%s: %v", st.line, err)
		}
		sent.URL.RawQuery = request.Query
		for _, f := range request.Header {
			sent.Header[f.Name] = append(sent.Header[f.Name], f.Value)
		}
		if request.Body == nil {
			sent.Body, sent.ContentLength = nil, 0
		}
		got := told{}
		response, err := client.Do(sent)
		if err != nil {
			got.fault = "broken answer"
		} else {
			body, err := io.ReadAll(response.Body)
			response.Body.Close()
			got = told{status: response.StatusCode, header: response.Header, body: string(body)}
			if err != nil {
				got.fault = " (" + err.Error() + ")"
			}
			if response.Header.Get("Content-Length") == "" && response.ContentLength > 0 {
				got.header.Set("Content-Length", strconv.FormatInt(response.ContentLength, 10))
			}
		}
		if waited > 0 {
			got.fault += " (after " + waited.String() + ")"
			waited = 0
		}
		answers = append(answers, got)
		requests = append(requests, request)
	}
	return answers, requests
}

var variable = regexp.MustCompile(`\$\((.)\*(\d+)\)|\$(book|room)(\d)|\$(\d+)\.([A-Za-z-]+)`)

// substitute fills in what a script takes from earlier answers.
func substitute(t *testing.T, s *Server, text string, answers []told) string {
	t.Helper()
	return variable.ReplaceAllStringFunc(text, func(found string) string {
		m := variable.FindStringSubmatch(found)
		switch {
		case m[1] != "":
			n, _ := strconv.Atoi(m[2])
			return strings.Repeat(m[1], n)
		case m[3] != "":
			n, _ := strconv.Atoi(m[4])
			var fresh serial
			id := ""
			for range n {
				id = fresh.uuid(m[3])
			}
			return id
		}
		n, _ := strconv.Atoi(m[5])
		if n > len(answers) {
			t.Fatalf("%s: there is no answer %d yet", text, n)
		}
		from := answers[n-1]
		var object map[string]any
		decoder := json.NewDecoder(strings.NewReader(from.body))
		decoder.UseNumber()
		if decoder.Decode(&object) == nil && object[m[6]] != nil {
			return fmt.Sprint(object[m[6]])
		}
		return from.header.Get(m[6])
	})
}

// build makes the request of a step.
func build(t *testing.T, s *Server, st *step, answers []told) *exchange.Request {
	t.Helper()
	target := substitute(t, s, st.target, answers)
	path, query, _ := strings.Cut(target, "?")
	r := &exchange.Request{Method: st.method, Path: path, Query: query}
	body, kind := bodyOf(t, substitute(t, s, st.body, answers))
	if st.hasBody {
		r.Body = body
		if _, given := st.header["Content-Type"]; !given {
			r.Header.Set("Content-Type", kind)
		}
	}
	for name, values := range st.header {
		for _, value := range values {
			if name == "Content-Type" && value == "none" {
				continue
			}
			r.Header = append(r.Header, exchange.Field{Name: name, Value: substitute(t, s, value, answers)})
		}
	}
	return r
}

func bodyOf(t *testing.T, text string) ([]byte, string) {
	t.Helper()
	text = strings.TrimSuffix(text, "\n")
	first, rest, _ := strings.Cut(text, " ")
	switch {
	case first == "raw":
		raw, err := strconv.Unquote(rest)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return []byte(raw), "application/json"
	case first == "text":
		return []byte(rest), "text/plain"
	case strings.HasPrefix(first, "<"):
		return []byte(text), "application/xml"
	case first == "form":
		return []byte(rest), "application/x-www-form-urlencoded"
	case first == "part":
		var b strings.Builder
		for line := range strings.SplitSeq(text, "\n") {
			words := strings.SplitN(line, " ", 4)
			for len(words) < 4 {
				words = append(words, "")
			}
			fmt.Fprintf(&b, "--limit\r\nContent-Disposition: form-data; name=%q", words[1])
			if words[1] == "image" {
				b.WriteString(`; filename="cover"`)
			}
			b.WriteString("\r\n")
			if words[2] != "none" {
				b.WriteString("Content-Type: " + words[2] + "\r\n")
			}
			b.WriteString("\r\n" + words[3] + "\r\n")
		}
		return []byte(b.String() + "--limit--\r\n"), "multipart/form-data; boundary=limit"
	}
	if base, known := baseBodies[first]; known {
		var object map[string]any
		if err := json.Unmarshal([]byte(base), &object); err != nil {
			t.Fatal(err)
		}
		switch {
		case strings.HasPrefix(rest, "- "):
			for _, name := range strings.Fields(rest[2:]) {
				delete(object, name)
			}
		case strings.HasPrefix(rest, "+ "):
			decoder := json.NewDecoder(strings.NewReader(rest[2:]))
			decoder.UseNumber()
			var changes map[string]any
			if err := decoder.Decode(&changes); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			for name, value := range changes {
				object[name] = value
			}
		}
		encoded, _ := json.Marshal(object)
		return encoded, "application/json"
	}
	return []byte(text), "application/json"
}
