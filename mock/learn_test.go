package mock

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/config"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/tree"
	"github.com/coldframe/coldframe/mock/client"
)

const learnDocument = `openapi: 3.1.0
info: {title: Todos, version: "1"}
paths:
  /todos:
    get:
      parameters:
        - {name: limit, in: query, schema: {type: integer}}
        - {name: offset, in: query, schema: {type: integer}}
      responses:
        "200": {description: some, headers: {X-Total-Count: {schema: {type: integer}}}, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Todo"}}}}}
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}
      responses:
        "200": {description: kept, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}
        "201": {description: new, content: {application/json: {schema: {$ref: "#/components/schemas/Todo"}}}}
components:
  schemas:
    Todo:
      type: object
      required: [id, title, state]
      additionalProperties: false
      properties:
        id: {type: integer, readOnly: true}
        title: {type: string}
        priority: {type: string, enum: [low, medium, high], default: low}
        state: {type: string, enum: [open, done, archived], readOnly: true}
        note: {type: string, default: none}
        place: {type: string}
        password: {type: string, format: password}
`

// backend is a server of learnDocument that differs from the mock as its fields say.
type backend struct {
	status      int // of creations
	newestFirst bool
	page        int
	varies      bool           // every other priority is high
	values      map[string]any // of properties that a creation does not send
	todos       []any
}

func (b *backend) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if r.Method == http.MethodPost {
		text, _ := io.ReadAll(r.Body)
		value, _ := jsontext.Decode(string(text))
		todo := value.(map[string]any)
		todo["id"] = len(b.todos) + 1
		for name, value := range b.values {
			if _, has := todo[name]; !has {
				todo[name] = value
			}
		}
		b.todos = append(b.todos, todo)
		if b.varies && len(b.todos)%2 == 0 {
			todo["priority"] = "high"
		}
		w.WriteHeader(b.status)
		w.Write(jsontext.Marshal(todo))
		return
	}
	shown := slices.Clone(b.todos)
	if b.newestFirst {
		slices.Reverse(shown)
	}
	w.Header().Set("X-Total-Count", fmt.Sprint(len(shown)))
	w.Write(jsontext.Marshal(shown[:min(len(shown), b.page)]))
}

// learnFrom sends the same requests through a new proxy of a document, with lines of coldframe.yaml.
func learnFrom(t *testing.T, document, settings string, b backend, count int) Learned {
	t.Helper()
	upstream := httptest.NewServer(&b)
	defer upstream.Close()
	o := Options{
		Document: "openapi.yaml", Text: []byte(document), Proxy: ProxyOptions{Upstream: upstream.URL, Learn: true},
	}
	f, findings, err := config.Parse("coldframe.yaml", []byte(settings), []config.Flag{{Name: "fill"}})
	if err != nil || len(findings) > 0 {
		t.Fatalf("%s%v %v", settings, findings, err)
	}
	o.State.Resources.Resources, o.Values.Overrides.Values = f.Resources, f.Values
	for _, s := range f.Settings {
		o.Values.Fill = s.Values[0]
	}
	s := start(t, o)
	for i := range count {
		call(t, s, "POST", "/todos", fmt.Sprintf(`{"title":"todo %03d"}`, (i*7+3)%101), jsonHeader)
	}
	for range 2 {
		call(t, s, "POST", "/todos", `{"title":"again","priority":"high","note":"x"}`, jsonHeader)
		call(t, s, "GET", "/todos", "", nil)
	}
	before := s.Session("").Requests()
	shown, err := client.New(s.ControlURL(), client.Options{}).Learned(t.Context())
	s.Close()
	if learned := s.Learned(); err != nil || shown.Settings != learned.Settings || shown.Overlay != learned.Overlay ||
		len(shown.Operations) != 2 || shown.Operations[0].Operation != "GET /todos" {
		t.Errorf("the control API shows %+v, %v", shown, err)
	}
	if len(before) != count+4 {
		t.Errorf("the journal has %d exchanges, want %d", len(before), count+4)
	}
	if info := s.Info(); len(info.Findings) > 0 {
		t.Errorf("%s%v", settings, info.Findings)
	}
	return s.Learned()
}

var jsonHeader = http.Header{"Content-Type": {"application/json"}}

// overlaid applies an overlay whose targets are names and indices in brackets.
func overlaid(t *testing.T, document, overlay string) string {
	t.Helper()
	parse := func(text string) any {
		root, findings, err := tree.ReadStrict("overlay.yaml", []byte(text))
		if err != nil || len(findings) > 0 {
			t.Fatalf("%s%v %v", text, findings, err)
		}
		return root.Value()
	}
	to := parse(document)
	for _, a := range parse(overlay).(map[string]any)["actions"].([]any) {
		at, parent, last := to, any(nil), ""
		target := a.(map[string]any)["target"].(string)
		for _, name := range strings.FieldsFunc(target[1:], func(r rune) bool { return strings.ContainsRune("[']", r) }) {
			parent, last = at, name
			if list, is := at.([]any); is {
				at = list[name[0]-'0']
			} else {
				at = at.(map[string]any)[name]
			}
		}
		if update, is := a.(map[string]any)["update"].(map[string]any); is {
			mergeInto(at.(map[string]any), update)
		} else {
			delete(parent.(map[string]any), last)
		}
	}
	return string(jsontext.Marshal(to))
}

