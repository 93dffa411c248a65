package mock

import (
	"cmp"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// preflight answers a browser that asks whether it may send a request from
// another origin (https://fetch.spec.whatwg.org/#cors-preflight-request): any
// may, since a mock has nothing to protect. It is nil for other requests.
func (c *contract) preflight(r *exchange.Request) *exchange.Response {
	if r.Method != "OPTIONS" {
		return nil
	}
	method, ok := r.Header.Get("Access-Control-Request-Method")
	if _, has := r.Header.Get("Origin"); !ok || !has {
		return nil
	}
	answer := &exchange.Response{Status: 204, Header: exchange.Header{
		{Name: "Access-Control-Allow-Methods", Value: cmp.Or(c.allowed(r.Path), method)},
		{Name: "Access-Control-Max-Age", Value: "600"},
	}}
	if fields, ok := r.Header.Get("Access-Control-Request-Headers"); ok {
		answer.Header.Set("Access-Control-Allow-Headers", fields)
	}
	if _, ok := r.Header.Get("Access-Control-Request-Private-Network"); ok {
		answer.Header.Set("Access-Control-Allow-Private-Network", "true")
	}
	return answer
}

// allowOrigin lets pages of the origin that a request names read its answer.
func allowOrigin(r *exchange.Request, answer *exchange.Response) {
	origin, ok := r.Header.Get("Origin")
	if !ok {
		return
	}
	var exposed []string
	for _, f := range answer.Header {
		if f.Name != "Content-Type" && !strings.HasPrefix(f.Name, "Access-Control-") {
			exposed = append(exposed, f.Name)
		}
	}
	answer.Header = append(answer.Header,
		exchange.Field{Name: "Access-Control-Allow-Origin", Value: origin},
		exchange.Field{Name: "Access-Control-Allow-Credentials", Value: "true"},
		exchange.Field{Name: "Vary", Value: "Origin"})
	if len(exposed) > 0 {
		answer.Header.Set("Access-Control-Expose-Headers", strings.Join(exposed, ", "))
	}
}
