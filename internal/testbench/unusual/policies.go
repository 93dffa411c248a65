package unusual

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

// before returns the task before a request changes it; nil for a creation.
func (c *call) before() *item { return c.collection("tasks").find(c.path["taskId"]) }

// lastPage answers an offset behind the end with the last page. first returns where a page begins otherwise.
func lastPage(first func(offset int) int) Behaviour {
	return Behaviour{After: func(c *call) {
		if c.id != "listTasks" || c.answer.status != http.StatusOK {
			return
		}
		n, limit, offset := len(filtered(c.collection("tasks").live(), c.query)), c.count("limit", 20), c.count("offset", 0)
		if c.query["offset"] = number(first(offset)); offset >= n && n > 0 {
			c.query["offset"] = number((n - 1) / limit * limit)
		}
		listItems(c)
	}}
}

// usedOnce pages the list by cursors that can be used once. next returns where the page after one ends.
func usedOnce(next func(end, all int) int) Behaviour {
	return Behaviour{Handle: map[string]func(*call){"listTasks": func(c *call) {
		cursors, _ := c.state["cursors"].(map[string]int)
		if cursors == nil {
			cursors = map[string]int{}
			c.state["cursors"] = cursors
		}
		sent, isNext := c.query["cursor"].(string)
		from, isKnown := cursors[sent]
		switch {
		case isNext && !isKnown:
			c.refuse(http.StatusBadRequest, "the cursor is not one of a page")
			return
		case isNext && from < 0:
			c.refuse(http.StatusGone, "the cursor was used")
			return
		case isNext:
			cursors[sent] = -1
		}
		items := c.collection("tasks").live()
		page := cut(items, from, c.count("limit", 20))
		body := map[string]any{"items": shownAll(c, page)}
		if end := next(from+len(page), len(items)); end >= 0 {
			name := "c" + strconv.Itoa(len(cursors))
			cursors[name], body["next"] = end, name
		}
		c.reply(http.StatusOK, body)
	}}}
}

// implied has a task that is done have the least priority.
func implied(_ *call, values map[string]any) {
	if values["state"] == "done" {
		values["priority"] = number(1)
	}
}

// finishing is the document of two actions on a task, which can be finished again and again until it is dropped.
func finishing() string {
	one := func(id string) string {
		return `'/tasks/{taskId}/` + id + `': {parameters: [{$ref: "#/components/parameters/TaskId"}], post: {operationId: ` + id +
			`, summary: "Sets the state.", responses: {"200": {description: The task as it is kept., content: ` + taskJSON +
			`}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, ` +
			`"404": {$ref: "#/components/responses/Missing"}, "409": {description: Not in this state., content: ` +
			`{application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}}}}}`
	}
	return "paths: {" + one("finish") + ", " + one("drop") + "}\n" +
		"components: {schemas: {State: {enum: [open, done, dropped]}}}"
}

// finishes serves the actions of finishing. mayFinish says in which states a task can be finished.
func finishes(mayFinish func(state any) bool) Behaviour {
	set := func(state string, may func(any) bool) func(*call) {
		return func(c *call) {
			i := c.item()
			switch {
			case i == nil:
			case !may(i.values["state"]):
				c.refuse(http.StatusConflict, "not in this state")
			default:
				c.keep(i, withDefaults(map[string]any{"state": state}, i.values))
				c.reply(http.StatusOK, c.shown(i))
			}
		}
	}
	return Behaviour{Handle: map[string]func(*call){
		"finish": set("done", mayFinish),
		"drop":   set("dropped", func(state any) bool { return state != "done" }),
	}}
}

// withField is a change that adds a required header field to all operations on tasks.
func withField(field string) string {
	return "paths: {/tasks: {parameters: [" + field + "]}, '/tasks/{taskId}': {parameters: [" +
		"{$ref: '#/components/parameters/TaskId'}, " + field + "]}}"
}

