package mock

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

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
	"getDocument":      {"document", "", 200},
	"getLines":         {"document/lines?from=1&to=2", "", 200},
	"getOperations":    {"operations", "", 200},
	"getOperation":     {"operations/POST%20%2Fplants", "", 200},
	"getResources":     {"resources", "", 200},
	"getItems":         {"items", "", 200},
	"createItem":       {"items?collection=/plants", `{"name": "Fern"}`, 201},
	"putItem":          {"items?collection=/plants&key=1", `{"name": "Fern"}`, 200},
	"deleteItem":       {"items?collection=/plants&key=1", "", 204},
	"getState":         {"state", "", 200},
	"replaceState":     {"state", `{"/plants": [{"id": 1, "name": "Fern"}]}`, 200},
	"clearState":       {"state", "", 204},
	"getClock":         {"clock", "", 200},
	"setClock":         {"clock", `{"advance": "-1.5s"}`, 200},
	"resetClock":       {"clock", "", 204},
	"listSessions":     {"sessions", "", 200},
	"changeSession":    {"sessions/default/snapshot", `{"label": "a"}`, 204},
	"useSession":       {"sessions/a/use?to=/plants%3Fa=b", "", 303},
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
	"saveScenario":     {"scenarios/none/save", "", 409},
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
	"getLearned":       {"learned", "", 200},
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
			s := start(t, Options{Proxy: ProxyOptions{Upstream: "http://127.0.0.1:1", Learn: true}}) // which has all operations
			s.exchange(plant("secret"))
			c, ok := controlRequests[op.ID]
			if !ok {
				t.Fatal("no request")
			}
			r, err := http.NewRequest(op.Method, s.ControlURL()+control.Prefix+c.target, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			response, err := http.DefaultTransport.RoundTrip(r) // which follows no redirects
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
	s.exchange(plant("token"))
	// What the journal has does not count for most.
	r, err := http.NewRequest("GET", s.URL()+"/__coldframe/events?most=2", nil)
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
	if id := next(); id != 3 {
		t.Errorf("the feed goes on with %d, want 3", id)
	}
	for want := 4; want <= 6; want++ {
		s.exchange(plant("token"))
		if id := next(); id != want {
			t.Errorf("the feed goes on with %d, want %d", id, want)
		}
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

// TestEditsAreBounded edits items of one session at once, and items that are too large.
func TestEditsAreBounded(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Limits: Limits{MaxState: 10_000, MaxItems: 20}})
	ask := func(method, query, body string) int {
		return s.control.Serve(&exchange.Request{Method: method, Path: "/__coldframe/items", Query: "collection=/plants" + query,
			Body: []byte(body), Header: exchange.Header{{Name: "Content-Type", Value: "application/json"}}}).Status
	}
	s.exchange(plant("token"))
	if status := ask("POST", "", `{"name": "`+strings.Repeat("x", 20_000)+`"}`); status != 413 {
		t.Errorf("a large item: %d", status)
	}
	deep := `{"name": "Fern", "a": ` + strings.Repeat("[", 2_000) + strings.Repeat("]", 2_000) + `}`
	if status := ask("POST", "", deep); status/100 != 4 {
		t.Errorf("a deep item: %d", status)
	}
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				ask("POST", "", `{"name": "Fern"}`)
				ask("PUT", "&key=1", `{"name": "Oak"}`)
				ask("GET", "", "")
				ask("DELETE", "&key=2", "")
			}
		})
	}
	wait.Wait()
	if total := s.store.View().Total(); total > 20 || total == 0 {
		t.Errorf("%d items", total)
	}
}

