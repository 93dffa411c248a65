package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// client sends requests byte for byte, over one connection,
// each in a session of its own: no answer depends on the requests before it.
type client struct {
	sent    int
	address string
	conn    net.Conn
	reader  *bufio.Reader
	slowest time.Duration // from sending a request to the end of its answer
}

func (c *client) send(r *exchange.Request) (*exchange.Response, error) {
	if c.conn == nil {
		conn, err := net.Dial("tcp", c.address)
		if err != nil {
			return nil, err
		}
		c.conn, c.reader = conn, bufio.NewReader(conn)
	}
	var b bytes.Buffer
	target := r.Path
	if r.Query != "" {
		target += "?" + r.Query
	}
	c.sent++
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nColdframe-Session: %d\r\n", r.Method, target, c.sent)
	if _, documented := r.Header.Get("Host"); !documented {
		fmt.Fprintf(&b, "Host: %s\r\n", c.address)
	}
	for _, f := range r.Header {
		fmt.Fprintf(&b, "%s: %s\r\n", f.Name, f.Value)
	}
	if len(r.Body) > 0 || r.Method == "POST" || r.Method == "PUT" || r.Method == "PATCH" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(r.Body))
	}
	b.WriteString("\r\n")
	b.Write(r.Body)
	began := time.Now()
	c.conn.SetDeadline(time.Now().Add(20 * time.Second))
	if _, err := c.conn.Write(b.Bytes()); err != nil {
		c.close()
		return nil, err
	}
	answer, err := http.ReadResponse(c.reader, &http.Request{Method: r.Method})
	if err != nil {
		c.close()
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		c.close()
		return nil, err
	}
	c.slowest = max(c.slowest, time.Since(began))
	got := &exchange.Response{Status: answer.StatusCode, Body: body}
	for name, values := range answer.Header {
		for _, value := range values {
			got.Header = append(got.Header, exchange.Field{Name: name, Value: value})
		}
	}
	if answer.Close {
		c.close()
	}
	return got, nil
}

func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}
