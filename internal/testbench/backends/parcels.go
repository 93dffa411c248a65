package backends

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

var (
	reference  = all(integer("", ""), minimum("1", ""), maximum("999999999", ""))
	parcelNote = all(str(""), maxLength(100, ""))
	newParcel  = object(closed(""),
		need("reference", "", "", "x", str(""), minLength(1, ""), maxLength(24, "")),
		need("weight", "", "", json.Number("1"), integer("", ""), minimum("1", ""), maximum("30000", "")),
		need("carrierId", "", "", json.Number("1"), reference),
		need("destination", "", "", nil, exactlyOne("", "",
			branch{ofKind("locker"), object(closed(""), need("kind", "", "", "locker", str("")), need("lockerId", "", "", json.Number("1"), reference))},
			branch{ofKind("address"), object(closed(""), need("kind", "", "", "address", str("")),
				need("street", "", "", "x", str(""), minLength(1, ""), maxLength(60, "")),
				need("city", "", "", "x", str(""), minLength(1, ""), maxLength(40, "")))},
		)),
		may("note", parcelNote),
		filled("fragile", false, "", boolean("")),
	)
	parcelPatch = object(closed(""), may("note", nullable("", parcelNote)), may("fragile", boolean("")))
)

func ofKind(kind string) func(map[string]any) bool {
	return func(object map[string]any) bool { return object["kind"] == kind }
}

func parcelRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/json"}, rule: newParcel}
	patch := &bodyRule{kinds: []string{"application/merge-patch+json"}, rule: parcelPatch}
	const one = "/parcels/{parcelId}"
	return []operation{
		{name: "list-parcels", place: "parcels", method: "GET", path: "/parcels", guard: keyed, handle: listParcels},
		{name: "create-parcel", place: "parcels", method: "POST", path: "/parcels", guard: keyed,
			body: body, handle: createParcel},
		{name: "read-parcel", place: "parcel", method: "GET", path: one, guard: keyed, handle: readParcel},
		{name: "replace-parcel", place: "parcel", method: "PUT", path: one, guard: keyed, body: body, handle: replaceParcel},
		{name: "patch-parcel", place: "parcel", method: "PATCH", path: one, guard: keyed, body: patch, handle: patchParcel},
		{name: "delete-parcel", place: "parcel", method: "DELETE", path: one, guard: keyed, handle: deleteParcel},
		{name: "dispatch-parcel", place: "dispatch", method: "POST", path: one + "/dispatch", guard: keyed,
			handle: moveParcel("dispatched", "registered")},
		{name: "deliver-parcel", place: "deliver", method: "POST", path: one + "/deliver", guard: keyed,
			handle: moveParcel("delivered", "dispatched")},
		{name: "cancel-parcel", place: "cancel", method: "POST", path: one + "/cancel", guard: keyed,
			handle: moveParcel("cancelled", "registered")},
	}
}

func (s *Server) parcels(tenant string) *collection { return s.collection("parcels of " + tenant) }

// tenant returns whose parcels a request concerns, or answers 400.
func (c *call) tenant() (string, bool) {
	tenant := c.r.Header.Get("X-Tenant")
	if tenant != "north" && tenant != "south" {
		c.refuse(http.StatusBadRequest, "there is no such tenant", problem{"X-Tenant", "is unknown"})
		return "", false
	}
	return tenant, true
}

func (s *Server) keepParcel(tenant string, values map[string]any) *item {
	values = maps.Clone(values)
	id, now := s.uuid("parcel"), s.now().Format(time.RFC3339)
	values["id"], values["status"], values["version"] = id, "registered", json.Number("1")
	values["createdAt"], values["updatedAt"] = now, now
	return s.parcels(tenant).add(id, values)
}

