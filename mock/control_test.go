package mock

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/route"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
	"github.com/coldframe/coldframe/mock/internal/control"
)

// controlContract compiles the document of the control API.
func controlContract(ctx context.Context) (*spec.Contract, error) {
	return spec.Load(ctx, "openapi.yaml", spec.Options{Text: control.Document})
}

// checkControl validates an answer of the control API against its own document.
func checkControl(method, target string, r *exchange.Response) []exchange.Finding {
	contract, err := controlContract(context.Background())
	if err != nil {
		return []exchange.Finding{{Message: err.Error()}}
	}
	if len(contract.Findings) > 0 {
		return contract.Findings
	}
	if method == http.MethodHead {
		method, r = http.MethodGet, &exchange.Response{Status: r.Status, Header: r.Header, Body: r.Body}
	}
	path, _, _ := strings.Cut(target, "?")
	var m route.Match
	if route.New(contract).Find(method, path, &m) != route.Found {
		if kind, _ := r.Header.Get("Content-Type"); r.Status < 400 || kind != "application/problem+json" {
			return []exchange.Finding{{Message: fmt.Sprintf("status %d of type %s for no operation", r.Status, kind)}}
		}
		return nil
	}
	if len(r.Body) == 0 && r.Status == 200 {
		return nil // of HEAD
	}
	return validate.New(m.Operation).Response(method, r)
}

// controlRequests are requests to all operations of the control API.
var controlRequests = map[string]struct {
	target, body string
	status       int
}{
	"listOperations":   {"", "", 200},
	"health":           {"health", "", 200},
	"describe":         {"openapi.yaml", "", 200},
	"getOperations":    {"operations", "", 200},
	"getOperation":     {"operations/POST%20%2Fplants", "", 200},
	"getState":         {"state", "", 200},
	"replaceState":     {"state", `{"/plants": [{"id": 1, "name": "Fern"}]}`, 200},
	"clearState":       {"state", "", 204},
	"getClock":         {"clock", "", 200},
	"setClock":         {"clock", `{"advance": "-1.5s"}`, 200},
	"resetClock":       {"clock", "", 204},
	"listSessions":     {"sessions", "", 200},
	"changeSession":    {"sessions/default/snapshot", `{"label": "a"}`, 204},
	"deleteSession":    {"sessions/default", "", 204},
	"deleteSnapshot":   {"sessions/default/snapshots/none", "", 404},
	"exportSession":    {"sessions/default/file", "", 200},
	"importSession":    {"sessions/default/file", `{"coldframeSession": 0}`, 400},
	"getMemory":        {"memory", "", 200},
	"listScenarios":    {"scenarios?session=", "", 200},
	"replaceScenarios": {"scenarios", `{"scenarios": [{"name": "a", "text": "rules: [{on: '*', delay: 1}, {on: '*', delay: 2}]"}]}`, 200},
	"restoreScenarios": {"scenarios?session=new", "", 204},
	"getScenario":      {"scenarios/none", "", 404},
	"putScenario":      {"scenarios/a", "rules: [{on: POST /plants, delay: 1}]", 200},
	"switchScenario":   {"scenarios/none", `{"active": false}`, 404},
	"deleteScenario":   {"scenarios/none", "", 404},
	"getScenarioState": {"scenarios/none/state", "", 404},
	"setScenarioState": {"scenarios/none/state", `{"state": "x"}`, 404},
	"rewindScenario":   {"scenarios/none/state", "", 404},
	"listRequests":     {"requests?operation=POST%20/plants&status=2XX&session=&method=post&path=/plants&limit=1", "", 200},
	"clearRequests":    {"requests", "", 204},
	"getRequest":       {"requests/1", "", 200},
	"followRequests":   {"events", "", 200},
	"getCoverage":      {"coverage", "", 200},
	"verify":           {"verify", `{"operation": "POST /plants", "count": 1}`, 200},
	"listSources":      {"sources", "", 200},
	"setSource":        {"sources", `{"operation": "POST /plants", "source": "mock"}`, 200},
	"listWebhooks":     {"webhooks", "", 200},
	"sendWebhook":      {"webhooks/none", `{"url": "http://localhost:1/"}`, 404},
}

