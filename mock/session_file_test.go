package mock

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/coldframe/coldframe"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/request"
	"github.com/coldframe/coldframe/internal/testbench/sample"
	"github.com/coldframe/coldframe/mock/internal/scenario"
)

// TestSessionFiles makes random sessions, and continues each in another process, which has another folder and another
// time zone: the same requests get the same bytes in both.
func TestSessionFiles(t *testing.T) {
	folder := t.TempDir()
	count := 1000 / sample.Every(10, 40)
	documents := []Options{
		{},
		{Document: "garden-shop.yaml", Text: gardenShop(t, "openapi.yaml"), Now: "fixed", State: StateOptions{
			DataTexts: []Text{{"data.yaml", gardenShop(t, "data.yaml")}}, UnknownItems: "refuse"}},
		{Document: "garden-shop.yaml", Text: gardenShop(t, "openapi.yaml"), Now: "session", Values: ValueOptions{
			Seed: 7, Locale: "de"}, State: StateOptions{SeedItems: 3}},
	}
	archive, err := txtar.ParseFile("testdata/fuzz/document.txtar")
	if err != nil {
		t.Fatal(err)
	}
	documents = append(documents, Options{Document: "kinds.yaml", Text: archive.Files[0].Data, Now: "fixed"})
	random := rand.New(rand.NewPCG(3, 4))
	var want []string
	for number := range count {
		o := documents[number%len(documents)]
		o.Listen.NoListener = true
		o.Clock = func() time.Time { return time.Date(2027, 1, 2, 3, 4, 5, 6, time.UTC) }
		s, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		name := []string{"", "mine"}[random.IntN(2)]
		addScenarios(t, s, name, random)
		conversation(s, name, random.Uint64(), 5+random.IntN(30))
		var file bytes.Buffer
		if err := s.Session(name).Export(&file); err != nil {
			t.Fatal(err)
		}
		base := filepath.Join(folder, fmt.Sprint(number))
		if err := os.WriteFile(base+".json", file.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		want = append(want, string(conversation(s, name, uint64(number), 20)))
		s.Close()
	}
	second := exec.CommandContext(t.Context(), os.Args[0])
	second.Dir = t.TempDir()
	second.Env = append(os.Environ(), "COLDFRAME_SESSIONS="+folder, "TZ=Asia/Kathmandu")
	if out, err := second.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for number, one := range want {
		got, err := os.ReadFile(filepath.Join(folder, fmt.Sprint(number)+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != one {
			t.Fatalf("session %d goes on otherwise (-here +there):\n%s", number, cmp.Diff(strings.Split(one, "\n"), strings.Split(string(got), "\n")))
		}
	}
}

// continueSessions opens the sessions in a folder and writes how each goes on.
func continueSessions(folder string) int {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	for i := 0; err == nil && i < len(files); i++ {
		err = continueSession(files[i])
	}
	if err != nil || len(files) == 0 {
		fmt.Fprintln(os.Stderr, len(files), err)
		return 1
	}
	return 0
}

func continueSession(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s, err := New(context.Background(), Options{
		Session: text, Listen: ListenOptions{NoListener: true},
		Clock: func() time.Time { return time.Date(2029, 1, 2, 3, 4, 5, 6, time.Local) },
	})
	if err != nil {
		return err
	}
	defer s.Close()
	base := strings.TrimSuffix(file, ".json")
	var number uint64
	fmt.Sscan(filepath.Base(base), &number)
	return os.WriteFile(base+".txt", conversation(s, "", number, 20), 0o644)
}

// conversation sends random requests, many of them about the same items, and returns the responses.
func conversation(s *Server, session string, seed uint64, requests int) []byte {
	random := rand.New(rand.NewPCG(seed, 5))
	var text bytes.Buffer
	operations := s.current.Load().Operations
	for range requests {
		op := operations[random.IntN(len(operations))]
		r, err := request.New(op, generate.Options{Fill: "all"}).Valid(generate.NewKey(uint64(random.IntN(4)), "conversation"))
		if err != nil {
			continue
		}
		r.Header = append(r.Header, exchange.Field{Name: "Host", Value: "localhost"})
		if session != "" {
			r.Header = append(r.Header, exchange.Field{Name: sessionField, Value: session})
		}
		answer := s.exchange(r).answer.Response
		fmt.Fprintf(&text, "%s %s\n%d\n", r.Method, r.Path, answer.Status)
		for _, f := range answer.Header {
			fmt.Fprintf(&text, "%s: %s\n", f.Name, f.Value)
		}
		text.Write(append(answer.Body, '\n'))
	}
	return text.Bytes()
}

// addScenarios adds scenarios with counts, limits, states and items, for all sessions or for one.
func addScenarios(t *testing.T, s *Server, session string, random *rand.Rand) {
	t.Helper()
	for name, rules := range map[string]string{
		"third":  "rules: [{on: '*', every: 3, respond: {status: 503}}]",
		"limit":  "rules: [{on: '*', limit: {requests: 15, per: 1h}, respond: {status: 429}}]",
		"states": "rules: [{on: '*', after: 1ms, state: start, then: b}, {on: '*', state: b, times: 2, respond: {status: 500}, then: c}, {on: '*', state: c, then: start}]",
		"chance": "rules: [{on: '*', chance: 0.2, respond: {status: 502}}]",
	} {
		if random.IntN(3) > 0 {
			continue
		}
		var of *string
		if random.IntN(2) == 0 {
			of = &session
		}
		if findings, err := s.changeScenarios(of, func(ch *scenario.Changes) *scenario.Changes {
			return ch.Put(scenario.Text{Name: name, Text: []byte(rules)})
		}); err != nil {
			t.Fatal(findings, err)
		}
	}
}

// gardenShop returns a file of the demo.
func gardenShop(t *testing.T, name string) []byte {
	t.Helper()
	text, err := coldframe.GardenShop.ReadFile("examples/garden-shop/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSessionFileKeepsLogins signs a user up, and continues the session in another mock: the token and the password
// are known there, and the file has neither.
func TestSessionFileKeepsLogins(t *testing.T) {
	first, err := New(t.Context(), Options{Document: "garden-shop.yaml", Text: gardenShop(t, "openapi.yaml"),
		Listen: ListenOptions{NoListener: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	send := func(s *Server, method, path, token, body string) (int, map[string]any) {
		t.Helper()
		r, _ := http.NewRequestWithContext(t.Context(), method, s.URL()+path, strings.NewReader(body))
		r.Header.Set("Content-Type", "application/json")
		if token != "" {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		answer, err := s.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		value := map[string]any{}
		json.NewDecoder(answer.Body).Decode(&value)
		return answer.StatusCode, value
	}
	const user = `{"name": "Ada", "email": "ada@example.org", "password": "battery staple"}`
	if status, answer := send(first, "POST", "/users", "", user); status != 201 {
		t.Fatal(status, answer)
	}
	login := func(s *Server, password string) (int, string) {
		status, answer := send(s, "POST", "/auth/token", "",
			`{"email": "ada@example.org", "password": "`+password+`"}`)
		token, _ := answer["access_token"].(string)
		return status, token
	}
	status, token := login(first, "battery staple")
	if status != 200 || token == "" {
		t.Fatalf("logging in: %d", status)
	}
	var file bytes.Buffer
	if err := first.Session("").Export(&file); err != nil {
		t.Fatal(err)
	}
	if text := file.String(); strings.Contains(text, token) || strings.Contains(text, "battery staple") {
		t.Error("the file has the token or the password")
	}
	second, err := New(t.Context(), Options{Session: file.Bytes(), Listen: ListenOptions{NoListener: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if status, me := send(second, "GET", "/me", token, ""); status != 200 || me["name"] != "Ada" {
		t.Error(status, me)
	}
	if status, _ := login(second, "another one"); status != 401 {
		t.Errorf("a wrong password: %d", status)
	}
	second.Session("").Reset()
	if status, me := send(second, "GET", "/me", token, ""); status == 200 && me["name"] == "Ada" {
		t.Errorf("after a reset: %d %v", status, me)
	}
}

// TestSessionFileRefuses imports texts that are not session files, or have what a session cannot have: nothing changes,
// and the error says what is wrong.
func TestSessionFileRefuses(t *testing.T) {
	s, err := New(t.Context(), Options{Listen: ListenOptions{NoListener: true}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var file bytes.Buffer
	if err := s.Session("").Export(&file); err != nil {
		t.Fatal(err)
	}
	valid := file.String()
	for _, x := range []struct{ old, new, want string }{
		{valid, "", "no session file"},
		{valid, "[]", "no session file"},
		{valid, "{}", "no coldframeSession"},
		{valid, valid[:len(valid)/2], "no session file"},
		{`"coldframeSession":1`, `"coldframeSession":2`, "version 2"},
		{`"coldframeSession":1`, `"coldframeSession":1,"later":true`, "later"},
		{`"session":"default"`, `"session":5`, "1:"},
		{`"file":"plant-store.yaml"`, `"file":"../../etc/passwd"`, "no file"},
		{`"scenarios":{`, `"scenarios":{"scenarios":[{"name":"a","text":"rules: [{on: '*', delay: x}]","active":true}],"x":{`, "x"},
		{`"scenarios":null`, `"scenarios":[{"name":"a","text":"rules: [{on: '*', delay: wrong}]","active":true}]`, "wrong"},
		{`"scenarios":null`, `"scenarios":[{"name":"a","text":"rules: [{on: '*', delay: 1}]","active":true,"rules":{"2":{}}}]`, "rule 2"},
		{`"secret":"`, `"secret":"","x":"`, "x"},
		{`"seed":0`, `"seed":0,"host":"0.0.0.0"`, ""},
		{"\"items\":[]}}\n", `"items":[{"collection":"a","key":"1","value":5,"version":1}]}}`, "/state/items/0"},
	} {
		changed := strings.Replace(valid, x.old, x.new, 1)
		if changed == valid {
			t.Errorf("there is no %q in %s", x.old, valid)
		}
		_, err := s.Session("").Import([]byte(changed))
		if x.want == "" { // an option that only a new mock reads
			_, err = New(t.Context(), Options{Session: []byte(changed), Listen: ListenOptions{NoListener: true}})
			x.want = "host"
		}
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("with %s instead of %s: %v", x.new, x.old, err)
		}
	}
	if findings, err := s.Session("other").Import(file.Bytes()); err != nil || len(findings) > 0 {
		t.Error(findings, err)
	}
}