// TestSaveScenario saves scenarios in the folder of scenario files, and nowhere else.
func TestSaveScenario(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "scenarios")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const text = "rules: [{on: '*', delay: 1}]\n"
	outside := filepath.Join(top, "outside.yaml")
	write(outside, text)
	write(filepath.Join(dir, "own.yaml"), "name: mine\n"+text)
	if err := os.Symlink(outside, filepath.Join(dir, "linked.yaml")); err != nil {
		t.Fatal(err)
	}
	s := start(t, Options{Scenarios: []string{dir}, Control: ControlOptions{AllowEdit: true}})
	ask := func(s *Server, method, path, body string) (int, string) {
		r := s.control.Serve(&exchange.Request{Method: method, Path: "/__coldframe/scenarios/" + path, Body: []byte(body), Header: exchange.Header{{Name: "Content-Type", Value: "text/plain"}}})
		return r.Status, string(r.Body)
	}
	save := func(name, text string) (int, string) {
		t.Helper()
		if status, answer := ask(s, "PUT", name, text); status != 200 {
			return status, answer // the name is invalid
		}
		return ask(s, "POST", name+"/save", "")
	}
	holds := func(path, want string) {
		t.Helper()
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s has %q, want %q; %v", path, got, want, err)
		}
	}
	for name, file := range map[string]string{"new": "new.yaml", "linked": "linked.yaml"} {
		if status, answer := save(name, text+"# "+name+"\n"); status != 409 && name == "linked" || status != 200 && name == "new" {
			t.Errorf("%s: %d %s", name, status, answer)
		} else if name == "new" {
			holds(filepath.Join(dir, file), text+"# new\n")
		}
	}
	if status, answer := save("new", text+"# newer\n"); status != 200 {
		t.Errorf("saved again: %d %s", status, answer)
	}
	holds(filepath.Join(dir, "new.yaml"), text+"# newer\n")
	holds(outside, text)
	if status, answer := ask(s, "POST", "mine/save", ""); status != 200 || !strings.Contains(answer, "own.yaml") {
		t.Errorf("%d %s", status, answer)
	}
	holds(filepath.Join(dir, "own.yaml"), "name: mine\n"+text)
	if status, answer := save("mine", "name: mine\n"+text+"# mine\n"); status != 200 || !strings.Contains(answer, "own.yaml") {
		t.Errorf("a changed scenario: %d %s", status, answer)
	}
	holds(filepath.Join(dir, "own.yaml"), "name: mine\n"+text+"# mine\n")
	if status, answer := save("mine", text); status != 409 || !strings.Contains(answer, "name: mine") {
		t.Errorf("without its name: %d %s", status, answer)
	}
	for _, name := range []string{"..%2Foutside", "a%2Fb", ".hidden", "..", "%2Fetc%2Fx", "C:x", "own"} {
		if status, answer := save(name, text); status != 409 && status != 422 {
			t.Errorf("%s: %d %s", name, status, answer)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("%v, %v", entries, err)
	}
	if entries, err := os.ReadDir(top); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	if status, answer := ask(s, "POST", "none/save", ""); status != 404 {
		t.Errorf("%d %s", status, answer)
	}
	t.Chdir(dir) // whose files have names without a folder
	here := start(t, Options{Scenarios: []string{"own.yaml"}, Control: ControlOptions{AllowEdit: true}})
	ask(here, "PUT", "new", text)
	if status, answer := ask(here, "POST", "new/save", ""); status != 409 {
		t.Errorf("%d %s", status, answer)
	}
	holds(filepath.Join(dir, "new.yaml"), text+"# newer\n")
	without := start(t, Options{Scenarios: []string{dir}})
	if status, answer := ask(without, "POST", "mine/save", ""); status != 409 {
		t.Errorf("%d %s", status, answer)
	}
	no := start(t, Options{Control: ControlOptions{AllowEdit: true}})
	ask(no, "PUT", "new", text)
	if status, answer := ask(no, "POST", "new/save", ""); status != 409 || !strings.Contains(answer, "without scenario files") {
		t.Errorf("%d %s", status, answer)
	}
}

