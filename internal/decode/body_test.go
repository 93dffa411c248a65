package decode

import (
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

func mediaOf(t testing.TB, text string, schema *spec.Schema) *spec.MediaType {
	t.Helper()
	m, ok := parseMediaType(text)
	if !ok {
		t.Fatalf("%q is not a media type", text)
	}
	made := &spec.MediaType{Range: text, Type: m.kind, Subtype: m.subtype, Schema: schema}
	for _, p := range m.params {
		made.Params = map[string]string{p.Name: p.Value}
	}
	return made
}

// decodeBody decodes a body of documented media types.
func decodeBody(content []*spec.MediaType, h exchange.Header, body []byte) (any, *spec.MediaType, []exchange.Finding) {
	return NewContent(content).Decode(h, body)
}

func TestBodies(t *testing.T) {
	table, err := os.ReadFile("testdata/bodies.txt")
	if err != nil {
		t.Fatal(err)
	}
	var media *spec.MediaType
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "== "); ok {
			head := strings.SplitN(rest, " ", 3)
			media = mediaOf(t, head[0], compile(t, head[1]))
			if len(head) == 3 {
				if err := json.Unmarshal([]byte(head[2]), &media.Encoding); err != nil {
					t.Fatal(err)
				}
			}
			continue
		}
		if line == "" || line[0] == '#' {
			continue
		}
		o := New(&spec.Operation{Body: &spec.RequestBody{Required: true, Content: []*spec.MediaType{media}}})
		t.Run(media.Range+" "+line, func(t *testing.T) {
			sent, code, refused := strings.Cut(line, " ! ")
			want := ""
			if !refused {
				sent, want, _ = strings.Cut(line, " => ")
			}
			contentType, body, ok := strings.Cut(sent, " | ")
			if !ok {
				contentType, body = media.Range, sent
			}
			if unquoted, err := strconv.Unquote(body); err == nil {
				body = unquoted
			}
			req := &exchange.Request{Method: "POST", Path: "/", Body: []byte(body)}
			if body == "(none)" {
				req.Body = nil
			}
			if contentType != "-" {
				req.Header.Set("Content-Type", contentType)
			}
			values, findings := o.Request(req, nil)
			if refused {
				code, place, _ := strings.Cut(code, " ")
				if len(findings) != 1 || findings[0].Code != code || findings[0].Pointer+findings[0].Name != place || values.HasBody {
					t.Fatalf("got %+v and findings %+v", values, findings)
				}
				return
			}
			if want == "-" {
				if len(findings) > 0 || values.HasBody {
					t.Fatalf("got %s and findings %v", jsontext.Append(nil, values.Body()), findings)
				}
				return
			}
			expected, err := jsontext.Decode(want)
			if err != nil {
				t.Fatal(err)
			}
			if len(findings) > 0 || !values.HasBody || values.MediaType != media || !reflect.DeepEqual(values.Body(), expected) {
				t.Fatalf("got %s and findings %v", jsontext.Append(nil, values.Body()), findings)
			}
		})
	}
}
