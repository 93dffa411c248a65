//go:build unix

package main

import (
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// sendHTTP sends a request and prints the answer: the status, the fields in
// order of their names, an empty line, the body.
//
//	http [-H 'NAME: VALUE' ...] METHOD URL [BODY]
//
// With a body the content type is application/json, unless a field says
// otherwise.
func sendHTTP(ts *testscript.TestScript, neg bool, args []string) {
	fields := http.Header{}
	for len(args) > 1 && args[0] == "-H" {
		name, value, _ := strings.Cut(args[1], ":")
		fields.Add(name, strings.TrimSpace(value))
		args = args[2:]
	}
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: http [-H 'NAME: VALUE' ...] METHOD URL [BODY]")
	}
	var body io.Reader
	if len(args) == 3 {
		body = strings.NewReader(args[2])
		if fields.Get("Content-Type") == "" {
			fields.Set("Content-Type", "application/json")
		}
	}
	request, err := http.NewRequest(args[0], args[1], body)
	ts.Check(err)
	request.Header = fields
	client := http.Client{Timeout: patience, Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, // the certificate is made at start
	}}
	response, err := client.Do(request)
	if neg {
		if err == nil {
			ts.Fatalf("it is answered with %s", response.Status)
		}
		return
	}
	ts.Check(err)
	defer response.Body.Close()
	fmt.Fprintln(ts.Stdout(), response.Status)
	response.Header.Del("Date")
	response.Header.Del("Connection")
	response.Header.Write(crlf{ts.Stdout()})
	fmt.Fprintln(ts.Stdout())
	_, err = io.Copy(ts.Stdout(), response.Body)
	ts.Check(err)
	fmt.Fprintln(ts.Stdout())
}

// crlf writes the line ends of HTTP as line ends of text files.
type crlf struct{ io.Writer }

func (w crlf) Write(text []byte) (int, error) {
	_, err := io.WriteString(w.Writer, strings.ReplaceAll(string(text), "\r\n", "\n"))
	return len(text), err
}

// serveUpstream starts a server that answers each request with the same status and JSON, and sets $UPSTREAM to its
// address:
//
//	upstream STATUS BODY
func serveUpstream(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: upstream STATUS BODY")
	}
	status, err := strconv.Atoi(args[0])
	ts.Check(err)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		io.WriteString(w, args[1])
	}))
	ts.Defer(s.Close)
	ts.Setenv("UPSTREAM", s.URL)
}
