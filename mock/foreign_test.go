package mock

import (
	"os"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/mock/internal/control"
	"github.com/coldframe/coldframe/mock/internal/httpserver"
)

// TestForeign sends every operation of the control API, the feed among them,
// the fields of testdata/foreign.txt.
func TestForeign(t *testing.T) {
	text, err := os.ReadFile("testdata/foreign.txt")
	if err != nil {
		t.Fatal(err)
	}
	contract, err := controlContract(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(t.Context(), Options{Listen: ListenOptions{NoListener: true, AllowedHosts: []string{"mock"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			continue
		}
		verdict, fields, _ := strings.Cut(line, "  ")
		var header exchange.Header
		for field := range strings.SplitSeq(fields, "; ") {
			name, value, _ := strings.Cut(field, ":")
			header = append(header, exchange.Field{Name: name, Value: strings.TrimSpace(value)})
		}
		for _, op := range contract.Operations {
			c := controlRequests[op.ID]
			r := &exchange.Request{Method: op.Method, Path: control.Prefix + c.target, Header: header, Body: []byte(c.body)}
			r.Path, r.Query, _ = strings.Cut(r.Path, "?")
			for where, serve := range map[string]func(*exchange.Request) httpserver.Answer{"here": s.control.Serve, "elsewhere": s.control.Elsewhere} {
				a := serve(r)
				if refused := a.Status == 403; refused != (verdict == "refused") {
					t.Errorf("%s, %s %s: %d", line, where, op.ID, a.Status)
				}
				if kind, _ := a.Header.Get("Content-Type"); a.Status == 403 && (kind != "application/problem+json" || a.Stream != nil) {
					t.Errorf("%s, %s %s: %s", line, where, op.ID, kind)
				}
			}
		}
	}
}
