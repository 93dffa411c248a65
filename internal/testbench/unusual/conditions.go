package unusual

import (
	"fmt"
	"net/http"
	"time"
)

// tagged has other entity tags. match reports whether a sent If-Match or If-None-Match has the current one.
func tagged(current func(c *call, i *item) string) Behaviour {
	changed := func(f func(*call)) func(*call) {
		return func(c *call) {
			sent, has := c.header["If-Match"].(string)
			if i := c.collection("tasks").find(c.path["taskId"]); i != nil && has && sent != "*" {
				if !hasTag(sent, current(c, i), false) {
					c.refuse(http.StatusPreconditionFailed, "the task has another tag")
					return
				}
				delete(c.header, "If-Match")
			}
			f(c)
			if i := c.collection("tasks").find(c.path["taskId"]); i != nil && c.answer.status == http.StatusOK {
				c.answer.header.Set("ETag", current(c, i))
			}
		}
	}
	return Behaviour{Handle: map[string]func(*call){
		"replaceTask": changed(changeItem), "changeTask": changed(changeItem), "deleteTask": changed(deleteItem),
		"readTask": func(c *call) {
			i := c.item()
			if i == nil {
				return
			}
			now := current(c, i)
			c.reply(http.StatusOK, c.shown(i))
			if sent, has := c.header["If-None-Match"].(string); has && (sent == "*" || hasTag(sent, now, true)) {
				c.bare(http.StatusNotModified)
			}
			c.answer.header.Set("ETag", now)
		},
	}}
}

// needsMatch answers 428 to changes without If-Match.
func needsMatch() Behaviour {
	return Behaviour{Before: func(c *call) bool {
		if c.r.Method == http.MethodGet || c.r.Method == http.MethodPost || c.r.Header.Get("If-Match") != "" {
			return false
		}
		c.refuse(http.StatusPreconditionRequired, "If-Match is needed")
		return true
	}}
}

const requiredMatch = `{responses: {"428": {$ref: "#/components/responses/Stale"}}, description: Without If-Match the answer is 428.}`

var conditionVariants = []Variant{
	{
		Name: "weak-tags", Permits: "RFC 9110 section 13.1.1: If-Match MUST use the strong comparison, in which a weak tag equals none",
		Behaviour: tagged(func(_ *call, i *item) string { return "W/" + tag(i) }),
	},
	{
		Name: "tag-of-representation", Permits: "RFC 9110 section 8.8.3: a tag is of a representation, which may differ each time",
		Change: `paths: {'/tasks/{taskId}': {get: {description: "The tag is that of the representation, which has the time: it is another one each time."}}}`,
		Behaviour: tagged(func(c *call, i *item) string {
			c.ticks++
			return fmt.Sprintf(`"%s-%d"`, i.id, c.ticks)
		}),
	},
	{
		Name: "tag-by-encoding", Permits: "RFC 9110 section 8.8.3.3: tags differ with the content coding",
		Behaviour: tagged(func(c *call, i *item) string {
			return fmt.Sprintf(`"%d-%x"`, i.version(), len(c.r.Header.Get("Accept-Encoding")))
		}),
	},
	{
		Name: "tag-kept", Permits: "RFC 9110 section 9.3.4: an origin server MUST NOT send a validator where PUT data was transformed",
		Change: described("Title", "Kept in capitals."),
		Behaviour: func() Behaviour {
			b := keepText("title", func(s string) string { return upper(s) })
			b.After = func(c *call) {
				if c.r.Method != http.MethodGet {
					c.answer.header.Del("ETag")
				}
			}
			return b
		}(),
	},
	{
		Name: "match-needed", Permits: "RFC 6585 section 3: 428 where the request must be conditional",
		Change:    `paths: {'/tasks/{taskId}': {put: ` + requiredMatch + `, patch: ` + requiredMatch + `, delete: ` + requiredMatch + `}}`,
		Behaviour: needsMatch(),
		Twins: []Twin{{"match-ignored", "condition", func() Behaviour {
			b := needsMatch()
			needs := b.Before
			b.Before = func(c *call) bool {
				if needs(c) {
					return true
				}
				c.r.Header.Del("If-Match")
				return false
			}
			return b
		}()}},
	},
	{
		Name: "missing-before-condition", Permits: "RFC 9110 section 13.1.1: If-Match is false where there is no representation",
		Behaviour: Behaviour{Before: func(c *call) bool {
			if c.r.Header.Get("If-Match") != "" && c.collection("tasks").find(c.path["taskId"]) == nil && c.path["taskId"] != "" {
				c.refuse(http.StatusPreconditionFailed, "there is no such task")
				return true
			}
			return false
		}},
	},
	{
		Name: "by-date", Permits: "RFC 9110 section 13.1.4: If-Unmodified-Since compares times of one second",
		Change: `paths: {'/tasks/{taskId}': {get: {responses: {"200": {headers: {ETag: null, Last-Modified: {schema: {type: string}}}}}, parameters: [{name: If-Modified-Since, in: header, schema: {type: string}}]},
  put: {parameters: [{name: If-Unmodified-Since, in: header, schema: {type: string}}], responses: {"200": {headers: {ETag: null}}}}}}`,
		Behaviour: Behaviour{
			Before: func(c *call) bool {
				if c.r.Method != http.MethodPut {
					return false
				}
				i := c.collection("tasks").find(c.path["taskId"])
				since, err := http.ParseTime(c.r.Header.Get("If-Unmodified-Since"))
				if err == nil && i != nil && modified(i).After(since) {
					c.refuse(http.StatusPreconditionFailed, "the task was changed")
					return true
				}
				return false
			},
			After: func(c *call) {
				c.answer.header.Del("ETag")
				i := c.collection("tasks").find(c.path["taskId"])
				if c.id != "readTask" || i == nil || c.answer.status != http.StatusOK {
					return
				}
				since, err := http.ParseTime(c.r.Header.Get("If-Modified-Since"))
				if err == nil && !modified(i).After(since) && c.r.Header.Get("If-None-Match") == "" {
					c.bare(http.StatusNotModified)
				}
				c.answer.header.Set("Last-Modified", modified(i).Format(http.TimeFormat))
			},
		},
	},
	{
		Name: "no-overwriting", Permits: "RFC 9110 section 13.1.2: If-None-Match: * is false where there is a representation",
		Change: `paths: {'/tasks/{taskId}': {put: {parameters: [{$ref: "#/components/parameters/IfMatch"}, {$ref: "#/components/parameters/IfNoneMatch"}]}}}`,
		Behaviour: Behaviour{Before: func(c *call) bool {
			i := c.collection("tasks").find(c.path["taskId"])
			sent := c.r.Header.Get("If-None-Match")
			if c.id == "replaceTask" && i != nil && sent != "" && (sent == "*" || hasTag(sent, tag(i), true)) {
				c.refuse(http.StatusPreconditionFailed, "the task exists")
				return true
			}
			return false
		}},
	},
	{
		Name: "default-only", Permits: "OpenAPI 3.1 section 4.8.16: default covers all statuses that are not declared; it promises none",
		Change: `paths: {'/tasks/{taskId}': {put: {responses: {"400": null, "401": null, "404": null, "412": null, "415": null, default: {$ref: "#/components/responses/Invalid"}}},
  delete: {responses: {"400": null, "401": null, "404": null, "412": null, "4XX": {$ref: "#/components/responses/Invalid"}}}}}`,
	},
}

// modified is the time of an item's latest change: one change a second.
func modified(i *item) time.Time {
	return time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(i.version()) * time.Second)
}
