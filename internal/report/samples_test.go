package report_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/coldframe/coldframe/contracts"
	"github.com/coldframe/coldframe/internal/coverage"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/report"
)

var began = time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC)

// at is a place in the document.
func at(line, column int, pointer string) exchange.Place {
	return exchange.Place{File: "api/openapi.yaml", Line: line, Column: column, Pointer: pointer}
}

// samples are the reports that every format is written of.
var samples = map[string]func() *report.Report{"hostile": finished(hostile), "clean": finished(cleanRun), "ended": finished(endedRun), "many": finished(manyFindings), "empty": func() *report.Report { return &report.Report{} }}

// finished adds to a report what a run adds to all of them: the table of checks, and what the backend said.
func finished(sample func() *report.Report) func() *report.Report {
	return func() *report.Report {
		r := sample()
		r.Checks = contracts.Checks()
		for _, found := range [][]report.Finding{r.Findings, r.Flaky, r.Waived} {
			for i := range found {
				f := &found[i]
				last := f.Sent[len(f.Sent)-1].Response
				if last == nil || last.Status < 400 || f.Check != "server-error" && f.Check != "invalid-accepted" {
					continue
				}
				var body struct{ Message string }
				if err := json.Unmarshal(last.Body, &body); err != nil {
					panic(err)
				}
				f.Said = body.Message
			}
		}
		return r
	}
}

func jsonField(value string) exchange.Header {
	return exchange.Header{{Name: "Content-Type", Value: value}}
}

// sent makes an exchange whose command is made as a run makes it.
func sent(r *exchange.Request, response *exchange.Response) report.Sent {
	s := report.Sent{Request: r.Plain(), RequestSize: len(r.Body), Response: response, Curl: new(exchange.Shell).Curl("http://localhost:8080", r)}
	if response != nil {
		s.ResponseSize = len(response.Body)
	}
	return s
}

func summary(covered, total int, percent float64) coverage.Summary {
	return coverage.Summary{Covered: covered, Total: total, Percent: percent}
}

