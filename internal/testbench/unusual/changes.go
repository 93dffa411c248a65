package unusual

import (
	"maps"
	"net/http"
	"slices"

	"github.com/coldframe/coldframe/internal/jsonvalue"
)

func handle(id string, f func(*call)) Behaviour {
	return Behaviour{Handle: map[string]func(*call){id: f}}
}

// after does something to the answers of an operation that have a status.
func after(id string, status int, f func(*call)) Behaviour {
	return Behaviour{After: func(c *call) {
		if c.id == id && c.answer.status == status {
			f(c)
		}
	}}
}

// lag is how long late changes take, as the number of requests that still see the state before. It is not a time, so
// that what the tester sees does not depend on how busy the machine is.
const lag = 2

// delayed is something to be done when the service has got so many requests.
type delayed struct {
	at int
	do func()
}

// later does something after the lag.
func (c *call) later(do func()) { c.delayed = append(c.delayed, delayed{c.requests + lag, do}) }

// catchUp does what was to be done until now.
func catchUp(c *call) bool {
	for len(c.delayed) > 0 && c.requests > c.delayed[0].at {
		c.delayed[0].do()
		c.delayed = c.delayed[1:]
	}
	return false
}

// latest returns the latest item.
func (c *call) latest() *item {
	items := c.collection("tasks").items
	return items[len(items)-1]
}

// created returns the tasks that were not there from the start.
func (c *call) created() []*item {
	return slices.DeleteFunc(c.collection("tasks").live(), func(i *item) bool { return i.made <= 3 })
}

// response is a change of a response of an operation.
func response(path, method, status, response string) string {
	return "paths: {'" + path + "': {" + method + `: {responses: {"` + status + `": ` + response + "}}}}\n"
}

// replica is a backend whose reads and lists are behind by one request. change replaces its PATCH.
func replica(change ...func(*call)) Behaviour {
	type views = [][]*item // before the last requests
	b := Behaviour{
		Before: func(c *call) bool {
			var all []*item
			for _, i := range c.collection("tasks").live() {
				copied := *i
				all = append(all, &copied)
			}
			seen, _ := c.state["views"].(views)
			seen = append(seen, all)
			c.state["views"] = seen[max(0, len(seen)-2):]
			return false
		},
		List: func(c *call, _ []*item) []*item {
			return sorted(filtered(c.state["views"].(views)[0], c.query), c.query)
		},
		Handle: map[string]func(*call){"readTask": func(c *call) {
			c.untagged()
			for _, i := range c.state["views"].(views)[0] {
				if i.id == c.path["taskId"] {
					c.reply(http.StatusOK, c.shown(i))
					return
				}
			}
			c.refuse(http.StatusNotFound, "there is no such item")
		}},
	}
	for _, f := range change {
		b.Handle["changeTask"] = f
	}
	return b
}

// versioned is a backend whose PUT must have the current revision: else it is refused, for which refused may do
// something, else replace replaces the task.
func versioned(refused func(*call, *item), replace func(*call)) Behaviour {
	return Behaviour{
		Handle: map[string]func(*call){"replaceTask": func(c *call) {
			switch i := c.item(); {
			case i == nil:
			case jsonvalue.Order(c.body.(map[string]any)["revision"], i.values["version"]) != 0:
				refused(c, i)
				c.refuse(http.StatusConflict, "the revision is another")
			default:
				replace(c)
			}
		}},
		Show: func(_ *call, values map[string]any) { values["revision"] = values["version"] },
	}
}

// labelled adds labels to a task that has none.
func labelled(_ *call, values map[string]any) {
	if values["labels"] == nil {
		values["labels"] = map[string]any{"color": "none"}
	}
}

const taskJSON = `{application/json: {schema: {$ref: "#/components/schemas/Task"}}}`

