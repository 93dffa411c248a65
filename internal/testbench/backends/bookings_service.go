package backends

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
)

//go:embed bookings.yaml
var bookingsDocument []byte

// bookingsService is rooms and their bookings: cursors, entity tags, idempotency
// keys, both kinds of patches, a discriminator and a singleton.
func bookingsService() Service {
	return Service{
		Name:        "bookings",
		Document:    bookingsDocument,
		Credentials: map[string]string{"token": staffToken, "key": apiKey},
		Header: http.Header{
			"Authorization": {"Bearer " + staffToken},
			"X-Api-Key":     {apiKey},
		},
		routes: func(s *Server) []operation {
			return slices.Concat(roomRoutes(s), bookingRoutes(s), labelRoutes(s), settingRoutes(s))
		},
		errors: errorObject,
		reset: func(s *Server) {
			s.single = map[string]any{"opens": "08:00", "closes": "20:00", "currency": "EUR", "maxMinutes": json.Number("240")}
			s.keepRoom(map[string]any{"kind": "hall", "name": "Atrium", "open": true, "seats": json.Number("120"),
				"stage": true})
			s.keepRoom(map[string]any{"kind": "desk", "name": "Window", "open": true, "floor": json.Number("2"),
				"monitors": json.Number("1")})
		},
	}
}

// errorObject wraps a code and a message.
var errorObject = dialect{"application/json", "error", func(status int, detail string, problems []problem) any {
	for _, p := range problems {
		detail += "; " + p.Field + " " + p.Problem
	}
	return map[string]any{"error": map[string]any{"code": status, "message": detail}}
}}
