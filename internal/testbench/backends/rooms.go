package backends

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
)

var (
	roomName = all(str("accepts-number-name"), minLength(1, "accepts-empty-name"), maxLength(40, "accepts-long-name"),
		only("refuses-name-of-40", maxLength(39, "")),
		only("counts-name-in-bytes", maxBytes(40)),
		crashes("fails-on-percent-in-name", contains("%")))
	roomRate = all(integer("accepts-text-rate", ""), minimum("0", "accepts-negative-rate"), maximum("100000", "accepts-high-rate"),
		only("refuses-rate-of-zero", above("0", "")))
	hall = object(closed("accepts-unknown-hall-property"),
		need("kind", "", "", nil, str("")),
		need("name", "accepts-hall-without-name", "", "hall", roomName),
		filled("open", true, "forgets-default-open", boolean("accepts-text-open")),
		may("rate", roomRate),
		need("seats", "accepts-hall-without-seats", "accepts-null-seats", json.Number("1"), integer("accepts-text-seats", "accepts-half-seats"), minimum("1", "accepts-no-seats"), maximum("500", "accepts-many-seats"),
			only("refuses-500-seats", below("500", ""))),
		filled("stage", false, "forgets-default-stage", boolean("accepts-text-stage")),
	)
	desk = object(closed("accepts-unknown-desk-property"),
		need("kind", "", "", nil, str("")),
		need("name", "accepts-desk-without-name", "", "desk", roomName),
		filled("open", true, "forgets-default-open", boolean("accepts-text-open")),
		may("rate", roomRate),
		need("floor", "accepts-desk-without-floor", "", json.Number("0"), integer("accepts-text-floor", ""), minimum("-5", "accepts-low-floor"), maximum("60", "accepts-high-floor"),
			only("refuses-negative-floor", minimum("0", ""))),
		filled("monitors", json.Number("1"), "forgets-default-monitors", integer("", ""), minimum("0", "accepts-negative-monitors"), maximum("4", "accepts-five-monitors"),
			changes("no-monitors-becomes-one", func(v any) any {
				if same(v, json.Number("0")) {
					return json.Number("1")
				}
				return v
			})),
	)
)

// newRoom chooses by the kind.
func newRoom(k *check, at string, value any) any {
	sent, ok := value.(map[string]any)
	if !ok {
		k.report("", at, "must be an object")
		return value
	}
	kind := sent["kind"]
	if text, isText := kind.(string); isText && k.s.has("accepts-kind-in-capitals") {
		kind = lowered(text)
	}
	switch {
	case kind == "hall" && k.s.has("accepts-desk-properties-on-hall"):
		return hall(k, at, without(sent, "floor", "monitors"))
	case kind == "hall":
		return hall(k, at, sent)
	case kind == "desk":
		return desk(k, at, sent)
	case kind == nil && k.s.has("accepts-missing-kind"), k.s.has("accepts-unknown-kind") && kind != nil:
		return hall(k, at, changed(sent, "kind", "hall"))
	}
	if kind != nil && k.s.has("fails-on-unknown-kind") {
		k.crash = "no such class"
	}
	k.report("", at+"/kind", "must be hall or desk")
	return value
}

func roomRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/json"}, rule: newRoom}
	patch := &bodyRule{kinds: []string{"application/merge-patch+json", "application/json-patch+json"}}
	return []operation{
		{name: "list-rooms", place: "rooms", method: "GET", path: "/rooms", guard: keyed, handle: listRooms},
		{name: "create-room", place: "rooms", method: "POST", path: "/rooms", guard: keyed, body: body, handle: createRoom},
		{name: "read-room", place: "room", method: "GET", path: "/rooms/{roomId}", guard: keyed, handle: readRoom},
		{name: "replace-room", place: "room", method: "PUT", path: "/rooms/{roomId}", guard: keyed, body: body,
			handle: replaceRoom},
		{name: "patch-room", place: "room", method: "PATCH", path: "/rooms/{roomId}", guard: keyed, body: patch,
			handle: patchRoom},
		{name: "delete-room", place: "room", method: "DELETE", path: "/rooms/{roomId}", guard: keyed, handle: deleteRoom},
	}
}

func (s *Server) keepRoom(values map[string]any) *item {
	n := strconv.Itoa(s.next("room"))
	values = maps.Clone(values)
	values["id"], values["version"] = "r"+n, json.Number("1")
	return s.collection("rooms").add("r"+n, values)
}

