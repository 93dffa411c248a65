package main

import (
	"io"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/mock"
)

// TestRows asks a mock in this process what the program asks of the generated documents and the Plant Store.
func TestRows(t *testing.T) {
	for _, d := range []document{documents()[0], items(1000), operations(10)} {
		t.Run(d.name, func(t *testing.T) {
			text, err := d.text()
			if err != nil {
				t.Fatal(err)
			}
			s, err := mock.New(t.Context(), mock.Options{
				Document: "openapi.yaml", Text: text, Listen: mock.ListenOptions{NoListener: true}, State: mock.StateOptions{UnknownItems: "refuse"},
			})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			listener := httptest.NewServer(s.Handler())
			defer listener.Close()
			at := &process{server: server{name: "coldframe"}, address: strings.TrimPrefix(listener.URL, "http://")}
			if d.keeps > 0 {
				if _, err := keep(at, d.keeps); err != nil {
					t.Fatal(err)
				}
			}
			for _, r := range d.rows {
				body, err := checked(at, r, nil)
				if err != nil {
					t.Error(err)
				}
				if _, err := checked(at, r, append(body, ' ')); err == nil {
					t.Errorf("%s: another answer than the constant one is not noticed", r.name)
				}
				r.status++
				if _, err := checked(at, r, nil); err == nil {
					t.Errorf("%s: a wrong status is not noticed", r.name)
				}
			}
		})
	}
}

func TestWant(t *testing.T) {
	list := want{items: 2, below: "items", properties: map[string]string{"id": "", "name": `"Fern"`}}
	for _, c := range []struct{ server, body, wrong string }{
		{"coldframe", `{"items":[{"id":1,"name":"Fern"},{"id":2,"name":"Fern"}]}`, ``},
		{"coldframe", `{"items":[{"id":1,"name":"Fern"}]}`, `it has 1 items, not 2`},
		{"stateless", `{"items":[{"id":1,"name":"Fern"}]}`, ``},
		{"stateless", `{"items":[{"id":1,"name":"Moss"}]}`, `its name is "Moss", not "Fern"`},
		{"prism", `{"items":[{"id":1,"name":"Moss"}]}`, ``},
		{"prism", `{"items":[{"name":"Moss"}]}`, `its id is `},
		{"prism", `{"items":[]}`, `it has 0 items`},
		{"prism", `{"items":`, `unexpected end`},
	} {
		err := list.check([]byte(c.body), c.server)
		if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
			t.Errorf("%s, %s: got %v, want %q", c.server, c.body, err, c.wrong)
		}
	}
}

// TestUsage finds options that measure nothing.
func TestUsage(t *testing.T) {
	all := regexp.MustCompile("")
	for wrong, o := range map[string]options{
		`no server "prisms"`: {rows: all, servers: []string{"prisms"}, rounds: 1, seconds: 1},
		`-rounds`:            {rows: all, seconds: 1},
	} {
		if err := run(&o); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("got %v, want %s", err, wrong)
		}
	}
}

func TestConstant(t *testing.T) {
	file := filepath.Join(t.TempDir(), "constant.json")
	r := row{name: "get", method: "GET", path: "/plants/{n}?limit=3", random: 9, status: 201}
	if err := constants(file, []row{r}, func(row) []byte { return []byte(small) }); err != nil {
		t.Fatal(err)
	}
	app, err := constantApp(file)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := app.Test(httptest.NewRequest("GET", "/get/plants/7?limit=3", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != 201 || string(body) != small {
		t.Errorf("got %d %s %v, want 201 %s", answer.StatusCode, body, err, small)
	}
}
