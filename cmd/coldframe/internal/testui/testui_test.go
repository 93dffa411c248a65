package testui

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/report"
)

func opened(t *testing.T) (page *Page, address, token string) {
	t.Helper()
	page, err := Open("openapi.yaml", "http://user:secret@localhost:8080/v1")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { page.Close() })
	address, token, _ = strings.Cut(page.Address(), "#token=")
	return page, address, token
}

func ask(t *testing.T, method, url string, fields ...string) *http.Response {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(fields); i += 2 {
		if request.Header.Set(fields[i], fields[i+1]); fields[i] == "Host" {
			request.Host = fields[i+1]
		}
	}
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

// TestPageRules opens the page to its own origin, its events to the token, and neither changes anything.
func TestPageRules(t *testing.T) {
	_, address, token := opened(t)
	origin := strings.TrimSuffix(address, prefix)
	bearer := "Bearer " + token
	for _, test := range []struct {
		method, url string
		fields      []string
		want        int
	}{
		{"GET", address, nil, 200},
		{"HEAD", address, nil, 200},
		{"GET", origin + "/", nil, 307},
		{"GET", address + "console/test.js", nil, 200},
		{"GET", address + "console/none.js", nil, 404},
		{"GET", address + "console/../events", nil, 404},
		{"GET", origin + "/other", nil, 404},
		{"POST", address, nil, 405},
		{"DELETE", address + "events", []string{"Authorization", bearer}, 405},
		{"GET", address + "events", nil, 401},
		{"GET", address + "events?token=" + token, nil, 401},
		{"GET", address + "events", []string{"Authorization", "Bearer " + token[1:]}, 401},
		{"HEAD", address + "events", []string{"Authorization", bearer}, 200},
		{"HEAD", address + "events", []string{"Authorization", bearer, "Origin", origin}, 200},
		{"GET", address + "events", []string{"Authorization", bearer, "Origin", "http://evil.test"}, 403},
		{"GET", address + "events", []string{"Authorization", bearer, "Sec-Fetch-Site", "cross-site"}, 403},
		{"GET", address, []string{"Origin", "null"}, 403},
		{"GET", address, []string{"Host", "evil.test"}, 403},
	} {
		if got := ask(t, test.method, test.url, test.fields...); got.StatusCode != test.want {
			t.Errorf("%s %s %v: %d, want %d", test.method, test.url, test.fields, got.StatusCode, test.want)
		}
	}
	policy := ask(t, "GET", address).Header.Get("Content-Security-Policy")
	if !strings.Contains(policy, "script-src 'self'") || !strings.Contains(policy, "connect-src 'self';") {
		t.Errorf("policy %q", policy)
	}
}

// TestEvents sends a client what came before it, what comes, the report, and the end.
func TestEvents(t *testing.T) {
	page, address, token := opened(t)
	finding := func(check string) report.Finding {
		return report.Finding{Check: check, Operation: "GET /plants", Sent: []report.Sent{{Curl: "curl"}}}
	}
	page.Show(contracts.Progress{Phase: "plain", Operations: 2, Cases: 1, Findings: 1,
		News: []report.Finding{finding("body")}, Tested: []report.Operation{{Name: "GET /plants", Cases: 1}, {Name: "GET /pots"}}})
	stream := ask(t, "GET", address+"events", "Authorization", "Bearer "+token)
	lines := bufio.NewReader(stream.Body)
	next := func(name string, into any) {
		t.Helper()
		event, err := lines.ReadString('\n')
		data, err2 := lines.ReadString('\n')
		_, err3 := lines.ReadString('\n')
		if err := errors.Join(err, err2, err3); err != nil || event != "event: "+name+"\n" {
			t.Fatalf("%q, want %s: %v", event, name, err)
		}
		if err := json.Unmarshal([]byte(strings.TrimPrefix(data, "data: ")), into); err != nil {
			t.Fatal(err)
		}
	}
	var at Progress
	if next("progress", &at); at.URL != "http://localhost:8080/v1" || len(at.Operations) != 2 || len(at.Findings) != 1 {
		t.Errorf("%+v", at)
	}
	page.Show(contracts.Progress{Phase: "fuzz", Operations: 2, Cases: 9, Findings: 2,
		News: []report.Finding{finding("status")}, Tested: []report.Operation{{Name: "GET /plants", Cases: 8}}})
	at = Progress{}
	if next("progress", &at); at.Phase != "fuzz" || len(at.Operations) != 1 || !strings.Contains(string(at.Operations[0]), `"cases":8`) ||
		len(at.Findings) != 1 || !strings.Contains(string(at.Findings[0]), `"check":"status"`) {
		t.Errorf("%+v", at)
	}
	page.Finish(&report.Report{Title: "Plants"}, "1")
	var whole struct{ Title string }
	if next("report", &whole); whole.Title != "Plants" {
		t.Errorf("%+v", whole)
	}
	if err := page.Close(); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(lines); len(rest) > 0 || err != nil {
		t.Errorf("%q, %v after the report", rest, err)
	}
}

// TestManyFindings keeps the requests of the first findings only.
func TestManyFindings(t *testing.T) {
	page, _, _ := opened(t)
	large := report.Finding{Check: "body", Sent: []report.Sent{{Curl: strings.Repeat("x", 1<<20)}}}
	for range 2 * mostShown >> 20 {
		page.Show(contracts.Progress{News: []report.Finding{large}})
	}
	if text, _, _, _ := page.since(0); len(text) > mostShown+2<<20 {
		t.Errorf("%d bytes", len(text))
	}
}

// TestFail shows why nothing could be tested.
func TestFail(t *testing.T) {
	page, _, _ := opened(t)
	page.Fail(errors.New("no <backend>"))
	if text, _, _, _ := page.since(0); string(text) != "event: failed\ndata: \"no \\u003cbackend\\u003e\"\n\n" {
		t.Errorf("%q", text)
	}
}