// showRoom is what a room looks like in an answer.
func showRoom(c *call, i *item) map[string]any {
	switch {
	case c.has("loses-kind"):
		return without(i.values, "kind")
	case c.has("gives-desks-seats") && i.values["kind"] == "desk":
		return changed(i.values, "seats", json.Number("1"))
	case c.has("loses-floor") && i.values["kind"] == "desk":
		return without(i.values, "floor")
	case c.has("loses-version"):
		return without(i.values, "version")
	case c.has("writes-unknown-kind"):
		return changed(i.values, "kind", "room")
	case c.has("adds-owner"):
		return changed(i.values, "owner", nil)
	case c.has("writes-name-as-object"):
		return changed(i.values, "name", map[string]any{"en": i.values["name"]})
	}
	return i.values
}

func roomOf(c *call) *item {
	room := c.s.collection("rooms").byID[c.path[0]]
	if room == nil {
		if gone := c.s.collection("former-rooms").byID[c.path[0]]; gone != nil && c.has("shows-deleted") {
			return gone
		}
		c.refuse(http.StatusNotFound, "there is no such room")
	}
	return room
}

func createRoom(c *call) {
	room := c.s.keepRoom(c.value.(map[string]any))
	c.reply(http.StatusCreated, showRoom(c, room))
	c.tag(room)
	c.set("Location", "/rooms/"+room.id)
	if c.s.has("location-of-room-is-list") {
		c.set("Location", "/rooms?id="+room.id+"&deleted=1")
	}
	if c.s.has("room-becomes-hall") && room.values["kind"] == "desk" {
		room.values = changed(without(room.values, "floor", "monitors"), "seats", json.Number("1"))
		room.values["kind"], room.values["stage"] = "hall", false
	}
}

func readRoom(c *call) {
	room := roomOf(c)
	if room == nil {
		return
	}
	if c.s.has("cannot-read-desks") && room.values["kind"] == "desk" {
		c.refuse(http.StatusNotFound, "there is no such room")
		return
	}
	if c.unchanged(room) {
		return
	}
	c.reply(http.StatusOK, showRoom(c, room))
	c.tag(room)
}

// renew keeps a room's new values as its next version.
func (c *call) renew(room *item, values map[string]any) {
	values = maps.Clone(values)
	version := count(room.values["version"]) + 1
	values["id"], values["version"] = room.values["id"], json.Number(strconv.Itoa(version))
	if c.has("is-not-kept") {
		c.reply(http.StatusOK, values)
		c.tag(&item{id: room.id, values: values})
		return
	}
	room.values = values
	c.reply(http.StatusOK, showRoom(c, room))
	c.tag(room)
}

func replaceRoom(c *call) {
	room := roomOf(c)
	if room == nil || !c.matches(room, true) {
		return
	}
	values := c.value.(map[string]any)
	if c.s.has("put-room-keeps-kind") {
		values = changed(values, "kind", room.values["kind"])
	}
	if c.s.has("put-room-adds-seats") && values["seats"] != nil {
		values = changed(values, "seats", json.Number(strconv.Itoa(min(500,
			count(room.values["seats"])+count(values["seats"])))))
	}
	c.renew(room, values)
}

func deleteRoom(c *call) {
	room := roomOf(c)
	if room == nil {
		if c.s.has("delete-room-twice-answers-204") {
			c.answer = answer{status: http.StatusNoContent}
		}
		return
	}
	if !c.matches(room, false) {
		return
	}
	if len(c.s.bookingsOf(room.id).items) > 0 && !c.s.has("deletes-booked-room") {
		c.refuse(http.StatusConflict, "the room is booked")
		return
	}
	if !c.s.has("room-stays-listed") {
		c.s.collection("rooms").remove(room.id)
	} else {
		delete(c.s.collection("rooms").byID, room.id)
	}
	c.s.collection("former-rooms").add(room.id, room.values)
	c.answer.status = http.StatusNoContent
}

func listRooms(c *call) {
	q, ok := c.queries(
		query("limit", integer("", ""), minimum("1", "accepts-limit-of-zero"),
			maximum("50", "accepts-limit-of-51")).numeric().or(json.Number("10"), ""),
		query("cursor"),
		query("kind", oneOfWords("accepts-unknown-kind-filter", "", "hall", "desk")),
	)
	if !ok {
		return
	}
	items := c.s.collection("rooms").items
	if c.s.has("rooms-newest-first") {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	if kind, has := q["kind"]; has && !c.s.has("kind-filter-ignored") {
		items = kept(items, func(i *item) bool { return i.values["kind"] == kind })
	}
	c.cursorPage(items, q, showRoom)
}
