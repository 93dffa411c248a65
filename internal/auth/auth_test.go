package auth

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// TestCases runs testdata/*.txtar. A file "security" has one alternative a
// line, its needs joined by " + ": "http SCHEME", "apiKey IN NAME" or a type
// alone; "anonymous" has none. A file "challenges" has the values for
// WWW-Authenticate. A file "requests" has lines
//
//	fields, ?query and "certificate" joined by " | " -> ok, or code and finding joined by " + "
//
// In a field, \t stands for a tab and \0 for a NUL.
func TestCases(t *testing.T) {
	golden.Cases(t, "testdata/*.txtar", func(t *testing.T, archive *txtar.Archive) {
		var policy *Policy
		for _, f := range archive.Files {
			switch text := string(f.Data); f.Name {
			case "security":
				policy = New(operation(text))
			case "challenges":
				if got := strings.Join(policy.Challenges(), "\n"); got != strings.TrimSpace(text) {
					t.Errorf("challenges are\n%s", got)
				}
			case "requests":
				runCases(t, policy, text)
			default:
				t.Fatalf("file %q has an unknown name", f.Name)
			}
		}
	})
}

func operation(text string) *spec.Operation {
	op := &spec.Operation{}
	for line := range strings.Lines(text) {
		var requirement spec.Requirement
		for s := range strings.SplitSeq(strings.TrimSpace(line), " + ") {
			words := append(strings.Fields(s), "", "")
			scheme := &spec.SecurityScheme{Key: strings.Join(strings.Fields(s), "-"), Type: words[0]}
			switch words[0] {
			case "", "anonymous":
				continue
			case "http":
				scheme.Scheme = words[1]
			case "apiKey":
				scheme.In, scheme.Name = words[1], words[2]
			}
			requirement = append(requirement, spec.Need{Scheme: scheme})
		}
		op.Security = append(op.Security, requirement)
	}
	return op
}

func runCases(t *testing.T, policy *Policy, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			continue
		}
		fields, want, ok := strings.Cut(line, "-> ")
		if !ok {
			t.Fatalf("no arrow: %s", line)
		}
		got := "ok"
		if findings := policy.Check(request(fields)); findings != nil {
			lines := make([]string, len(findings))
			for i, f := range findings {
				lines[i] = f.Code + " " + f.String()
			}
			got = strings.Join(lines, " + ")
		}
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", fields, got, want)
		}
	}
}

func request(fields string) *exchange.Request {
	req := &exchange.Request{Method: "GET", Path: "/"}
	for field := range strings.SplitSeq(strings.TrimSuffix(fields, " "), " | ") {
		if query, ok := strings.CutPrefix(field, "?"); ok {
			req.Query = query
		} else if field == "certificate" {
			req.ClientCertificate = true
		} else if name, value, ok := strings.Cut(field, ":"); ok {
			value = strings.NewReplacer(`\t`, "\t", `\0`, "\x00").Replace(strings.TrimPrefix(value, " "))
			req.Header = append(req.Header, exchange.Field{Name: name, Value: value})
		}
	}
	return req
}

func TestValidBearerDoesNotAllocate(t *testing.T) {
	for _, c := range []struct{ security, request string }{
		{"http bearer", "Host: x | Authorization: bearer abc.def=="},
		{"http basic", "Authorization: Basic dXNlcjpwYXNz"},
		{"apiKey query key\napiKey cookie id + apiKey header X-Key", "Cookie: a=b; id=7 | X-Key: 1 | ?k=1"},
	} {
		policy, req := New(operation(c.security)), request(c.request)
		if n := testing.AllocsPerRun(100, func() { policy.Check(req) }); n != 0 {
			t.Errorf("%s: %v allocations", c.security, n)
		}
	}
}

func TestRedact(t *testing.T) {
	s := NewSecrets(operation("http bearer + apiKey header x-key\napiKey query api_key\napiKey cookie id"), operation("apiKey header X-KEY"))
	if !slices.Equal(s.Headers, []string{"Authorization", "Proxy-Authorization", "x-key"}) {
		t.Errorf("headers are %q", s.Headers)
	}
	const sent = "AUTHORIZATION: Bearer hush | X-Key: hush | X-Key: hush | Cookie: lang=hush; id=hush;id=hush | Accept: */* | ?a=b&api_key=hush&api%5Fkey=hush&c"
	req := request(sent)
	got := s.Redact(req)
	want := request(strings.NewReplacer("Bearer hush", Redacted, "hush", Redacted).Replace(sent))
	if !slices.Equal(got.Header, want.Header) || got.Query != want.Query {
		t.Errorf("got %+v", got)
	}
	if original := request(sent); !slices.Equal(req.Header, original.Header) || req.Query != original.Query {
		t.Errorf("the request was changed: %+v", req)
	}
}

