package backends

import (
	"encoding/json"
	"net/http"
	"regexp"
)

var (
	labelName = regexp.MustCompile(`^[a-z]{1,12}$`)
	newLabel  = object(closed("accepts-unknown-label-property"),
		need("colour", "accepts-missing-colour", "", "#000000", str(""), pattern(`^#[0-9a-f]{6}$`, "accepts-any-colour")),
		filled("weight", json.Number("0"), "forgets-default-weight", integer("", ""), minimum("-9", "accepts-low-weight"), maximum("9", "accepts-high-weight")),
	)
)

func labelRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/json"}, rule: newLabel}
	return []operation{
		{name: "list-labels", place: "labels", method: "GET", path: "/labels", handle: listLabels},
		{name: "put-label", place: "label", method: "PUT", path: "/labels/{name}", guard: staff, body: body,
			handle: putLabel},
		{name: "read-label", place: "label", method: "GET", path: "/labels/{name}", handle: readLabel},
		{name: "delete-label", place: "label", method: "DELETE", path: "/labels/{name}", guard: staff, handle: deleteLabel},
	}
}

func listLabels(c *call) {
	items := c.s.collection("labels").items
	if c.s.has("lists-labels-once-less") && len(items) > 0 {
		items = items[1:]
	}
	c.reply(http.StatusOK, bodies(sorted(items, "name", c.s.has("labels-descend")),
		func(i *item) map[string]any { return i.values }))
}

// labelOf finds the label of the path; nil if none. It answers 400
// for what can be no name.
func labelOf(c *call) (*item, bool) {
	if !labelName.MatchString(c.path[0]) && !c.has("accepts-any-name") {
		c.refuse(http.StatusBadRequest, "a name is of one to twelve small letters", problem{"name", "does not match"})
		return nil, false
	}
	return c.s.collection("labels").byID[c.path[0]], true
}

func putLabel(c *call) {
	label, ok := labelOf(c)
	if !ok {
		return
	}
	values := changed(c.value.(map[string]any), "name", c.path[0])
	status := http.StatusOK
	switch {
	case label == nil && c.s.has("put-label-creates-nothing"):
		c.refuse(http.StatusNotFound, "there is no such label")
		return
	case label == nil:
		status = http.StatusCreated
		label = c.s.collection("labels").add(c.path[0], values)
	case c.s.has("put-label-doubles"):
		c.s.collection("labels").items = append(c.s.collection("labels").items, &item{id: label.id, values: values})
	}
	if !c.s.has("put-label-keeps-colour") {
		label.values = values
	}
	if c.s.has("put-label-always-201") {
		status = http.StatusCreated
	}
	c.reply(status, label.values)
}

func readLabel(c *call) {
	label, ok := labelOf(c)
	switch {
	case !ok:
	case label == nil:
		c.refuse(http.StatusNotFound, "there is no such label")
	default:
		c.reply(http.StatusOK, label.values)
	}
}

func deleteLabel(c *call) {
	label, ok := labelOf(c)
	switch {
	case !ok:
	case label == nil && !c.s.has("deletes-missing-label"):
		c.refuse(http.StatusNotFound, "there is no such label")
	default:
		c.s.collection("labels").remove(c.path[0])
		c.answer.status = http.StatusNoContent
	}
}
