package decode

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
)

func TestRequests(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/requests.txtar")
	if err != nil {
		t.Fatal(err)
	}
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	contract := load(t, []byte(parts["openapi.yaml"]))
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".request")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			line, rest, _ := strings.Cut(string(f.Data), "\n")
			words := strings.Fields(line)
			req := &exchange.Request{Method: words[0], Path: "/"}
			for line := range strings.Lines(rest) {
				line = strings.TrimSuffix(line, "\n")
				if query, ok := strings.CutPrefix(line, "?"); ok {
					req.Query = query
					continue
				}
				name, value, _ := strings.Cut(line, ": ")
				req.Header = append(req.Header, exchange.Field{Name: name, Value: value})
			}
			operation := contract.Operation(words[0] + " " + words[1])
			if operation == nil {
				t.Fatalf("no operation %s", line)
			}
			o := New(operation)
			values, findings := o.Request(req, words[2:])
			var got strings.Builder
			for _, in := range [...]string{exchange.InPath, exchange.InQuery, exchange.InHeader, exchange.InCookie} {
				if m := values.In(in); m != nil {
					got.WriteString(in + " " + string(jsontext.Append(nil, m)) + "\n")
				}
			}
			for _, f := range findings {
				got.WriteString(f.Where() + " " + f.Code + " " + f.Message + "\n")
			}
			if len(findings) == 0 || strings.Contains(parts[name+".want"], "unknown ") {
				for _, f := range o.Unknown(req) {
					got.WriteString("unknown " + f.Where() + " " + f.Code + " " + f.Message + "\n")
				}
			}
			if got.String() != parts[name+".want"] {
				t.Fatalf("got\n%s", got.String())
			}
		})
	}
}
