package scripted

import (
	"slices"
	"testing"

	"github.com/coldframe/coldframe/internal/exchange"
)

func TestBackend(t *testing.T) {
	b, err := Parse("# pets\nonce GET /pets* -> 503\nGET /pets?* -> 200 | Link: </pets?at={n}>; rel=\"next\" | [{\"id\": {n}}]\n")
	if err != nil {
		t.Fatal(err)
	}
	var last *exchange.Response
	for _, path := range []string{"/pets", "/pets", "/pets"} {
		last = b.Answer(&exchange.Request{Method: "GET", Path: path, Query: "q=1"})
	}
	b.Answer(&exchange.Request{Method: "POST", Path: "/pets", Body: []byte("{}")})
	if link, _ := last.Header.Get("Link"); link != `</pets?at=2>; rel="next"` || string(last.Body) != `[{"id": 2}]` {
		t.Errorf("%s %s", link, last.Body)
	}
	if want, got := []string{"GET /pets?q=1 -> 503", "GET /pets?q=1 -> 200", "GET /pets?q=1 -> 200", "POST /pets {} -> 404"}, b.Asked(); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if _, err := Parse("GET /pets 200"); err == nil {
		t.Error("no error")
	}
}
