package mock

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe/internal/testbench/golden"
	"github.com/coldframe/coldframe/internal/testbench/notes"
)

// TestOutgoing runs testdata/outgoing/*.txtar: requests to the mock, what a
// receiver then gets (sent), what the log says of it, in the order of the
// text, and, if there is one, the answer. UPDATE_GOLDEN=1 rewrites them.
func TestOutgoing(t *testing.T) {
	golden.Cases(t, "testdata/outgoing/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		texts := map[string]string{}
		for _, f := range archive.Files {
			texts[f.Name] = string(f.Data)
		}
		for _, f := range archive.Files {
			name, ok := strings.CutSuffix(f.Name, ".request")
			if !ok {
				continue
			}
			t.Run(name, func(t *testing.T) {
				runOutgoing(t, name, texts)
			})
		}
		for i, f := range archive.Files {
			archive.Files[i].Data = []byte(texts[f.Name])
		}
	})
}

func runOutgoing(t *testing.T, name string, texts map[string]string) {
	r := newReceiver(t)
	log := &lineLog{}
	o := Options{Log: LogOptions{To: log}, Document: "openapi.yaml", Text: []byte(texts["openapi.yaml"]), Now: "session"}
	setOptions(t, &o, r.fill(texts["options"]))
	s, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- s.Run(t.Context()) }()
	answer := r.request(t, s.URL(), texts[name+".request"])
	// What is sent has been dealt with when its line is in the log.
	lines := strings.Count(texts[name+".log"], "→") + strings.Count(texts[name+".log"], "not sent")
	log.until(t, func(text string) bool { return strings.Count(text, "→")+strings.Count(text, "not sent") >= lines })
	s.Close()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	slices.Sort(r.got)
	got := map[string]string{
		".sent": strings.Join(r.got, "\n"),
		".log":  outgoingLog(log.String()),
	}
	if _, ok := texts[name+".answer"]; ok {
		got[".answer"] = answer + "\n"
	}
	for kind, text := range got {
		text = strings.NewReplacer(r.URL, "${receiver}", strings.TrimPrefix(r.URL, "http://"), "${host}").Replace(text)
		if golden.Update() {
			texts[name+kind] = text
		} else if text != texts[name+kind] {
			t.Errorf("%s:\ngot\n%s\nwant\n%s", kind, text, texts[name+kind])
		}
	}
}

// outgoingLog returns the lines about what was sent, each with its findings,
// sorted.
func outgoingLog(text string) string {
	var entries []string
	for line := range strings.Lines(clocks.ReplaceAllString(text, "")) {
		switch about := strings.HasPrefix(line, "callback ") || strings.HasPrefix(line, "webhook "); {
		case about:
			entries = append(entries, line)
		case strings.HasPrefix(line, "  ") && len(entries) > 0:
			entries[len(entries)-1] += line
		}
	}
	slices.Sort(entries)
	return strings.Join(entries, "")
}

// receiver is the client's server that callbacks and webhooks go to.
type receiver struct {
	*httptest.Server
	mu  sync.Mutex
	got []string
}

func newReceiver(t *testing.T) *receiver {
	r := &receiver{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, sent *http.Request) {
		body, _ := io.ReadAll(sent.Body)
		var b strings.Builder
		b.WriteString(sent.Method + " " + sent.RequestURI + "\n")
		var fields []string
		for name, values := range sent.Header {
			if name == "Content-Type" || strings.HasPrefix(name, "X-") {
				fields = append(fields, name+": "+strings.Join(values, ", ")+"\n")
			}
		}
		slices.Sort(fields)
		b.WriteString(strings.Join(fields, "") + "\n")
		if len(body) > 0 {
			b.WriteString(string(body) + "\n")
		}
		r.mu.Lock()
		r.got = append(r.got, b.String())
		r.mu.Unlock()
		w.Header()["Date"] = nil
		w.Header().Set("Content-Type", "text/plain")
		io.WriteString(w, "thanks")
	}))
	t.Cleanup(r.Close)
	return r
}

// fill puts the receiver's address into a text.
func (r *receiver) fill(text string) string {
	return strings.NewReplacer("${receiver}", r.URL, "${host}", strings.TrimPrefix(r.URL, "http://")).Replace(text)
}

// request sends a request of a case and returns the status and, if it is
// JSON, the body of the answer.
func (r *receiver) request(t *testing.T, url, text string) string {
	head, body, _ := strings.Cut(r.fill(text), "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	words := strings.Fields(lines[0])
	request, err := http.NewRequest(words[0], url+words[1], strings.NewReader(strings.TrimSpace(body)))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ": ")
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(response.Status[:3] + " " + string(answer))
}

// TestNothingGoesElsewhere counts the connections to a host that document, requests and items name.
func TestNothingGoesElsewhere(t *testing.T) {
	far, document, connections := notes.Elsewhere(t)
	for _, allowed := range []string{"", "example.com"} {
		s := start(t, Options{Document: "elsewhere.yaml", Text: document, Load: LoadOptions{IgnoreUnreadableRefs: true}, Callbacks: allowed, Log: LogOptions{To: io.Discard}})
		for _, ask := range [][2]string{
			{"POST /items", `{"callbackUrl": "` + far + `/called"}`}, {"GET /items?target=" + far, ""}, {"GET /items/7", ""},
			{"PUT /items/7", `{"callbackUrl": "` + far + `/called"}`}, {"DELETE /items/7", ""},
			{"POST /__coldframe/webhooks/hook", `{"url": "` + far + `"}`},
		} {
			method, target, _ := strings.Cut(ask[0], " ")
			r, err := http.NewRequest(method, s.URL()+target, strings.NewReader(ask[1]))
			if err != nil {
				t.Fatal(err)
			}
			r.Header = http.Header{"Content-Type": {"application/json"}, "Origin": {s.URL()}, "Authorization": {"Bearer a"}}
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			answer.Body.Close()
			if answer.StatusCode == 500 || answer.StatusCode == 404 {
				t.Errorf("%s: %d", ask[0], answer.StatusCode)
			}
		}
		s.Close()
	}
	if n := connections.Load(); n > 0 {
		t.Errorf("%d connections went elsewhere", n)
	}
}
