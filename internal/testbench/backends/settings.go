package backends

import (
	"encoding/json"
	"net/http"
)

var settingFields = []field{
	need("opens", "accepts-missing-opens", "", "08:00", str(""), pattern(`^([01][0-9]|2[0-3]):[0-5][0-9]$`, "accepts-any-opens")),
	need("closes", "accepts-missing-closes", "", "20:00", str(""), pattern(`^([01][0-9]|2[0-3]):[0-5][0-9]$`, "accepts-any-closes")),
	need("currency", "accepts-missing-currency", "", "EUR", str(""), oneOfWords("accepts-unknown-currency", "accepts-currency-in-small", "EUR", "GBP", "USD")),
	filled("maxMinutes", json.Number("240"), "forgets-default-max-minutes", integer("accepts-text-max-minutes", ""), minimum("15", "accepts-few-max-minutes"), maximum("480", "accepts-many-max-minutes")),
	may("contact", nullable("refuses-null-contact", str(""), format("email", "accepts-any-contact"))),
}

var (
	newSettings   = object(closed("accepts-unknown-setting"), settingFields...)
	patchSettings = object(closed("accepts-unknown-setting-in-patch"), optional(settingFields)...)
)

func settingRoutes(*Server) []operation {
	return []operation{
		{name: "read-settings", place: "settings", method: "GET", path: "/settings", handle: func(c *call) {
			shown := c.s.single
			if c.s.has("settings-lose-currency") {
				shown = without(shown, "currency")
			}
			c.reply(http.StatusOK, shown)
		}},
		{name: "replace-settings", place: "settings", method: "PUT", path: "/settings", guard: staff,
			body: &bodyRule{kinds: []string{"application/json"}, rule: newSettings}, handle: func(c *call) {
				values := c.value.(map[string]any)
				if c.s.has("put-settings-merges") {
					values, _ = merged(c.s.single, values).(map[string]any)
				}
				if !c.s.has("put-settings-is-not-kept") {
					c.s.single = values
				}
				c.reply(http.StatusOK, values)
			}},
		{name: "patch-settings", place: "settings", method: "PATCH", path: "/settings", guard: staff,
			body: &bodyRule{kinds: []string{"application/merge-patch+json"}, rule: patchSettings}, handle: func(c *call) {
				patch := c.value.(map[string]any)
				values, _ := merged(c.s.single, patch).(map[string]any)
				if c.s.has("patch-settings-replaces") {
					values = changed(values, "maxMinutes", json.Number("240"))
					if n, sent := patch["maxMinutes"]; sent {
						values["maxMinutes"] = n
					}
				}
				if !c.s.has("patch-settings-is-not-kept") {
					c.s.single = values
				}
				c.reply(http.StatusOK, values)
			}},
	}
}
