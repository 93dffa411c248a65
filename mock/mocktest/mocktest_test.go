package mocktest_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/mock"
	"github.com/coldframe/coldframe/mock/mocktest"
)

func post(t *testing.T, client *http.Client, url, body string) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "POST", url+"/plants", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer hushhush")
	r.Header.Set("Content-Type", "application/json")
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode
}

const rose = `{"id":1,"name":"Rose"}`

func TestStart(t *testing.T) {
	t.Parallel()
	f := &fake{}
	s := mocktest.Start(f, "../../openapi.yaml", func(o *mock.Options) { o.Values.Seed = 3 })
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if status := post(t, client, s.URL(), rose); status != 200 {
		t.Error(status)
	}
	if status := post(t, s.Client(), s.URL(), rose); status != 200 {
		t.Error(status)
	}
	s.Verify(mock.Expectation{Operation: "POST /plants", Count: new(2)})
	if n := len(s.Requests()); n != 2 {
		t.Error(n)
	}
	s.Reset()
	s.Verify(mock.Expectation{AtMost: new(0)})
	f.end()
	if f.failed || f.text.Len() > 0 {
		t.Error(f.text.String())
	}
	if _, err := client.Get(s.URL()); err == nil {
		t.Error("it goes on after its test")
	}
}

func TestFailureShowsTheLog(t *testing.T) {
	t.Parallel()
	f := &fake{}
	s := mocktest.Start(f, "")
	for range 1200 { // more than is kept
		post(t, s.Client(), s.URL(), `{"id":1}`)
	}
	post(t, s.Client(), s.URL(), rose)
	s.Verify(mock.Expectation{Where: `request.body.name == "Fern"`})
	f.end()
	text := f.text.String()
	for _, want := range []string{"verify: 0 of ", `is "Rose"`, "log of the mock of plant-store.yaml:\n", " POST /plants 200 ", "body.name: required property is missing"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if !f.failed || len(text) > 70<<10 || strings.Contains(text, "hushhush") {
		t.Error(f.failed, len(text))
	}
}

func TestFaultyDocumentEndsTheTest(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "openapi.yaml")
	if err := os.WriteFile(file, []byte("openapi: 7\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := &fake{}
	defer func() {
		if _, ok := recover().(fatal); !ok || !strings.HasPrefix(f.text.String(), "mock: ") {
			t.Error(f.text.String())
		}
	}()
	mocktest.Start(f, file)
}
