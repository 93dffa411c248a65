package unusual

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// deletion is a change of what a document says of DELETE.
func deletion(operation string) string {
	return "paths: {'/tasks/{taskId}': {delete: " + operation + "}}\n"
}

// deletes is a behaviour of DELETE.
func deletes(f func(c *call, i *item)) Behaviour {
	return handle("deleteTask", func(c *call) {
		if i := c.item(); i != nil && c.unchanged(i) {
			f(c, i)
		}
	})
}

// deletedShown is soft deletion: the item stays, and says that it is deleted.
func deletedShown() Behaviour {
	return deletes(func(c *call, i *item) {
		i.values = withDefaults(map[string]any{"state": "deleted"}, i.values)
		c.reply(http.StatusOK, c.shown(i))
	})
}

const withDeleted = `components: {schemas: {State: {enum: [open, done, deleted], description: "deleted is that of a deleted task, which can still be read."}}}`

// marked is a backend whose deletions set deletedAt. restored changes a restored task.
func marked(restored func(*item)) Behaviour {
	mark := func(id any) string { return fmt.Sprint("deleted ", id) }
	return Behaviour{
		Keep: func(_ *call, values map[string]any) { delete(values, "deletedAt") },
		Show: func(c *call, values map[string]any) {
			if at := c.state[mark(values["id"])]; at != nil {
				values["deletedAt"] = at
			}
		},
		List: func(c *call, items []*item) []*item {
			items = slices.DeleteFunc(items, func(i *item) bool { return c.state[mark(i.id)] != nil })
			return sorted(filtered(items, c.query), c.query)
		},
		Handle: map[string]func(*call){
			"deleteTask": func(c *call) {
				if i := c.item(); i != nil && c.unchanged(i) {
					c.keep(i, maps.Clone(i.values))
					c.state[mark(i.id)] = time.Now().UTC().Format(time.RFC3339)
					c.bare(http.StatusNoContent)
				}
			},
			"restoreTask": func(c *call) {
				i := c.item()
				if i == nil {
					return
				}
				if c.state[mark(i.id)] == nil {
					c.refuse(http.StatusConflict, "the task is not deleted")
					return
				}
				delete(c.state, mark(i.id))
				c.keep(i, maps.Clone(i.values))
				restored(i)
				c.reply(http.StatusOK, c.shown(i))
			},
		},
	}
}

