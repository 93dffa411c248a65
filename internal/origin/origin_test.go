package origin

import "testing"

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
