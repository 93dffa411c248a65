package unusual

import (
	"encoding/json"
	"math/big"
	"net/http"
	"regexp"
	"strings"
)

// unprocessable is a change that documents 422 for all that creates and changes tasks, beside others.
func unprocessable(more string) string {
	refusal := `{responses: {"422": {$ref: "#/components/responses/Unprocessable"}}}`
	return "paths: {/tasks: {post: " + refusal +
		"}, '/tasks/{taskId}': {put: " + refusal + ", patch: " + refusal + "}}\n" + more
}

// ruled is a rule of one property, if it is sent.
func ruled(name string, holds func(c *call, value any) bool) Behaviour {
	return Behaviour{Rule: func(c *call, sent map[string]any) string {
		if value, has := sent[name]; has && !holds(c, value) {
			return name + " is not acceptable"
		}
		return ""
	}}
}

// checked reports whether the digits have the check digit of Luhn (ISO/IEC 7812-1, annex B).
func checked(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}

// withRule is a change that adds a property of which prose says more than its schema.
func withRule(name, schema string) string { return unprocessable(property(name, schema)) }

var (
	capital = regexp.MustCompile(`[A-Z]`)
	digit   = regexp.MustCompile(`[0-9]`)
)

func upper(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' {
			return r - 'a' + 'A'
		}
		return r
	}, s)
}

// refuses is a behaviour of an operation that refuses every request.
func refuses(id string, status int) Behaviour {
	return handle(id, func(c *call) { c.refuse(status, "no") })
}

// action is a change that adds an operation with a body.
func action(path, id, text, body, responses string) string {
	return "paths: {" + path + ": {post: {operationId: " + id + ", summary: " + text +
		", requestBody: {required: true, content: {application/json: {schema: " + body + "}}}, responses: {" + responses +
		`, "400": {$ref: "#/components/responses/Invalid"}, "401": {$ref: "#/components/responses/Unauthorized"}, "415": {$ref: "#/components/responses/Unsupported"}}}}}` + "\n"
}