var deletionVariants = []Variant{
	{
		Name: "deleted-twice", Permits: "RFC 9110 section 9.2.2: DELETE is idempotent; that there is nothing to delete is success",
		Behaviour: handle("deleteTask", func(c *call) {
			if i := c.collection("tasks").find(c.path["taskId"]); i != nil {
				if !c.unchanged(i) {
					return
				}
				c.collection("tasks").remove(i)
			}
			c.bare(http.StatusNoContent)
		}),
		Twins: []Twin{
			{"deletes-nothing", "removed", deletes(func(c *call, _ *item) { c.bare(http.StatusNoContent) })},
			{"deletes-the-one-before", "removed", deletes(func(c *call, i *item) {
				created := c.created()
				if at := slices.Index(created, i); at > 0 {
					c.collection("tasks").remove(created[at-1])
				}
				c.collection("tasks").remove(i)
				c.bare(http.StatusNoContent)
			})},
		},
	},
	{
		Name: "soft", Permits: "document: a deleted task can still be read, in the state deleted",
		Change:    withDeleted + "\n" + deletion(`{description: "A deleted task is kept, in the state deleted.", responses: {"204": null, "200": {description: The task as it is kept., content: `+taskJSON+`}}}`),
		Behaviour: deletedShown(),
	},
	{
		Name: "tombstone", Permits: "RFC 9110 section 15.5.11: 410 where the absence is likely to be permanent",
		Change: response("/tasks/{taskId}", "get", "410", `{$ref: "#/components/responses/Missing"}`),
		Behaviour: handle("readTask", func(c *call) {
			for _, i := range c.collection("tasks").items {
				if i.id == c.path["taskId"] && i.gone {
					c.refuse(http.StatusGone, "the task was deleted")
					return
				}
			}
			readItem(c)
		}),
		Twins: []Twin{{"risen", "removed", handle("readTask", func(c *call) {
			for _, i := range c.collection("tasks").items {
				if i.id == c.path["taskId"] {
					c.reply(http.StatusOK, i.values)
					return
				}
			}
			readItem(c)
		})}},
	},
	{
		Name: "deletion-accepted", Permits: "RFC 9110 section 9.3.5: 202 where the deletion has not yet been enacted",
		Change: deletion(`{responses: {"204": null, "202": {description: The task will be deleted.}}}`),
		Behaviour: Behaviour{Before: catchUp, Handle: map[string]func(*call){
			"deleteTask": func(c *call) {
				if i := c.item(); i != nil && c.unchanged(i) {
					c.later(func() { c.collection("tasks").remove(i) })
					c.bare(http.StatusAccepted)
				}
			},
		}},
	},
	{
		Name: "deletion-shown", Permits: "RFC 9110 section 9.3.5: 200 with a representation that describes the status",
		Change: deletion(`{responses: {"204": null, "200": {description: The task that was deleted., content: ` + taskJSON + `}}}`),
		Behaviour: deletes(func(c *call, i *item) {
			c.collection("tasks").remove(i)
			c.reply(http.StatusOK, c.shown(i))
		}),
	},
	{
		Name: "archive", Permits: "document: a deleted task goes to the archive: it is not listed, but can be read",
		Change: deletion(`{summary: Archives a task., description: "The task is not listed any more. It can be read by its id."}`),
		Behaviour: Behaviour{
			List: func(c *call, items []*item) []*item {
				var kept []*item
				for _, i := range items {
					if c.state["archived "+i.id] == nil {
						kept = append(kept, i)
					}
				}
				return sorted(filtered(kept, c.query), c.query)
			},
			Handle: deletes(func(c *call, i *item) {
				c.state["archived "+i.id] = true
				c.bare(http.StatusNoContent)
			}).Handle,
		},
	},
	{
		Name: "marked", Permits: "document: a restoration is refused unless the task is deleted, so a deletion leaves it",
		Change: `paths: {'/tasks/{taskId}/restore': {post: {operationId: restoreTask, summary: Restores a task., parameters: [{$ref: "#/components/parameters/TaskId"}], responses: {"200": {description: The task., content: ` + taskJSON + `}, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "404": {$ref: "#/components/responses/Missing"}, "409": {$ref: "#/components/responses/Conflict"}}}}}
components: {schemas: {Task: {properties: {deletedAt: {type: string, format: date-time, readOnly: true}}}}}`,
		Behaviour: marked(func(*item) {}),
		Twins: []Twin{{"stays-listed", "removed", func() Behaviour {
			b := marked(func(*item) {})
			b.List = nil
			b.Handle["deleteTask"] = func(c *call) {
				if c.item() != nil {
					c.bare(http.StatusNoContent)
				}
			}
			return b
		}()}},
		Doubtful: []Twin{{"forgets-the-text", "updated", marked(func(i *item) { delete(i.values, "text") })}},
	},
	{
		Name: "trash", Permits: "document: a deleted task is in the list until it is purged",
		Change: deletion(`{description: "Moves the task to the trash. Lists have it until the trash is emptied, each night."}`),
		Behaviour: Behaviour{
			Handle: map[string]func(*call){"listTasks": func(c *call) {
				items := sorted(filtered(c.collection("tasks").items, c.query), c.query)
				page := cut(items, c.count("offset", 0), c.count("limit", 20))
				c.reply(http.StatusOK, map[string]any{"items": shownAll(c, page), "total": len(items)})
			}},
		},
	},
	{
		Name: "not-with-notes", Permits: "document: a task that has notes cannot be deleted: 409",
		Parts:  []string{"tasks", "notes"},
		Change: deletion(`{description: A task that has notes cannot be deleted., responses: {"409": {$ref: "#/components/responses/Conflict"}}}`),
		Behaviour: deletes(func(c *call, i *item) {
			if len(c.collection("tasks/"+i.id+"/notes").live()) > 0 {
				c.refuse(http.StatusConflict, "the task has notes")
				return
			}
			c.collection("tasks").remove(i)
			c.bare(http.StatusNoContent)
		}),
	},
	{
		Name: "notes-stay", Permits: "document: the notes of a deleted task stay readable",
		Parts:  []string{"tasks", "notes"},
		Change: deletion(`{description: "Its notes stay, and can be read at their URLs."}`),
		Behaviour: handle("readNote", func(c *call) {
			in, id := c.place()
			if i := c.collection(in).find(id); i != nil {
				c.reply(http.StatusOK, i.values)
				return
			}
			c.refuse(http.StatusNotFound, "there is no such note")
		}),
	},
	{
		Name: "put-restores", Permits: "document: a PUT restores a deleted task",
		Change: `paths: {'/tasks/{taskId}': {put: {description: Restores the task where it was deleted.}}}`,
		Behaviour: handle("replaceTask", func(c *call) {
			for _, i := range c.collection("tasks").items {
				if i.id == c.path["taskId"] {
					i.gone = false
				}
			}
			changeItem(c)
		}),
	},
	{
		Name: "ids-again", Permits: "document: the ids of deleted tasks are given again",
		Change: "components: {schemas: {TaskId: {description: The smallest number that no other task has. Those of deleted tasks are given again.}}}",
		Behaviour: handle("createTask", func(c *call) {
			createItem(c)
			if c.answer.status != http.StatusCreated {
				return
			}
			tasks, i := c.collection("tasks"), c.latest()
			for n := 1; n < tasks.last; n++ {
				if id := number(n); tasks.find(id.String()) == nil {
					for _, old := range tasks.items {
						if old.id == id.String() {
							old.id = "deleted"
						}
					}
					i.id, i.values["id"] = id.String(), id
					break
				}
			}
			c.reply(http.StatusCreated, c.shown(i))
			c.answer.header.Set("Location", "/tasks/"+i.id)
		}),
	},
	{
		Name: "others-hidden", Permits: "RFC 9110 section 15.5.5: a 404 where the server does not want to disclose that the item exists",
		Change: `paths: {'/tasks/{taskId}': {delete: {description: "Only the creator may delete a task; for all others it is a 404."}, put: {description: "Only the creator may change a task; for all others it is a 404."}, patch: {description: "Only the creator may change a task; for all others it is a 404."}}}`,
		Behaviour: Behaviour{Before: func(c *call) bool {
			if id := c.path["taskId"]; c.r.Method != http.MethodGet && (id == "1" || id == "2" || id == "3") {
				c.refuse(http.StatusNotFound, "there is no such task")
				return true
			}
			return false
		}},
	},
	{
		Name: "kept-until-read", Permits: "document: a note is deleted when it has been read",
		Parts:  []string{"tasks", "notes"},
		Change: `paths: {'/tasks/{taskId}/notes/{noteId}': {get: {description: The note is deleted when it has been read.}}}`,
		Behaviour: Behaviour{Handle: map[string]func(*call){"readNote": func(c *call) {
			i := c.item()
			if i == nil {
				return
			}
			c.reply(http.StatusOK, i.values)
			if i.in != "tasks/1/notes" {
				c.collection(i.in).remove(i)
			}
		}}},
	},
}
