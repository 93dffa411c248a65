package decode

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestBestMediaType asks which of the documented media types a sent one is.
func TestBestMediaType(t *testing.T) {
	for _, test := range []struct {
		documented string // separated by spaces
		sent       string
		want       string // "" if none
	}{
		{"*/* text/* text/plain text/plain;format=flowed", "text/plain", "text/plain"},
		{"*/* text/* text/plain text/plain;format=flowed", "text/plain; format=flowed", "text/plain;format=flowed"},
		{"*/* text/* text/plain text/plain;format=flowed", "text/plain; format=fixed", "text/plain"},
		{"*/* text/* text/plain text/plain;format=flowed", "Text/CSV", "text/*"},
		{"*/* text/* text/plain text/plain;format=flowed", "image/png", "*/*"},
		{"application/json application/problem+json", "application/problem+json", "application/problem+json"},
		{"application/json application/problem+json", "application/hal+json", "application/json"},
		{"application/* application/json", "application/hal+json", "application/json"},
		{"application/*+json application/*", "application/hal+json", "application/*+json"},
		{"application/xml application/json", "application/soap+xml", "application/xml"},
		{"application/hal+json", "application/json", ""},
		{"application/json", "text/json", ""},
		{"application/json", "application/json-patch", ""},
		{"image/png image/jpeg", "image/gif", ""},
		{"image/png image/jpeg", "", ""},
		{"image/png */*", "", "*/*"},
		{"image/png", "", "image/png"},
	} {
		t.Run(test.sent+" of "+test.documented, func(t *testing.T) {
			var content []*spec.MediaType
			for text := range strings.FieldsSeq(test.documented) {
				content = append(content, mediaOf(t, text, nil))
			}
			var h exchange.Header
			if test.sent != "" {
				h.Set("Content-Type", test.sent)
			}
			e, _, wrong := NewContent(content).find(h)
			switch {
			case test.want == "" && (wrong == nil || wrong.Code != CodeMediaType || !strings.Contains(wrong.Message, content[0].Range)):
				t.Fatalf("got %v, %v", e, wrong)
			case test.want != "" && (wrong != nil || e.media.Range != test.want):
				t.Fatalf("got %v, %v", e, wrong)
			}
		})
	}
}

// TestHeaders decodes the header fields of a response.
func TestHeaders(t *testing.T) {
	h := NewHeaders([]*spec.Parameter{
		{Name: "X-Count", In: exchange.InHeader, Style: "simple", Required: true, Schema: compile(t, `{"type":"integer"}`)},
		{Name: "Link", In: exchange.InHeader, Style: "simple", Schema: compile(t, `{"type":"string"}`)},
		{Name: "Content-Type", In: exchange.InHeader, Style: "simple", Required: true, Schema: compile(t, `{"type":"integer"}`)},
	})
	values, findings := h.Decode(exchange.Header{{Name: "link", Value: "a"}, {Name: "Link", Value: " b"}})
	if values["Link"] != "a, b" || len(values) != 1 {
		t.Errorf("got %v", values)
	}
	if len(findings) != 1 || findings[0].Where() != "header.X-Count" || findings[0].Code != CodeMissingParameter {
		t.Errorf("got %v", findings)
	}
}