func mergeInto(to, update map[string]any) {
	for name, value := range update {
		inner, isObject := value.(map[string]any)
		if of, is := to[name].(map[string]any); is && isObject {
			mergeInto(of, inner)
		} else {
			to[name] = value
		}
	}
}

// TestProxyLearns applies what is proposed, and then finds no difference that it was to remove.
func TestProxyLearns(t *testing.T) {
	like := map[string]any{"priority": "low", "note": "none", "state": "open"}
	// What the mock generates before it has seen an item has other states.
	const openOnly = "values:\n  \"GET /todos 200 /*/state\": [\"open\"]  # seen 2 of 2 times\n"
	for _, c := range []struct {
		name     string
		change   func(b *backend, values map[string]any)
		count    int    // creations without optional properties
		differ   string // of the first exchanges
		settings string
		overlay  string   // an update
		left     []string // differences that no proposal removes
	}{
		{"match", func(*backend, map[string]any) {}, 3, "0 of 7", "", "", nil},
		{"order", func(b *backend, _ map[string]any) { b.newestFirst = true }, 3, "2 of 7",
			"resources:\n  \"GET /todos\": {order: \"-id\"}  # seen 2 of 2 times\n", "", nil},
		{"omitted", func(_ *backend, values map[string]any) { delete(values, "note") }, 3, "3 of 7", "",
			`['note']['default']", remove: true}  # seen 3 of 3 times`, nil},
		{"added", func(_ *backend, values map[string]any) { values["place"] = "home" }, 3, "5 of 7", "",
			`['place']", update: {"default":"home"}}  # seen 5 of 5 times`, nil},
		{"default", func(_ *backend, values map[string]any) { values["priority"] = "medium" }, 3, "3 of 7", "",
			`['priority']", update: {"default":"medium"}}  # seen 3 of 3 times`, nil},
		{"first-state", func(_ *backend, values map[string]any) { values["state"] = "done" }, 3, "5 of 7", "",
			`['state']", update: {"default":"done"}}  # seen 5 of 5 times`, nil},
		{"secret", func(_ *backend, values map[string]any) { values["password"] = "hunter2" }, 3, "0 of 7", "", "", nil},
		{"varies", func(b *backend, _ map[string]any) { b.varies = true }, 3, "1 of 7", "", "", []string{"default /priority"}},
		{"status", func(b *backend, _ map[string]any) { b.status = 200 }, 3, "6 of 7", openOnly, "", []string{"status: 200", "presence /*/"}},
		{"page-size", func(b *backend, _ map[string]any) { b.page = 50 }, 60, "2 of 64", "",
			`['parameters'][0]['schema']", update: {"default":50}}  # seen 2 of 2 times`, nil},
		{"undocumented", func(_ *backend, values map[string]any) { values["extra"] = true }, 3, "7 of 7", "",
			`['Todo']", update: {"properties":{"extra":{"type":"boolean"}}}}  # seen 7 of 7 times`, []string{"default /extra"}},
		{"undocumented-status", func(b *backend, _ map[string]any) { b.status = 202 }, 3, "6 of 7", openOnly,
			`['responses']", update: {"202":{"description":"seen from the upstream"}}}  # seen 5 of 5 times`, []string{"status: 202", "presence /*/"}},
		{"type", func(_ *backend, values map[string]any) { values["note"] = nil }, 3, "5 of 7", "",
			`['note']", update: {"type":["string","null"]}}  # seen 5 of 7 times`, []string{"default /note"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			values := maps.Clone(like)
			b := backend{status: 201, page: 1000, values: values}
			c.change(&b, values)
			learned := learnFrom(t, learnDocument, "", b, c.count)
			if !strings.Contains(learned.Text, " in "+c.differ+" exchanges") {
				t.Errorf("want %s", c.differ)
			}
			if learned.Settings != c.settings {
				t.Errorf("settings %q, want %q", learned.Settings, c.settings)
			}
			document := learnDocument
			if learned.Overlay != "" {
				document = overlaid(t, learnDocument, learned.Overlay)
			}
			if !strings.Contains(learned.Overlay, c.overlay) || c.overlay == "" && learned.Overlay != "" {
				t.Errorf("want overlay %q", c.overlay)
			}
			if strings.Contains(learned.Text+learned.Overlay+learned.Settings, "hunter2") {
				t.Error("a password is shown")
			}
			again := learnFrom(t, document, learned.Settings, b, c.count)
			for line := range strings.Lines(again.Text) {
				isLeft := func(part string) bool { return strings.Contains(line, part) }
				if strings.Contains(line, "(differs in") && !slices.ContainsFunc(c.left, isLeft) {
					t.Errorf("left: %s", line)
				}
			}
			t.Logf("%s%s%s\nafter that:\n%s%s%s", learned.Text, learned.Settings, learned.Overlay, again.Text, again.Settings, again.Overlay)
		})
	}
}
