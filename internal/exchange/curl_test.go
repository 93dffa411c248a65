package exchange

import (
	"os/exec"
	"testing"
)

func TestQuoteShell(t *testing.T) {
	tests := []struct{ text, want string }{
		{"plain", "'plain'"},
		{"it's", `'it'\''s'`},
		{"two\nlines\tand a tab", `$'two\nlines\tand a tab'`},
		{"\x1b[31mred\\ it's\n", `$'\x1b[31mred\\ it\'s\n'`},
		{"a\u202eb", `$'a\xe2\x80\xaeb'`},
		{"\xff\x7f\u0085", `$'\xff\x7f\xc2\x85'`},
	}
	for _, test := range tests {
		got := quoteShell(test.text)
		if got != test.want {
			t.Errorf("%q: got %s, want %s", test.text, got, test.want)
		}
		if out, err := exec.Command("bash", "-c", "printf %s "+got).Output(); err != nil || string(out) != test.text {
			t.Errorf("bash reads %q from %s (%v)", out, got, err)
		}
	}
}

// TestInsecure prints --insecure only if the run takes any certificate.
func TestInsecure(t *testing.T) {
	request := &Request{Method: "GET", Path: "/a", Header: Header{{Name: "Authorization", Value: "Bearer secret"}}}
	for _, test := range []struct {
		origin   string
		insecure bool
		want     string
	}{
		{"https://h", false, "curl 'https://h/a' -H 'Authorization: Bearer secret'"},
		{"https://h", true, "curl 'https://h/a' --insecure -H 'Authorization: Bearer secret'"},
		{"http://h", true, "curl 'http://h/a' -H 'Authorization: Bearer secret'"},
	} {
		shell := Shell{Insecure: test.insecure}
		if got := shell.Curl(test.origin, request); got != test.want {
			t.Errorf("%s, %t: %s", test.origin, test.insecure, got)
		}
	}
}

// Fields that curl adds itself are left out: recordings have them.
func TestCurlsOwnFields(t *testing.T) {
	r := &Request{Method: "POST", Path: "/a", Body: []byte("{}"), Header: Header{
		{Name: "Host", Value: "h:80"}, {Name: "Accept", Value: "*/*"}, {Name: "Content-Length", Value: "2"},
		{Name: "Content-Type", Value: "application/json"}, {Name: "X-A", Value: "1"},
	}}
	want := "curl 'http://h:80/a' -H 'Content-Type: application/json' -H 'X-A: 1' -d '{}'"
	if got := new(Shell).Curl("http://h:80", r); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want = "curl 'http://other/a' -H 'Host: h:80' -H 'Content-Type: application/json' -H 'X-A: 1' -d '{}'"
	if got := new(Shell).Curl("http://other", r); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