// TestUsualNames redacts what no security scheme declares: testdata/bodies.txt has bodies with their media type
// and what is kept of them.
func TestUsualNames(t *testing.T) {
	for _, name := range []string{"Cookie", "set-cookie", "X-Api-Key", "x_auth_token", "access_token", "accessToken", "password",
		"newPassword", "user[password]", "client_secret", "apikey", "API-Key", "token", "code_verifier", "x-amz-security-token"} {
		if !IsSecretName(name) {
			t.Errorf("%s is kept", name)
		}
	}
	for _, name := range []string{"", "x", "x-", "]", "page_token", "nextToken", "Accept", "Host", "User-Agent", "tokens", "monkey", "name", "secretary"} {
		if IsSecretName(name) {
			t.Errorf("%s is redacted", name)
		}
	}
	text, err := os.ReadFile("testdata/bodies.txt")
	if err != nil {
		t.Fatal(err)
	}
	secrets := NewSecrets()
	for block := range strings.SplitSeq(strings.TrimSpace(string(text)), "\n\n") {
		lines := strings.Split(block, "\n")
		unescape := strings.NewReplacer(`\r`, "\r", `\n`, "\n")
		req := &exchange.Request{Header: exchange.Header{{Name: "Content-Type", Value: lines[0]}}, Body: []byte(unescape.Replace(lines[1]))}
		got, before := secrets.Redact(req), string(req.Body)
		if want := unescape.Replace(lines[2]); string(got.Body) != want || string(req.Body) != before {
			t.Errorf("%s\n got %s\nwant %s", lines[1], got.Body, want)
		}
		if strings.Contains(string(got.Body), "hush") {
			t.Errorf("shown: %s", got.Body)
		}
	}
	response := secrets.RedactResponse(&exchange.Response{Header: exchange.Header{{Name: "Set-Cookie", Value: "sid=hush; Path=/"}, {Name: "X-Auth-Token", Value: "hush"}}})
	if got := fmt.Sprint(response.Header); got != "[{Set-Cookie sid=REDACTED; Path=/} {X-Auth-Token REDACTED}]" {
		t.Error(got)
	}
}

// FuzzRedactBody redacts any body: nothing panics.
func FuzzRedactBody(f *testing.F) {
	for _, kind := range []string{"", "application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/xml"} {
		f.Add(kind, `{"password": "a\"b", "token": [1, {"a": "]"}], "secret": `)
		f.Add(kind, "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\nhush\r\n--b--")
		f.Add(kind, `<user secret="hush"><password>hush</password><token/></user>`)
	}
	f.Fuzz(func(t *testing.T, kind, body string) {
		replaceInBody(kind, []byte(body), func(string) string { return Redacted })
	})
}

// plainMembers is replaceMembers by reading all strings from the first on. Of a name with a quote, what follows counts.
func plainMembers(body []byte, with func(string) string) []byte {
	var out []byte
	copied := 0
	for at := 0; at < len(body); at++ {
		if body[at] != '"' {
			continue
		}
		end := endOfString(body, at+1)
		name := string(body[at+1 : end])
		name = unescaped(name[strings.LastIndexByte(name, '"')+1:])
		at = end
		value := skipSpace(body, at+1)
		if value >= len(body) || body[value] != ':' || !IsSecretName(name) {
			continue
		}
		value = skipSpace(body, value+1)
		valueEnd, secret := endOfValue(body, value)
		if secret != "" {
			out = append(append(append(append(out, body[copied:value]...), '"'), with(secret)...), '"')
			copied, at = valueEnd, valueEnd-1
		}
	}
	return append(out, body[copied:]...)
}

// FuzzRedactMembers compares the two for JSON.
func FuzzRedactMembers(f *testing.F) {
	f.Add(`{"password": "a\"b", "token" : [1, {"a": "]"}], "api-key":null, "\"token":"x", "x-jwt":1, "n":"\"token\":1"}`)
	f.Add(`[{"devicecode":"a:b","user[password]":{"sid":""},"s_i_d":"","a.token":-1e3},"token"]`)
	f.Fuzz(func(t *testing.T, body string) {
		if !json.Valid([]byte(body)) {
			return
		}
		with := func(string) string { return Redacted }
		if got, want := replaceMembers([]byte(body), with), plainMembers([]byte(body), with); string(got) != string(want) {
			t.Errorf("%s\n got %s\nwant %s", body, got, want)
		}
	})
}

