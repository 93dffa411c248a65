package backends

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
)

//go:embed kiosk.yaml
var kioskDocument []byte

// kioskService sells tickets: forms, XML and plain text, parameters of every
// place and style, HEAD and OPTIONS.
func kioskService() Service {
	return Service{
		Name:        "kiosk",
		Document:    kioskDocument,
		Header:      http.Header{"Cookie": {"session=" + apiKey}},
		Credentials: map[string]string{"session": apiKey, "counter": apiKey},
		routes: func(s *Server) []operation {
			return slices.Concat(ticketRoutes(s), orderRoutes(s), rateRoutes(s))
		},
		errors: dialect{kind: "text/plain; charset=utf-8", body: func(status int, detail string, problems []problem) any {
			for _, p := range problems {
				detail += "; " + p.Field + " " + p.Problem
			}
			return strconv.Itoa(status) + " " + detail
		}},
		reset: func(s *Server) {
			s.keepTicket(map[string]any{"name": "Ada Lovelace", "age": json.Number("36"), "class": "adult",
				"seats": []any{"A1"}, "newsletter": false})
			s.keepTicket(map[string]any{"name": "Charles Babbage", "age": json.Number("60"), "class": "senior",
				"seats": []any{"B1", "B2"}, "newsletter": true})
		},
	}
}
