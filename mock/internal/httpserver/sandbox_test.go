package httpserver

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestSandbox sandboxes responses of which a browser may run something, and leaves others alone. A line of a case is
// a field; the body is "x" unless a case says otherwise.
func TestSandbox(t *testing.T) {
	const html = "Content-Type: text/html"
	for _, c := range []struct {
		name   string
		status int
		fields string
		body   string
		want   bool
	}{
		{"JSON", 200, "Content-Type: application/json", "x", false},
		{"JSON with a parameter", 200, "content-type: Application/JSON ; charset=utf-8", "x", false},
		{"problem", 400, "Content-Type: application/problem+json", "x", false},
		{"text", 200, "Content-Type: text/plain; charset=utf-8", "x", false},
		{"picture", 200, "Content-Type: image/png", "x", false},
		{"sound", 200, "Content-Type: audio/ogg; codecs=opus", "x", false},
		{"bytes", 200, "Content-Type: application/octet-stream", "x", false},
		{"nothing", 204, "", "", false},
		{"redirect", 302, "Location: /there", "", false},

		{"HTML", 200, html, "x", true},
		{"HTML without a body", 200, html, "", true},
		{"HTML with a parameter", 200, "content-TYPE:  TEXT/Html ;charset=utf-8", "x", true},
		{"HTML of an error", 404, html, "x", true},
		{"HTML of a redirect", 302, html + "\nLocation: /there", "x", true},
		{"HTML not modified", 304, html, "", true},
		{"not modified", 304, "", "", true},
		{"XHTML", 200, "Content-Type: application/xhtml+xml", "x", true},
		{"SVG", 200, "Content-Type: image/svg+xml", "x", true},
		{"SVG by another name", 200, "Content-Type: image/svg", "x", true},
		{"XML of a picture", 200, "Content-Type: image/unknown+xml", "x", true},
		{"XML", 200, "Content-Type: application/xml", "x", true},
		{"XML as text", 200, "Content-Type: text/xml", "x", true},
		{"PDF", 200, "Content-Type: application/pdf", "x", true},
		{"script", 200, "Content-Type: text/javascript", "x", true},
		{"unknown", 200, "Content-Type: application/x-unknown", "x", true},
		{"parts", 200, "Content-Type: multipart/x-mixed-replace; boundary=b", "x", true},
		{"no type", 200, "", "x", true},
		{"empty type", 200, "Content-Type: ", "x", true},
		{"no media type", 200, "Content-Type: json", "x", true},
		{"any", 200, "Content-Type: */*", "x", true},
		{"any picture", 200, "Content-Type: image/*", "x", true},
		{"a list", 200, "Content-Type: application/json, text/html", "x", true},
		{"a list in a parameter", 200, "Content-Type: application/json;a=b,text/html", "x", true},
		{"a control character", 200, "Content-Type: application/json\x0bx", "x", true},
		{"two fields", 200, "Content-Type: application/json\nContent-Type: text/html", "x", true},
		{"a policy that allows all", 200, html + "\nContent-Security-Policy: sandbox allow-same-origin allow-scripts", "x", true},
		{"a policy of JSON", 304, "Content-Type: application/json\ncontent-security-policy: default-src *", "", true},
		{"sniffing allowed", 200, html + "\nx-content-type-options: sniff", "x", true},
	} {
		r := &exchange.Response{Status: c.status, Body: []byte(c.body)}
		for line := range strings.Lines(c.fields) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			r.Header = append(r.Header, exchange.Field{Name: name, Value: value})
		}
		before := len(r.Header)
		Sandbox(r)
		policies := r.Header.Values("Content-Security-Policy")
		got := len(policies) > 0 && policies[len(policies)-1] == sandboxPolicy &&
			strings.Join(r.Header.Values("X-Content-Type-Options"), ",") == "nosniff"
		if got != c.want || !c.want && len(r.Header) != before {
			t.Errorf("%s: %v", c.name, r.Header)
		}
		if saved, _ := r.Header.Get("Content-Disposition"); (saved == "attachment") != (c.name == "parts" || c.name == "two fields") {
			t.Errorf("%s: Content-Disposition: %s", c.name, saved)
		}
	}
	if strings.Contains(sandboxPolicy, "same-origin") || strings.Contains(sandboxPolicy, "escape") {
		t.Error(sandboxPolicy)
	}
}
