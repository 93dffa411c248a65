package contracts_test

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/contracts"
)

// schemes has one of each kind and place, the Authorization field among them, each for an operation of its own.
const schemes = `openapi: 3.1.0
info: {title: Schemes, version: "1"}
paths:
%s
components:
  securitySchemes:
    bearer: {type: http, scheme: bearer}
    basic: {type: http, scheme: basic}
    digest: {type: http, scheme: digest}
    oauth: {type: oauth2, flows: {}}
    openid: {type: openIdConnect, openIdConnectUrl: "https://id.example/c"}
    own: {type: apiKey, in: header, name: Authorization}
    header: {type: apiKey, in: header, name: X-Key}
    query: {type: apiKey, in: query, name: key}
    cookie: {type: apiKey, in: cookie, name: session}
    certificate: {type: mutualTLS}
`

// TestSecretsThatABackendRepeats checks that no report has a given credential, whatever the scheme, also where
// the backend repeats it in other forms, fields, keys and statuses; and that the printed command lines run.
func TestSecretsThatABackendRepeats(t *testing.T) {
	const secret = `t0p/Sekrit+<"9'&z`
	given := func(name string) string { return name + "-" + secret }
	var paths strings.Builder
	for _, name := range []string{"bearer", "basic", "digest", "oauth", "openid", "own", "header", "query", "cookie", "certificate"} {
		fmt.Fprintf(&paths, `  /%[1]s:
    post:
      security: [{%[1]s: []}]
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"201": {description: d, content: {application/json: {schema: {type: object, properties: {id: {type: string, maxLength: 3}, name: {type: string}}}}}}, "401": {description: d}}
  /%[1]s/{id}:
    get:
      security: [{%[1]s: []}]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: d, content: {application/json: {schema: {type: object, properties: {name: {type: integer}}}}}}}
`, name)
	}
	backend := httptest.NewServer(echo())
	defer backend.Close()
	var progress strings.Builder
	report, err := contracts.Run(t.Context(), contracts.Options{
		Document: "schemes.yaml", Text: []byte(fmt.Sprintf(schemes, &paths)), URL: backend.URL, Limits: contracts.Limits{MaxCases: 600, FuzzCases: 5},
		Credentials: contracts.Credentials{Token: "t0k.Sekrit_99", User: given("user"), Headers: http.Header{"X-Team": {given("team")}, "Accept": {"application/json"}},
			APIKeys: map[string]string{"own": "own0Sekrit99", "header": given("header"), "query": given("query"), "cookie": given("cookie")}},
		Progress: func(p contracts.Progress) { fmt.Fprintln(&progress, p) },
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Findings) < 10 {
		t.Fatalf("%d findings", len(report.Findings))
	}
	shown := regexp.MustCompile(`(?i:sekrit|%53%65%6b)|U2Vrcml0|NFa3Jpd|TZWtyaX`)
	if suggested := contracts.SuggestSetup(report); shown.Match(suggested) {
		t.Errorf("the suggested setup shows a credential: %s", suggested)
	}
	for _, format := range contracts.ReportFormats() {
		var b bytes.Buffer
		if err := format.Write(&b, report, contracts.ReportOptions{Text: contracts.TextOptions{Verbose: true}}); err != nil {
			t.Fatal(err)
		}
		if at := shown.FindIndex(b.Bytes()); at != nil {
			t.Errorf("%s shows %s: …%s…", format.Name, b.Bytes()[at[0]:at[1]], b.Bytes()[max(0, at[0]-200):min(at[1]+80, b.Len())])
		}
	}
	for _, text := range []string{progress.String(), fmt.Sprintf("%+v", report.Skipped), report.Ended} {
		if shown.MatchString(text) {
			t.Errorf("shown: %s", text)
		}
	}
	for _, f := range report.Findings[:min(20, len(report.Findings))] {
		last := f.Sent[len(f.Sent)-1]
		if out, err := exec.Command("sh", "-n", "-c", last.Curl).CombinedOutput(); err != nil {
			t.Errorf("%s does not run: %s", last.Curl, out)
		}
	}
}

// echo answers with the credentials that it was sent, and with its whole request, in many forms and media types.
func echo() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.Header.Get("Authorization") + r.Header.Get("X-Key") + r.Header.Get("X-Team") + r.URL.Query().Get("key")
		if cookie, err := r.Cookie("session"); err == nil {
			text, _ := url.QueryUnescape(cookie.Value)
			sent += cookie.Value + text
		}
		if _, password, ok := r.BasicAuth(); ok {
			sent += password
		}
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("X-Seen", strings.ReplaceAll(strconv.Quote(sent), "\\u", "%"))
		w.Header().Set("Location", "/"+url.PathEscape(sent))
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: url.QueryEscape(sent)})
		http.SetCookie(w, &http.Cookie{Name: "session", Value: base64.StdEncoding.EncodeToString([]byte(sent)), Path: "/" + url.PathEscape(sent)})
		w.Header().Add("WWW-Authenticate", `Bearer realm="`+url.QueryEscape(sent)+`"`)
		var escaped strings.Builder
		xml.EscapeText(&escaped, []byte(sent))
		all := fmt.Sprint(r.Header, r.URL, string(body))
		kind := len(body)/4 + len(r.URL.Path)
		w.Header().Set("Content-Type", []string{"application/json", "application/json", "text/plain", "application/xml", "text/html; charset=utf-8"}[kind%5])
		w.WriteHeader([]int{200, 201, 418, 500}[len(body)%4])
		switch kind % 5 {
		case 2:
			fmt.Fprintf(w, "refused: %s\n%s", sent, all)
		case 3:
			fmt.Fprintf(w, "<error><sent>%s</sent><all>%s</all></error>", &escaped, html.EscapeString(all))
		case 4:
			fmt.Fprintf(w, "<!doctype html><title>%s</title><p>%s</p><a href='/?%s'>%s</a>", html.EscapeString(sent), &escaped, url.QueryEscape(sent), html.EscapeString(all))
		default:
			fmt.Fprintf(w, `{"id": %q, "name": %q, "plain": %q, "std": %q, "inside": %q, "percent": %q, "twice": %q, "message": %q}`, url.PathEscape(sent), sent,
				strings.ToUpper(sent), base64.StdEncoding.EncodeToString([]byte("a"+sent)), base64.URLEncoding.EncodeToString([]byte("ab"+sent)),
				percent(sent), strconv.Quote(sent), "no access for "+sent)
		}
	})
}

// percent writes every byte as a URL may.
func percent(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		fmt.Fprintf(&b, "%%%02x", c)
	}
	return b.String()
}
