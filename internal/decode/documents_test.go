package decode

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/testbench/golden"
)

// load compiles a document given as text.
func load(t testing.TB, document []byte) *spec.Contract {
	t.Helper()
	file := filepath.Join(t.TempDir(), "openapi.yaml")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	contract, err := spec.Load(context.Background(), file, spec.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range contract.Findings {
		t.Error(f)
	}
	return contract
}

func TestDocuments(t *testing.T) {
	golden.Cases(t, "testdata/documents/*.txtar", testDocument)
}

func testDocument(t *testing.T, archive *txtar.Archive) {
	parts := map[string]string{}
	for _, f := range archive.Files {
		parts[f.Name] = string(f.Data)
	}
	contentType := strings.TrimSpace(parts["media"])
	o := New(load(t, []byte(parts["openapi.yaml"])).Operations[0])
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".body")
		if !ok {
			continue
		}
		t.Run(name, func(t *testing.T) {
			body := strings.TrimSuffix(string(f.Data), "\n")
			sent := contentType
			if strings.HasPrefix(contentType, "multipart/") {
				body, sent = strings.ReplaceAll(body, "\n", "\r\n"), contentType+"; boundary=x"
			}
			values, findings := o.Request(request(sent, body), nil)
			var got strings.Builder
			for _, f := range findings {
				got.WriteString(strings.TrimSpace(f.Code+" "+f.Pointer) + "\n")
			}
			if values.HasBody {
				got.Write(append(jsontext.Append(nil, values.Body()), '\n'))
			}
			if want := parts[name+".want"]; got.String() != want {
				t.Fatalf("got %s%s", got.String(), exchange.Join(findings))
			}
			if values.HasBody {
				again(t, o, values, parts[name+".xml"])
			}
		})
	}
}

func request(contentType, body string) *exchange.Request {
	return &exchange.Request{
		Method: "POST", Path: "/", Body: []byte(body),
		Header: exchange.Header{{Name: "Content-Type", Value: contentType}},
	}
}

// again writes a decoded body and reads it once more.
func again(t *testing.T, o *Decoder, values Values, want string) {
	t.Helper()
	body, contentType, err := NewEncoder(values.MediaType).Encode("", values.Body())
	if err != nil {
		t.Fatal(err)
	}
	if want != "" && string(body) != strings.TrimSuffix(want, "\n") {
		t.Fatalf("written as %s", body)
	}
	read, findings := o.Request(request(contentType, string(body)), nil)
	if len(findings) > 0 || !reflect.DeepEqual(read.Body(), values.Body()) {
		t.Fatalf("%s reads as %s, %v", body, jsontext.Append(nil, read.Body()), findings)
	}
}
