package httpserver

import (
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestForwarded reads what proxies say of the address that the client knows.
func TestForwarded(t *testing.T) {
	field := func(name, value string) exchange.Field { return exchange.Field{Name: name, Value: value} }
	host := field("Host", "127.0.0.1:4010")
	for _, test := range []struct {
		header exchange.Header
		want   string
	}{
		{exchange.Header{host}, ""},
		{exchange.Header{host, field("X-Forwarded-Proto", "https")}, "https://127.0.0.1:4010"},
		{exchange.Header{host, field("X-Forwarded-Host", "mock.example.com")}, "http://mock.example.com"},
		{exchange.Header{host, field("X-Forwarded-Proto", "HTTPS , http"), field("X-Forwarded-Host", "a.example.com:8443, b.example.com")},
			"https://a.example.com:8443"},
		{exchange.Header{host, field("Forwarded", `for=192.0.2.60;proto=https; Host="[2001:db8::1]:8443";by="a;b,c", proto=http;host=b`)},
			"https://[2001:db8::1]:8443"},
		{exchange.Header{host, field("Forwarded", `for=192.0.2.60`), field("X-Forwarded-Proto", "https")}, ""},
		{exchange.Header{host, field("Forwarded", ``), field("X-Forwarded-Proto", ``)}, ""},
		{exchange.Header{host, field("Forwarded", `;,"`)}, ""},
		{exchange.Header{host, field("X-Forwarded-Proto", "javascript"), field("X-Forwarded-Host", `a"b`)}, ""},
		{exchange.Header{host, field("X-Forwarded-Host", "user@evil.example.com")}, ""},
		{exchange.Header{host, field("X-Forwarded-Host", "a.example.com/path?x")}, ""},
		{exchange.Header{host, field("X-Forwarded-Host", "a b")}, ""},
	} {
		if got := ForwardedOrigin(test.header, "http://localhost"); got != test.want {
			t.Errorf("%v: %q, want %q", test.header[1:], got, test.want)
		}
	}
}