// BenchmarkRedactMembers reads a list of 100 members, as an answer of 5 kB has them.
func BenchmarkRedactMembers(b *testing.B) {
	body := []byte("{" + strings.Repeat(`"events_url":"https://api.example.com/users/1","full_name":"ann/garden",`, 50) + `"id":1}`)
	for name, read := range map[string]func([]byte, func(string) string) []byte{"by colons": replaceMembers, "plain": plainMembers} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				read(body, func(string) string { return Redacted })
			}
		})
	}
}

// FuzzCheck sends any credentials: nothing panics, what is refused is never
// repeated, and what is redacted is gone.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		"Bearer abc", "bearer  a.b-c_d~e+f/g==", "Basic dXNlcjpwYXNz", "Basic =", "Bearer a b", "Digest username=\"x\"", "", " ", "\t",
		"Bearer =", "Basic " + strings.Repeat("YWJj", 100) + "Og==", "Bearer abc, Basic dXNlcjpwYXNz", "Bearer\u00a0x", "Bearer\x00x",
	} {
		f.Add(seed, "key="+seed, "id="+seed)
	}
	policies := []*Policy{
		New(operation("http bearer")), New(operation("http basic")), New(operation("http digest\nfrob")),
		New(operation("apiKey query key + apiKey cookie id\noauth2 + http basic + apiKey header Authorization")),
	}
	secrets := NewSecrets(operation("apiKey query key\napiKey cookie id"))
	f.Fuzz(func(t *testing.T, value, query, cookie string) {
		req := &exchange.Request{Query: query, Header: exchange.Header{{Name: "Authorization", Value: value}, {Name: "Cookie", Value: cookie}}}
		for _, policy := range policies {
			for _, finding := range policy.Check(req) {
				if finding.Message == "" || finding.Name == "" || finding.Code == "" {
					t.Fatalf("incomplete: %+v", finding)
				}
				for word := range strings.FieldsSeq(value) {
					if len(word) > 8 && strings.Contains(finding.String(), word) && !strings.EqualFold(word, "<credentials>") && !strings.EqualFold(word, "credentials") && !strings.Contains(word, "uthorization") {
						t.Fatalf("%q is repeated by %q", word, finding)
					}
				}
			}
		}
		if ok := policies[0].Check(req) == nil; ok != isBearer(value) {
			t.Fatalf("bearer %q: %v", value, ok)
		}
		redacted := secrets.Redact(req)
		if v := redacted.Header[0].Value; v != "" && v != Redacted {
			t.Fatalf("not redacted: %q", v)
		}
		if v := cookieValue(redacted.Header, "id"); v != "" && v != Redacted {
			t.Fatalf("cookie is not redacted: %q", redacted.Header[1].Value)
		}
		if v := queryValue(redacted.Query, "key"); v != "" && v != Redacted {
			t.Fatalf("query is not redacted: %q", redacted.Query)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	policy := New(operation("http bearer"))
	req := request("Host: x | User-Agent: y | Accept: */* | Content-Type: application/json | Authorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl")
	b.ReportAllocs()
	for b.Loop() {
		if policy.Check(req) != nil {
			b.Fatal("refused")
		}
	}
}

// TestTakeSharedHead takes the credentials of requests that share their fields: the same as without sharing, also after
// a reload, with what each has beside its fields.
func TestTakeSharedHead(t *testing.T) {
	header := exchange.Header{{Name: "Authorization", Value: "Bearer hush-in-field"}, {Name: "X-Plant", Value: "hush-plant"}}
	before, after := NewSecrets(), &Secrets{Headers: []string{"X-Plant"}}
	head := &exchange.Head{}
	for i, secrets := range []*Secrets{before, before, after, before} {
		query := fmt.Sprintf("token=hush-in-query-%d", i)
		alone := &exchange.Request{Header: header, Query: query}
		shared := &exchange.Request{Header: header, Query: query, Head: head}
		var want, got exchange.Request
		wantSent, sent := secrets.Take(&want, alone), secrets.Take(&got, shared)
		if !reflect.DeepEqual(got, want) || !slices.Equal(sent, wantSent) {
			t.Errorf("%d: got %v %v, want %v %v", i, got, sent, want, wantSent)
		}
	}
}
