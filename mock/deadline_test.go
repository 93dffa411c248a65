package mock

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coldframe/coldframe/internal/exchange"
)

// manyRules are rules that together take at least ten seconds to find that none applies. One takes a small part of a
// second, also with the race detector: work ends between two of them.
func manyRules(t *testing.T) string {
	rule := "  - {on: '*', when: 'reduce(1..50000, #acc + #, 0) + len(request.path) < 0', delay: 1}\n"
	return write(t, "many.yaml", "rules:\n"+strings.Repeat(rule, 2000))
}

const create = "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer a\r\n" +
	"Content-Length: 22\r\n\r\n" + rose

const listDocument = `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /as:
    get:
      parameters: [{name: name, in: query, schema: {type: string}}]
      responses: {'200': &list {description: ok, content: {application/json: {schema: {type: array, items: &a
        {type: object, required: [id], properties: {id: {type: integer}, name: {type: string}}}}}}}}
    post:
      requestBody: {content: {application/json: {schema: *a}}}
      responses: {'201': {description: ok, content: {application/json: {schema: *a}}}}
  /as/{id}: {get: {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    responses: {'200': {description: ok, content: {application/json: {schema: *a}}}}}}
`

// TestOverdue answers requests whose time is over before they begin, and counts what they allocate: it stands for
// the work, of which a request with time enough does far more.
func TestOverdue(t *testing.T) {
	list := Options{Document: "t.yaml", Text: []byte(listDocument)}
	fill := func(s *Server) {
		for i := range 3000 {
			body := fmt.Appendf(nil, `{"id":%d,"name":"a%d"}`, i, i%7)
			s.exchange(&exchange.Request{Method: "POST", Path: "/as", Body: body,
				Header: exchange.Header{{Name: "Content-Type", Value: "application/json"}}})
		}
	}
	for name, c := range map[string]struct {
		Options
		prepare func(*Server)
		request exchange.Request
	}{
		"list":   {list, fill, exchange.Request{Method: "GET", Path: "/as"}},
		"filter": {list, fill, exchange.Request{Method: "GET", Path: "/as", Query: "name=a3"}},
		"rules": {Options{Scenarios: []string{write(t, "few.yaml", "rules:\n"+strings.Repeat(
			"  - {on: '*', when: 'len(map(1..300, string(#))) < len(request.path)', delay: 1}\n", 50))}},
			func(*Server) {}, *plant("token")},
	} {
		t.Run(name, func(t *testing.T) {
			log := &lineLog{}
			c.Log.To = log
			s := inside(t, c.Options)
			c.prepare(s)
			calls := 0
			once := func(work *exchange.Work) (*exchanged, uint64) {
				r := c.request
				calls++ // no answer belongs to another call
				r.Header = append(slices.Clip(r.Header), exchange.Field{Name: "X-Call", Value: strconv.Itoa(calls)})
				r.Work = work
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				h := s.exchange(&r)
				runtime.ReadMemStats(&after)
				return h, after.TotalAlloc - before.TotalAlloc
			}
			overdue := func() *exchange.Work {
				work := &exchange.Work{}
				work.Begin(time.Nanosecond)
				return work
			}
			least := func(work func() *exchange.Work) (h *exchanged, cost uint64) { // without what is made once
				for n := range 5 {
					var one uint64
					if h, one = once(work()); n == 0 || one < cost {
						cost = one
					}
				}
				return h, cost
			}
			whole, cost := least(func() *exchange.Work { return nil })
			cut, less := least(overdue)
			if whole.answer.Status >= 300 || cut.answer.Status != 503 || less > cost/2 {
				t.Errorf("%d for %d bytes, overdue %d for %d bytes", whole.answer.Status, cost, cut.answer.Status, less)
			}
			const reason = "making the answer took longer than 10s; the option request-timeout allows more"
			last := s.Requests()[len(s.Requests())-1]
			if body := string(cut.answer.Body); !strings.Contains(body, reason) || !strings.Contains(log.String(), reason) ||
				!slices.ContainsFunc(last.Findings, func(f exchange.Finding) bool { return f.Code == "deadline-exceeded" }) {
				t.Errorf("%s\n%s\n%v", body, log, last.Findings)
			}
		})
	}
}

