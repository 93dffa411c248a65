package contracts

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestReduced checks what is shown of a fault that needs little of the request in which it was found: each row has an
// operation, when the backend fails, and the end of the command line.
func TestReduced(t *testing.T) {
	const head = `openapi: 3.1.0
info: {title: Alerts, version: "1"}
paths:
  /alerts:
    post:
      responses: {"200": {description: fine}, "400": {description: no}}
`
	const list = `      requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, items: {type: object, required: [id], properties: {id: {type: integer}, note: {type: string}, level: {enum: [low, high]}}}}}}}`
	const object = `      requestBody: {required: true, content: {application/json: {schema: {type: object, required: [a], properties: {a: {type: boolean}, b: {type: boolean}, c: {enum: [x, y]}, d: {type: array, minItems: 2, items: {enum: [x]}}, e: {type: object, properties: {f: {type: boolean}}}}}}}}`
	const query = `      parameters: [{name: limit, in: query, schema: {type: integer, maximum: 100}}, {name: sort, in: query, schema: {enum: [up]}}, {name: page, in: query, required: true, schema: {enum: [1]}}, {name: X-A, in: header, schema: {enum: [b]}}]`
	has := func(names ...string) func(*http.Request, any) bool {
		return func(r *http.Request, body any) bool {
			object, _ := body.(map[string]any)
			for _, name := range names {
				if _, sent := object[name]; !sent && !r.URL.Query().Has(name) && r.Header.Get(name) == "" {
					return false
				}
			}
			return true
		}
	}
	for name, row := range map[string]struct {
		operation, phase string
		fails            func(r *http.Request, body any) bool
		want             string
	}{
		"one item of a list": {list, "coverage", func(_ *http.Request, body any) bool {
			items, _ := body.([]any)
			return len(items) > 0 && items[0] == nil
		}, `-d '[null]'`},
		"two items of a list": {list, "coverage", func(_ *http.Request, body any) bool {
			items, _ := body.([]any)
			return len(items) > 1 && items[0] == nil
		}, `-d '[null,{"id":540913},{"id":874776}]'`},
		"two of five properties": {object, "coverage", has("b", "c"), `-d '{"a":false,"b":true,"c":"y"}'`},
		"an inner property": {object, "coverage", func(_ *http.Request, body any) bool {
			object, _ := body.(map[string]any)
			inner, _ := object["e"].(map[string]any)
			return inner["f"] != nil
		}, `-d '{"a":true,"e":{"f":1}}'`},
		"parameters": {query, "coverage", has("sort"), `'/alerts?sort=&page=1' -X POST`},
	} {
		t.Run(name, func(t *testing.T) {
			backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				text, _ := io.ReadAll(r.Body)
				var body any
				if err := json.Unmarshal(text, &body); err != nil && len(text) > 0 {
					w.WriteHeader(400)
				} else if row.fails(r, body) {
					w.WriteHeader(500)
				}
			}))
			defer backend.Close()
			for range 2 {
				report := mustRun(t, t.Context(), Options{Document: "alerts.yaml", Text: []byte(head + row.operation), URL: backend.URL,
					Select: Selection{Phases: []string{row.phase}, Checks: []string{"server-error"}}, Limits: Limits{MinTested: -1}})
				if len(report.Findings) != 1 {
					t.Fatalf("%d findings: %+v", len(report.Findings), report.Findings)
				}
				f := report.Findings[0]
				line := strings.Replace(f.Sent[len(f.Sent)-1].Curl, backend.URL, "", 1)
				line = strings.Replace(line, " -H 'Content-Type: application/json'", "", 1)
				line = strings.Replace(line, " -H 'Content-Length: 0'", "", 1)
				if !strings.HasSuffix(line, row.want) || f.Title == "" {
					t.Errorf("%s: %s", f.Title, line)
				}
			}
		})
	}
}
