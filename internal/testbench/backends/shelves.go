package backends

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// shelfRoutes are shelves, whose names clients choose, also as JSON Lines; scans, which are made from bytes; and
// several lockers at once.
func shelfRoutes(*Server) []operation {
	shelf := &bodyRule{kinds: []string{"application/json"}, rule: object(closed(""),
		need("zone", "", "", "dry", oneOfWords("", "", "dry", "cold")))}
	several := &bodyRule{kinds: []string{"application/json"}, rule: object(closed(""),
		need("lockers", "", "", nil, list(""), minItems(1, ""), maxItems(20, "")))}
	const one = "/shelves/{name}"
	return []operation{
		{name: "list-shelves", place: "shelves", method: "GET", path: "/shelves", guard: keyed,
			produces: []string{"application/json", "application/x-ndjson"}, handle: listShelves},
		{name: "put-shelf", place: "shelf", method: "PUT", path: one, guard: keyed, body: shelf, handle: putShelf},
		{name: "read-shelf", place: "shelf", method: "GET", path: one, guard: keyed, handle: readShelf},
		{name: "delete-shelf", place: "shelf", method: "DELETE", path: one, guard: keyed, handle: deleteShelf},
		{name: "create-lockers", place: "several lockers", method: "POST", path: "/lockers/bulk", guard: keyed, body: several,
			handle: createLockers},
		{name: "create-scan", place: "scans", method: "POST", path: "/scans", guard: keyed,
			body: &bodyRule{kinds: []string{"application/octet-stream"}}, handle: createScan},
		{name: "read-scan", place: "scan", method: "GET", path: "/scans/{id}", guard: keyed, handle: func(c *call) {
			if i := partnerOf(c, "scans"); i != nil {
				c.reply(http.StatusOK, i.values)
			}
		}},
		{name: "download-scan", place: "content", method: "GET", path: "/scans/{id}/content", guard: keyed,
			handle: func(c *call) {
				if i := partnerOf(c, "scans"); i != nil {
					c.answer = answer{status: http.StatusOK, kind: "application/octet-stream", body: i.blob}
				}
			}},
	}
}

// shelfOf finds the shelf of the path; nil if none. It answers 400 for what can be no name.
func shelfOf(c *call) (name string, found *item, ok bool) {
	name = c.path[0]
	if c.s.has("shelf-names-are-decoded-twice") && c.r.Method == "GET" {
		name, _ = url.QueryUnescape(name)
	}
	if len([]rune(name)) > 40 {
		c.refuse(http.StatusBadRequest, "the name is too long", problem{"name", "is too long"})
		return "", nil, false
	}
	return name, c.s.collection("shelves").byID[name], true
}

func putShelf(c *call) {
	name, shelf, ok := shelfOf(c)
	if !ok {
		return
	}
	values, status := changed(c.value.(map[string]any), "name", name), http.StatusOK
	if shelf == nil {
		status = http.StatusCreated
		shelf = c.s.collection("shelves").add(name, values)
	}
	shelf.values = values
	c.reply(status, values)
}

func readShelf(c *call) {
	switch _, shelf, ok := shelfOf(c); {
	case !ok:
	case shelf == nil:
		c.refuse(http.StatusNotFound, "there is no such shelf")
	default:
		c.reply(http.StatusOK, shelf.values)
		tag := `"` + strconv.Itoa(len(c.answer.body)) + `"`
		c.set("ETag", tag)
		if asked := c.r.Header.Get("If-None-Match"); asked == tag || asked != "" && c.s.has("shelf-is-never-modified") {
			c.answer.status, c.answer.kind, c.answer.body = http.StatusNotModified, "", nil
		}
	}
}

func deleteShelf(c *call) {
	switch name, shelf, ok := shelfOf(c); {
	case !ok:
	case shelf == nil:
		c.refuse(http.StatusNotFound, "there is no such shelf")
	default:
		c.s.collection("shelves").remove(name)
		c.answer.status = http.StatusNoContent
	}
}

func listShelves(c *call) {
	q, ok := c.queries(query("zone", oneOfWords("", "", "dry", "cold")))
	if !ok {
		return
	}
	kind, items := c.answer.kind, c.s.collection("shelves").items
	isLines := kind == "application/x-ndjson"
	if zone, has := q["zone"]; has && !(isLines && c.s.has("lines-ignore-zone")) {
		items = kept(items, func(i *item) bool { return i.values["zone"] == zone })
	}
	if isLines && c.s.has("lines-lack-newest") && len(items) > 0 {
		items = items[:len(items)-1]
	}
	c.reply(http.StatusOK, bodies(items, func(i *item) map[string]any { return i.values }))
	if isLines {
		c.answer.kind, c.answer.body = kind, nil
		for _, i := range items {
			c.answer.body = append(append(c.answer.body, text(i.values)...), '\n')
		}
	}
}

func createLockers(c *call) {
	k, place := &check{s: c.s}, object(closed(""),
		need("place", "", "", "locker", all(str(""), minLength(1, ""), maxLength(30, ""))), given("id", ""))
	var values []map[string]any
	for n, value := range c.value.(map[string]any)["lockers"].([]any) {
		one, _ := place(k, "/lockers/"+strconv.Itoa(n), value).(map[string]any)
		values = append(values, one)
	}
	if len(k.problems) > 0 && !strings.HasPrefix(k.problems[0].Field, "/lockers/0") &&
		c.s.has("refused-lockers-keep-first") {
		c.s.keepPartner("lockers", values[0])
	}
	if !c.accept(k, http.StatusUnprocessableEntity) {
		return
	}
	var created []*item
	for _, one := range values {
		created = append(created, c.s.keepPartner("lockers", one))
	}
	shown, last := bodies(created, func(i *item) map[string]any { return i.values }), created[len(created)-1]
	switch {
	case c.s.has("several-lockers-lose-last") && len(created) > 1:
		c.s.collection("lockers").remove(last.id)
	case c.s.has("several-lockers-have-one-place"):
		for _, i := range created {
			i.values = changed(i.values, "place", last.values["place"])
		}
	}
	c.reply(http.StatusCreated, shown)
}

func createScan(c *call) {
	i := c.s.keepPartner("scans", map[string]any{"size": json.Number(strconv.Itoa(len(c.raw)))})
	i.blob = bytes.Clone(c.raw)
	if c.s.has("scan-loses-line-ends") {
		i.blob = bytes.TrimRight(i.blob, "\r\n")
	}
	c.reply(http.StatusCreated, i.values)
	c.set("Location", "/scans/"+i.id)
}
