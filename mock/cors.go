package mock

import (
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// preflight answers a browser that asks whether it may send a request from
// another origin (https://fetch.spec.whatwg.org/#cors-preflight-request): any
// may, since a mock has nothing to protect.
func (x *visit) preflight() bool {
	if x.options.CORS == "off" || x.request.Method != "OPTIONS" {
		return true
	}
	method, ok := x.request.Header.Get("Access-Control-Request-Method")
	if _, has := x.request.Header.Get("Origin"); !ok || !has {
		return true
	}
	methods := x.allow()
	if methods == "" {
		methods = method
	}
	x.response = exchange.Response{Status: 204, Header: exchange.Header{
		{Name: "Access-Control-Allow-Methods", Value: methods},
		{Name: "Access-Control-Max-Age", Value: "600"},
	}}
	if fields, ok := x.request.Header.Get("Access-Control-Request-Headers"); ok {
		x.response.Header.Set("Access-Control-Allow-Headers", fields)
	}
	if _, ok := x.request.Header.Get("Access-Control-Request-Private-Network"); ok {
		x.response.Header.Set("Access-Control-Allow-Private-Network", "true")
	}
	return false
}

// finish adds the fields that every answer may carry.
func (x *visit) finish() {
	if x.response.Status == 401 && x.operation != nil { // RFC 9110 section 15.5.2
		x.challenge()
	}
	if applied := x.preferences.text(); applied != "" {
		x.response.Header.Set("Preference-Applied", applied)
	}
	if x.options.CORS == "off" {
		return
	}
	origin, ok := x.request.Header.Get("Origin")
	if !ok {
		return
	}
	var exposed []string
	for _, f := range x.response.Header {
		if f.Name != "Content-Type" && !strings.HasPrefix(f.Name, "Access-Control-") {
			exposed = append(exposed, f.Name)
		}
	}
	x.response.Header = append(x.response.Header,
		exchange.Field{Name: "Access-Control-Allow-Origin", Value: origin},
		exchange.Field{Name: "Access-Control-Allow-Credentials", Value: "true"},
		exchange.Field{Name: "Vary", Value: "Origin"})
	if len(exposed) > 0 {
		x.response.Header.Set("Access-Control-Expose-Headers", strings.Join(exposed, ", "))
	}
}
