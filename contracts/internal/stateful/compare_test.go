package stateful

import (
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestSameScalar(t *testing.T) {
	for _, c := range []struct {
		format, sent, shown string
		same                bool
	}{
		{"", "Ada", "ada", false},
		{"uuid", "0B7E6A44-3C0E-4D6F-9A53-0F1F6F0F8F11", "0b7e6a44-3c0e-4d6f-9a53-0f1f6f0f8f11", true},
		{"email", "Ada@Example.com", "Ada@example.com", true},
		{"email", "Ada@Example.com", "ada@example.com", false},
		{"email", "Ada", "ada", false},
		{"hostname", "Example.com", "example.com", true},
		{"uri", "HTTPS://Example.com/A", "https://example.com/A", true},
		{"uri", "https://example.com", "https://example.com/", true},
		{"uri", "https://example.com/A", "https://example.com/a", false},
		{"uri", "https://example.com/?q=A", "https://example.com/?q=a", false},
		{"uri", "urn:isbn:X", "urn:isbn:x", false},
		{"date-time", "2024-02-29T23:59:59+02:00", "2024-02-29T21:59:59Z", true},
	} {
		k := &jsonschema.Schema{}
		if c.format != "" {
			k.Format = &jsonschema.Format{Name: c.format}
		}
		if got := sameScalar(c.sent, c.shown, k); got != c.same {
			t.Errorf("%s: %q is the same as %q: %v", c.format, c.sent, c.shown, got)
		}
	}
}
