package httpserver

import (
	"fmt"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

// TestFields writes no field that another one could hide in.
func TestFields(t *testing.T) {
	got := fields(exchange.Header{
		{Name: "X-A", Value: "1\r\nSet-Cookie: a=b\x00\x7f\t"}, {Name: "X-B\r\nSet-Cookie", Value: "a=b"}, {Name: "", Value: "c"},
		{Name: "Location:", Value: "/"}, {Name: "HTTP/1.1", Value: "200"}, {Name: "X C", Value: "d"}, {Name: "X-É", Value: "e"}, {Name: "X-D", Value: "é"},
	})
	if want := "[{X-A 1  Set-Cookie: a=b  \t} {X-D é}]"; fmt.Sprint(got) != want {
		t.Errorf("got %q", got)
	}
}

// TestHosts answers to this machine's names and those that were given, not to one that a page has resolve to it.
func TestHosts(t *testing.T) {
	hosts := Hosts{"mock", "*.Example.com"}
	for host, want := range map[string]bool{
		"": true, "localhost": true, "LOCALHOST:4010": true, "a.localhost": true, "127.0.0.1:80": true, "[::1]:4010": true, "::1": true, "192.168.0.7": true,
		"mock:4010": true, "MOCK": true, "api.example.com": true, "example.com": false, "evilexample.com": false, "evil.test": false, "localhost.evil.test": false,
		"127.0.0.1.evil.test": false, "localhost.": false, "user@localhost": false, "127.0.0.1.": false, "mock.": false, "evillocalhost": false,
	} {
		if hosts.Allow(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
	if !(Hosts{"*"}).Allow("any.test") || !hosts.AllowOrigin("http://localhost:3000") || hosts.AllowOrigin("null") || hosts.AllowOrigin("https://evil.test") {
		t.Error("an origin, or any name")
	}
}
