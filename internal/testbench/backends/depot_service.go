package backends

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
)

//go:embed depot.yaml
var depotDocument []byte

// depotService is parcels on their way: references in the branches of a oneOf, actions with states, tenants by a header
// field, pages by cursors, entity tags, files, tables, lines, and several items of one request.
func depotService() Service {
	return Service{
		Name:        "depot",
		Document:    depotDocument,
		Credentials: map[string]string{"key": apiKey},
		Header:      http.Header{"X-Api-Key": {apiKey}, "X-Tenant": {"north"}},
		routes: func(s *Server) []operation {
			return slices.Concat(partnerRoutes(s), parcelRoutes(s), waybillRoutes(s), shelfRoutes(s))
		},
		errors: dialect{"application/json", "message", func(_ int, detail string, problems []problem) any {
			for _, p := range problems {
				detail += "; " + p.Field + " " + p.Problem
			}
			return map[string]any{"message": detail}
		}},
		reset: func(s *Server) {
			s.keepPartner("carriers", map[string]any{"name": "Snail & Sons"})
			s.keepPartner("lockers", map[string]any{"place": "North Station"})
			for _, tenant := range []string{"north", "south"} {
				s.keepParcel(tenant, map[string]any{"reference": "PX-1", "weight": json.Number("900"),
					"carrierId": json.Number("1"), "fragile": false,
					"destination": map[string]any{"kind": "locker", "lockerId": json.Number("1")}})
			}
		},
	}
}