// parcelOf finds the parcel of the path, or answers 400 or 404.
func parcelOf(c *call) (string, *item) {
	tenant, ok := c.tenant()
	if !ok {
		return "", nil
	}
	if !uuidText.MatchString(c.path[0]) {
		c.refuse(http.StatusBadRequest, "the identity is no UUID", problem{"parcelId", "is no uuid"})
		return "", nil
	}
	id := strings.ToLower(c.path[0])
	found := c.s.parcels(tenant).byID[id]
	if found == nil && c.s.has("reads-parcels-of-other-tenants") {
		found = cmp.Or(c.s.parcels("north").byID[id], c.s.parcels("south").byID[id])
	}
	if found == nil {
		c.refuse(http.StatusNotFound, "there is no such parcel")
	}
	return tenant, found
}

// refersTo reports whether a parcel's carrier and locker exist, or answers 422.
func (c *call) refersTo(values map[string]any) bool {
	known := func(kind string, id any) bool { return c.s.collection(kind).byID[strconv.Itoa(count(id))] != nil }
	to, _ := values["destination"].(map[string]any)
	switch {
	case !known("carriers", values["carrierId"]) && !c.s.has("takes-unknown-carrier") &&
		!(c.r.Method == "PUT" && c.s.has("put-takes-unknown-carrier")):
		c.refuse(http.StatusUnprocessableEntity, "there is no such carrier", problem{"/carrierId", "is no carrier"})
		return false
	case to["kind"] == "locker" && !known("lockers", to["lockerId"]) && !c.s.has("takes-unknown-locker"):
		c.refuse(http.StatusUnprocessableEntity, "there is no such locker", problem{"/destination/lockerId", "is no locker"})
		return false
	}
	return true
}

func createParcel(c *call) {
	tenant, ok := c.tenant()
	values, _ := c.value.(map[string]any)
	if !ok || !c.refersTo(values) {
		return
	}
	if c.s.parcels(tenant).find("reference", values["reference"]) != nil && !c.s.has("takes-same-reference") {
		c.refuse(http.StatusConflict, "reference_taken")
		return
	}
	parcel := c.s.keepParcel(tenant, values)
	c.reply(http.StatusCreated, parcel.values)
	c.tag(parcel)
	c.set("Location", "/parcels/"+parcel.id)
	if c.s.has("locker-becomes-first") {
		if to, _ := values["destination"].(map[string]any); to["kind"] == "locker" {
			parcel.values = changed(parcel.values, "destination", changed(to, "lockerId", json.Number("1")))
		}
	}
	if c.s.has("address-loses-city-name") {
		if to, _ := values["destination"].(map[string]any); to["kind"] == "address" {
			parcel.values = changed(parcel.values, "destination", changed(to, "city", to["street"]))
		}
	}
}

func readParcel(c *call) {
	_, parcel := parcelOf(c)
	if parcel == nil || c.unchanged(parcel) {
		return
	}
	c.reply(http.StatusOK, parcel.values)
	c.tag(parcel)
}

// renewParcel keeps a parcel's new values as its next version.
func (c *call) renewParcel(parcel *item, values map[string]any) {
	values = maps.Clone(values)
	was := parcel.values
	for _, name := range []string{"id", "createdAt"} {
		values[name] = was[name]
	}
	if c.s.has("change-resets-creation") {
		values["createdAt"] = c.s.now().Add(time.Hour).Format(time.RFC3339)
	}
	values["updatedAt"] = c.s.now().Format(time.RFC3339)
	if c.s.has("change-is-before-creation") {
		values["updatedAt"] = "2020-01-01T00:00:00Z"
	}
	values["version"] = json.Number(strconv.Itoa(count(was["version"]) + 1))
	parcel.values = values
	c.s.collection("former parcels").byID[parcel.id] = &item{id: parcel.id, values: was}
	c.reply(http.StatusOK, values)
	c.tag(parcel)
}

func replaceParcel(c *call) {
	tenant, parcel := parcelOf(c)
	values, _ := c.value.(map[string]any)
	if parcel == nil || !c.matches(parcel, false) || !c.refersTo(values) {
		return
	}
	if parcel.values["status"] != "registered" && !c.s.has("replaces-dispatched") {
		c.refuse(http.StatusConflict, "parcel_"+parcel.values["status"].(string))
		return
	}
	other := c.s.parcels(tenant).find("reference", values["reference"])
	if other != nil && other.id != parcel.id && !c.s.has("put-takes-same-reference") {
		c.refuse(http.StatusConflict, "reference_taken")
		return
	}
	c.renewParcel(parcel, changed(values, "status", parcel.values["status"]))
}

