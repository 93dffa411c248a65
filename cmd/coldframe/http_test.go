//go:build unix

package main

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// sendHTTP sends a request and prints the answer: the status, the fields in
// order of their names, an empty line, the body.
//
//	http [-o FILE] [-H 'NAME: VALUE' ...] METHOD URL [BODY]
//
// With -o the body is written to a file. With a body the content type is application/json, unless a field says
// otherwise.
func sendHTTP(ts *testscript.TestScript, neg bool, args []string) {
	fields, file := http.Header{}, ""
	if len(args) > 1 && args[0] == "-o" {
		file, args = args[1], args[2:]
	}
	for len(args) > 1 && args[0] == "-H" {
		name, value, _ := strings.Cut(args[1], ":")
		fields.Add(name, strings.TrimSpace(value))
		args = args[2:]
	}
	if len(args) < 2 || len(args) > 3 {
		ts.Fatalf("usage: http [-o FILE] [-H 'NAME: VALUE' ...] METHOD URL [BODY]")
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
	if file != "" {
		text, err := io.ReadAll(response.Body)
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(file), text, 0o666))
		return
	}
	if _, err = io.Copy(ts.Stdout(), response.Body); errors.Is(err, io.ErrUnexpectedEOF) {
		fmt.Fprint(ts.Stdout(), " (broken off)")
	} else {
		ts.Check(err)
	}
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
//	upstream raw BYTES [REPEATED]
//
// The second form sends bytes, with \n for the end of a line, and then closes the connection; REPEATED is sent without end.
func serveUpstream(ts *testscript.TestScript, neg bool, args []string) {
	if !neg && len(args) > 1 && args[0] == "raw" {
		serveRaw(ts, args[1:])
		return
	}
	if neg || len(args) != 2 {
		ts.Fatalf("usage: upstream STATUS BODY, or upstream raw BYTES [REPEATED]")
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

func serveRaw(ts *testscript.TestScript, args []string) {
	var parts []string
	for _, a := range args {
		parts = append(parts, strings.ReplaceAll(a, `\n`, "\r\n"))
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { listener.Close() })
	ts.Setenv("UPSTREAM", "http://"+listener.Addr().String())
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if r, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					io.Copy(io.Discard, r.Body)
				}
				_, err := io.WriteString(conn, parts[0])
				for err == nil && len(parts) > 1 {
					_, err = io.WriteString(conn, parts[1])
				}
			}()
		}
	}()
}
