package decode

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

func compile(t testing.TB, text string) *spec.Schema {
	t.Helper()
	document, err := jsontext.Decode(text)
	if err != nil {
		t.Fatalf("schema %s: %v", text, err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	keywords, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatalf("schema %s: %v", text, err)
	}
	return &spec.Schema{Keywords: keywords}
}

// send makes a request in which text stands where p is looked for.
func send(p *spec.Parameter, text string) (*exchange.Request, []string) {
	req := &exchange.Request{Method: "GET", Path: "/"}
	if text == "(none)" {
		return req, nil
	}
	switch p.In {
	case exchange.InPath:
		return req, []string{text}
	case exchange.InQuery, inQuerystring:
		req.Query = text
	case exchange.InHeader:
		req.Header.Set(p.Name, text)
	case exchange.InCookie:
		req.Header.Set("Cookie", text)
	}
	return req, nil
}

func TestStyles(t *testing.T) {
	table, err := os.ReadFile("testdata/styles.txt")
	if err != nil {
		t.Fatal(err)
	}
	var p *spec.Parameter
	var o *Decoder
	title := ""
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "== "); ok {
			title = rest
			head := strings.SplitN(rest, " ", 4)
			p = &spec.Parameter{
				Name: "color", In: head[0], Style: head[1], Explode: head[2] == "true", Required: true,
				Schema: compile(t, head[3]),
			}
			o = New(&spec.Operation{Path: "/{color}", Parameters: []*spec.Parameter{p}})
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		t.Run(title+" "+line, func(t *testing.T) {
			if sent, code, ok := strings.Cut(line, " ! "); ok {
				req, path := send(p, sent)
				values, findings := o.Request(req, path)
				if len(findings) != 1 || findings[0].Code != code || findings[0].In != p.In || findings[0].Name != p.Name {
					t.Fatalf("got %v and findings %+v", values.In(p.In), findings)
				}
				if len(values.In(p.In)) > 0 {
					t.Fatalf("a refused parameter has the value %v", values.In(p.In))
				}
				return
			}
			sent, text, both := strings.Cut(line, " <=> ")
			if !both {
				sent, text, _ = strings.Cut(line, " => ")
			}
			want, err := jsontext.Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			req, path := send(p, sent)
			values, findings := o.Request(req, path)
			got := values.In(p.In)[p.Name]
			if len(findings) > 0 || !reflect.DeepEqual(got, want) {
				t.Fatalf("got %s and findings %v", jsontext.Append(nil, got), findings)
			}
			if !both {
				return
			}
			if encoded, err := Encode(p, want); err != nil || encoded != sent {
				t.Fatalf("encoded %q, %v", encoded, err)
			}
		})
	}
}
