package contracts

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// costly is a document whose values are expensive to match: the pattern needs backtracking.
const costly = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get: &operation
      responses: {'200': {description: ok, content: {application/json: {schema: &texts
        {type: array, items: {type: string, pattern: '^(?!x)(a+)+\1b$'}}}}}}
    post: {<<: *operation, requestBody: {content: {application/json: {schema: *texts}}}}
  /b/{id}:
    get: &item {<<: *operation, parameters: [{name: id, in: path, required: true, schema: {type: string}}]}
    put: {<<: *item, requestBody: {content: {application/json: {schema: *texts}}}}
    delete: *item
`

// TestHostileBackends runs against backends whose answers never end, or cost much to check. A run ends three seconds
// after MaxTime at the latest (the watchdog allows a minute), or earlier by itself, and its report says so.
func TestHostileBackends(t *testing.T) {
	texts := `["` + strings.Repeat(strings.Repeat("a", 40)+`c","`, 9) + `a"]`
	ok := "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	ends := map[string]string{"interim": "interim answers without end", "redirect": ""} // others by MaxTime
	for name, answer := range map[string]func(net.Conn){
		"costly": func(c net.Conn) { fmt.Fprintf(c, "%sContent-Length: %d\r\n\r\n%s", ok, len(texts), texts) },
		"trickle": func(c net.Conn) {
			fmt.Fprintf(c, "%sContent-Length: %d\r\n\r\n", ok, len(texts))
			endless(c, 10*time.Millisecond, "[")
		},
		"stream": func(c net.Conn) {
			fmt.Fprint(c, ok, "Transfer-Encoding: chunked\r\n\r\n")
			endless(c, time.Millisecond, "1\r\n[\r\n")
		},
		"flood": func(c net.Conn) {
			fmt.Fprint(c, ok, "\r\n")
			endless(c, 0, strings.Repeat(" ", 64<<10))
		},
		"fields": func(c net.Conn) {
			fmt.Fprint(c, ok)
			endless(c, time.Millisecond, "X-A: "+strings.Repeat("a", 1000)+"\r\n")
		},
		"interim":  func(c net.Conn) { endless(c, time.Millisecond, "HTTP/1.1 103 Early Hints\r\n\r\n") },
		"silence":  func(c net.Conn) { c.Read(make([]byte, 1)) },
		"redirect": func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 307 Again\r\nLocation: /a\r\nContent-Length: 0\r\n\r\n") },
		"later":    func(c net.Conn) { fmt.Fprint(c, "HTTP/1.1 429 Later\r\nRetry-After: 60\r\nContent-Length: 0\r\n\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				for {
					conn, err := listener.Accept()
					if err != nil {
						return
					}
					go func() {
						defer conn.Close()
						for request := make([]byte, 64<<10); ; answer(conn) {
							if _, err := conn.Read(request); err != nil {
								return
							}
						}
					}()
				}
			}()
			watchdog := time.AfterFunc(time.Minute, func() { panic(name + " does not end") })
			defer watchdog.Stop()
			want, ended := ends[name]
			limits := Limits{MaxTime: time.Second, MaxCases: 1000}
			if ended {
				limits.MaxTime = 0 // a slow machine must not end the run first
			}
			report, err := Run(t.Context(), Options{
				Document: "t.yaml", Text: []byte(costly), URL: "http://" + listener.Addr().String(), Limits: limits,
			})
			cause := fmt.Sprint(err)
			if err == nil {
				cause = report.Ended
			}
			if !ended {
				want = "Options.Limits.MaxTime"
			}
			if !strings.Contains(cause, want) {
				t.Errorf("ended by %q, want %q", cause, want)
			}
		})
	}
}

func endless(c net.Conn, pause time.Duration, text string) {
	for {
		if _, err := c.Write([]byte(text)); err != nil {
			return
		}
		time.Sleep(pause)
	}
}
