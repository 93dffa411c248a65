package httpserver

import (
	"net/http"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/origin"
)

// AllowOrigin lets pages of the request's origin read the response. Pages of this machine and of allowed hosts may
// also do so if the browser adds cookies or certificates to the request.
func AllowOrigin(r *exchange.Request, answer *exchange.Response, hosts origin.Hosts) {
	page, ok := r.Header.Get("Origin")
	if !ok {
		return
	}
	var exposed []string
	for _, f := range answer.Header {
		if f.Name != "Content-Type" && !strings.HasPrefix(f.Name, "Access-Control-") {
			exposed = append(exposed, f.Name)
		}
	}
	answer.Header.Set("Access-Control-Allow-Origin", page) // also if the document has the field
	if hosts.AllowOrigin(page) {
		answer.Header.Set("Access-Control-Allow-Credentials", "true")
	}
	answer.Header = append(answer.Header, exchange.Field{Name: "Vary", Value: "Origin"})
	if len(exposed) > 0 {
		answer.Header.Set("Access-Control-Expose-Headers", strings.Join(exposed, ", "))
	}
}

// AllowOriginOf lets pages of the request's origin read a response, whatever the upstream allows.
func AllowOriginOf(r *exchange.Request, answer http.Header, hosts origin.Hosts) {
	for name := range answer {
		if strings.HasPrefix(name, "Access-Control-") {
			answer.Del(name)
		}
	}
	response := exchange.Response{Header: Fields(answer)}
	AllowOrigin(r, &response, hosts)
	for _, f := range response.Header {
		if strings.HasPrefix(f.Name, "Access-Control-") {
			answer.Set(f.Name, f.Value)
		}
	}
	if !slices.Contains(answer.Values("Vary"), "Origin") {
		answer.Add("Vary", "Origin")
	}
}
