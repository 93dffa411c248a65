package backends

import (
	"encoding/json"
	"net/http"
	"strconv"
)

// partnerRoutes are the carriers and lockers that parcels refer to.
func partnerRoutes(*Server) []operation {
	name := all(str(""), minLength(1, ""), maxLength(30, ""))
	var routes []operation
	for _, of := range [][3]string{{"carriers", "carrier", "name"}, {"lockers", "locker", "place"}} {
		kind, one, property := of[0], of[1], of[2]
		body := &bodyRule{kinds: []string{"application/json"}, rule: object(closed(""),
			need(property, "", "", one, name), given("id", ""))}
		routes = append(routes,
			operation{name: "list-" + kind, place: kind, method: "GET", path: "/" + kind, guard: keyed, handle: func(c *call) {
				if q, ok := c.queries(depotLimit, query("cursor")); ok {
					c.cursorPage(c.s.collection(kind).items, q, func(_ *call, i *item) map[string]any { return i.values })
				}
			}},
			operation{name: "create-" + one, place: kind, method: "POST", path: "/" + kind, guard: keyed, body: body,
				handle: func(c *call) {
					i := c.s.keepPartner(kind, c.value.(map[string]any))
					c.reply(http.StatusCreated, i.values)
					c.set("Location", "/"+kind+"/"+i.id)
				}},
			operation{name: "read-" + one, place: one, method: "GET", path: "/" + kind + "/{id}", guard: keyed,
				handle: func(c *call) {
					if i := partnerOf(c, kind); i != nil {
						c.reply(http.StatusOK, i.values)
					}
				}})
	}
	return append(routes, operation{name: "delete-carrier", place: "carrier", method: "DELETE", path: "/carriers/{id}",
		guard: keyed, handle: deleteCarrier})
}

var depotLimit = query("limit", integer("", ""), minimum("1", ""), maximum("50", "")).numeric().or(json.Number("10"), "")

func (s *Server) keepPartner(kind string, values map[string]any) *item {
	n := s.next(kind)
	return s.collection(kind).add(strconv.Itoa(n), changed(values, "id", n))
}

func partnerOf(c *call, kind string) *item {
	id, ok := c.number(0, "id")
	if !ok {
		return nil
	}
	found := c.s.collection(kind).byID[id]
	if found == nil {
		c.refuse(http.StatusNotFound, "there is none")
	}
	return found
}

func deleteCarrier(c *call) {
	i := partnerOf(c, "carriers")
	if i == nil {
		return
	}
	for _, tenant := range []string{"north", "south"} {
		for _, parcel := range c.s.parcels(tenant).items {
			if strconv.Itoa(count(parcel.values["carrierId"])) == i.id && !c.s.has("deletes-used-carrier") {
				if c.s.has("refused-deletion-renames-carrier") {
					i.values = changed(i.values, "name", "removed")
				}
				c.refuse(http.StatusConflict, "carrier_in_use")
				return
			}
		}
	}
	c.s.collection("carriers").remove(i.id)
	c.answer.status = http.StatusNoContent
}
