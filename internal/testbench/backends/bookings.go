package backends

import (
	"encoding/json"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"
)

var newBooking = object(closed("accepts-unknown-booking-property"),
	need("guest", "accepts-missing-guest", "accepts-null-guest", "guest", str("accepts-number-guest"),
		minLength(1, "accepts-empty-guest"), maxLength(60, "accepts-long-guest"),
		only("refuses-guest-of-60", maxLength(59, "")),
		changes("cuts-guest-at-30", func(v any) any { return cutAt(v, 30) })),
	need("start", "accepts-missing-start", "", "2026-01-01T00:00:00Z", str(""), format("date-time", "accepts-any-start"),
		only("refuses-offset-in-start", pattern(`[zZ]$`, ""))),
	need("minutes", "accepts-missing-minutes", "", json.Number("15"), integer("accepts-text-minutes", ""),
		above("0", "accepts-zero-minutes"), maximum("480", "accepts-long-booking"), multipleOf("15", "accepts-odd-minutes"),
		only("refuses-480-minutes", below("480", ""))),
	filled("people", json.Number("1"), "forgets-default-people", integer("", ""), minimum("1", "accepts-no-people"),
		below("100", "accepts-100-people")),
	may("note", nullable("refuses-null-note", str("accepts-number-note"), maxLength(140, "accepts-long-note"),
		crashes("fails-on-long-note", func(v any) bool { s, _ := v.(string); return utf8.RuneCountInString(s) > 100 }),
		changes("drops-line-breaks", func(v any) any { s, _ := v.(string); return strings.ReplaceAll(s, "\n", " ") }))),
	may("extras", list("accepts-single-extra", str(""), onlyFirst("checks-only-first-extra",
		oneOfWords("accepts-unknown-extra", "", "coffee", "projector", "catering"))),
		minItems(1, "accepts-no-extras"), maxItems(2, "accepts-three-extras"), uniqueItems("accepts-same-extra-twice"),
		changes("sorts-extras", func(v any) any {
			items, _ := v.([]any)
			if len(items) == 2 && order(items[0], items[1]) > 0 {
				return []any{items[1], items[0]}
			}
			return v
		})),
	may("deposit", number("accepts-text-deposit"), above("0", "accepts-no-deposit"),
		multipleOf("0.5", "accepts-odd-deposit"), maximum("1000000", "")),
	given("id", "takes-booking-id"),
	given("roomId", "takes-room-id"),
	given("status", "takes-status"),
)

func bookingRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/json"}, rule: newBooking}
	return []operation{
		{name: "list-bookings", place: "bookings", method: "GET", path: "/rooms/{roomId}/bookings", guard: either,
			handle: listBookings},
		{name: "create-booking", place: "bookings", method: "POST", path: "/rooms/{roomId}/bookings", guard: both,
			body: body, handle: createBooking},
		{name: "read-booking", place: "booking", method: "GET", path: "/rooms/{roomId}/bookings/{bookingId}", guard: either,
			handle: readBooking},
		{name: "replace-booking", place: "booking", method: "PUT", path: "/rooms/{roomId}/bookings/{bookingId}",
			guard: bearer, body: body, handle: replaceBooking},
		{name: "delete-booking", place: "booking", method: "DELETE", path: "/rooms/{roomId}/bookings/{bookingId}",
			guard: bearer, handle: deleteBooking},
		{name: "confirm-booking", place: "confirmation", method: "POST",
			path: "/rooms/{roomId}/bookings/{bookingId}/confirmation", guard: bearer, handle: confirmBooking},
	}
}

func (s *Server) bookingsOf(room string) *collection {
	if s.has("bookings-of-all-rooms-mix") {
		return s.collection("bookings")
	}
	return s.collection("bookings of " + room)
}

func showBooking(c *call, i *item) map[string]any {
	switch {
	case c.has("loses-start"):
		return without(i.values, "start")
	case c.has("writes-unknown-status"):
		return changed(i.values, "status", "pending")
	case c.has("writes-short-id"):
		return changed(i.values, "id", i.id[1:])
	case c.has("writes-minutes-as-text"):
		return changed(i.values, "minutes", string(text(i.values["minutes"])))
	case c.has("moves-start"):
		return changed(i.values, "start", "2026-01-01T00:00:00Z")
	}
	return i.values
}

// bookingOf finds the room and the booking of the path, or answers 400 or 404.
func bookingOf(c *call) (*collection, *item) {
	if !uuidText.MatchString(c.path[1]) {
		c.refuse(http.StatusBadRequest, "the identity is no UUID", problem{"bookingId", "is no uuid"})
		return nil, nil
	}
	room := roomOf(c)
	if room == nil {
		return nil, nil
	}
	id := strings.ToLower(c.path[1])
	if found := c.s.bookingsOf(room.id).byID[id]; found != nil {
		return c.s.bookingsOf(room.id), found
	}
	if c.has("under-wrong-room") {
		for _, other := range c.s.collection("rooms").items {
			if found := c.s.bookingsOf(other.id).byID[id]; found != nil {
				return c.s.bookingsOf(other.id), found
			}
		}
	}
	c.refuse(http.StatusNotFound, "the room has no such booking")
	return nil, nil
}

// idempotencyKey reads the header that creations need, or answers 400.
func (c *call) idempotencyKey() (string, bool) {
	key := c.r.Header.Get("Idempotency-Key")
	switch n := utf8.RuneCountInString(key); {
	case key == "" && c.has("needs-no-key"):
		return "", true
	case n == 64 && c.has("refuses-key-of-64"), n == 8 && c.has("refuses-key-of-8"),
		n < 8 && !(n > 0 && c.has("accepts-short-key")), n > 64 && !c.has("accepts-long-key"):
		c.refuse(http.StatusBadRequest, "send a key of 8 to 64 characters",
			problem{"Idempotency-Key", "is missing or has a wrong length"})
		return "", false
	}
	return key, true
}

