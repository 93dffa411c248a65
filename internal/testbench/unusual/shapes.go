package unusual

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// idOf is what an id that is not a number looks like.
func uuidOf(id string) string {
	sum := sha256.Sum256([]byte("task " + id))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// renamed shows ids of another form. inside returns the kept id for the id in a path.
func renamed(outside func(id string) string, inside func(c *call, id string) string) Behaviour {
	return Behaviour{
		Before: func(c *call) bool {
			if id, has := c.path["taskId"]; has {
				c.state["asked"] = inside(c, id)
			}
			return false
		},
		Show: func(_ *call, values map[string]any) { values["id"] = outside(fmt.Sprint(values["id"])) },
		Handle: map[string]func(*call){
			"createTask": func(c *call) {
				createItem(c)
				if location := c.answer.header.Get("Location"); location != "" {
					c.answer.header.Set("Location", "/tasks/"+outside(strings.TrimPrefix(location, "/tasks/")))
				}
			},
			"readTask": inner(readItem), "replaceTask": inner(changeItem), "changeTask": inner(changeItem),
			"deleteTask": inner(deleteItem),
		},
	}
}

func inner(f func(*call)) func(*call) {
	return func(c *call) {
		c.path["taskId"], _ = c.state["asked"].(string)
		f(c)
	}
}

// byUUID finds the task whose id looks so, in any case of its letters (RFC 9562 section 4).
func byUUID(c *call, id string) string {
	for _, i := range c.collection("tasks").items {
		if strings.EqualFold(uuidOf(i.id), id) {
			return i.id
		}
	}
	return "none"
}

// taskAsXML shows a task as XML if that is asked for: some of its values, after a change, and the time of its creation
// under another name.
func taskAsXML(edit func(values map[string]any)) Behaviour {
	return after("readTask", http.StatusOK, func(c *call) {
		if !strings.Contains(c.r.Header.Get("Accept"), "xml") || strings.Contains(c.r.Header.Get("Accept"), "json") {
			return
		}
		var values map[string]any
		if err := json.Unmarshal(c.answer.body, &values); err != nil {
			panic(err)
		}
		edit(values)
		var b bytes.Buffer
		for _, name := range []string{"id", "title", "priority"} {
			if values[name] != nil {
				fmt.Fprintf(&b, "<%s>", name)
				xml.EscapeText(&b, []byte(fmt.Sprint(values[name])))
				fmt.Fprintf(&b, "</%s>", name)
			}
		}
		fmt.Fprintf(&b, "<created>%s</created>", values["createdAt"])
		c.answer.kind, c.answer.body = "application/xml", []byte("<task>"+b.String()+"</task>")
	})
}

// listed is a change of the body of the list.
func listed(schema string) string {
	return `paths: {/tasks: {get: {responses: {"200": {content: {application/json: {schema: {$ref: null, ` + strings.TrimPrefix(schema, "{") + `}}}}}}}`
}

func wraps(f func(c *call, page []any, total int) any) Behaviour { return Behaviour{Wrap: f} }

var shapeVariants = []Variant{
	{
		Name: "uuid-in-capitals", Permits: "RFC 9562 section 4: UUIDs are case-insensitive on input",
		Change:    `components: {schemas: {TaskId: {type: string, format: uuid, minimum: null}}}`,
		Behaviour: renamed(func(id string) string { return strings.ToUpper(uuidOf(id)) }, byUUID),
	},
	{
		Name: "ids-as-text", Permits: "document: ids are texts of digits",
		Change:    `components: {schemas: {TaskId: {type: string, pattern: "^[0-9]{1,12}$", minimum: null}}}`,
		Behaviour: renamed(func(id string) string { return "00" + id }, func(_ *call, id string) string { return strings.TrimPrefix(id, "00") }),
	},
	{
		Name: "slugs", Permits: "document: the id is made from the title, with a number",
		Change:    `components: {schemas: {TaskId: {type: string, pattern: "^[a-z0-9-]{1,40}$", minimum: null, description: Made by the service.}}}`,
		Behaviour: renamed(func(id string) string { return "task-" + id }, func(_ *call, id string) string { return strings.TrimPrefix(id, "task-") }),
	},
	{
		Name: "latest", Permits: "document: latest stands for the latest task",
		Change: `components: {schemas: {TaskId: {type: [integer, string], pattern: "^(latest|[0-9]{1,9})$", description: A number; latest stands for the latest task.}}}`,
		Behaviour: Behaviour{Before: func(c *call) bool {
			if items := c.collection("tasks").live(); c.path["taskId"] == "latest" && c.r.Method == http.MethodGet && len(items) > 0 {
				c.path["taskId"] = items[len(items)-1].id
			}
			return false
		}},
	},
	{
		Name: "bare-ids", Permits: "document: the list has the ids of the tasks",
		Change: listed(`{type: array, items: {type: integer}}`),
		Behaviour: wraps(func(_ *call, page []any, _ int) any {
			ids := []any{}
			for _, i := range page {
				ids = append(ids, i.(map[string]any)["id"])
			}
			return ids
		}),
	},
	{
		Name: "summaries", Permits: "document: lists show the id and title only",
		Change: listed(`{type: array, items: {type: object, required: [id, title], properties: {id: {type: integer}, title: {type: string}}}}`),
		Behaviour: wraps(func(_ *call, page []any, _ int) any {
			all := []any{}
			for _, i := range page {
				all = append(all, map[string]any{"id": i.(map[string]any)["id"], "title": i.(map[string]any)["title"]})
			}
			return all
		}),
	},
	{
		Name: "map", Permits: "document: the list is an object with the tasks by their ids",
		Change: listed(`{type: object, additionalProperties: {$ref: "#/components/schemas/Task"}}`),
		Behaviour: wraps(func(_ *call, page []any, _ int) any {
			all := map[string]any{}
			for _, i := range page {
				all[fmt.Sprint(i.(map[string]any)["id"])] = i
			}
			return all
		}),
	},
	{
		Name: "enveloped", Permits: "document: bodies are wrapped in data",
		Change: `paths: {/tasks: {get: {responses: {"200": {content: {application/json: {schema: {$ref: null, type: object, required: [data], properties: {data: {type: array, items: {$ref: "#/components/schemas/Task"}}, meta: {type: object}}}}}}}}},
  '/tasks/{taskId}': {get: {responses: {"200": {content: {application/json: {schema: {$ref: null, type: object, required: [data], properties: {data: {$ref: "#/components/schemas/Task"}}}}}}}}}}`,
		Behaviour: Behaviour{
			Wrap: func(_ *call, page []any, total int) any {
				return map[string]any{"data": page, "meta": map[string]any{"count": total}}
			},
			After: func(c *call) {
				if i := c.collection("tasks").find(c.path["taskId"]); c.id == "readTask" && c.answer.status == http.StatusOK && i != nil {
					c.reply(http.StatusOK, map[string]any{"data": c.shown(i)})
				}
			},
		},
	},
	{
		Name: "204-for-none", Permits: "document: 204 where no task is found",
		Change: response("/tasks", "get", "204", "{description: There are none.}"),
		Behaviour: after("listTasks", http.StatusOK, func(c *call) {
			if strings.HasPrefix(string(c.answer.body), `{"items":[]`) {
				c.bare(http.StatusNoContent)
			}
		}),
	},
	{
		Name: "404-for-none", Permits: "document: 404 where no task is found",
		Change: `paths: {/tasks: {get: {description: Where no task fits the answer is 404., responses: {"404": {$ref: "#/components/responses/Missing"}}}}}`,
		Behaviour: after("listTasks", http.StatusOK, func(c *call) {
			if strings.HasPrefix(string(c.answer.body), `{"items":[]`) {
				c.refuse(http.StatusNotFound, "there are no such tasks")
			}
		}),
	},
	{
		Name: "union", Permits: "document: what is an answer is one of two schemas",
		Change: `paths: {'/tasks/{taskId}': {get: {responses: {"200": {content: {application/json: {schema: {$ref: null, oneOf: [{$ref: "#/components/schemas/Task"}, {type: object, required: [title, secret], additionalProperties: false, properties: {title: {type: string}, secret: {const: true}}}]}}}}}}}}`,
		Behaviour: after("readTask", http.StatusOK, func(c *call) {
			if c.path["taskId"] == "2" {
				c.reply(http.StatusOK, map[string]any{"title": "(hidden)", "secret": true})
			}
		}),
		Twins: []Twin{{"fits-none", "body", after("readTask", http.StatusOK, func(c *call) {
			if c.path["taskId"] == "2" {
				c.reply(http.StatusOK, map[string]any{"title": "(hidden)"})
			}
		})}},
	},
	{
		Name: "csv-too", Permits: "RFC 9110 section 12.5.1: the server chooses among the types that the client accepts",
		Change: `paths: {/tasks: {get: {responses: {"200": {content: {text/csv: {schema: {type: string}}}}}}}}`,
		Behaviour: after("listTasks", http.StatusOK, func(c *call) {
			if accept := c.r.Header.Get("Accept"); strings.Contains(accept, "text/csv") && !strings.Contains(accept, "json") {
				c.answer.kind, c.answer.body = "text/csv; header=present", []byte("id,title\r\n1,\"Water, the seedlings\"\r\n")
			}
		}),
	},
	{
		Name: "xml-too", Permits: "RFC 9110 section 3.2: representations may differ in what they contain, and how",
		Change: `paths: {"/tasks/{taskId}": {get: {responses: {"200": {content: {application/xml: {schema: {type: object, xml: {name: task},
  properties: {id: {type: string}, title: {type: string}, priority: {type: string}, created: {type: string}}}}}}}}}}`,
		Behaviour: taskAsXML(func(map[string]any) {}),
		Twins: []Twin{{"xml-has-other-title", "read-back",
			taskAsXML(func(values map[string]any) { values["title"] = "Water the seedlings" })}},
	},
	{
		Name: "only-one-type", Permits: "RFC 9110 section 12.5.1: a server may answer with a type that is not accepted in place of a 406",
		Change:    `paths: {/tasks: {get: {responses: {"406": {$ref: "#/components/responses/Invalid"}}}}}`,
		Behaviour: Behaviour{},
	},
	{
		Name: "file-as-text", Permits: "RFC 7578 section 4.4: the type of a part is a hint of the sender",
		Parts:  []string{"files"},
		Change: `paths: {/files: {post: {requestBody: {content: {multipart/form-data: {schema: {properties: {content: {contentMediaType: text/plain}}}, encoding: {content: {contentType: text/plain}}}}}}}}`,
	},
	{
		Name: "links-elsewhere", Permits: "OpenAPI 3.1 section 4.8.20: the parent of the link is that of the exchange",
		Parts:     []string{"tasks", "notes"},
		Behaviour: Behaviour{},
		Twins:     []Twin{{"notes-hidden", "created-readable link listed", handle("readNote", func(c *call) { c.refuse(http.StatusNotFound, "there is no such note") })}},
	},
	{
		Name: "private-settings", Permits: "document: the signature is not shown to others; the settings have their own defaults",
		Parts:  []string{"settings"},
		Change: `components: {schemas: {Settings: {properties: {signature: {description: "Spaces at its ends are removed; at most 50 characters are kept."}}}}}`,
		Behaviour: handle("replaceSettings", func(c *call) {
			c.single = withDefaults(c.body.(map[string]any), map[string]any{"pageSize": number(20)})
			if s, ok := c.single["signature"].(string); ok {
				c.single["signature"] = strings.TrimSpace(firstRunes(50)(strings.TrimSpace(s)))
			}
			c.reply(http.StatusOK, c.single)
		}),
		Twins: []Twin{{"settings-not-kept", "updated replaced read-back", handle("replaceSettings", func(c *call) { c.reply(http.StatusOK, c.body) })}},
	},
	{
		Name: "nothing-shared", Permits: "document: every caller has lists of their own, which are empty at first",
		Behaviour: lists(func(c *call, items []*item) []*item {
			items = slices.DeleteFunc(items, func(i *item) bool { return i.made <= 3 })
			return sorted(filtered(items, c.query), c.query)
		}),
	},
}
