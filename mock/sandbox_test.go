package mock

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

const activeDocument = `
openapi: 3.1.0
info: {title: Active, version: "1"}
paths:
  /html: {get: {responses: {"200": {description: d, content: {text/html: {schema: {type: string}, example: "<script>1</script>"}}}, "404": {description: d, content: {text/html: {schema: {type: string}}}}}}}
  /weak:
    get:
      responses:
        "200":
          description: d
          headers: {content-security-policy: {schema: {type: string}, example: "sandbox allow-same-origin"}, X-Content-Type-Options: {schema: {type: string}, example: any}}
          content: {text/html: {schema: {type: string}}}
  /scenario: {get: {responses: {"200": {description: d, content: {text/html: {schema: {type: string}}}}}}}
  /away: {get: {responses: {"302": {description: d, headers: {Location: {schema: {type: string}, example: /html}}, content: {text/html: {schema: {type: string}}}}}}}
  /xml: {get: {responses: {"200": {description: d, content: {application/xml: {schema: {type: object, xml: {name: a}, properties: {b: {type: string}}}}}}}}}
  /svg: {get: {responses: {"200": {description: d, content: {image/svg+xml: {}}}}}}
  /pdf: {get: {responses: {"200": {description: d, content: {application/pdf: {}}}}}}
  /json: {get: {responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}}}}}
  /png: {get: {responses: {"200": {description: d, content: {image/png: {}}}}}}
  /text: {get: {responses: {"200": {description: d, content: {text/plain: {schema: {type: string}}}}}}}
`

const weakScenario = `rules: [{on: GET /scenario, respond: {status: 200, headers: {Content-Type: TEXT/html;a=b, Content-Security-Policy: default-src *}, body: "<script>1</script>"}}]`

// TestActiveAnswers gets answers of an API that a browser may run something of, over a socket, through the handler and
// through the transport: all have the sandbox. Pages of the mock's own have none.
func TestActiveAnswers(t *testing.T) {
	t.Parallel()
	o := Options{Text: []byte(activeDocument), Document: "a.yaml", ScenarioTexts: []Text{{Name: "weak.yaml", Text: []byte(weakScenario)}},
		Pages: fstest.MapFS{"own.html": {Data: []byte("<p>own</p>")}}}
	wire, within := start(t, o), inside(t, o)
	handler := httptest.NewServer(within.Handler())
	t.Cleanup(handler.Close)
	for _, way := range []struct {
		name   string
		client *http.Client
		url    string
	}{{"wire", trusting(t, nil), wire.URL()}, {"handler", trusting(t, nil), handler.URL}, {"transport", within.Client(), within.URL()}} {
		way.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		for _, c := range []struct {
			method, target string
			status         int
			active         bool
		}{
			{"GET", "/html", 200, true}, {"HEAD", "/html", 200, true}, {"GET", "/html", 200, true}, // the last one repeated
			{"GET", "/html?__code=404", 404, true}, {"GET", "/weak", 200, true}, {"GET", "/scenario", 200, true},
			{"GET", "/away", 302, true}, {"GET", "/xml", 200, true}, {"GET", "/svg", 200, true}, {"GET", "/pdf", 200, true},
			{"GET", "/__coldframe/images/a.svg", 200, true}, {"GET", "/__coldframe/images/a.png", 200, false},
			{"GET", "/json", 200, false}, {"GET", "/png", 200, false}, {"GET", "/text", 200, false}, {"GET", "/none", 404, false},
			{"OPTIONS", "/html", 204, false}, {"GET", "/own.html", 200, false},
		} {
			r, err := http.NewRequestWithContext(t.Context(), c.method, way.url+c.target, nil)
			if err != nil {
				t.Fatal(err)
			}
			answer, err := way.client.Do(r)
			if err != nil {
				t.Fatal(way.name, err)
			}
			answer.Body.Close()
			policies := answer.Header.Values("Content-Security-Policy")
			isSandbox := func(policy string) bool {
				return strings.HasPrefix(policy, "sandbox ") && !strings.Contains(policy, "allow-same-origin")
			}
			sandboxed := slices.ContainsFunc(policies, isSandbox)
			sniff := strings.Join(answer.Header.Values("X-Content-Type-Options"), ",")
			if answer.StatusCode != c.status || sandboxed != c.active || c.active && sniff != "nosniff" {
				t.Errorf("%s: %s %s: %d %q %s", way.name, c.method, c.target, answer.StatusCode, policies, sniff)
			}
		}
	}
}