func createBooking(c *call) {
	room := roomOf(c)
	if room == nil {
		return
	}
	key, ok := c.idempotencyKey()
	if !ok {
		return
	}
	values := c.value.(map[string]any)
	request := room.id + " " + string(text(values))
	if before, again := c.s.remembered[key]; again && !c.s.has("ignores-idempotency-key") {
		if before.header.Get("Request") != request && !c.s.has("accepts-key-for-other-request") {
			c.refuse(http.StatusUnprocessableEntity, "the key was used for another request")
			return
		}
		c.answer = before
		c.answer.header = before.header.Clone()
		c.answer.header.Del("Request")
		if c.s.has("repeats-with-409") {
			c.refuse(http.StatusConflict, "the booking exists")
		}
		if c.s.has("repeats-with-other-id") {
			c.answer.body = c.edit(func(o map[string]any) { o["id"] = c.s.uuid("booking") })
		}
		return
	}
	values = maps.Clone(values)
	if _, taken := values["id"].(string); !taken {
		values["id"] = c.s.uuid("booking")
	}
	if _, taken := values["status"].(string); !taken {
		values["status"] = "held"
	}
	if _, taken := values["roomId"].(string); !taken {
		values["roomId"] = room.id
	}
	booking := c.s.bookingsOf(room.id).add(values["id"].(string), values)
	c.reply(http.StatusCreated, showBooking(c, booking))
	c.set("Location", "/rooms/"+room.id+"/bookings/"+booking.id)
	if key != "" {
		if len(c.s.remembered) >= maxKept {
			clear(c.s.remembered)
		}
		kept := c.answer
		kept.header = c.answer.header.Clone()
		kept.header.Set("Request", request)
		c.s.remembered[key] = kept
	}
	switch {
	case c.s.has("booking-loses-note"):
		booking.values = without(values, "note")
	case c.s.has("booking-is-not-kept"):
		c.s.bookingsOf(room.id).remove(booking.id)
	}
}

func readBooking(c *call) {
	if _, booking := bookingOf(c); booking != nil {
		c.reply(http.StatusOK, showBooking(c, booking))
	}
}

func replaceBooking(c *call) {
	_, booking := bookingOf(c)
	if booking == nil {
		return
	}
	values := maps.Clone(c.value.(map[string]any))
	if c.s.has("put-booking-merges") {
		values = maps.Clone(booking.values)
		maps.Copy(values, c.value.(map[string]any))
	}
	if c.s.has("put-booking-adds-people") {
		values["people"] = json.Number(string(text(min(99, count(booking.values["people"])+count(values["people"])))))
	}
	if n := count(values["people"]); c.s.has("put-booking-again-adds-people") && n == count(booking.values["people"]) {
		values["people"] = json.Number(strconv.Itoa(min(99, n+1)))
	}
	values["id"], values["roomId"], values["status"] = booking.id, booking.values["roomId"], booking.values["status"]
	if !c.s.has("put-booking-is-not-kept") {
		booking.values = values
	}
	c.reply(http.StatusOK, showBooking(c, &item{id: booking.id, values: values}))
}

func deleteBooking(c *call) {
	bookings, booking := bookingOf(c)
	if booking == nil {
		if c.answer.status == http.StatusNotFound && c.s.has("delete-booking-twice-answers-204") {
			c.answer = answer{status: http.StatusNoContent}
		}
		return
	}
	if !c.s.has("booking-stays") {
		bookings.remove(booking.id)
	}
	c.answer.status = http.StatusNoContent
}

func confirmBooking(c *call) {
	_, booking := bookingOf(c)
	switch {
	case booking == nil:
	case booking.values["status"] == "confirmed" && !c.s.has("confirms-twice"):
		c.refuse(http.StatusConflict, "the booking is confirmed already")
	default:
		values := changed(booking.values, "status", "confirmed")
		if !c.s.has("confirmation-is-not-kept") {
			booking.values = values
		}
		c.reply(http.StatusOK, values)
	}
}

func listBookings(c *call) {
	q, ok := c.queries(
		query("limit", integer("", ""), minimum("1", "accepts-booking-limit-of-zero"),
			maximum("50", "accepts-booking-limit-of-51")).numeric().or(json.Number("10"), ""),
		query("cursor"),
		query("status", oneOfWords("accepts-unknown-status-filter", "accepts-status-filter-in-capitals", "held",
			"confirmed")),
		query("extras", list("", oneOfWords("accepts-unknown-extras-filter", "", "coffee", "projector", "catering")),
			uniqueItems("accepts-same-extras-filter-twice"), maxItems(2, "accepts-three-extras-filters")).in(pipes),
	)
	if !ok {
		return
	}
	room := roomOf(c)
	if room == nil {
		if c.s.has("lists-bookings-of-missing-room") {
			c.reply(http.StatusOK, map[string]any{"data": []any{}, "next": nil})
		}
		return
	}
	items := c.s.bookingsOf(room.id).items
	if status, has := q["status"]; has && !c.s.has("status-filter-ignored") {
		items = kept(items, func(i *item) bool { return i.values["status"] == status })
	}
	if extras, has := q["extras"].([]any); has && !c.s.has("extras-filter-ignored") {
		items = kept(items, func(i *item) bool {
			of, _ := i.values["extras"].([]any)
			for _, one := range extras {
				hit := false
				for _, other := range of {
					hit = hit || one == other
				}
				if !hit {
					return false
				}
			}
			return true
		})
	}
	c.cursorPage(items, q, showBooking)
}