var changeVariants = []Variant{
	{
		Name: "put-keeps", Permits: "document: properties that are omitted are left unchanged",
		Change: `paths: {'/tasks/{taskId}': {put: {summary: Updates a task., description: Optional properties that are omitted are left unchanged.}}}`,
		Behaviour: handle("replaceTask", func(c *call) {
			if i := c.item(); i != nil && c.unchanged(i) {
				if values, ok := c.values(withDefaults(c.body.(map[string]any), i.values)); ok {
					c.keep(i, values)
					c.reply(http.StatusOK, c.shown(i))
				}
			}
		}),
		Twins: []Twin{{"keeps-the-title", "update-shown updated replaced", handle("replaceTask", func(c *call) {
			if i := c.item(); i != nil && c.unchanged(i) {
				values, _ := c.values(withDefaults(i.values, c.body.(map[string]any)))
				c.keep(i, values)
				c.reply(http.StatusOK, c.shown(i))
			}
		})}},
	},
	{
		Name: "put-without-body", Permits: "RFC 9110 section 9.3.4: 204 where the target was modified",
		Change:    `paths: {'/tasks/{taskId}': {put: {responses: {"200": null, "204": {description: The task is replaced.}}}}}`,
		Behaviour: after("replaceTask", 200, func(c *call) { c.bare(http.StatusNoContent) }),
		Twins: []Twin{{"changes-nothing", "updated replaced", handle("replaceTask", func(c *call) {
			if i := c.item(); i != nil && c.unchanged(i) {
				c.bare(http.StatusNoContent)
			}
		})}},
	},
	{
		Name: "answers-as-before", Permits: "document: the response has the previous state of the task",
		Change: `paths: {'/tasks/{taskId}': {put: {description: Returns the previous state of the task.}, patch: {description: Returns the previous state of the task.}}}`,
		Behaviour: func() Behaviour {
			before := func(c *call) {
				var was map[string]any
				if i := c.collection("tasks").find(c.path["taskId"]); i != nil {
					was = c.shown(i)
				}
				changeItem(c)
				if c.answer.status == http.StatusOK {
					c.reply(http.StatusOK, was)
				}
			}
			return Behaviour{Handle: map[string]func(*call){"replaceTask": before, "changeTask": before}}
		}(),
	},
	{
		Name: "change-accepted", Permits: "RFC 9110 section 15.3.3: a 202 is noncommittal; the change may come later",
		Change: `paths: {'/tasks/{taskId}': {patch: {description: The change is made later., responses: {"200": null, "202": {description: The change will be made.}}}}}`,
		Behaviour: Behaviour{Before: catchUp, Handle: map[string]func(*call){
			"changeTask": func(c *call) {
				if i := c.item(); i != nil && c.unchanged(i) {
					values, ok := c.values(jsonvalue.Merge(maps.Clone(i.values), c.body).(map[string]any))
					if ok {
						c.later(func() { c.keep(i, values) })
						c.bare(http.StatusAccepted)
					}
				}
			},
		}},
	},
	{
		Name: "change-approved", Permits: "document: a change shows when somebody has approved it",
		Change: `paths: {'/tasks/{taskId}': {put: {description: "A change is shown once it is approved; until then answers show the task as it is."}, patch: {description: "A change is shown once it is approved; until then answers show the task as it is."}}}`,
		Behaviour: func() Behaviour {
			nothing := func(c *call) {
				if i := c.item(); i != nil && c.unchanged(i) {
					c.reply(http.StatusOK, c.shown(i))
				}
			}
			return Behaviour{Handle: map[string]func(*call){"replaceTask": nothing, "changeTask": nothing}}
		}(),
	},
	{
		Name: "created-without-body", Permits: "RFC 9110 section 15.3.2: the resource is identified by Location",
		Change:    `paths: {/tasks: {post: {responses: {"201": {content: null}}}}}`,
		Behaviour: after("createTask", 201, func(c *call) { c.bare(http.StatusCreated) }),
	},
	{
		Name: "relative-location", Permits: "RFC 9110 section 10.2.2: Location may be a relative reference, resolved " +
			"against the target URI",
		Behaviour: after("createTask", 201, func(c *call) { c.answer.header.Set("Location", "tasks/"+c.latest().id) }),
		Twins: []Twin{{"leads-nowhere", "location", after("createTask", 201, func(c *call) {
			c.answer.header.Set("Location", "/tasks/999999")
		})}},
	},
	{
		Name: "see-other", Permits: "RFC 9110 section 9.3.3: a 303 to the representation in place of a 201",
		Change:    `paths: {/tasks: {post: {responses: {"201": null, "303": {description: The task is created; Location is its URL., headers: {Location: {schema: {type: string}}}}}}}}`,
		Behaviour: after("createTask", 201, func(c *call) { c.bare(http.StatusSeeOther) }),
		Twins: []Twin{{Name: "loses-the-title", Check: "read-back", Behaviour: Behaviour{
			After: after("createTask", 201, func(c *call) { c.bare(http.StatusSeeOther) }).After,
			Keep:  func(_ *call, values map[string]any) { values["title"] = "a task" },
		}}},
		Doubtful: []Twin{{Name: "leads-nowhere", Check: "location", Behaviour: after("createTask", 201, func(c *call) {
			c.bare(http.StatusSeeOther)
			c.answer.header.Set("Location", "/tasks/999999999")
		})}},
	},
	{
		Name: "created-later", Permits: "RFC 9110 section 15.3.3: a 202 says that the request is not yet carried out",
		Change: `paths:
  /tasks: {post: {description: The task is created later; its job says when., responses: {"201": null, "202": {description: The job., headers: {Location: {schema: {type: string}}}, content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}}}}
  /jobs/{jobId}:
    get:
      operationId: readJob
      summary: Says how far a job is.
      parameters: [{name: jobId, in: path, required: true, schema: {type: integer, minimum: 1}}]
      responses:
        "200": {description: The job., content: {application/json: {schema: {$ref: "#/components/schemas/Job"}}}}
        "400": {$ref: "#/components/responses/Invalid"}
        "401": {$ref: "#/components/responses/Unauthorized"}
        "404": {$ref: "#/components/responses/Missing"}
components: {schemas: {Job: {type: object, required: [id, status], properties: {id: {type: integer}, status: {type: string, enum: [waiting, done]}}}}}`,
		Behaviour: Behaviour{Before: catchUp, Handle: map[string]func(*call){
			"createTask": func(c *call) {
				values, _ := c.values(c.body.(map[string]any))
				job := c.add("jobs", map[string]any{"status": "waiting"})
				c.later(func() { c.add("tasks", values); job.values["status"] = "done" })
				c.reply(http.StatusAccepted, job.values)
				c.answer.header.Set("Location", "/jobs/"+job.id)
			},
			"readJob": readItem,
		}},
	},
	{
		Name: "only-the-id", Permits: "document: the answer to a creation has the id alone",
		Change: `paths: {/tasks: {post: {responses: {"201": {content: {application/json: {schema: {$ref: "#/components/schemas/Created"}}}}}}}}
components: {schemas: {Created: {type: object, required: [id], properties: {id: {type: integer}}}}}`,
		Behaviour: after("createTask", 201, func(c *call) { c.reply(http.StatusCreated, map[string]any{"id": c.latest().values["id"]}) }),
		Twins: []Twin{{"another-id", "created-readable location read-back identity", after("createTask", 201, func(c *call) {
			c.answer.header.Del("Location")
			c.reply(http.StatusCreated, map[string]any{"id": 424242})
		})}},
	},
	{
		Name: "same-title", Permits: "document: where there is a task with the title it is answered with 200",
		Change: `paths: {/tasks: {post: {description: "Where there is a task with this title, it is answered, with 200, and nothing is created.", responses: {"200": {description: The task that exists., content: ` + taskJSON + `}}}}}`,
		Behaviour: handle("createTask", func(c *call) {
			for _, i := range c.collection("tasks").live() {
				if i.values["title"] == c.body.(map[string]any)["title"] {
					c.reply(http.StatusOK, c.shown(i))
					return
				}
			}
			createItem(c)
		}),
	},
	{
		Name: "title-taken", Permits: "document: titles are unique; a title that is taken is a 409",
		Change: response("/tasks", "post", "409", `{$ref: "#/components/responses/Conflict"}`) +
			`components: {schemas: {Title: {description: Unique among all tasks.}}}`,
		Behaviour: handle("createTask", func(c *call) {
			for _, i := range c.collection("tasks").live() {
				if i.values["title"] == c.body.(map[string]any)["title"] {
					c.refuse(http.StatusConflict, "there is a task with this title")
					return
				}
			}
			createItem(c)
		}),
		Doubtful: []Twin{{"title-taken-twice", "duplicate", Behaviour{}}},
	},
	{
		Name: "version-needed", Permits: "document: a change must have the current revision, else it is a 409",
		Change: `paths: {'/tasks/{taskId}': {put: {description: "revision must be the current one, else the answer is 409.", responses: {"409": {$ref: "#/components/responses/Conflict"}}}}}
components: {schemas: {Task: {properties: {revision: {type: integer, minimum: 1, description: Moved by the service at every change.}}}}}`,
		Behaviour: versioned(func(*call, *item) {}, changeItem),
		Twins: []Twin{
			{"keeps-the-title", "update-shown updated", versioned(func(*call, *item) {}, func(c *call) {
				i := c.item()
				values, _ := c.values(withDefaults(map[string]any{"title": i.values["title"]}, c.body.(map[string]any)))
				c.keep(i, values)
				c.reply(http.StatusOK, c.shown(i))
			})},
			{"changes-nevertheless", "traces", versioned(func(c *call, i *item) {
				i.values = withDefaults(map[string]any{"title": c.body.(map[string]any)["title"]}, i.values)
			}, changeItem)},
		},
	},
	{
		Name: "labels", Permits: "document: a task has labels, whose members are not described one by one",
		Change: `components: {schemas: {Labels: {type: object, propertyNames: {enum: [color]}, additionalProperties: {type: string, maxLength: 20}, required: [color], default: {color: none}},
  Task: {properties: {labels: {$ref: "#/components/schemas/Labels"}}}, TaskChange: {properties: {labels: {$ref: "#/components/schemas/Labels"}}}}}`,
		Behaviour: Behaviour{Keep: labelled},
		Twins: []Twin{{"keeps-labels", "update-shown updated", Behaviour{
			Keep: labelled,
			Handle: map[string]func(*call){"changeTask": func(c *call) {
				if i := c.item(); i != nil && c.unchanged(i) {
					sent := maps.Clone(c.body.(map[string]any))
					delete(sent, "labels")
					values, _ := c.values(jsonvalue.Merge(maps.Clone(i.values), sent).(map[string]any))
					c.keep(i, values)
					c.reply(http.StatusOK, c.shown(i))
				}
			}},
		}}},
	},
	{
		Name: "replica", Permits: "document: nothing says that reads show a change at once",
		Behaviour: replica(),
		Twins: []Twin{{"loses-changes", "updated", replica(func(c *call) {
			if i := c.item(); i != nil {
				c.reply(http.StatusOK, jsonvalue.Merge(c.shown(i), c.body))
			}
		})}},
	},
	{
		Name: "done-is-final", Permits: "document: a task that is done cannot be changed: 409",
		Change: `paths: {'/tasks/{taskId}': {put: {description: A task that is done cannot be changed., responses: {"409": {$ref: "#/components/responses/Conflict"}}}, patch: {description: A task that is done cannot be changed., responses: {"409": {$ref: "#/components/responses/Conflict"}}}}}`,
		Behaviour: func() Behaviour {
			final := func(c *call) {
				i := c.item()
				if i != nil && i.values["state"] == "done" {
					c.refuse(http.StatusConflict, "the task is done")
					return
				}
				if i != nil {
					changeItem(c)
				}
			}
			return Behaviour{Handle: map[string]func(*call){"replaceTask": final, "changeTask": final}}
		}(),
	},
	{
		Name: "starts-open", Permits: "document: a new task is always open",
		Change: `paths: {/tasks: {post: {description: "A new task is always open, whatever state is sent."}}}`,
		Behaviour: Behaviour{Keep: func(c *call, values map[string]any) {
			if c.r.Method == http.MethodPost {
				values["state"] = "open"
			}
		}},
	},
	{
		Name: "finish-later", Permits: "RFC 9110 section 15.3.3: a 202 is noncommittal",
		Change: `paths: {'/tasks/{taskId}/finish': {post: {operationId: finishTask, summary: Finishes a task., description: The task is finished later., parameters: [{$ref: "#/components/parameters/TaskId"}], responses: {"202": {description: It will be finished., content: ` + taskJSON + `}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "404": {$ref: "#/components/responses/Missing"}}}}}`,
		Behaviour: handle("finishTask", func(c *call) {
			if i := c.item(); i != nil {
				shown := c.shown(i)
				shown["state"] = "done"
				c.reply(http.StatusAccepted, shown) // what it will be
			}
		}),
	},
	{
		Name: "finish-once", Permits: "document: finishing a task twice is a 409",
		Change: `paths: {'/tasks/{taskId}/finish': {post: {operationId: finishTask, summary: Finishes a task., description: A task that is done cannot be finished again., parameters: [{$ref: "#/components/parameters/TaskId"}], responses: {"200": {description: The task., content: ` + taskJSON + `}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "404": {$ref: "#/components/responses/Missing"}, "409": {$ref: "#/components/responses/Conflict"}}}}}`,
		Behaviour: handle("finishTask", func(c *call) {
			switch i := c.item(); {
			case i == nil:
			case i.values["state"] == "done":
				c.refuse(http.StatusConflict, "the task is done")
			default:
				i.values = withDefaults(map[string]any{"state": "done", "version": number(i.version() + 1)}, i.values)
				c.reply(http.StatusOK, c.shown(i))
			}
		}),
	},
	{
		Name: "bulk-change", Permits: "document: PATCH /tasks changes all tasks that the caller has created",
		Change: `paths: {/tasks: {patch: {operationId: changeTasks, summary: Changes all tasks that the caller has created., requestBody: {required: true, content: {application/merge-patch+json: {schema: {$ref: "#/components/schemas/TaskChange"}}}}, responses: {"200": {description: How many., content: {application/json: {schema: {type: object, properties: {count: {type: integer}}}}}}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "415": {$ref: "#/components/responses/Unsupported"}}}}}`,
		Behaviour: handle("changeTasks", func(c *call) {
			n := 0
			for _, i := range c.created() {
				n++
				c.keep(i, jsonvalue.Merge(maps.Clone(i.values), c.body).(map[string]any))
			}
			c.reply(http.StatusOK, map[string]any{"count": n})
		}),
	},
	{
		Name: "bulk-replace", Permits: "document: PUT /tasks replaces the caller's tasks",
		Change: `paths: {/tasks: {put: {operationId: replaceTasks, summary: Replaces the tasks that the caller has created by others., requestBody: {required: true, content: {application/json: {schema: {type: array, maxItems: 10, items: {$ref: "#/components/schemas/Task"}}}}}, responses: {"200": {description: The tasks., content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Task"}}}}}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "415": {$ref: "#/components/responses/Unsupported"}}}}}`,
		Behaviour: handle("replaceTasks", func(c *call) {
			for _, i := range c.created() {
				c.collection("tasks").remove(i)
			}
			all := []any{}
			for _, sent := range c.body.([]any) {
				values, _ := c.values(sent.(map[string]any))
				all = append(all, c.shown(c.add("tasks", values)))
			}
			c.reply(http.StatusOK, all)
		}),
	},
	{
		Name: "bulk-delete", Permits: "document: DELETE /tasks deletes the caller's tasks",
		Change: `paths: {/tasks: {delete: {operationId: deleteTasks, summary: Deletes the tasks that the caller has created., responses: {"204": {description: They are deleted.}, "401": {$ref: "#/components/responses/Unauthorized"}}}}}`,
		Behaviour: handle("deleteTasks", func(c *call) {
			for _, i := range c.created() {
				c.collection("tasks").remove(i)
			}
			c.bare(http.StatusNoContent)
		}),
	},
	{
		Name: "batch", Permits: "RFC 4918 section 11.1: a 207 has a status for each part",
		Change: `paths: {/tasks/batch: {post: {operationId: createTasks, summary: Creates several tasks., description: Each task has its own status in the answer., requestBody: {required: true, content: {application/json: {schema: {type: array, minItems: 1, maxItems: 5, items: {type: object}}}}}, responses: {"207": {description: A status for each task., content: {application/json: {schema: {type: array, items: {type: object, required: [status], properties: {status: {type: integer}, id: {type: integer}}}}}}}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "415": {$ref: "#/components/responses/Unsupported"}}}}}`,
		Behaviour: handle("createTasks", func(c *call) {
			all := []any{}
			for _, sent := range c.body.([]any) {
				title := text(sent.(map[string]any)["title"])
				if title == "" || len(title) > 60 {
					all = append(all, map[string]any{"status": 400})
					continue
				}
				i := c.add("tasks", map[string]any{"title": title, "state": "open", "priority": number(3)})
				all = append(all, map[string]any{"status": 201, "id": i.values["id"]})
			}
			c.reply(http.StatusMultiStatus, all)
		}),
	},
	{
		Name: "oldest-make-room", Permits: "document: only the twenty latest tasks are kept",
		Change: `paths: {/tasks: {post: {description: "A caller has at most twenty tasks: the oldest one that the caller created is deleted for a new one."}}}`,
		Behaviour: after("createTask", 201, func(c *call) {
			if mine := c.created(); len(mine) > 20 {
				c.collection("tasks").remove(mine[0])
			}
		}),
	},
	{
		Name: "quota", Permits: "document: a caller may create forty tasks in all; then creations are a 403",
		Change: `paths: {/tasks: {post: {description: "A caller may create 40 tasks in all; then the answer is 403.", responses: {"403": {$ref: "#/components/responses/Forbidden"}}}}}`,
		Behaviour: handle("createTask", func(c *call) {
			if len(c.collection("tasks").items) >= 43 {
				c.refuse(http.StatusForbidden, "there are too many tasks")
				return
			}
			createItem(c)
		}),
	},
	{
		Name: "null-resets", Permits: "document: null resets the priority to 3",
		Change: `components: {schemas: {TaskChange: {properties: {priority: {$ref: null, type: [integer, "null"], minimum: 1, maximum: 5, description: Null resets it to 3.}}}}}`,
		// withDefaults fills what a merge patch removes.
	},
	{
		Name: "upsert", Permits: "RFC 9110 section 9.3.4: 201 where PUT created, 200 or 204 where it replaced",
		Parts: []string{"none"},
		Change: `paths:
  /labels/{name}:
    parameters: [{name: name, in: path, required: true, schema: {type: string, pattern: "^[a-z]{1,12}$"}}]
    get:
      operationId: readLabel
      summary: Reads a label.
      responses: {"200": {description: The label., content: {application/json: {schema: {$ref: "#/components/schemas/Label"}}}}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "404": {$ref: "#/components/responses/Missing"}}
    put:
      operationId: putLabel
      summary: Creates or replaces a label.
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Label"}}}}
      responses: {"201": {description: It was created., content: {application/json: {schema: {$ref: "#/components/schemas/Label"}}}}, "204": {description: It was replaced.}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "415": {$ref: "#/components/responses/Unsupported"}}
    delete:
      operationId: deleteLabel
      summary: Deletes a label. Whether there was one makes no difference.
      responses: {"204": {description: There is no such label any more.}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}}
components: {schemas: {Label: {type: object, required: [colour], properties: {name: {type: string, readOnly: true}, colour: {type: string, pattern: "^#[0-9a-f]{6}$"}}}}}`,
		Behaviour: labels(http.StatusCreated),
	},
}

// labels keeps labels by name. created is the answer to a PUT of one that did not exist.
func labels(created int) Behaviour {
	return Behaviour{Handle: map[string]func(*call){
		"readLabel": func(c *call) {
			if label, ok := c.state[c.path["name"]]; ok {
				c.reply(http.StatusOK, label)
				return
			}
			c.refuse(http.StatusNotFound, "there is no such label")
		},
		"putLabel": func(c *call) {
			name := c.path["name"]
			_, existed := c.state[name]
			label := maps.Clone(c.body.(map[string]any))
			label["name"] = name
			c.state[name] = label
			c.reply(created, label)
			if existed {
				c.bare(http.StatusNoContent)
			}
		},
		"deleteLabel": func(c *call) {
			delete(c.state, c.path["name"])
			c.bare(http.StatusNoContent)
		},
	}}
}