// TestDeadline has requests that would take long end on each way on which a request comes. Delays that are asked
// for do not count.
func TestDeadline(t *testing.T) {
	t.Parallel()
	o := Options{Scenarios: []string{manyRules(t)}, Limits: Limits{RequestTimeout: 50 * time.Millisecond}}
	socket, here := start(t, o), inside(t, o)
	o.Listen.SelfSigned = true
	secure := start(t, o)
	for url, client := range map[string]*http.Client{
		socket.URL(): http.DefaultClient, secure.URL(): trusting(t, &tls.Config{InsecureSkipVerify: true}), here.URL(): here.Client(),
	} {
		if status, body := post(t, client, url, rose); status != 503 || !strings.Contains(body, "longer than 50ms") {
			t.Errorf("%s: %d %s", url, status, body)
		}
	}
	late := start(t, Options{Limits: Limits{RequestTimeout: 20 * time.Millisecond}, Delay: 100 * time.Millisecond})
	if status, body := post(t, http.DefaultClient, late.URL(), rose); status != 200 {
		t.Errorf("after a delay %d %s", status, body)
	}
}

// TestClientLeaves has clients leave while their answers are made, which would take long.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	log := &lineLog{}
	s := start(t, Options{Scenarios: []string{manyRules(t)}, Limits: Limits{RequestTimeout: time.Hour}, Log: LogOptions{To: log}})
	connect(t, s, create).Close()
	log.until(t, func(text string) bool { return strings.Contains(text, "the client has left") })
	ctx, leave := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, leave)
	r, err := http.NewRequestWithContext(ctx, "POST", "http://localhost/plants", strings.NewReader(rose))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Authorization": {"Bearer a"}, "Content-Type": {"application/json"}}
	if answer, err := s.Client().Do(r); err != nil || answer.StatusCode != 503 {
		t.Error(answer, err)
	}
}

// TestStopWhileBusy stops a server while it works on an answer that would take long.
func TestStopWhileBusy(t *testing.T) { // not in parallel: Close waits for a few seconds
	log := &lineLog{}
	busy := make(chan bool, 1)
	s := start(t, Options{Scenarios: []string{manyRules(t)}, Limits: Limits{RequestTimeout: time.Hour}, Log: LogOptions{To: log}, Clock: func() time.Time {
		select {
		case busy <- true:
		default:
		}
		return time.Now()
	}})
	for len(busy) > 0 {
		<-busy
	}
	conn := connect(t, s, create)
	<-busy // the request has come
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if line, _ := bufio.NewReader(conn).ReadString('\n'); !strings.Contains(line, "503") || !strings.Contains(log.String(), "stops") {
		t.Errorf("%q\n%s", line, log)
	}
}

// TestSlowSenders has clients that send a byte every now and then.
func TestSlowSenders(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Limits: Limits{ReadTimeout: 300 * time.Millisecond}})
	for name, head := range map[string]string{
		"head": "GET /plants HTTP/1.1\r\nX-A: ",
		"body": "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer a\r\n" +
			"Content-Length: 10000\r\n\r\n",
		"chunks": "POST /plants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer a\r\n" +
			"Transfer-Encoding: chunked\r\n\r\n1000\r\n",
	} {
		conn := connect(t, s, "%s", head)
		go func() {
			for {
				if _, err := conn.Write([]byte("a")); err != nil {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		answer, err := io.ReadAll(conn) // the watchdog is the connection's deadline
		if err != nil && !strings.Contains(err.Error(), "reset") || !strings.HasPrefix(string(answer), "HTTP/1.1 408 ") {
			t.Errorf("%s: %q %v", name, answer, err)
		}
	}
}
