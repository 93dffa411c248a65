package unusual

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/jsonvalue"
)

// parameters is a change of the list's parameters: in addition to limit, offset and state.
func parameters(more ...string) string {
	return `paths: {/tasks: {get: {parameters: [{$ref: "#/components/parameters/Limit"}, {$ref: "#/components/parameters/Offset"},
  {name: state, in: query, description: Only tasks in this state., schema: {$ref: "#/components/schemas/State"}}, ` +
		strings.Join(more, ", ") + "]}}}\n"
}

// about is a change of the list's description.
func about(text string) string {
	return "paths: {/tasks: {get: {description: " + strconv.Quote(text) + "}}}"
}

// lists is a behaviour that chooses and orders the items.
func lists(f func(c *call, items []*item) []*item) Behaviour { return Behaviour{List: f} }

// choose keeps the items that fit, then those in the state and order that are asked for.
func choose(fits func(c *call, i *item) bool) Behaviour {
	return lists(func(c *call, items []*item) []*item {
		items = slices.DeleteFunc(items, func(i *item) bool { return !fits(c, i) })
		return sorted(filtered(items, c.query), c.query)
	})
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// cursor has the list page by an opaque cursor. more returns how many items a page has, and last whether a page that
// ends the list promises another, empty one.
func cursor(more func(c *call, limit int) int, last bool) Behaviour {
	return Behaviour{Handle: map[string]func(*call){"listTasks": func(c *call) {
		items := c.collection("tasks").live()
		from := 0
		if after, ok := c.query["cursor"].(string); ok {
			n, err := strconv.Atoi(strings.TrimPrefix(after, "c"))
			if err != nil || !strings.HasPrefix(after, "c") {
				c.refuse(http.StatusBadRequest, "the cursor is not one of a page")
				return
			}
			from = slices.IndexFunc(items, func(i *item) bool { id, _ := strconv.Atoi(i.id); return id > n })
			if from < 0 {
				from = len(items)
			}
		}
		page := cut(items, from, more(c, c.count("limit", 20)))
		body := map[string]any{"items": shownAll(c, page)}
		if end := from + len(page); len(page) > 0 && (end < len(items) || last) {
			body["next"] = "c" + page[len(page)-1].id
		}
		c.reply(http.StatusOK, body)
	}}}
}

func shownAll(c *call, items []*item) []any {
	all := make([]any, len(items))
	for n, i := range items {
		all[n] = c.shown(i)
	}
	return all
}

// cursored is the document of a list with cursors.
func cursored(about string) string {
	return `paths: {/tasks: {get: {description: ` + strconv.Quote(about) + `, parameters: [{$ref: "#/components/parameters/Limit"},
  {name: cursor, in: query, description: The value of next in the answer before., schema: {type: string, minLength: 1}}]}}}
components: {schemas: {TaskList: {required: [items], properties: {total: null, next: {type: string, description: The cursor of the next page; left out where there is none.}}}}}`
}

var listVariants = []Variant{
	{
		Name: "limit-clamped", Permits: "document: a limit above 10 counts as 10",
		Change: "components: {parameters: {Limit: {description: The most items in the answer; more than 10 counts as 10.}}}",
		Behaviour: Behaviour{After: func(c *call) {
			if n := c.count("limit", 0); c.id == "listTasks" && n > 10 && c.answer.status == http.StatusOK {
				c.query["limit"] = number(10)
				listItems(c)
			}
		}},
		Twins: []Twin{{"limit-ignored", "paging", Behaviour{After: func(c *call) {
			if n := c.count("limit", 0); c.id == "listTasks" && n > 0 && c.answer.status == http.StatusOK {
				c.query["limit"] = number(100)
				listItems(c)
			}
		}}}},
	},
	{
		Name: "short-pages", Permits: "document: a page may have fewer items than the limit although more follow",
		Change:    cursored("A page may have fewer items than the limit although more follow: go on while there is next."),
		Behaviour: cursor(func(_ *call, limit int) int { return max(1, limit/2) }, false),
		Twins:     []Twin{{"long-pages", "paging", cursor(func(_ *call, limit int) int { return limit + 1 }, false)}},
	},
	{
		Name: "empty-last-page", Permits: "document: the last page may be empty",
		Change:    cursored("The last page may be empty."),
		Behaviour: cursor(func(_ *call, limit int) int { return limit }, true),
	},
	{
		Name: "total-estimated", Permits: "document: the total is an estimate",
		Change: "components: {schemas: {TaskList: {properties: {total: {description: 'An estimate of how many tasks there are, which may be off.'}}}}}",
		Behaviour: Behaviour{Wrap: func(_ *call, page []any, total int) any {
			return map[string]any{"items": page, "total": total/10*10 + 10}
		}},
	},
	{
		Name: "grows-meanwhile", Permits: "RFC 9110 section 3.2: a representation is of the state at its time; others create tasks, too",
		Behaviour: Behaviour{Before: othersCreate(7)},
		Twins: []Twin{{"total-too-large", "paging", Behaviour{Before: othersCreate(60), Wrap: func(_ *call, page []any, total int) any {
			return map[string]any{"items": page, "total": total + 1}
		}}}},
	},
	{
		Name: "total-of-page", Permits: "document: size is the number of tasks in this answer",
		Change: "components: {schemas: {TaskList: {required: [items], properties: {total: null, paging: {type: object, properties: {size: {type: integer, description: The number of tasks returned.}}}}}}}",
		Behaviour: Behaviour{Wrap: func(_ *call, page []any, _ int) any {
			return map[string]any{"items": page, "paging": map[string]any{"size": len(page)}}
		}},
	},
	{
		Name: "total-of-all", Permits: "document: total counts all tasks, whatever the filters",
		Change: "components: {schemas: {TaskList: {properties: {total: {description: 'How many tasks there are in all, whatever the filters.'}}}}}",
		Behaviour: Behaviour{Wrap: func(c *call, page []any, _ int) any {
			return map[string]any{"items": page, "total": len(c.collection("tasks").live())}
		}},
	},
	{
		Name: "undefined-order", Permits: "document: the order of tasks is undefined",
		Change: `paths: {/tasks: {get: {summary: Lists tasks., description: The order is undefined and may change from request to request., parameters: [{$ref: "#/components/parameters/Limit"}]}}}`,
		Behaviour: lists(func(c *call, items []*item) []*item {
			c.ticks++
			if len(items) == 0 {
				return items
			}
			n := c.ticks % len(items)
			return slices.Concat(items[n:], items[:n])
		}),
		Twins: []Twin{{"loses-the-newest", "listed", lists(func(_ *call, items []*item) []*item {
			return items[:min(3, len(items))]
		})}},
	},
	{
		Name: "newest-first", Permits: "document: the newest tasks come first",
		Change: about("The newest come first."),
		Behaviour: lists(func(c *call, items []*item) []*item {
			slices.Reverse(items)
			return sorted(filtered(items, c.query), c.query)
		}),
	},
	{
		Name: "open-by-default", Permits: "document: without a state, only open tasks are listed",
		Change:    about("Without state, only open tasks are listed."),
		Behaviour: choose(func(c *call, i *item) bool { return c.query["state"] != nil || i.values["state"] == "open" }),
		Doubtful:  []Twin{{"filters-nothing", "filter", lists(func(_ *call, items []*item) []*item { return items })}},
	},
	{
		Name: "least-priority", Permits: "document: priority is the least priority of the tasks",
		Change: parameters(`{name: priority, in: query, description: The least priority of the tasks that are listed., schema: {type: integer, minimum: 1, maximum: 5}}`),
		Behaviour: choose(func(c *call, i *item) bool {
			least := c.query["priority"]
			return least == nil || jsonvalue.Order(i.values["priority"], least) >= 0
		}),
	},
	{
		Name: "prefix", Permits: "document: title is the beginning of the titles",
		Change: parameters(`{name: title, in: query, description: The beginning of the title., schema: {type: string, minLength: 1, maxLength: 60}}`),
		Behaviour: choose(func(c *call, i *item) bool {
			return strings.HasPrefix(text(i.values["title"]), text(c.query["title"]))
		}),
	},
	{
		Name: "substring", Permits: "document: title is a part of the titles, in any case",
		Change: parameters(`{name: title, in: query, description: "Part of the title, in any case.", schema: {type: string, minLength: 1, maxLength: 60}}`),
		Behaviour: choose(func(c *call, i *item) bool {
			return strings.Contains(strings.ToLower(text(i.values["title"])), strings.ToLower(text(c.query["title"])))
		}),
	},
	{
		Name: "leaves-out", Permits: "document: tasks in this state are left out",
		Change: `paths: {/tasks: {get: {parameters: [{$ref: "#/components/parameters/Limit"}, {$ref: "#/components/parameters/Offset"}, {name: state, in: query, description: Leaves out tasks in this state., schema: {$ref: "#/components/schemas/State"}}]}}}`,
		Behaviour: lists(func(c *call, items []*item) []*item {
			return slices.DeleteFunc(items, func(i *item) bool { return i.values["state"] == c.query["state"] })
		}),
	},
	{
		Name: "any-of", Permits: "document: state takes several states, separated by commas",
		Change: `paths: {/tasks: {get: {parameters: [{$ref: "#/components/parameters/Limit"}, {name: state, in: query, explode: false, description: Tasks in any of these states., schema: {type: array, items: {$ref: "#/components/schemas/State"}}}]}}}`,
		Behaviour: lists(func(c *call, items []*item) []*item {
			states, _ := c.query["state"].([]any)
			return slices.DeleteFunc(items, func(i *item) bool {
				return len(states) > 0 && !slices.Contains(states, i.values["state"])
			})
		}),
	},
	{
		Name: "included", Permits: "document: late says whether late tasks are included as well",
		Change: parameters(`{name: late, in: query, description: Whether to include late tasks as well., schema: {type: boolean}}`) +
			`components: {schemas: {Task: {properties: {late: {type: boolean}}}, TaskChange: {properties: {late: {type: boolean}}}}}`,
		Behaviour: choose(func(c *call, i *item) bool { return c.query["late"] != false || i.values["late"] != true }),
	},
	{
		Name: "list-cached", Permits: "document: the list may be out of date by a minute",
		Change: about("The list is cached: a change may take up to a minute to show."),
		Behaviour: lists(func(c *call, items []*item) []*item {
			cached, _ := c.state["list"].([]*item)
			if at, has := c.state["at"].(int); !has || c.requests > at+lag {
				cached = slices.Clone(items)
				c.state["list"], c.state["at"] = cached, c.requests
			}
			return sorted(filtered(cached, c.query), c.query)
		}),
	},
	{
		Name: "read-replica", Permits: "document: a new task may not be found for some seconds; until then reads are a 404",
		Change: `paths:
  /tasks: {get: {description: Reads from a replica which may lag behind by some seconds.}}
  '/tasks/{taskId}': {get: {description: "Reads from a replica, which may lag behind by some seconds: until then a new task is a 404."}}`,
		Behaviour: Behaviour{
			List: func(c *call, items []*item) []*item {
				items = slices.DeleteFunc(items, c.lags)
				return sorted(filtered(items, c.query), c.query)
			},
			Handle: map[string]func(*call){"readTask": func(c *call) {
				if i := c.collection("tasks").find(c.path["taskId"]); i != nil && c.lags(i) {
					c.refuse(http.StatusNotFound, "there is no such task, yet")
					return
				}
				readItem(c)
			}},
		},
	},
	{
		Name: "some-fields", Permits: "document: fields names the properties that are shown",
		Change: `paths:
  /tasks: {get: {parameters: [{$ref: "#/components/parameters/Limit"}, {$ref: "#/components/parameters/Fields"}]}}
  '/tasks/{taskId}': {get: {parameters: [{$ref: "#/components/parameters/Fields"}]}}
components: {schemas: {Task: {required: [title]}}, parameters: {Fields: {name: fields, in: query, explode: false, description: Only these properties are shown., schema: {type: array, minItems: 1, items: {type: string, enum: [id, title, state, priority]}}}}}`,
		Behaviour: Behaviour{Show: func(c *call, values map[string]any) {
			fields, ok := c.query["fields"].([]any)
			for name := range values {
				if ok && name != "title" && !slices.Contains(fields, any(name)) {
					delete(values, name)
				}
			}
		}},
	},
	{
		Name: "expanded", Permits: "document: expand adds the notes",
		Change: `paths:
  '/tasks/{taskId}': {get: {parameters: [{name: expand, in: query, description: What is embedded in the answer., schema: {type: string, enum: [owner, none]}}]}}
components: {schemas: {Task: {properties: {owner: {readOnly: true, oneOf: [{type: integer}, {$ref: "#/components/schemas/Person"}]}}}}}`,
		Behaviour: Behaviour{Show: func(c *call, values map[string]any) {
			values["owner"] = 1
			if c.query["expand"] == "owner" {
				values["owner"] = map[string]any{"id": 1, "name": "Ada"}
			}
		}},
	},
	{
		Name: "view", Permits: "document: view=compact leaves out what is long",
		Change: `paths:
  '/tasks/{taskId}': {get: {parameters: [{name: view, in: query, schema: {type: string, enum: [compact, full], default: compact}}]}}`,
		Behaviour: Behaviour{Show: func(c *call, values map[string]any) {
			if c.query["view"] != "full" && c.id == "readTask" {
				delete(values, "text")
				delete(values, "tags")
			}
		}},
	},
	{
		Name: "empty-query", Permits: "document: an empty value of the query counts as none",
		Change: about("An empty value of a parameter counts as none."),
		Behaviour: Behaviour{Before: func(c *call) bool {
			var kept []string
			for pair := range strings.SplitSeq(c.r.URL.RawQuery, "&") {
				if _, value, has := strings.Cut(pair, "="); has && value != "" {
					kept = append(kept, pair)
				}
			}
			c.r.URL.RawQuery = strings.Join(kept, "&")
			return false
		}},
	},
	{
		Name: "sort-unknown", Permits: "document: an unknown property to sort by is ignored",
		Change: parameters(`{name: sort, in: query, description: "title or priority; other texts are ignored.", schema: {type: string, minLength: 1, maxLength: 20}}`),
		Behaviour: lists(func(c *call, items []*item) []*item {
			if by := c.query["sort"]; by != "title" && by != "priority" {
				return filtered(items, c.query)
			}
			return sorted(filtered(items, c.query), c.query)
		}),
	},
	{
		Name: "dictionary-order", Permits: "document: titles are sorted as in a dictionary",
		Change: parameters(`{name: sort, in: query, description: "The order: of titles as in a dictionary, capital and small letters alike.", schema: {type: string, enum: [title, -title]}}`),
		Behaviour: lists(func(c *call, items []*item) []*item {
			items = filtered(items, c.query)
			by, _ := c.query["sort"].(string)
			if by == "" {
				return items
			}
			slices.SortStableFunc(items, func(a, b *item) int {
				return strings.Compare(strings.ToLower(text(a.values["title"])), strings.ToLower(text(b.values["title"])))
			})
			if by[0] == '-' {
				slices.Reverse(items)
			}
			return items
		}),
	},
	{
		Name: "none-first", Permits: "document: tasks without an estimate come first",
		Change:    parameters(`{name: sort, in: query, description: The property to sort by; tasks without it come first., schema: {type: string, enum: [estimate]}}`),
		Behaviour: Behaviour{}, // nil is less than all numbers
		Doubtful: []Twin{{"order-ignored", "sort", lists(func(c *call, items []*item) []*item {
			slices.Reverse(items)
			return filtered(items, c.query)
		})}},
	},
	{
		Name: "pinned-first", Permits: "document: the first task is pinned: it comes first in every order",
		Change: about("Pinned tasks come before all others, whatever the order."),
		Behaviour: lists(func(c *call, items []*item) []*item {
			items = sorted(filtered(items, c.query), c.query)
			slices.SortStableFunc(items, func(a, b *item) int { return pin(a) - pin(b) })
			return items
		}),
	},
	{
		Name: "no-such-page", Permits: "document: a page that does not exist is a 404",
		Change: `paths: {/tasks: {get: {parameters: [{name: page, in: query, description: "The number of the page, from 1. One that does not exist is a 404.", schema: {type: integer, minimum: 1, maximum: 100000, default: 1}}, {name: perPage, in: query, schema: {type: integer, minimum: 1, maximum: 50, default: 10}}], responses: {"404": {$ref: "#/components/responses/Missing"}}}}}`,
		Behaviour: Behaviour{Handle: map[string]func(*call){"listTasks": func(c *call) {
			size, items := c.count("perPage", 10), c.collection("tasks").live()
			from := (c.count("page", 1) - 1) * size
			if from >= len(items) && from > 0 {
				c.refuse(http.StatusNotFound, "there is no such page")
				return
			}
			c.reply(http.StatusOK, map[string]any{"items": shownAll(c, cut(items, from, size)), "total": len(items)})
		}}},
	},
	{
		Name: "window", Permits: "document: only the five latest tasks are listed",
		Change: `paths: {/tasks: {get: {summary: Lists the latest tasks., description: Only the five latest tasks are listed., parameters: []}}}
components: {schemas: {TaskList: {required: [items], properties: {total: null}}}}`,
		Behaviour: Behaviour{
			List: func(_ *call, items []*item) []*item { return items[max(0, len(items)-5):] },
			Wrap: func(_ *call, page []any, _ int) any { return map[string]any{"items": page} },
		},
	},
	{
		Name: "starred", Permits: "document: the list has the tasks that the caller has starred",
		Change:    `paths: {/tasks: {get: {summary: Lists the tasks that the caller has starred., parameters: [{$ref: "#/components/parameters/Limit"}]}}}`,
		Behaviour: lists(func(_ *call, items []*item) []*item { return items[:min(2, len(items))] }),
	},
	{
		Name: "overlapping-pages", Permits: "document: a page begins with the last task of the page before",
		Change: `paths: {/tasks: {get: {description: "Pages overlap: each begins with the last task of the page before.", parameters: [{name: page, in: query, schema: {type: integer, minimum: 1, maximum: 10000, default: 1}}]}}}`,
		Behaviour: Behaviour{Handle: map[string]func(*call){"listTasks": func(c *call) {
			items := c.collection("tasks").live()
			c.reply(http.StatusOK, map[string]any{
				"items": shownAll(c, cut(items, (c.count("page", 1)-1)*9, 10)), "total": len(items)})
		}}},
	},
	{
		Name: "limit-zero", Permits: "document: a limit of 0 asks for the total alone",
		Change: "components: {parameters: {Limit: {description: The most items in the answer; 0 asks for the total alone., schema: {minimum: 0}}}}",
	},
	{
		Name: "search", Permits: "document: q finds tasks whose words resemble it, the best first",
		Change: parameters(`{name: q, in: query, description: "Words. Finds tasks that resemble them, the best first.", schema: {type: string, minLength: 1, maxLength: 60}}`),
		Behaviour: lists(func(c *call, items []*item) []*item {
			q := strings.ToLower(text(c.query["q"]))
			if q == "" {
				return filtered(items, c.query)
			}
			return slices.DeleteFunc(items, func(i *item) bool {
				return !strings.ContainsAny(strings.ToLower(text(i.values["title"])), firstRunes(3)(q))
			})
		}),
	},
	{
		Name: "next-links", Permits: "RFC 8288 section 3.1: the target of a Link may be a relative reference",
		Change: `paths: {/tasks: {get: {responses: {"200": {headers: {Link: {description: The next page (RFC 8288)., schema: {type: string}}}}}}}}`,
		Behaviour: Behaviour{After: func(c *call) {
			offset, limit := c.count("offset", 0), c.count("limit", 20)
			all := c.query["state"] == nil && c.query["sort"] == nil // a link is for the whole list only
			if all && c.id == "listTasks" && c.answer.status == http.StatusOK && offset+limit < len(c.collection("tasks").live()) {
				c.answer.header.Set("Link", "<?limit="+strconv.Itoa(limit)+"&offset="+strconv.Itoa(offset+limit)+">; rel=next")
			}
		}},
	},
}

// lags reports whether the replica does not have an item yet.
func (c *call) lags(i *item) bool { return c.requests <= i.at+lag && i.made > 3 }

func pin(i *item) int {
	if i.id == "1" {
		return 0
	}
	return 1
}

// othersCreate lets others create a task before each nth answer of the list.
func othersCreate(n int) func(*call) bool {
	return func(c *call) bool {
		listed, _ := c.state["listed"].(int)
		if c.id == "listTasks" {
			c.state["listed"] = listed + 1
			if listed%n == n-1 {
				c.add("tasks", map[string]any{
					"title": fmt.Sprint("of others ", listed), "priority": number(1), "state": "open", "tags": []any{},
				})
			}
		}
		return false
	}
}