// ofTenants keeps the tasks of tenants apart; seesAll says of an operation that it does not.
func ofTenants(seesAll func(id string) bool) Behaviour {
	isOther := func(c *call, i *item) bool { return cmp.Or(text(i.values["of"]), "north") != c.header["X-Tenant"] }
	return Behaviour{
		Before: func(c *call) bool {
			c.header = map[string]any{"X-Tenant": c.r.Header.Get("X-Tenant")}
			i := c.before()
			if i == nil || seesAll(c.id) || c.header["X-Tenant"] == "" || !isOther(c, i) {
				return false
			}
			c.refuse(http.StatusNotFound, "there is no such item")
			return true
		},
		Keep: func(c *call, values map[string]any) { values["of"] = c.header["X-Tenant"] },
		Show: func(_ *call, values map[string]any) { delete(values, "of") },
		List: func(c *call, items []*item) []*item {
			items = sorted(filtered(items, c.query), c.query)
			return slices.DeleteFunc(items, func(i *item) bool { return !seesAll(c.id) && isOther(c, i) })
		},
	}
}

var policyVariants = []Variant{
	{
		Name: "tenants", Permits: "document: the tasks of one tenant are not there for another",
		Change:    withField("{name: X-Tenant, in: header, required: true, description: Whose tasks., schema: {type: string, enum: [north, south]}}"),
		Behaviour: ofTenants(func(string) bool { return false }),
		Twins: []Twin{
			{"reads-all", "parents", ofTenants(func(id string) bool { return id == "readTask" })},
			{"lists-all", "parents", ofTenants(func(id string) bool { return id == "listTasks" })},
			{"changes-all", "parents", ofTenants(func(id string) bool { return id == "changeTask" })},
		},
	},
	{
		Name: "clients", Permits: "document: the field says which client it is, and changes nothing",
		Change: withField("{name: X-Client, in: header, required: true, description: Which client it is., schema: {type: string, enum: [web, app]}}"),
	},
	{
		Name: "finished-again", Permits: "RFC 9110 section 15.5.10: 409 for a conflict with the state, which need not be the state that the action itself leads to",
		Change: finishing(), Behaviour: finishes(func(state any) bool { return state != "dropped" }),
		Doubtful: []Twin{{"never-refused", "conflict", finishes(func(any) bool { return true })}},
	},
	{
		Name: "payment-needed", Permits: "document: the free plan has thirty tasks; then creations are a 402",
		Change: `paths: {/tasks: {post: {description: "The free plan has 30 tasks; then the answer is 402.", responses: {"402": {$ref: "#/components/responses/Forbidden"}}}}}`,
		Behaviour: handle("createTask", func(c *call) {
			if len(c.collection("tasks").live()) >= 30 {
				c.refuse(http.StatusPaymentRequired, "the plan has no more tasks")
				return
			}
			createItem(c)
		}),
	},
	{
		Name: "kept-for-years", Permits: "document: tasks are kept for ten years; until then a deletion is a 409",
		Change:    deletion(`{description: "Tasks are kept for ten years; until then the answer is 409.", responses: {"409": {$ref: "#/components/responses/Conflict"}}}`),
		Behaviour: deletes(func(c *call, _ *item) { c.refuse(http.StatusConflict, "the task is kept") }),
	},
	{
		Name: "anonymised", Permits: "document: what is personal in a deleted task is removed; the task stays",
		Change: deletion(`{description: "What is personal in the task is removed; the task stays, with the title deleted."}`),
		Behaviour: deletes(func(c *call, i *item) {
			values := maps.Clone(i.values)
			values["title"] = "deleted"
			delete(values, "text")
			delete(values, "contact")
			c.keep(i, values)
			c.bare(http.StatusNoContent)
		}),
	},
	{
		Name: "never-lowered", Permits: "document: the priority is never lowered; the highest is kept",
		Change: described("Priority", "It is never lowered: the highest that was set is kept."),
		Behaviour: Behaviour{Keep: func(c *call, values map[string]any) {
			if i := c.before(); i != nil {
				was, _ := i.values["priority"].(json.Number).Int64()
				if sent, _ := values["priority"].(json.Number).Int64(); sent < was {
					values["priority"] = i.values["priority"]
				}
			}
		}},
	},
	{
		Name: "stays-taken", Permits: "document: titles are unique; that of a deleted task stays taken for a day",
		Change: response("/tasks", "post", "409", `{$ref: "#/components/responses/Conflict"}`) +
			`components: {schemas: {Title: {description: "Unique among all tasks; that of a deleted task stays taken for a day."}}}`,
		Behaviour: handle("createTask", func(c *call) {
			for _, i := range c.collection("tasks").items {
				if i.values["title"] == c.body.(map[string]any)["title"] {
					c.refuse(http.StatusConflict, "there is, or was, a task with this title")
					return
				}
			}
			createItem(c)
		}),
	},
	{
		Name: "own-tags", Permits: "document: the service adds a tag of its own where there is room",
		Change: described("Tags", "The service adds a tag of its own, sys-new, where there is room."),
		Behaviour: Behaviour{Keep: func(_ *call, values map[string]any) {
			tags, _ := values["tags"].([]any)
			if len(tags) < 5 && !slices.Contains(tags, any("sys-new")) {
				values["tags"] = append(slices.Clone(tags), "sys-new")
			}
		}},
	},
	{
		Name: "fixed-date", Permits: "document: the date cannot be changed later: 422",
		Change: unprocessable(described("Due", "It cannot be changed later: 422.")),
		Behaviour: Behaviour{Rule: func(c *call, sent map[string]any) string {
			if i := c.before(); i != nil && i.values["due"] != nil && sent["due"] != nil && sent["due"] != i.values["due"] {
				return "due cannot be changed"
			}
			return ""
		}},
	},
	{
		Name: "total-unknown", Permits: "document: the total is -1 while it is being counted",
		Change: "components: {schemas: {TaskList: {properties: {total: {minimum: -1, description: 'How many tasks there are; -1 while they are being counted.'}}}}}",
		Behaviour: Behaviour{Wrap: func(c *call, page []any, total int) any {
			if total > 10 {
				total = -1
			}
			return map[string]any{"items": page, "total": total}
		}},
	},
	{
		Name: "least-page", Permits: "document: a page has five tasks at least, whatever the limit",
		Change: about("A page has at least five tasks if there are so many, whatever the limit."),
		Behaviour: Behaviour{After: func(c *call) {
			if c.id == "listTasks" && c.answer.status == http.StatusOK && c.count("limit", 20) < 5 {
				c.query["limit"] = number(5)
				listItems(c)
			}
		}},
	},
	{
		Name: "last-page", Permits: "document: an offset behind the end gives the last page",
		Change:    about("An offset behind the end gives the last page."),
		Behaviour: lastPage(func(offset int) int { return offset }),
		Twins:     []Twin{{"repeats-one", "paging", lastPage(func(offset int) int { return max(offset-1, 0) })}},
	},
	{
		Name: "cursor-once", Permits: "document: a cursor can be used once; then it is a 410",
		Change: strings.Replace(cursored("A cursor can be used once; then the answer is 410."), "parameters:",
			`responses: {"410": {$ref: "#/components/responses/Missing"}}, parameters:`, 1),
		Behaviour: usedOnce(func(end, all int) int {
			if end >= all {
				return -1
			}
			return end
		}),
		Twins: []Twin{{"skips-one", "paging listed", usedOnce(func(end, all int) int {
			if end >= all {
				return -1
			}
			return end + 1
		})}},
	},
	{
		Name: "numbered", Permits: "document: a title that is taken gets a number where there is room",
		Change: described("Title", "A title that is taken gets a number where there is room: milk (2)."),
		Behaviour: Behaviour{Keep: func(c *call, values map[string]any) {
			title := text(values["title"])
			isTaken := func(i *item) bool { return i.values["title"] == values["title"] }
			hasRoom := len([]rune(title)) <= 50
			for n := 2; hasRoom && c.before() == nil && slices.ContainsFunc(c.collection("tasks").live(), isTaken); n++ {
				values["title"] = title + " (" + strconv.Itoa(n) + ")"
			}
		}},
	},
	{
		Name: "scanned", Permits: "document: a new task cannot be deleted while it is scanned: 423",
		Change: deletion(`{description: "While a new task is scanned, for a moment, the answer is 423.", responses: {"423": {$ref: "#/components/responses/Conflict"}}}`),
		Behaviour: deletes(func(c *call, i *item) {
			if c.lags(i) {
				c.refuse(http.StatusLocked, "the task is being scanned")
				return
			}
			c.collection("tasks").remove(i)
			c.bare(http.StatusNoContent)
		}),
	},
	{
		Name: "trial", Permits: "document: in the trial all settings are accepted and not stored",
		Parts:     []string{"settings", "tasks"},
		Change:    `paths: {/settings: {put: {description: "In the trial everything is accepted and not stored."}}}`,
		Behaviour: handle("replaceSettings", func(c *call) { handlers["readSettings"](c) }),
	},
	{
		Name: "not-acceptable", Permits: "RFC 9110 section 15.5.7: 406 where the server has nothing that is accepted",
		Change: `paths: {/tasks: {get: {responses: {"406": {$ref: "#/components/responses/Invalid"}}}}, '/tasks/{taskId}': {get: {responses: {"406": {$ref: "#/components/responses/Invalid"}}}}}`,
		Behaviour: Behaviour{Before: func(c *call) bool {
			accept := c.r.Header.Get("Accept")
			isFine := accept == "" || strings.Contains(accept, "*/*") || strings.Contains(accept, "application/")
			if isFine || c.id != "listTasks" && c.id != "readTask" {
				return false
			}
			c.refuse(http.StatusNotAcceptable, "there is only JSON")
			return true
		}},
	},
	{
		Name: "concealed", Permits: "RFC 9110 section 15.5.5: a 404 where the server does not want to disclose that there is something",
		Change: `paths: {/tasks: {get: {description: Without credentials it is a 404., responses: {"404": {$ref: "#/components/responses/Missing"}}}, post: {description: Without credentials it is a 404., responses: {"404": {$ref: "#/components/responses/Missing"}}}}}`,
		Behaviour: Behaviour{After: func(c *call) {
			if c.answer.status == http.StatusUnauthorized {
				c.answer.header.Del("WWW-Authenticate")
				c.refuse(http.StatusNotFound, "there is nothing")
			}
		}},
		Twins: []Twin{{"open-to-all", "credentials-ignored", Behaviour{Serve: func(_ *Service, next http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				r.Header.Set("Authorization", "Bearer "+Token)
				next.ServeHTTP(w, r)
			})
		}}}},
	},
	{
		Name: "strict-query", Permits: "document: parameters that are not known are refused with 400",
		Change: about("Parameters that are not known are refused with 400."),
		Behaviour: Behaviour{Before: func(c *call) bool {
			for name := range c.r.URL.Query() {
				if c.id == "listTasks" && !slices.Contains([]string{"limit", "offset", "state", "sort"}, name) {
					c.refuse(http.StatusBadRequest, "there is no parameter "+name)
					return true
				}
			}
			return false
		}},
	},
	{
		Name: "implied", Permits: "document: a task that is done has the priority 1",
		Change:    described("State", "A task that is done always has the priority 1."),
		Behaviour: Behaviour{Keep: implied},
		Twins: []Twin{{"forgets-text", "created-shown read-back updated update-shown", Behaviour{Keep: func(c *call, values map[string]any) {
			implied(c, values)
			delete(values, "text")
		}}}},
	},
	{
		Name: "quarters", Permits: "document: the start is set back to the quarter of an hour",
		Change: property("start", `{type: string, format: date-time, description: Set back to the quarter of an hour before.}`),
		Behaviour: keepText("start", func(sent string) string {
			at, err := time.Parse(time.RFC3339, strings.ToUpper(sent))
			if err != nil {
				return sent
			}
			return at.Truncate(15 * time.Minute).Format(time.RFC3339)
		}),
	},
}