// TestReadOnlyConsole lets pages read, and other clients change.
func TestReadOnlyConsole(t *testing.T) {
	t.Parallel()
	s := start(t, Options{Control: ControlOptions{ReadOnlyConsole: true, Token: "secret"}})
	for _, c := range []struct {
		method, field, value string
		status               int
	}{
		{"GET", "Sec-Fetch-Site", "same-origin", 200},
		{"GET", "Origin", "http://localhost", 200},
		{"DELETE", "Sec-Fetch-Site", "same-origin", 403},
		{"DELETE", "Sec-Fetch-Site", "none", 403},
		{"DELETE", "Origin", "http://localhost", 403},
		{"PUT", "Origin", "http://localhost", 403},
		{"DELETE", "Accept", "*/*", 204},
	} {
		r := s.control.Serve(&exchange.Request{Method: c.method, Path: "/__coldframe/state", Header: exchange.Header{
			{Name: "Host", Value: "localhost"}, {Name: "Authorization", Value: "Bearer secret"}, {Name: c.field, Value: c.value},
		}})
		if r.Status != c.status {
			t.Errorf("%v: %d %s", c, r.Status, r.Body)
		}
	}
}

// TestDocumentLines reads lines of a document's files, and of no others.
func TestDocumentLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const head = "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nservers: [{url: 'https://u:p@example.com'}]\n"
	write("openapi.yaml", head+"paths: {/a: {$ref: part.yaml}}\n")
	write("part.yaml", "get: {responses: {'200': {description: ok}}}\n# "+strings.Repeat("é", 5000)+"\n"+strings.Repeat("#\n", 1000))
	write("secret.yaml", "secret")
	s := start(t, Options{Document: filepath.Join(dir, "openapi.yaml")})
	ask := func(query string) (status int, answer struct {
		File  string
		Lines []string
		Files []struct {
			File  string
			Lines int
		}
		Reload *struct{ Error string }
	}) {
		t.Helper()
		r := s.control.Serve(&exchange.Request{Method: "GET", Path: "/__coldframe/document" + "/lines", Query: query})
		if query == "" {
			r = s.control.Serve(&exchange.Request{Method: "GET", Path: "/__coldframe/document"})
		}
		if err := json.Unmarshal(r.Body, &answer); err != nil {
			t.Fatal(err)
		}
		return r.Status, answer
	}
	_, document := ask("")
	if len(document.Files) != 2 || document.Files[1].Lines != 1002 || document.Reload != nil {
		t.Errorf("%+v", document)
	}
	_, own := ask("from=2&to=3")
	if len(own.Lines) != 2 || strings.Contains(own.Lines[1], "u:p@") || !strings.Contains(own.Lines[0], "title") {
		t.Errorf("%+v", own)
	}
	part := url.QueryEscape(document.Files[1].File)
	for query, want := range map[string]int{"&from=3": 400, "&from=1003": 0, "&from=1000000000&to=1": 0, "&from=5&to=4": 0, "&from=1001": 2} {
		if status, got := ask("file=" + part + query); status != 200 || len(got.Lines) != want {
			t.Errorf("%s: %d, %d lines, want %d", query, status, len(got.Lines), want)
		}
	}
	if _, long := ask("file=" + part + "&from=2&to=2"); len(long.Lines[0]) > 4<<10+len("…") || !utf8.ValidString(long.Lines[0]) {
		t.Errorf("a line has %d bytes", len(long.Lines[0]))
	}
	for _, file := range []string{"secret.yaml", filepath.Join(dir, "secret.yaml"), "/etc/passwd", "../x", "part.yaml/../secret.yaml", "file:///etc/passwd", "\x00"} {
		if status, got := ask("file=" + url.QueryEscape(file)); status != 404 && status != 400 || got.Lines != nil {
			t.Errorf("%q: %d %+v", file, status, got)
		}
	}
	write("openapi.yaml", "no document")
	if err := s.Reload(t.Context()); err == nil {
		t.Error("reloaded")
	}
	if _, failed := ask(""); failed.Reload == nil || failed.Reload.Error == "" || len(failed.Files) != 2 {
		t.Errorf("%+v", failed)
	}
	write("openapi.yaml", head+"paths: {}\n")
	if err := s.Reload(t.Context()); err != nil {
		t.Error(err)
	}
	if _, again := ask(""); again.Reload != nil || len(again.Files) != 1 {
		t.Errorf("%+v", again)
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
