package mock

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// recalled are requests to the documents of FuzzRecall: those that read, and those that change what is read. # is a
// small number.
var recalled = map[string][]string{
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
	"recalled.yaml": {
		"GET /plants", "GET /plants?limit=2&offset=#", "GET /plants?tag=t#", "GET /plants?q=#&sort=-name", "GET /plants/#",
		"HEAD /plants", "GET /beds?limit=2&starting_after=#", "GET /beds/#", "GET /pots?limit=1&cursor=#", "GET /pots/#",
		"GET /owners/#/trees", "GET /trees/#", `POST /plants {"name": "p#", "tag": "t#"}`, `POST /beds {"name": "b#"}`,
		`POST /pots {"name": "o#"}`, `POST /owners/#/trees {"name": "r#"}`,
	},
	"list.yaml": {"GET /as", "GET /as?name=n#", "GET /as/#", `POST /as {"id": #, "name": "n#"}`},
}

const maxSteps = 60 // requests of one input of FuzzRecall

// FuzzRecall sends the same requests to a mock that remembers its answers and to one that does not: reads and changes,
// in two sessions, with conditions and preferences. Both give the same answers and findings.
func FuzzRecall(f *testing.F) {
	names := []string{"../examples/garden-shop/openapi.yaml", "recalled.yaml", "list.yaml"}
	options := map[string]Options{
		names[0]: {Document: names[0], Data: []string{"../examples/garden-shop/data.yaml"}},
		names[1]: {Document: names[1], Text: []byte(largeListDocument)},
		names[2]: {Document: names[2], Text: []byte(listDocument), UnknownItems: "refuse"},
	}
	servers := map[string][2]*Server{}
	for name, o := range options {
		o.NoListener, o.Auth = true, "off"
		var pair [2]*Server
		for i := range pair {
			s, err := New(f.Context(), o)
			if err != nil {
				f.Fatal(err)
			}
			f.Cleanup(func() { s.Close() })
			pair[i] = s
		}
		for _, op := range pair[1].current.Load().operations {
			op.repeats = false
		}
		servers[name] = pair
	}
	for i := range 4 * len(names) { // each request several times, in another order each time
		seed := []byte{byte(i)}
		for j := range maxSteps {
			seed = append(seed, byte(j*(2*i+1)), byte(j*7+i))
		}
		f.Add(seed)
	}
	header := func(b byte) (h exchange.Header) {
		h = exchange.Header{{Name: "Host", Value: "localhost"}, {Name: "Content-Type", Value: "application/json"}}
		for i, field := range []exchange.Field{
			{Name: "Coldframe-Session", Value: "other"}, {Name: "If-None-Match", Value: `"3"`},
			{Name: "Prefer", Value: "count=2"}, {Name: "Prefer", Value: "code=404"}, {Name: "Accept", Value: "*/*"},
		} {
			if int(b)%16 == i+1 {
				h = append(h, field)
			}
		}
		return h
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		name := names[int(data[0])%len(names)]
		for _, s := range servers[name] {
			s.sessions.Reset("")
			s.sessions.Reset("other")
		}
		for _, step := range slices.Collect(slices.Chunk(data[1:min(len(data), 2*maxSteps)], 2)) {
			if len(step) < 2 {
				return
			}
			templates := recalled[name]
			text := strings.ReplaceAll(templates[int(step[0])%len(templates)], "#", fmt.Sprint(1+step[1]%4))
			head, body, _ := strings.Cut(text, " {")
			method, target, _ := strings.Cut(head, " ")
			path, query, _ := strings.Cut(target, "?")
			var got [2]string
			for i, s := range servers[name] {
				r := &exchange.Request{Method: method, Path: path, Query: query, Header: header(step[1] / 4)}
				if body != "" {
					r.Body = []byte("{" + body)
				}
				h := s.exchange(r)
				got[i] = fmt.Sprintf("%d %v\n%s\n%v", h.answer.Status, h.answer.Header, h.answer.Body, h.findings)
			}
			if got[0] != got[1] {
				t.Fatalf("%s\nremembered %s\nmade       %s", text, got[0], got[1])
			}
		}
	})
}

// TestRecall looks at which answers are remembered, and when they are made again.
func TestRecall(t *testing.T) {
	text, err := os.ReadFile("testdata/recall.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := inside(t, Options{Document: "recalled.yaml", Text: []byte(largeListDocument), Scenarios: []string{
		write(t, "slow.yaml", "rules:\n  - {on: GET /pots, delay: 1ms}\n")}})
	for line := range strings.Lines(string(text)) {
		request, want, ok := strings.Cut(strings.TrimSpace(line), " -> ")
		if !ok {
			continue
		}
		head, body, _ := strings.Cut(request, " {")
		method, target, _ := strings.Cut(head, " ")
		path, query, _ := strings.Cut(target, "?")
		r := &exchange.Request{Method: method, Path: path, Query: query, Header: largeListHeader}
		if body != "" {
			r.Body = []byte("{" + body)
		}
		h, got := s.exchange(r), "made"
		if h.repeated {
			got = "remembered"
		}
		if h.answer.Status >= 300 || got != want {
			t.Errorf("%s: %d, %s", request, h.answer.Status, got)
		}
	}
}
