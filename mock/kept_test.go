package mock

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/respond"
	"github.com/coldframe/coldframe/mock/internal/state"
)

// keptRequests are requests to the documents of FuzzKept: those that read, and those that change what is read. # is a
// small number.
var keptRequests = map[string][]string{
	"../examples/garden-shop/openapi.yaml": {
		"GET /categories", "GET /products", "GET /products?page=#&pageSize=2", "GET /products?q=a&sort=price",
		"GET /products?category=herbs", "GET /products/#", "HEAD /products/#", "GET /products/#/photos",
		"GET /products/#/photos/#", "GET /products/#/photos/#/file", "GET /basket", "GET /basket/items/#", "GET /orders",
		"GET /orders?sort=createdAt&pageSize=2&page=#", "GET /orders/#", "GET /exports/#", "GET /me",
		"DELETE /products/#/photos/#", `POST /basket/items {"productId": #, "quantity": #}`,
		`PATCH /basket/items/# {"quantity": #}`, "DELETE /basket/items/#",
		`POST /orders {"address": {"name": "Ann", "street": "Lane #", "postalCode": "10115", "city": "Berlin", "country": "DE"}}`,
		`POST /exports {"format": "csv"}`,
		`POST /users {"email": "a#@example.com", "password": "secret-word-#", "name": "Ann #"}`,
	},
	"kept.yaml": {
		"GET /plants", "GET /plants?limit=2&offset=#", "GET /plants?tag=t#", "GET /plants?q=#&sort=-name", "GET /plants/#",
		"HEAD /plants", "GET /beds?limit=2&starting_after=#", "GET /beds/#", "GET /pots?limit=1&cursor=#", "GET /pots/#",
		"GET /owners/#/trees", "GET /trees/#", `POST /plants {"name": "p#", "tag": "t#"}`, `POST /beds {"name": "b#"}`,
		`POST /pots {"name": "o#"}`, `POST /owners/#/trees {"name": "r#"}`, `PUT /__coldframe/state {"plants": [{"id": #, "name": "s"}]}`,
		`PUT /__coldframe/state {"/owners/#/trees": [{"id": 9, "name": "s#"}]}`, "DELETE /__coldframe/state",
		`PUT /__coldframe/scenarios/pots {"rules": [{"on": "GET /pots/{id}", "respond": {"patch": {"name": "patched #"}}}]}`,
		"DELETE /__coldframe/scenarios/pots", "RELOAD",
	},
	"list.yaml": {
		"GET /as", "GET /as?name=n#", "GET /as/#", `POST /as {"id": #, "name": "n#"}`, "PUT /__coldframe/state {}", "RELOAD",
		"POST /__coldframe/sessions/other/snapshot {}", "POST /__coldframe/sessions/other/restore {}",
		`POST /__coldframe/sessions/other/fork {"to": "third"}`, `PUT /__coldframe/clock {"advance": "#h"}`,
		`PUT /__coldframe/scenarios/as {"rules": [{"on": "GET /as", "times": #, "respond": {"body": []}}]}`,
	},
}

const maxSteps = 60 // requests of one input of FuzzKept

// FuzzKept sends the same requests to a mock that keeps the bodies of its answers and to one that does not: reads and changes,
// in three sessions, with conditions and preferences, through two hosts, and to the control API. Both return the same
// answers and findings, and have the same in the journal and in the coverage.
func FuzzKept(f *testing.F) {
	// Which input is interesting depends on the inputs before, which fill caches. To make one smaller takes a minute each.
	if minimize := flag.Lookup("test.fuzzminimizetime"); minimize.Value.String() == minimize.DefValue {
		if err := minimize.Value.Set("1x"); err != nil {
			f.Fatal(err)
		}
	}
	names := []string{"../examples/garden-shop/openapi.yaml", "kept.yaml", "list.yaml"}
	options := map[string]Options{
		names[0]: {Document: names[0], State: StateOptions{Data: []string{"../examples/garden-shop/data.yaml"}}},
		names[1]: {Document: names[1], Text: []byte(largeListDocument)},
		names[2]: {Document: names[2], Text: []byte(listDocument), State: StateOptions{UnknownItems: "refuse"}},
	}
	servers := map[string][2]*Server{}
	for name, o := range options {
		o.Listen.NoListener, o.Auth.Mode, o.Now = true, "off", "session"
		servers[name] = [2]*Server{inside(f, o), inside(f, o)}
	}
	for i := range 4 * len(names) { // each request several times, in another order each time
		seed := []byte{byte(i)}
		for j := range maxSteps {
			seed = append(seed, byte(j*(2*i+1)), byte(j*7+i))
		}
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		name := names[int(data[0])%len(names)]
		templates, pair := keptRequests[name], servers[name]
		for _, s := range pair {
			s.Reset()
		}
		for step := range slices.Chunk(data[1:min(len(data), 2*maxSteps)], 2) {
			if len(step) < 2 {
				break
			}
			text := strings.ReplaceAll(templates[int(step[0])%len(templates)], "#", fmt.Sprint(1+step[1]%4))
			pair[1].current.Load().responder.Forget()
			kept, made := keptStep(t, pair[0], text, step[1]/4), keptStep(t, pair[1], text, step[1]/4)
			if kept != made {
				t.Fatalf("%s\nkept %s\nmade %s", text, kept, made)
			}
		}
		for _, session := range []string{state.Default, "other", "third"} {
			var reports [2]string
			for i, s := range pair {
				reports[i] = fmt.Sprintf("%+v", s.current.Load().coverage.Session(session))
			}
			if reports[0] != reports[1] {
				t.Fatalf("coverage of the session %q:\nkept %s\nmade %s", session, reports[0], reports[1])
			}
		}
	})
}