// TestControlIsAsDescribed sends a request to every operation of the control
// API's document and holds the answer to it.
func TestControlIsAsDescribed(t *testing.T) {
	contract, err := controlContract(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range contract.Findings {
		t.Errorf("%s", f)
	}
	for _, op := range contract.Operations {
		t.Run(op.ID, func(t *testing.T) {
			t.Parallel()
			s := start(t, Options{Proxy: ProxyOptions{Upstream: "http://127.0.0.1:1"}}) // which has all operations
			s.exchange(plant("secret"))
			c, ok := controlRequests[op.ID]
			if !ok {
				t.Fatal("no request")
			}
			r, err := http.NewRequest(op.Method, s.ControlURL()+control.Prefix+c.target, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			answer := &exchange.Response{Status: response.StatusCode}
			for name, values := range response.Header {
				answer.Header = append(answer.Header, exchange.Field{Name: name, Value: values[0]})
			}
			if op.ID == "followRequests" {
				s.Close() // ends the feed
			}
			if answer.Body, err = io.ReadAll(response.Body); err != nil {
				t.Fatal(err)
			}
			if answer.Status != c.status {
				t.Errorf("status %d, want %d: %s", answer.Status, c.status, answer.Body)
			}
			for _, f := range checkControl(op.Method, control.Prefix+c.target, answer) {
				t.Error(f)
			}
		})
	}
}

func plant(token string) *exchange.Request {
	return &exchange.Request{Method: "POST", Path: "/plants", Body: []byte(`{"id":1,"name":"Rose"}`), Header: exchange.Header{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Authorization", Value: "Bearer " + token},
	}}
}

// TestEvents follows a server, which then stops.
func TestEvents(t *testing.T) {
	s := start(t, Options{})
	s.exchange(plant("token"))
	s.exchange(plant("token"))
	r, err := http.NewRequest("GET", s.URL()+"/__coldframe/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Last-Event-ID", "1")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	next := func() (id int) {
		for lines.Scan() {
			fmt.Sscanf(lines.Text(), "id: %d", &id)
			data, ok := strings.CutPrefix(lines.Text(), "data: ")
			if !ok {
				continue
			}
			var e struct{ Number int }
			if err := json.Unmarshal([]byte(data), &e); err != nil || e.Number != id {
				t.Errorf("%s: %v", data, err)
			}
			return id
		}
		return 0
	}
	if id := next(); id != 2 {
		t.Errorf("the feed begins with %d, want 2", id)
	}
	s.exchange(plant("token"))
	if id := next(); id != 3 {
		t.Errorf("the feed goes on with %d, want 3", id)
	}
	if err := s.Close(); err != nil {
		t.Errorf("a feed keeps the server from stopping: %v", err)
	}
	for lines.Scan() {
		if lines.Text() != "" {
			t.Errorf("the feed goes on: %q", lines.Text())
		}
	}
	if lines.Err() != nil {
		t.Error(lines.Err())
	}
}

// TestNothingSecretIsKept sends credentials in every place that a document can
// name and looks for them in everything that the journal returns.
func TestNothingSecretIsKept(t *testing.T) {
	document := `
openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    get:
      security: [{bearer: []}, {basic: []}, {key: []}, {query: []}, {cookie: []}]
      responses: {'200': {description: ok}, '401': {description: no}}
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    key: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: api_key}
    cookie: {type: apiKey, in: cookie, name: sid}
`
	const secret = "hunter2hunter2"
	log := &lineLog{}
	s := start(t, Options{Document: "t.yaml", Text: []byte(document), Log: LogOptions{To: log}})
	for _, target := range []string{"/a", "/b"} {
		for _, send := range []struct{ name, value, query string }{
			{"Authorization", "Bearer " + secret, ""},
			{"authorization", "Basic " + secret, ""},
			{"Authorization", secret, ""},
			{"Authorization", "Bearer " + secret + " " + secret, ""},
			{"Proxy-Authorization", "Basic " + secret, ""},
			{"X-Key", secret, ""},
			{"Cookie", "a=b; sid=" + secret, ""},
			{"Accept", "*/*", "?api_key=" + secret},
			{"Accept", "*/*", "?api%5Fkey=" + secret},
		} {
			r, err := http.NewRequest("GET", s.URL()+target+send.query, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.Header[send.name] = []string{send.value}
			response, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
	}
	entries, _ := s.journal.Entries()
	if len(entries) != 18 {
		t.Errorf("%d entries", len(entries))
	}
	list := s.control.Serve(&exchange.Request{Method: "GET", Path: "/__coldframe/requests"})
	for _, e := range entries {
		text := fmt.Sprintf("%+v", *e)
		if strings.Contains(text, secret) {
			t.Errorf("the journal has the secret: %s", text)
		}
	}
	if bytes.Contains(list.Body, []byte(secret)) || !bytes.Contains(list.Body, []byte("REDACTED")) {
		t.Errorf("the control API gives the secret: %s", list.Body)
	}
	if strings.Contains(log.String(), secret) {
		t.Errorf("the log has the secret: %s", log.String())
	}
}

// TestJournalUnderLoad has 50 goroutines send, read and verify.
func TestJournalUnderLoad(t *testing.T) {
	s, err := New(t.Context(), Options{Control: ControlOptions{Journal: 64}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var wait sync.WaitGroup
	for range 50 {
		wait.Go(func() {
			for range 20 {
				s.exchange(plant("token"))
			}
			verify := s.control.Serve(&exchange.Request{Method: "POST", Path: "/__coldframe/verify",
				Body: []byte(`{"where": "request.body.name == \"Rose\" && response.status == 200"}`)})
			if verify.Status != 200 {
				t.Errorf("%d %s", verify.Status, verify.Body)
			}
		})
	}
	wait.Wait()
	if s.journal.Last() != 1000 {
		t.Errorf("%d exchanges", s.journal.Last())
	}
}

// TestDeepBodyInJournal holds that a body that nests deeper than JSON can be written is shown as text.
func TestDeepBodyInJournal(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Validate: "off", Auth: AuthOptions{Mode: "off"}})
	deep := strings.Repeat("[", 9_990) + strings.Repeat("]", 9_990)
	post(t, http.DefaultClient, s.URL(), deep)
	response, err := http.Get(s.URL() + "/__coldframe/requests")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var list struct {
		Requests []struct{ Request struct{ Body any } }
	}
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil || len(list.Requests) != 1 {
		t.Fatal(err, list)
	}
	if text, _ := list.Requests[0].Request.Body.(string); text != deep {
		t.Errorf("%.100v", list.Requests[0].Request.Body)
	}
}
