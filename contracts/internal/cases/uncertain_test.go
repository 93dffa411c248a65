package cases

import (
	"encoding/json"
	"testing"
)

func TestHostless(t *testing.T) {
	for text, want := range map[string]bool{
		"https:/": true, "https://": true, "HTTPS:///a": true, "http:a": true, "https://?q": true, "https://:80/": true, "ftp://u@/": true,
		"https://example.com": false, "https://u@example.com:80/": false, "urn:isbn:1": false, "file:///tmp": false, "plant": false, "": false,
	} {
		if got := hostless(text); got != want {
			t.Errorf("%q: got %v", text, got)
		}
	}
}

func TestDecimal(t *testing.T) {
	for n, want := range map[json.Number]json.Number{
		"1e2": "100", "1E+2": "100", "25e-2": "0.25", "-1.5e1": "-15", "-0": "0", "1.0": "1.0", "7": "7", "1e400": "1e400", "-1e-308": "-1e-308",
	} {
		if got := decimal(n); got != want {
			t.Errorf("%s: got %s, want %s", n, got, want)
		}
	}
}