// keptHeaders are what a request of FuzzKept has beside its Content-Type, or instead of its Host.
var keptHeaders = []exchange.Field{
	{Name: "Coldframe-Session", Value: "other"}, {Name: "If-None-Match", Value: `"3"`}, {Name: "Prefer", Value: "count=2"},
	{Name: "Prefer", Value: "code=404"}, {Name: "Accept", Value: "*/*"}, {Name: "Host", Value: "127.0.0.1:80"},
	{Name: "Prefer", Value: "seed=7"}, {Name: "Cookie", Value: "coldframe-session=third"},
}

// keptStep sends a request of FuzzKept and returns all that can be seen of it.
func keptStep(t *testing.T, s *Server, text string, variant byte) string {
	if text == "RELOAD" {
		if err := s.Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
		return ""
	}
	head, body, hasBody := strings.Cut(text, " {")
	method, target, _ := strings.Cut(head, " ")
	r := &exchange.Request{Method: method, Header: exchange.Header{
		{Name: "Host", Value: "localhost"}, {Name: "Content-Type", Value: "application/json"},
	}}
	r.Path, r.Query, _ = strings.Cut(target, "?")
	if hasBody {
		r.Body = []byte("{" + body)
	}
	if i := int(variant) % (2 * len(keptHeaders)); i < len(keptHeaders) {
		if f := keptHeaders[i]; f.Name == "Host" {
			r.Header.Set(f.Name, f.Value)
		} else {
			r.Header = append(r.Header, f)
		}
	}
	if strings.HasPrefix(r.Path, control.Prefix) {
		return fmt.Sprint(s.control.Serve(r).Status)
	}
	h := s.exchange(r)
	entries := s.Requests()
	e := entries[len(entries)-1]
	return fmt.Sprintf("%d %v\n%s\n%v\n%s %v %d %v %s", h.answer.Status, h.answer.Header, h.answer.Body, h.findings,
		e.Session, e.Operation, e.ResponseSize, e.Findings, e.Response.Body)
}

// TestKept asks as testdata/kept/cases.txtar says.
func TestKept(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/kept/cases.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := inside(t, Options{Document: "openapi.yaml", Text: archive.Files[0].Data})
	seen := map[*respond.Kept]bool{}
	for line := range strings.Lines(string(archive.Files[1].Data)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line == "reload" {
			if err := s.Reload(t.Context()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		request, want, _ := strings.Cut(line, " -> ")
		head, body, hasBody := strings.Cut(request, " {")
		head, field, _ := strings.Cut(strings.TrimSuffix(head, "]"), " [")
		method, target, _ := strings.Cut(head, " ")
		r := &exchange.Request{Method: method, Header: slices.Clone(largeListHeader)}
		r.Path, r.Query, _ = strings.Cut(target, "?")
		if name, value, ok := strings.Cut(field, ": "); ok {
			r.Header.Set(name, value)
		}
		if hasBody {
			r.Body = []byte("{" + body)
		}
		how, answer := "made", &exchange.Response{}
		if strings.HasPrefix(r.Path, control.Prefix) {
			answer = s.control.Serve(r).Response
		} else {
			h := s.exchange(r)
			answer = &h.answer.Response
			if kept := h.answer.Kept; kept != nil {
				if seen[kept] {
					how = "remembered"
				}
				seen[kept] = true
			}
		}
		got := fmt.Sprintf("%s %d", how, answer.Status)
		texts, ok := strings.CutPrefix(want, got)
		if !ok {
			t.Errorf("%s: %s\n%s", line, got, answer.Body)
		}
		all := string(answer.Body)
		for _, f := range answer.Header {
			all += " " + f.Name + ":" + f.Value
		}
		for text := range strings.FieldsSeq(strings.ReplaceAll(texts, ": ", ":")) {
			absent, isAbsent := strings.CutPrefix(text, "!")
			if strings.Contains(all, absent) == isAbsent {
				t.Errorf("%s: %s", line, all)
			}
		}
	}
}

// TestKeptOwnWrites has several clients create plants and read them, of a mock with room for few bodies: each meets
// what it wrote.
func TestKeptOwnWrites(t *testing.T) {
	s := inside(t, Options{Document: "own.yaml", Text: []byte(largeListDocument), Limits: Limits{Memory: 32 << 20}})
	ask := func(method, target, body string) (status int, answer string) {
		r := &exchange.Request{Method: method, Header: largeListHeader}
		if r.Path, r.Query, _ = strings.Cut(target, "?"); body != "" {
			r.Body = []byte(body)
		}
		h := s.exchange(r)
		return h.answer.Status, string(h.answer.Body)
	}
	var clients sync.WaitGroup
	for client := range 4 {
		clients.Go(func() {
			for n := range 15 {
				name := fmt.Sprintf("plant %d of client %d ", n, client)
				_, created := ask("POST", "/plants", fmt.Sprintf(`{"name": %q}`, name+strings.Repeat("x", 1200)))
				var plant struct{ ID int }
				if err := json.Unmarshal([]byte(created), &plant); err != nil {
					t.Error(err)
				}
				for _, target := range []string{
					"/plants?limit=1000", "/plants?limit=1000", fmt.Sprintf("/plants/%d", plant.ID), "/plants?limit=1000&name=" +
						strings.ReplaceAll(name, " ", "+") + strings.Repeat("x", 1200),
				} {
					if status, answer := ask("GET", target, ""); status != 200 || !strings.Contains(answer, name) {
						t.Errorf("%.60s: %d without %q", target, status, name)
					}
				}
			}
		})
	}
	clients.Wait()
}