var ruleVariants = []Variant{
	{
		Name: "check-digit", Permits: "document: the last digit of the code is its check digit, else the answer is 422",
		Change:    withRule("code", `{type: string, pattern: "^[0-9]{10}$", description: "The last digit is a check digit (Luhn).", example: "1234567897"}`),
		Behaviour: ruled("code", func(_ *call, v any) bool { return checked(v.(string)) }),
		Twins:     []Twin{{"refuses-the-priority", "valid-refused", ruled("priority", func(_ *call, v any) bool { return v != number(4) && v != number(5) && v != number(1) })}},
	},
	{
		Name: "required-check-digit", Permits: "document: the last digit of the code is its check digit, else the answer is 422",
		Change: unprocessable(`components: {schemas: {Task: {required: [id, title, version, createdAt, code], properties: {code: {type: string, pattern: "^[0-9]{10}$", description: "The last digit is a check digit (Luhn).", example: "1234567897"}}}}}`),
		Behaviour: Behaviour{
			Rule: ruled("code", func(_ *call, v any) bool { return checked(v.(string)) }).Rule,
			Show: func(_ *call, values map[string]any) { // those that were there from the start
				if values["code"] == nil {
					values["code"] = "1234567897"
				}
			},
		},
	},
	{
		Name: "future", Permits: "document: the date lies in the future, else the answer is 422",
		Change:    unprocessable(described("Due", "A date in the future.")),
		Behaviour: ruled("due", func(_ *call, v any) bool { return v.(string) > "2027-01-01" }),
	},
	{
		Name: "start-before-end", Permits: "document: the end is after the start, else the answer is 422",
		Change: unprocessable(`components: {schemas: {Task: {properties: {start: {type: string, format: date-time}, end: {type: string, format: date-time, description: After start.}}}, TaskChange: {properties: {start: {type: string, format: date-time}, end: {type: string, format: date-time, description: After start.}}}}}`),
		Behaviour: Behaviour{Rule: func(_ *call, sent map[string]any) string {
			start, end := text(sent["start"]), text(sent["end"])
			if start != "" && end != "" && strings.Compare(start, end) >= 0 {
				return "end is not after start"
			}
			return ""
		}},
	},
	{
		Name: "password-rules", Permits: "document: a password has a capital letter and a digit, else the answer is 422",
		Change: withRule("password", `{type: string, minLength: 6, maxLength: 30, writeOnly: true, description: "With a capital letter and a digit."}`),
		Behaviour: Behaviour{
			Rule: ruled("password", func(_ *call, v any) bool {
				return capital.MatchString(v.(string)) && digit.MatchString(v.(string))
			}).Rule,
			Show: hide("password").Show,
		},
	},
	{
		Name: "sum", Permits: "document: the shares add up to 100, else the answer is 422",
		Change: withRule("shares", `{type: array, minItems: 1, maxItems: 4, items: {type: integer, minimum: 0, maximum: 100}, description: The shares add up to 100.}`),
		Behaviour: ruled("shares", func(_ *call, v any) bool {
			sum := new(big.Rat)
			for _, share := range v.([]any) {
				n, _ := new(big.Rat).SetString(string(share.(json.Number)))
				sum.Add(sum, n)
			}
			return sum.Cmp(big.NewRat(100, 1)) == 0
		}),
	},
	{
		Name: "reference", Permits: "document: the assignee is a person that exists, else the answer is 422",
		Parts:  []string{"tasks", "people"},
		Change: withRule("personId", `{type: integer, minimum: 1, description: The id of a person that exists.}`),
		Behaviour: ruled("personId", func(c *call, v any) bool {
			return c.collection("people").find(v.(json.Number).String()) != nil
		}),
	},
	{
		Name: "unknown-group", Permits: "document: the group is one that the administrator has set up, else the answer is 422",
		Change:    withRule("group", `{type: string, minLength: 1, maxLength: 20, description: The name of a group that the administrator has set up.}`),
		Behaviour: ruled("group", func(_ *call, v any) bool { return v == "gardeners" }),
	},
	{
		Name: "conditional-requirement", Permits: "document: closing is required where the state is done, else the answer is 422",
		Change: withRule("closing", `{type: string, maxLength: 40, description: Required where state is done.}`),
		Behaviour: Behaviour{Rule: func(_ *call, sent map[string]any) string {
			if sent["state"] == "done" && text(sent["closing"]) == "" {
				return "closing is missing"
			}
			return ""
		}},
	},
	{
		Name: "mailed-code", Permits: "document: the code is the one that was mailed, else the answer is 422",
		Change: action("/confirmations", "confirm", "Confirms a mail address.", `{type: object, required: [code], properties: {code: {type: string, pattern: "^[0-9]{6}$", description: The code that was mailed.}}}`,
			`"204": {description: The address is confirmed.}, "422": {$ref: "#/components/responses/Unprocessable"}`),
		Behaviour: refuses("confirm", http.StatusUnprocessableEntity),
	},
	{
		Name: "no-repeated-tags", Permits: "document: no tag stands twice, else the answer is 422",
		Change: unprocessable(described("Tags", "No tag may stand twice, in any case of its letters.")),
		Behaviour: ruled("tags", func(_ *call, v any) bool {
			seen := map[string]bool{}
			for _, tag := range v.([]any) {
				if seen[strings.ToLower(tag.(string))] {
					return false
				}
				seen[strings.ToLower(tag.(string))] = true
			}
			return true
		}),
	},
	{
		Name: "halves", Permits: "document: estimates are multiples of one half, else the answer is 422",
		Change: unprocessable(described("Estimate", "In hours, in steps of a half.")),
		Behaviour: ruled("estimate", func(_ *call, v any) bool {
			n, ok := new(big.Rat).SetString(string(v.(json.Number)))
			return ok && n.Mul(n, big.NewRat(2, 1)).IsInt()
		}),
	},
	{
		Name: "plain-words", Permits: "document: the title has letters, digits and spaces only, else the answer is 422",
		Change: unprocessable(described("Title", "Letters, digits, spaces and punctuation of ASCII.")),
		Behaviour: ruled("title", func(_ *call, v any) bool {
			return !strings.ContainsFunc(v.(string), func(r rune) bool { return r < 32 || r > 126 })
		}),
	},
	{
		Name: "rule-with-400", Permits: "document: a title that begins with a digit is a 400",
		Change: `paths: {/tasks: {post: {description: The title begins with a letter.}}}
components: {schemas: {Title: {description: Begins with a letter.}}}`,
		Behaviour: Behaviour{Before: func(c *call) bool {
			var sent struct{ Title string }
			letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= 0x80 }
			if json.Unmarshal(c.raw, &sent) == nil && sent.Title != "" && !letter(sent.Title[0]) {
				c.refuse(http.StatusBadRequest, "title: begins with a letter")
				return true
			}
			return false
		}},
	},
	{
		Name: "admins-only", Permits: "document: only administrators may give the role admin: 403",
		Parts:  []string{"people"},
		Change: `paths: {/people: {post: {description: Only owners may give the role admin., responses: {"403": {$ref: "#/components/responses/Forbidden"}}}}, '/people/{personId}': {patch: {description: Only owners may give the role admin., responses: {"403": {$ref: "#/components/responses/Forbidden"}}}}}`,
		Behaviour: Behaviour{Before: func(c *call) bool {
			var sent map[string]any
			if json.Unmarshal(c.raw, &sent) == nil && sent["role"] == "admin" {
				c.refuse(http.StatusForbidden, "only owners may do that")
				return true
			}
			return false
		}},
	},
	{
		Name: "empty-file", Permits: "document: an empty file is refused with 422",
		Parts:  []string{"files"},
		Change: `paths: {/files: {post: {description: "A file that is empty, or that is not a plan, is refused with 422.", responses: {"422": {$ref: "#/components/responses/Unprocessable"}}}}}`,
		Behaviour: handle("createFile", func(c *call) {
			if content, _ := c.body.(map[string]any)["content"].(string); content == "" {
				c.refuse(http.StatusUnprocessableEntity, "the file is empty")
				return
			}
			createFile(c)
		}),
	},
	{
		Name: "images-only", Permits: "document: a file that is no PNG is refused with 422",
		Parts:  []string{"tasks", "files"},
		Change: `paths: {/files: {post: {summary: Uploads a picture., description: Only PNG is taken., responses: {"422": {$ref: "#/components/responses/Unprocessable"}}}}}`,
		Behaviour: handle("createFile", func(c *call) {
			if content, _ := c.body.(map[string]any)["content"].(string); !strings.HasPrefix(content, "\x89PNG\r\n\x1a\n") {
				c.refuse(http.StatusUnprocessableEntity, "the file is no PNG")
				return
			}
			createFile(c)
		}),
	},
	{
		Name: "not-implemented", Permits: "document: the export is not implemented yet: 501",
		Change:    `paths: {/export: {get: {operationId: export, summary: Exports all tasks., responses: {"200": {description: All tasks., content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Task"}}}}}, "401": {$ref: "#/components/responses/Unauthorized"}, "501": {description: Not implemented yet., content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}}}}}}`,
		Behaviour: refuses("export", http.StatusNotImplemented),
		Twins:     []Twin{{"broken", "server-error", refuses("export", http.StatusInternalServerError)}},
	},
	{
		Name: "422-for-all", Permits: "RFC 9110 section 15.5.21: 422 where the content is well formed but cannot be processed",
		Change: unprocessable(""),
		Behaviour: Behaviour{After: func(c *call) {
			if c.answer.status == http.StatusBadRequest && len(c.raw) > 0 {
				c.refuse(http.StatusUnprocessableEntity, "the values break the schema")
			}
		}},
	},
	{
		Name: "business-hours", Permits: "document: outside of business hours the answer is 409",
		Change: action("/calls", "call", "Calls the support.", `{type: object, required: [number], properties: {number: {type: string, pattern: "^[0-9]{3,8}$"}}}`,
			`"202": {description: Somebody calls back.}, "409": {description: "Nobody is there, outside of business hours.", content: {application/problem+json: {schema: {$ref: "#/components/schemas/Problem"}}}}`),
		Behaviour: refuses("call", http.StatusConflict),
	},
	{
		Name: "both-or-none", Permits: "document: from and to are given together, else the answer is 400",
		Change: parameters(`{name: from, in: query, description: Only together with to., schema: {type: string, format: date}}`, `{name: to, in: query, description: Only together with from., schema: {type: string, format: date}}`),
		Behaviour: Behaviour{Before: func(c *call) bool {
			q := c.r.URL.Query()
			if c.id == "listTasks" && q.Has("from") != q.Has("to") {
				c.refuse(http.StatusBadRequest, "from and to are given together")
				return true
			}
			return false
		}},
	},
	{
		Name: "window-of-pages", Permits: "document: offset and limit are at most 200 together, else the answer is 400",
		Change: about("offset and limit are at most 200 together; beyond that the answer is 400."),
		Behaviour: Behaviour{Handle: map[string]func(*call){"listTasks": func(c *call) {
			if c.count("offset", 0)+c.count("limit", 20) > 200 {
				c.refuse(http.StatusBadRequest, "too far")
				return
			}
			listItems(c)
		}}},
	},
	{
		Name: "wrong-password", Permits: "RFC 9110 section 15.5.2: 401 where credentials are refused, also those in a body",
		Parts: []string{"sessions", "me"},
	},
	{
		Name: "locked-after-failures", Permits: "document: after five failures the account takes no login for a minute: 429",
		Parts:  []string{"sessions", "me"},
		Change: response("/sessions", "post", "429", `{$ref: "#/components/responses/Later"}`),
		Behaviour: Behaviour{Before: func(c *call) bool {
			if c.id != "login" {
				return false
			}
			c.ticks++
			if c.ticks > 20 && c.ticks%20 == 0 {
				c.refuse(http.StatusTooManyRequests, "too many failures")
				c.answer.header.Set("Retry-After", "0")
				return true
			}
			return false
		}},
	},
}