func patchParcel(c *call) {
	_, parcel := parcelOf(c)
	if parcel == nil || !c.matches(parcel, false) {
		return
	}
	values, _ := merged(parcel.values, c.value).(map[string]any)
	if c.s.has("patch-undoes-dispatch") {
		values = changed(values, "status", "registered")
	}
	c.renewParcel(parcel, values)
}

func deleteParcel(c *call) {
	tenant, parcel := parcelOf(c)
	if parcel == nil || !c.matches(parcel, false) {
		return
	}
	if parcel.values["status"] == "dispatched" && !c.s.has("deletes-dispatched") {
		c.refuse(http.StatusConflict, "parcel_dispatched")
		return
	}
	c.s.parcels(tenant).remove(parcel.id)
	c.answer.status = http.StatusNoContent
}

// moveParcel brings a parcel into a state from the one before.
func moveParcel(state, before string) func(*call) {
	return func(c *call) {
		_, parcel := parcelOf(c)
		if parcel == nil {
			return
		}
		if was := parcel.values["status"]; was != before && !c.has("in-any-state") && !(was == state && c.has("twice")) {
			if c.has("is-done-though-refused") {
				parcel.values = changed(parcel.values, "status", state)
			}
			c.refuse(http.StatusConflict, "parcel_"+was.(string))
			return
		}
		if c.has("is-not-kept") {
			c.reply(http.StatusOK, changed(parcel.values, "status", state))
			c.tag(parcel)
			return
		}
		values := parcel.values
		if former := c.s.collection("former parcels").byID[parcel.id]; former != nil && c.has("restores-former") {
			values = former.values
		}
		c.renewParcel(parcel, changed(values, "status", state))
	}
}

func listParcels(c *call) {
	tenant, ok := c.tenant()
	if !ok {
		return
	}
	states := oneOfWords("", "", "registered", "dispatched", "delivered", "cancelled")
	q, ok := c.queries(depotLimit, query("cursor"), query("status", states), query("carrierId", reference).numeric(),
		query("sort", oneOfWords("", "", "weight", "-weight", "reference", "-reference")))
	if !ok {
		return
	}
	items := c.s.parcels(tenant).items
	if c.s.has("lists-parcels-of-other-tenants") {
		items = slices.Concat(c.s.parcels("north").items, c.s.parcels("south").items)
	}
	current := func(i *item) map[string]any {
		former := c.s.collection("former parcels").byID[i.id]
		if former != nil && c.s.has("filters-by-former-values") {
			return former.values
		}
		return i.values
	}
	if c.s.has("status-is-ignored-beside-carrier") && q["carrierId"] != nil {
		delete(q, "status")
	}
	if q["status"] == "registered" && c.s.has("registered-are-all") {
		delete(q, "status")
	}
	isNext := c.r.URL.Query().Has("cursor") && c.s.has("next-page-drops-filter")
	for _, name := range []string{"status", "carrierId"} {
		if want, has := q[name]; has && !isNext {
			items = kept(items, func(i *item) bool { return same(current(i)[name], want) })
		}
	}
	if by, has := q["sort"].(string); has {
		items = sorted(items, strings.TrimPrefix(by, "-"), strings.HasPrefix(by, "-"))
		if c.s.has("ties-turn-round") && c.r.URL.Query().Has("cursor") {
			slices.Reverse(items)
			items = sorted(items, strings.TrimPrefix(by, "-"), strings.HasPrefix(by, "-"))
		}
	}
	if c.s.has("page-has-one-more") && count(q["limit"]) >= 10 {
		q["limit"] = json.Number(strconv.Itoa(count(q["limit"]) + 1))
	}
	c.cursorPage(items, q, func(_ *call, i *item) map[string]any {
		if former := c.s.collection("former parcels").byID[i.id]; former != nil && c.s.has("lists-former-values") {
			return former.values
		}
		return i.values
	})
}
