package findings

import (
	"strings"
	"testing"

	"github.com/coldframe/coldframe/report"
	"github.com/coldframe/coldframe/report/exchange"
)

// TestShorten leaves little of a large exchange, says how much is left out, and changes nothing of what it was given.
func TestShorten(t *testing.T) {
	request := &exchange.Request{Method: "POST", Path: "/a", Body: []byte(strings.Repeat("b", 10_000))}
	response := &exchange.Response{Status: 500, Body: []byte(strings.Repeat("b", 10_000))}
	for range 20 {
		response.Header = append(response.Header, exchange.Field{Name: "X", Value: strings.Repeat("v", 1000)})
	}
	s := report.Sent{Request: request, Response: response, Curl: strings.Repeat("c", 10_000), ResponseSize: 10_000}
	before := bytesOf(&s)
	shorten(&s)
	if n := bytesOf(&s); before < 50_000 || n > 12_000 {
		t.Errorf("%d bytes of %d are left", n, before)
	}
	if s.FieldsLeftOut != 4 || s.FieldBytesLeftOut != 4*1001+16*488 || s.ResponseSize != 10_000 ||
		!strings.Contains(s.Curl, "10000 bytes") {
		t.Errorf("%+v", s)
	}
	if len(request.Body) != 10_000 || len(response.Header) != 20 || len(response.Header[0].Value) != 1000 {
		t.Error("the exchange that it is made of has changed")
	}
	small := report.Sent{Request: &exchange.Request{Body: []byte("b")}, Response: &exchange.Response{}, Curl: "curl"}
	if shorten(&small); string(small.Request.Body) != "b" || small.Curl != "curl" || small.FieldsLeftOut != 0 {
		t.Errorf("%+v", small)
	}
}
