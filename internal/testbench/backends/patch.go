package backends

import (
	"net/http"
	"strconv"
	"strings"
)

// patchSteps is a JSON patch (RFC 6902) as the document allows it.
var patchSteps = all(list("", all(object(closed("accepts-unknown-step-property"),
	need("op", "", "", nil, str(""), oneOfWords("accepts-unknown-op", "", "add", "replace", "remove", "test")),
	need("path", "accepts-step-without-path", "", "/name", str(""), oneOfWords("accepts-any-path", "", "/name", "/open", "/rate")),
	may("value", all()),
), patchStep)), minItems(1, "accepts-no-steps"), maxItems(10, "accepts-eleven-steps"))

// patchStep checks a step's value against the rule at its path. Only the rate may be
// added and removed.
func patchStep(k *check, at string, value any) any {
	step, ok := value.(map[string]any)
	if !ok {
		return value
	}
	given, valued := step["value"]
	switch op := step["op"]; {
	case (op == "remove" || op == "add") && step["path"] != "/rate":
		k.report("accepts-removal-of-all", at+"/path", "cannot be added or removed")
	case op == "remove" && valued:
		k.report("accepts-remove-with-value", at+"/value", "is not known")
	case op == "remove":
	case !valued:
		k.report("accepts-step-without-value", at+"/value", "is missing")
	default:
		rules := map[any]rule{"/name": roomName, "/open": boolean(""), "/rate": roomRate}
		if r := rules[step["path"]]; r != nil {
			step = changed(step, "value", r(k, at+"/value", given))
		}
	}
	return step
}

// roomPatch is a merge patch of what rooms of both kinds have.
var roomPatch = object(closed("accepts-unknown-room-patch-property"),
	may("name", roomName),
	may("open", boolean("patch-accepts-text-open")),
	may("rate", nullable("patch-refuses-null-rate", roomRate)),
)

func patchRoom(c *call) {
	room := roomOf(c)
	if room == nil || !c.matches(room, false) {
		return
	}
	k := &check{s: c.s}
	var all map[string]any
	if c.kind == "application/json-patch+json" {
		steps := patchSteps(k, "", c.value)
		if !c.accept(k, http.StatusUnprocessableEntity) {
			return
		}
		if all = c.applySteps(room, steps.([]any)); all == nil {
			return
		}
	} else {
		patch := roomPatch(k, "", c.value)
		if !c.accept(k, http.StatusUnprocessableEntity) {
			return
		}
		all, _ = merged(room.values, patch).(map[string]any)
		if c.s.has("patch-room-drops-rate") {
			if _, sent := patch.(map[string]any)["rate"]; !sent {
				delete(all, "rate")
			}
		}
	}
	value := newRoom(k, "", without(all, "id", "version"))
	if c.accept(k, http.StatusUnprocessableEntity) {
		c.renew(room, value.(map[string]any))
	}
}

// applySteps returns a room after a JSON patch, or answers 409.
func (c *call) applySteps(room *item, steps []any) map[string]any {
	all := room.values
	for n, one := range steps {
		step, _ := one.(map[string]any)
		path, _ := step["path"].(string)
		name := strings.TrimPrefix(path, "/")
		at := "/" + strconv.Itoa(n)
		_, has := all[name]
		switch op := step["op"]; {
		case op != "add" && !has:
			c.refuse(http.StatusConflict, "there is no such property", problem{at + "/path", "is not there"})
			return nil
		case op == "test":
			if !same(all[name], step["value"]) && !c.s.has("ignores-test-step") {
				if c.s.has("patch-is-not-atomic") {
					room.values = changed(all, "version", room.values["version"])
				}
				c.refuse(http.StatusConflict, "a test failed")
				return nil
			}
		case op == "remove":
			if !c.s.has("ignores-remove-step") {
				all = without(all, name)
			}
		case c.s.has("applies-first-step-only") && n > 0:
		default:
			all = changed(all, name, step["value"])
		}
	}
	return all
}
