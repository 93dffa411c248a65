package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"time"
)

// connections are what a hostile client keeps open.
const connections = 10

// largePiece is from how many bytes on what an attack writes is large.
const largePiece = 1 << 20

// attack is one kind of hostile client: what it writes on a connection to a target, the request line and the host of an
// operation with a JSON body. pauses says that it sends slowly.
type attack struct {
	name   string
	pauses bool
	pieces func(target string) []string
}

var (
	list = strings.Repeat(`{"a":[0,0]},`, 700_000) // 8.4 MB with 2.8 million values
	text = strings.Repeat("x", 9<<20)
	deep = strings.Repeat(`[{"a":`, 200_000)
)

// whole is a request with a JSON body.
func whole(target, body string) []string {
	return []string{fmt.Sprintf("%sContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", target, len(body)), body}
}

var attacks = []attack{
	{"a slow sender", true, func(target string) []string {
		return strings.SplitAfter(whole(target, strings.Repeat(" ", 1000))[0], "")
	}},
	{"half a request", false, func(target string) []string { return []string{target[:len(target)/2]} }},
	{"half a body", false, func(target string) []string {
		return []string{target + "Content-Type: application/json\r\nContent-Length: 10000000\r\n\r\n", text[:1<<20]}
	}},
	{"garbage", false, func(string) []string { return []string{strings.Repeat("\x00\xff\r\n\x16\x03", 1000)} }},
	{"large fields", false, func(target string) []string {
		return []string{target, strings.Repeat("X-Field: "+text[:1000]+"\r\n", 200)}
	}},
	{"a large text", false, func(target string) []string { return whole(target, `{"name":"`+text+`"}`) }},
	{"many values", false, func(target string) []string { return whole(target, "["+list+"0]") }},
	{"deep JSON", false, func(target string) []string { return whole(target, deep) }},
	{"an endless body", false, func(target string) []string {
		chunk := fmt.Sprintf("%x\r\n%s\r\n", 1<<20, text[:1<<20])
		return []string{target + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
			strings.Repeat(chunk, 12)}
	}},
	{"an announced chunk", false, func(target string) []string {
		return []string{target + "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\nx"}
	}},
	{"an abandoned response", false, func(string) []string {
		return []string{"GET /__coldframe/state HTTP/1.1\r\nHost: localhost\r\n\r\n"}
	}},
}

// attack opens connections, writes on each, and leaves without reading the response.
func (s *soak) attack(ctx context.Context, a attack) {
	var open []net.Conn
	for n := 0; ctx.Err() == nil; n++ {
		every := 300 * time.Millisecond
		if conn, err := net.DialTimeout("tcp", s.host, time.Second); err == nil {
			s.attacks.Add(1)
			open = append(open, conn)
			conn.SetDeadline(time.Now().Add(2 * time.Second))
			for _, piece := range a.pieces(s.targets[n%len(s.targets)]) {
				if len(piece) > largePiece { // it takes the mock's time, which others need, too
					every = 3 * time.Second
				}
				if _, err := io.WriteString(conn, piece); err != nil || a.pauses && !pause(ctx, 10*time.Millisecond) {
					break
				}
			}
		}
		if len(open) >= connections {
			open[0].Close()
			open = open[1:]
		}
		pause(ctx, every)
	}
	for _, conn := range open {
		conn.Close()
	}
}
