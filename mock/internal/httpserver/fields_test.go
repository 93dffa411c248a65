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