// hostile has what backends and documents may say to break a report: markup,
// quotes, controls, long and binary bodies, directions, and every outcome.
func hostile() *report.Report {
	long := strings.Repeat("0123456789abcdef", 1024) // 16 KiB, the most that a run keeps
	cutBody := sent(&exchange.Request{Method: "PUT", Path: "/plants/1", Header: jsonField("text/plain"), Body: []byte(long[:len(long)-1] + "\xc3")}, &exchange.Response{Status: 200, Header: jsonField("application/json"), Body: []byte(`"` + long[:len(long)-2] + "\xc3")})
	cutBody.RequestSize, cutBody.ResponseSize = 40_000, 1_234_567
	return &report.Report{
		Title: `Plants <script>alert(1)</script> & "more"`, Version: "1.0", Document: "api/openapi.yaml", URL: "http://localhost:8080/v1", Seed: 18446744073709551615,
		Began: began, Took: 75*time.Second + 250*time.Millisecond, Requests: 12345,
		Operations: []*report.Operation{
			{Name: "GET /plants", ID: "listPlants", Tags: []string{"plants", "a|b"}, Place: at(10, 5, "/paths/~1plants/get"), Cases: 4000, Accepted: true, Statuses: map[int]int{200: 3000, 400: 1000}, Checks: []string{"server-error", "status-documented", "paging"}},
			{Name: "POST /plants", ID: "createPlant", Place: at(30, 5, "/paths/~1plants/post"), Cases: 8000, Accepted: true, Statuses: map[int]int{0: 1, 201: 7999}, Unseen: []int{409, 422}, Findings: 4, Checks: []string{"server-error", "status-documented", "invalid-accepted", "body"}},
			{Name: "PUT /plants/{id}", ID: "PUT /plants/{id}", Place: at(60, 5, "/paths/~1plants~1{id}/put"), Cases: 12, Statuses: map[int]int{200: 2, 404: 12}, Plain: map[int]int{404: 3}, Findings: 2},
			{Name: "PATCH /plants/{id}", ID: "changePlant", Place: at(80, 5, "/paths/~1plants~1{id}/patch"), Cases: 3, Statuses: map[int]int{401: 3}, Plain: map[int]int{0: 1, 401: 2}, Refused: &report.Refused{
				Refusals: []report.Refusal{{Status: 401, Count: 2}, {Count: 1}, {Status: 422, Message: "no <such> | \u202eplot", About: "body.plot*", Count: 1}},
				Needs:    []report.Need{{In: "path", Name: "id", Sent: []byte(`12`)}, {In: "body", Name: "plot*\n\u202e", Sent: []byte(`"a\u0000\u2028 # ` + "`" + `"`)}, {In: "query", Name: "on"}}}},
			{Name: "DELETE /plants/{id}", ID: "removePlant", Place: at(90, 5, "/paths/~1plants~1{id}/delete"), Skipped: "no request can be made: header.X-<Token>: nothing fits both patterns", Statuses: map[int]int{}},
		},
		Phases: []report.Phase{{ID: "plain", Meaning: "one request of each operation with which all is well", Cases: 5, Took: 20 * time.Millisecond}, {ID: "coverage", Meaning: "each constraint at, just inside and just outside of its bound", Cases: 8000, Findings: 4, Took: 40 * time.Second}, {ID: "stateful", Meaning: "what is created is there, changes and goes; pages, filters, conditions", Cases: 10, Findings: 1, Took: 2 * time.Minute}},
		Findings: []report.Finding{
			{
				Check: "invalid-accepted", Operation: "POST /plants", Operations: []string{"POST /plants", "PUT /plants/{id}"}, Phase: "coverage", Title: "body.name: below its minLength", Count: 1204, Fingerprint: "000000000001",
				Faults:  []report.Fault{{Operation: "POST /plants", About: "body.name", Fingerprint: "00000000000a", Known: true}, {Operation: "POST /plants", About: "body.<tags>.*", Fingerprint: "00000000000b"}, {Operation: "PUT /plants/{id}", About: "body.name", Fingerprint: "00000000000c"}},
				Message: `accepted with 201, though body.name: must have at least 1 character, has 0`, About: "body.name", Source: "OpenAPI 3.1 sections 4.8.12 and 4.8.13",
				Place: at(42, 17, "/components/schemas/Plant/properties/name/minLength"), Excerpt: "minLength: 1",
				Consequences: []report.Consequence{{Check: "body", Operations: []string{"GET /plants"}, Message: "body.items.0.name: must have at least 1 character, has 0", Count: 31, Fingerprint: "000000000007", Faults: []report.Fault{{Operation: "GET /plants", About: "body.items.*.name", Fingerprint: "00000000000d"}}}},
				Sent:         []report.Sent{sent(&exchange.Request{Method: "POST", Path: "/plants", Header: jsonField("application/json"), Body: []byte(`{"name":""}`)}, &exchange.Response{Status: 201, Header: jsonField("application/json"), Body: []byte("{\n  \"id\": 1,\n  \"name\": \"\"\n}\n")})},
			},
			{
				Check: "body", Operation: "POST /plants", Phase: "coverage", Title: `body.name: "</script><img src=x onerror=alert(1)>"`, Count: 1, Fingerprint: "000000000002",
				Message: "body.name: must be one of \"a\", 'b', `c` or <b>d</b> | ::error::x, 100 %\nsecond line", About: "body.name", Source: "OpenAPI 3.1 section 4.8.14",
				Place: at(43, 17, "/components/schemas/Plant/properties/name/enum"), Excerpt: "enum: [a, 'b', `c`, \"<b>d</b>\"] # \x1b[31m",
				Sent: []report.Sent{sent(&exchange.Request{Method: "POST", Path: "/plants", Query: "q=%3Cb%3E&x='y'", Header: append(jsonField("application/json"), exchange.Field{Name: "X-Empty", Value: ""}), Body: []byte(`{"name":"it's ]]> </script>` + "```" + `"}`)},
					&exchange.Response{Status: 201, Header: append(jsonField("application/json; charset=utf-8"), exchange.Field{Name: "X-Evil", Value: "\x1b[31m\x07"}), Body: []byte(`{"name":"</pre></script><script>alert(1)</script> & ]]>"}`)})},
			},
			{
				Check: "media-type", Operation: "POST /plants", Phase: "coverage", Title: "unicode", Count: 2, Fingerprint: "000000000003",
				Message: "image/png is not documented", About: "header.Content-Type", Source: "OpenAPI 3.1 section 4.8.17", Place: at(50, 9, "/paths/~1plants/post/responses/201"),
				Sent: []report.Sent{sent(&exchange.Request{Method: "POST", Path: "/plants", Header: jsonField("application/json"), Body: []byte("{\"name\":\"𝒳 مرحبا \u202e \u0000 e\u0301 \ufeff\"}")},
					&exchange.Response{Status: 200, Header: jsonField("image/png"), Body: []byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff")})},
			},
			{
				Check: "answer", Operation: "POST /plants", Phase: "fuzz", Title: "", Count: 1, Fingerprint: "000000000004",
				Message: "the connection was closed without an answer", Source: "RFC 9112 section 6", Place: exchange.Place{File: "https://example.com/api.yaml", Pointer: "/paths/~1plants/post"},
				Sent: []report.Sent{{Request: (&exchange.Request{Method: "POST", Path: "/plants"}).Plain(), Curl: new(exchange.Shell).Curl("http://localhost:8080", &exchange.Request{Method: "POST", Path: "/plants"}), Fault: "the connection was closed without an answer"}},
			},
			{
				Check: "updated", Operation: "PUT /plants/{id}", Phase: "stateful", Title: "life", Count: 3, Fingerprint: "000000000005", Known: true,
				Message: "a read after a change does not show it", Source: "RFC 9110 section 9.3.4", Place: at(60, 5, "/paths/~1plants~1{id}/put"),
				Sent: []report.Sent{cutBody, sent(&exchange.Request{Method: "GET", Path: "/plants/1"}, &exchange.Response{Status: 200, Header: jsonField("application/json"), Body: []byte(`[]`)})},
			},
			{
				Check: "in-time", Severity: exchange.Warning, Operation: "PUT /plants/{id}", Phase: "coverage", Title: "plain", Count: 7, Fingerprint: "000000000006",
				Message: "took longer than 1s", Source: "coldframe", Place: exchange.Place{},
				Sent: []report.Sent{sent(&exchange.Request{Method: "PUT", Path: "/plants/{1}"}, &exchange.Response{Status: 204})},
			},
		},
		Waived: []report.Finding{{
			Check: "invalid-accepted", Operation: "POST /plants", Phase: "coverage", Title: "body.tag null", Kind: "null", Count: 3, Fingerprint: "000000000008",
			Message: "accepted with 201, though body.tag: got null, want string", About: "body.tag", Source: "OpenAPI 3.1 section 4.8.13", Place: at(44, 17, ""), Reason: "old <clients> | send it (until 2026-12-31)",
			Sent: []report.Sent{sent(&exchange.Request{Method: "POST", Path: "/plants", Header: jsonField("application/json"), Body: []byte(`{"tag":null}`)}, &exchange.Response{Status: 201})},
		}},
		Flaky: []report.Finding{{
			Check: "server-error", Operation: "GET /plants", Operations: []string{"GET /plants"}, Phase: "coverage", Title: "query.limit 0", Count: 2, Fingerprint: "000000000009",
			Message: "answered 500", Source: "RFC 9110 section 15.6", Place: at(10, 5, ""),
			Sent: []report.Sent{sent(&exchange.Request{Method: "GET", Path: "/plants", Query: "limit=0"}, &exchange.Response{Status: 500, Header: jsonField("application/json"), Body: []byte(`{"error":"Internal Server Error","message":"deadlock detected"}`)})},
		}},
		Stale:    []string{"coldframe.yaml:7:5: the waiver of body in GET /plants had no finding; <remove> it"},
		Resolved: []string{"GET /plants: paging: page 2 | repeats <items>"},
		Skipped: []report.Skipped{
			{Operation: "GET /plants", Phase: "coverage", Cases: 1200, Reason: "more than 300 cases (--max-cases)"}, {Operation: "POST /plants", Phase: "coverage", Cases: 34, Reason: "more than 300 cases (--max-cases)"},
			{Operation: "POST /plants", Phase: "security", Cases: 1, Reason: "no credential for key was given, of which a wrong one could be made"}, {Phase: "stateful", Reason: "unknown"},
		},
		Coverage: &coverage.Report{
			Summary: summary(8, 11, 72.7),
			Kinds:   []coverage.KindReport{{Kind: coverage.KindOperation, Summary: summary(1, 2, 50)}, {Kind: coverage.KindStatus, Summary: summary(6, 7, 85.7)}, {Kind: coverage.KindMediaType, Summary: summary(0, 0, 100)}, {Kind: coverage.KindConstraint, Summary: summary(1, 2, 50)}},
			Operations: []coverage.OperationReport{
				{Operation: "listPlants", Method: "GET", Path: "/plants", Hits: 1, Place: at(10, 5, ""), Summary: summary(3, 5, 60), Points: []coverage.Point{
					{Kind: coverage.KindStatus, Name: "200", Hits: 1, Place: at(14, 9, "")}, {Kind: coverage.KindParameter, Name: "query.<limit>", Place: at(12, 9, "")},
					{Kind: coverage.KindConstraint, Name: "query.<limit> type", Hits: 1, Place: at(12, 19, "")}, {Kind: coverage.KindConstraint, Name: "query.<limit> maximum", Place: at(12, 34, "")},
				}},
				{Operation: "removePlant", Method: "DELETE", Path: "/plants/{id}", Place: at(90, 5, ""), Summary: summary(0, 2, 0), Points: []coverage.Point{{Kind: coverage.KindStatus, Name: "204", Place: at(91, 9, "")}}},
			},
		},
	}
}

// cleanRun finds nothing in many operations.
func cleanRun() *report.Report {
	r := &report.Report{
		Title: "Plant Store", Version: "1.0.0", Document: "openapi.yaml", URL: "http://localhost:8080", Seed: 7, Began: began, Took: 850 * time.Millisecond, Requests: 3000,
		Phases:   []report.Phase{{ID: "plain", Meaning: "one request of each operation with which all is well", Cases: 40, Took: 10 * time.Millisecond}, {ID: "coverage", Meaning: "each constraint at, just inside and just outside of its bound", Cases: 2960, Took: 840 * time.Millisecond}},
		Coverage: &coverage.Report{Summary: summary(100, 100, 100)},
	}
	for i := range 40 {
		name := fmt.Sprintf("GET /things/%d", i)
		r.Operations = append(r.Operations, &report.Operation{Name: name, ID: name, Place: at(10*i+10, 5, ""), Cases: 75, Accepted: true, Statuses: map[int]int{200: 75}})
	}
	r.Operations[20].Accepted, r.Operations[20].Statuses = false, map[int]int{404: 75}
	return r
}

// manyFindings has more findings than are read one after the other, of three outcomes, and a long command.
func manyFindings() *report.Report {
	r := cleanRun()
	r.Operations = r.Operations[:6]
	for i := range 14 {
		o := r.Operations[i%6]
		o.Checks = []string{"server-error", "status-documented", "invalid-accepted", "in-time"}
		o.Findings++
		f := report.Finding{
			Check: "server-error", Operation: o.Name, Operations: []string{o.Name}, Phase: "coverage", Title: fmt.Sprint("query.limit ", i), Count: 10*i + 1, Fingerprint: fmt.Sprintf("%012d", i),
			Message: "answered 500", Place: at(10*i+10, 5, ""), Source: "RFC 9110 section 15.6",
			Sent: []report.Sent{sent(&exchange.Request{Method: "GET", Path: fmt.Sprintf("/things/%d", i)}, &exchange.Response{Status: 500, Header: jsonField("application/json"), Body: fmt.Appendf(nil, `{"error":"Internal Server Error","message":"value \"%d\" is out of range for type integer"}`, i)})},
		}
		switch {
		case i == 3:
			f.Sent[0] = sent(&exchange.Request{Method: "POST", Path: "/things/3", Body: []byte(`"` + strings.Repeat("a", 2000) + `"`)}, f.Sent[0].Response)
		case i == 4:
			f.Check, f.Message, f.Places = "invalid-accepted", "accepted with 200, though body.name: got null, want string", []string{"body.*.name", "body.name"}
			f.Place, f.Excerpt = at(1, 71237, "/components/schemas/Thing/properties/name/type"), `"string"},"email":{"type":"string"}`
			f.Operations = []string{o.Name, r.Operations[5].Name}
		case i > 11:
			f.Known = true
		case i > 8:
			f.Check, f.Severity, f.Message = "in-time", exchange.Warning, "took longer than 1s"
		}
		r.Findings = append(r.Findings, f)
	}
	return r
}

// endedRun was cut short and found one thing.
func endedRun() *report.Report {
	r := hostile()
	r.Title, r.Seed, r.Resolved, r.Skipped, r.Coverage, r.Waived, r.Stale, r.Flaky = "Plants", 0, nil, nil, nil, nil, nil, nil
	r.Operations, r.Findings = r.Operations[1:2], r.Findings[3:4]
	r.Ended = "the backend could not be reached any more"
	r.Incomplete = "the run is incomplete: these phases did not run to their end: fuzz"
	return r
}
