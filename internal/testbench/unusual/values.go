package unusual

import (
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/coldframe/coldframe/internal/jsonvalue"
)

var valueVariants = []Variant{
	{
		Name: "trimmed", Permits: "document: white space around the title is removed",
		Change:    described("Title", "White space around the title is removed; a title of nothing else is kept as Untitled."),
		Behaviour: keepText("title", func(s string) string { return or(strings.TrimSpace(s), "Untitled") }),
		Twins: []Twin{{"cuts-the-last-letter", "created-shown read-back", keepText("title", func(s string) string {
			runes := []rune(or(strings.TrimSpace(s), "Untitled"))
			return string(runes[:max(1, len(runes)-1)])
		})}},
	},
	{
		Name: "lower-case", Permits: "document: tags are kept in small letters",
		Change:    described("Tags", "Tags are kept in small letters."),
		Behaviour: keepTags(each(strings.ToLower)),
		Twins: []Twin{{"loses-a-tag", "created-shown read-back",
			keepTags(func(t []string) []string { return each(strings.ToLower)(t[:max(0, len(t)-1)]) })}},
	},
	{
		Name: "lower-case-unsaid", Permits: "RFC 9110 section 9.3.4: a server may transform a representation",
		Behaviour: keepText("title", strings.ToLower),
		Twins: []Twin{
			{"cuts-a-letter", "created-shown read-back", keepText("title", func(s string) string {
				runes := []rune(s)
				return string(runes[:max(1, len(runes)-1)])
			})},
			{"first-word-alike", "created-shown read-back", keepText("title", func(s string) string {
				_, end, _ := strings.Cut(s, s[:len(s)/2])
				return "Task" + end
			})},
			{"lowers-every-other", "created-shown read-back update-shown updated", Behaviour{Keep: func(c *call, values map[string]any) {
				if title, ok := values["title"].(string); ok {
					if c.ticks++; c.ticks%2 == 0 {
						values["title"] = strings.ToLower(title)
					}
				}
			}}},
		},
	},
	{
		Name: "chosen-unsaid", Permits: "RFC 9110 section 9.3.4: a server may transform a representation",
		Change: property("lane", `{type: integer, minimum: 0, maximum: 100000}`),
		Behaviour: Behaviour{Keep: func(c *call, values map[string]any) {
			c.ticks++
			values["lane"] = number(100_000 - c.ticks)
		}},
		Twins: []Twin{{"one-for-all", "created-shown read-back", keepValue("lane", func(any) any { return number(7) })}},
	},
	{
		Name: "capitals", Permits: "document: the text is kept in capitals",
		Change:    described("Text", "Kept in capitals."),
		Behaviour: keepText("text", func(s string) string { return strings.Map(unicode.ToUpper, s) }),
	},
	{
		Name: "composed", Permits: "document: accents are composed (Unicode Normalization Form C)",
		Change:    described("Text", "Kept in Unicode Normalization Form C: an accented letter is one character."),
		Behaviour: keepText("text", accents.Replace),
	},
	{
		Name: "transliterated", Permits: "document: accented letters are written with letters of ASCII",
		Change: described("Tags", "Letters with accents are kept as ASCII letters; other characters that are not ASCII become ?."),
		Behaviour: keepTags(each(func(s string) string {
			return firstRunes(20)(strings.Map(func(r rune) rune {
				if r > unicode.MaxASCII {
					return '?'
				}
				return r
			}, letters.Replace(s)))
		})),
	},
	{
		Name: "cut", Permits: "document: only the first 30 characters of the text are kept",
		Change:    described("Text", "Only the first 30 characters are kept."),
		Behaviour: keepText("text", firstRunes(30)),
		Twins:     []Twin{{"keeps-nothing", "created-shown read-back", keepText("text", func(string) string { return "" })}},
	},
	{
		Name: "masked", Permits: "document: only the last four digits of the card are shown",
		Change: property("card", `{type: string, pattern: "^[0-9*]{12,19}$", description: "The number of a card. Only the last four digits are shown, after asterisks."}`),
		Behaviour: Behaviour{Show: func(_ *call, values map[string]any) {
			if card, ok := values["card"].(string); ok {
				values["card"] = strings.Repeat("*", len(card)-4) + card[len(card)-4:]
			}
		}},
	},
	{
		Name: "secret", Permits: "document: the access code is shown as asterisks",
		Change: property("accessCode", `{type: string, minLength: 4, maxLength: 20, description: "Shown as ********."}`),
		Behaviour: Behaviour{Show: func(_ *call, values map[string]any) {
			if values["accessCode"] != nil {
				values["accessCode"] = "********"
			}
		}},
	},
	{
		Name: "blank-to-null", Permits: "document: a blank text is converted to null",
		Change: "components: {schemas: {Text: {type: [string, 'null'], description: A blank text is converted to null.}}}",
		Behaviour: keepValue("text", func(v any) any {
			if text, ok := v.(string); ok && strings.TrimSpace(text) == "" {
				return nil
			}
			return v
		}),
	},
	{
		Name: "stripped-of-tags", Permits: "document: angle brackets are removed from the text",
		Change:    described("Text", "Markup is removed: the text is kept without < and >."),
		Behaviour: keepText("text", strings.NewReplacer("<", "", ">", "").Replace),
	},
	{
		Name: "printable", Permits: "document: control characters are removed from the title",
		Change: described("Title", "Control characters and line ends are removed. A title of nothing else becomes Untitled."),
		Behaviour: keepText("title", func(s string) string {
			return or(strings.Map(func(r rune) rune {
				if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
					return -1
				}
				return r
			}, s), "Untitled")
		}),
	},
	{
		Name: "line-ends", Permits: "document: line ends are kept as LF",
		Change:    described("Text", "Every line end is kept as LF."),
		Behaviour: keepText("text", strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace),
	},
	{
		Name: "sorted-set", Permits: "document: tags are kept in alphabetical order, each once",
		Change: described("Tags", "A set: kept in alphabetical order, each tag once."),
		Behaviour: keepTags(func(t []string) []string {
			slices.Sort(t)
			return slices.Compact(t)
		}),
		Twins: []Twin{{"adds-a-tag", "created-shown read-back", keepTags(func(t []string) []string {
			t = append(t[:min(4, len(t))], "zz")
			slices.Sort(t)
			return slices.Compact(t)
		})}},
	},
	{
		Name: "first-three", Permits: "document: the first three tags are kept",
		Change:    described("Tags", "The first three are kept; the others are dropped."),
		Behaviour: keepTags(func(t []string) []string { return t[:min(3, len(t))] }),
	},
	{
		Name: "rounded", Permits: "document: the estimate is rounded to a tenth",
		Change:    described("Estimate", "In hours, rounded to one decimal."),
		Behaviour: keepValue("estimate", func(v any) any { return rounded(v, 1) }),
		Twins: []Twin{{"doubles", "created-shown read-back", keepValue("estimate", func(v any) any {
			f, err := v.(json.Number).Float64()
			if err != nil || f > 500 {
				return v
			}
			return json.Number(strconv.FormatFloat(2*f+1, 'f', -1, 64))
		})}},
	},
	{
		Name: "clamped", Permits: "document: a priority above 5 is treated as 5",
		Change: "components: {schemas: {Priority: {maximum: 100, description: A priority above 5 is treated as 5.}}}",
		Behaviour: keepValue("priority", func(v any) any {
			if jsonvalue.Order(v, number(5)) > 0 {
				return number(5)
			}
			return v
		}),
	},
	{
		Name: "floating", Permits: "RFC 8259 section 6: numbers with an exponent or a fraction of zero are the same numbers",
		Behaviour: keepValue("estimate", func(v any) any {
			f, err := v.(json.Number).Float64()
			if err != nil {
				return v
			}
			return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
		}),
		Twins: []Twin{{"cuts-the-fraction", "created-shown read-back", keepValue("estimate", func(v any) any {
			f, err := v.(json.Number).Float64()
			if err != nil {
				return v
			}
			return json.Number(strconv.FormatFloat(math.Trunc(f/10), 'f', -1, 64))
		})}},
	},
	{
		Name: "in-utc", Permits: "document: times are kept in UTC, in whole seconds",
		Change: property("remindAt", `{type: string, format: date-time, description: "Kept in UTC, in whole seconds."}`),
		Behaviour: keepText("remindAt", func(s string) string {
			at, err := time.Parse(time.RFC3339, strings.ToUpper(s))
			if err != nil || at.UTC().Year() > 9999 || at.UTC().Year() < 0 {
				return "2026-01-01T00:00:00Z"
			}
			return at.UTC().Truncate(time.Second).Format(time.RFC3339)
		}),
		Twins: []Twin{{"another-time", "created-shown read-back", keepText("remindAt", func(string) string {
			return "2001-09-09T01:46:40Z"
		})}},
	},
	{
		Name: "first-of-month", Permits: "document: the date is set to the first of its month",
		Change:    described("Due", "Only the month counts: the day is set to 01."),
		Behaviour: keepText("due", func(s string) string { return s[:len(s)-2] + "01" }),
	},
	{
		Name: "default-omitted", Permits: "JSON Schema Validation section 9.2: a default is an annotation; nothing has " +
			"to show it",
		Behaviour: Behaviour{Show: func(_ *call, values map[string]any) {
			if values["state"] == "open" {
				delete(values, "state")
			}
		}},
	},
	{
		Name: "default-late", Permits: "document: the priority is filled in when the task is first read",
		Change: described("Priority", "Where none is sent, it is filled in when the task is first read."),
		Behaviour: Behaviour{Show: func(c *call, values map[string]any) {
			if sent, ok := c.body.(map[string]any); ok && sent["priority"] == nil {
				delete(values, "priority")
			}
		}},
	},
	{
		Name: "default-depends", Permits: "document: the priority depends on the state where none is sent",
		Change: "components: {schemas: {Priority: {default: null, description: Where none is sent the service chooses one.}}}",
		Behaviour: Behaviour{Keep: func(c *call, values map[string]any) {
			if sent, ok := c.body.(map[string]any); ok && sent["priority"] == nil && c.r.Method != http.MethodPatch {
				values["priority"] = number(1 + c.ticks%5)
			}
		}},
	},
	{
		Name: "views-counted", Permits: "document: views counts the reads, set by the service",
		Change: property("views", `{type: integer, readOnly: true, description: "How often the task was read. The service counts."}`),
		Behaviour: Behaviour{Show: func(c *call, values map[string]any) {
			c.untagged()
			views, _ := c.state[values["id"].(json.Number).String()].(int)
			c.state[values["id"].(json.Number).String()] = views + 1
			values["views"] = views
		}},
	},
	{
		Name: "updated-at", Permits: "document: updatedAt is set by the service; what is sent is ignored",
		Change:    property("updatedAt", `{type: string, format: date-time, description: "Set by the service at every change; a value that is sent is ignored."}`),
		Behaviour: Behaviour{Keep: func(c *call, values map[string]any) { values["updatedAt"] = c.now().Format(time.RFC3339) }},
	},
	{
		Name: "revision-moves", Permits: "document: the revision grows with every change, and by itself",
		Change: property("revision", `{type: integer, minimum: 0, description: "Moved by the service."}`),
		Behaviour: Behaviour{Show: func(c *call, values map[string]any) {
			c.untagged()
			c.ticks++
			values["revision"] = c.ticks
		}},
	},
	{
		Name: "ranked", Permits: "document: rank is the place of the task among all, which others change",
		Change: property("rank", `{type: integer, readOnly: true, description: "How many tasks there are after this one."}`),
		Behaviour: Behaviour{Show: func(c *call, values map[string]any) {
			c.untagged()
			id, _ := values["id"].(json.Number).Int64()
			values["rank"] = c.collection("tasks").last - int(id)
		}},
	},
	{
		Name: "open-schema", Permits: "JSON Schema Core section 10.3.2: without additionalProperties any property is allowed",
		Change: "components: {schemas: {Task: {additionalProperties: null}, TaskChange: {additionalProperties: null}}}",
		Behaviour: Behaviour{
			Keep: func(_ *call, values map[string]any) {
				for name := range values {
					if !slices.Contains([]string{"title", "state", "priority", "due", "tags", "estimate", "text", "contact"}, name) {
						delete(values, name)
					}
				}
			},
			Show: func(c *call, values map[string]any) {
				c.untagged()
				values["_links"] = map[string]any{"self": "/tasks/" + values["id"].(json.Number).String()}
				values["_served"] = c.ticks
				c.ticks++
			},
		},
		Twins: []Twin{{"loses-the-text", "created-shown read-back", Behaviour{
			Keep: func(_ *call, values map[string]any) {
				for name := range values {
					if !slices.Contains([]string{"title", "state", "priority", "due", "tags"}, name) {
						delete(values, name)
					}
				}
			},
		}}},
	},
	{
		Name: "null-omitted", Permits: "RFC 7396 section 1 and the schema: contact is optional, null means that there is none",
		Behaviour: Behaviour{Keep: func(_ *call, values map[string]any) {
			if values["contact"] == nil {
				delete(values, "contact")
			}
		}},
		Twins: []Twin{{"loses-the-contact", "created-shown read-back", hide("contact")}},
	},
	{
		Name: "null-shown", Permits: "document: contact may be null where there is none",
		Behaviour: Behaviour{Show: func(_ *call, values map[string]any) {
			if _, has := values["contact"]; !has {
				values["contact"] = nil
			}
		}},
	},
	{
		Name: "empty-omitted", Permits: "document: tags are left out where there are none",
		Change: described("Tags", "Left out where there are none."),
		Behaviour: Behaviour{Show: func(_ *call, values map[string]any) {
			if tags, ok := values["tags"].([]any); ok && len(tags) == 0 {
				delete(values, "tags")
			}
		}},
	},
	{
		Name: "empty-shown", Permits: "document: text is empty and tags are an empty list where none were sent",
		Change: "components: {schemas: {Text: {description: Empty where there is none.}, Tags: {description: Empty where there are none.}}}",
		Behaviour: Behaviour{Show: func(_ *call, values map[string]any) {
			for name, empty := range map[string]any{"text": "", "tags": []any{}} {
				if values[name] == nil {
					values[name] = empty
				}
			}
		}},
	},
	{
		Name: "domain-in-small", Permits: "RFC 5321 section 2.4: domains of mail addresses are not case-sensitive",
		Change: described("Contact", "A mail address. The domain is kept in small letters."),
		Behaviour: keepText("contact", func(s string) string {
			at := strings.LastIndexByte(s, '@')
			return s[:at+1] + strings.ToLower(s[at+1:])
		}),
	},
	{
		Name: "telephone", Permits: "document: spaces and hyphens of the telephone number are removed",
		Change: property("phone", `{type: string, pattern: "^\\+?[0-9][0-9 -]{4,18}[0-9]$", description: "Kept without spaces and hyphens, with leading +."}`),
		Behaviour: keepText("phone", func(s string) string {
			digits := strings.NewReplacer(" ", "", "-", "", "+", "").Replace(s)
			return "+" + digits + strings.Repeat("0", max(0, 6-len(digits)))
		}),
	},
	{
		Name: "normal-uri", Permits: "RFC 3986 section 6.2.2: URIs are equivalent after normalization",
		Change: property("site", `{type: string, format: uri, maxLength: 300, description: "Kept in normal form (RFC 3986 section 6)."}`),
		Behaviour: keepText("site", func(s string) string {
			u, err := url.Parse(s)
			if err != nil {
				return s
			}
			u.Host = strings.ToLower(u.Host)
			if u.Path == "" && u.Host != "" {
				u.Path = "/"
			}
			return u.String()
		}),
	},
	{
		Name: "write-only", Permits: "JSON Schema Validation section 9.4: a writeOnly value is not shown",
		Change:    property("pin", `{type: string, pattern: "^[0-9]{4}$", writeOnly: true}`),
		Behaviour: hide("pin"),
		Twins:     []Twin{{"shows-the-pin", "write-only", Behaviour{}}},
	},
	{
		Name: "any-case", Permits: "document: the size may be written in any case, and is kept in capitals",
		Change:    property("size", `{type: string, pattern: "^([sS]|[mM]|[lL]|[xX][lL])$", description: "S, M, L or XL, in any case; kept in capitals."}`),
		Behaviour: keepText("size", strings.ToUpper),
	},
	{
		Name: "number-as-text", Permits: "document: the label may be sent as a number, and is kept as text",
		Change: property("label", `{type: [string, integer], maxLength: 30, description: "Kept as text, also where a number is sent."}`),
		Behaviour: keepValue("label", func(v any) any {
			if n, ok := v.(json.Number); ok {
				return firstRunes(30)(n.String())
			}
			return v
		}),
	},
	{
		Name: "one-or-many", Permits: "document: one watcher may be sent alone, and is kept as a list of one",
		Change: property("watchers", `{description: "One or several; kept as a list.", oneOf: [{type: string, minLength: 1, maxLength: 20}, {type: array, minItems: 1, maxItems: 3, items: {type: string, minLength: 1, maxLength: 20}}]}`),
		Behaviour: keepValue("watchers", func(v any) any {
			if text, ok := v.(string); ok {
				return []any{text}
			}
			return v
		}),
	},
	{
		Name: "read-only-refused", Permits: "JSON Schema Validation section 9.4: a readOnly value that is sent MAY be " +
			"ignored or be an error",
		Behaviour: Behaviour{Before: func(c *call) bool {
			var sent map[string]any
			if json.Unmarshal(c.raw, &sent) != nil {
				return false
			}
			for _, name := range []string{"id", "version", "createdAt"} {
				if _, has := sent[name]; has {
					c.refuse(http.StatusBadRequest, name+" is set by the service")
					return true
				}
			}
			return false
		}},
		Twins: []Twin{{"takes-the-version", "read-only", Behaviour{Handle: map[string]func(*call){"createTask": func(c *call) {
			createItem(c)
			sent := c.body.(map[string]any)
			if version, has := sent["version"]; has && c.answer.status == http.StatusCreated {
				items := c.collection("tasks").items
				items[len(items)-1].values["version"] = version
				c.reply(http.StatusCreated, items[len(items)-1].values)
			}
		}}}}},
	},
	{
		Name: "write-once", Permits: "document: the project is set at the creation; later values are ignored",
		Change: property("project", `{type: string, minLength: 1, maxLength: 20, description: "Set when the task is created. Later values are ignored."}`),
		Behaviour: Behaviour{Keep: func(c *call, values map[string]any) {
			in, id := c.place()
			if i := c.collection(in).find(id); i != nil {
				delete(values, "project")
				if project, has := i.values["project"]; has {
					values["project"] = project
				}
			}
		}},
	},
	{
		Name: "label-names", Permits: "document: the names of labels are kept in small letters",
		Change: property("labels", `{type: object, propertyNames: {pattern: "^[A-Za-z]{1,8}$"}, additionalProperties: {type: string, maxLength: 20}, description: "The names are kept in small letters."}`),
		Behaviour: keepValue("labels", func(v any) any {
			labels := map[string]any{}
			for name, value := range v.(map[string]any) {
				labels[strings.ToLower(name)] = value
			}
			return labels
		}),
	},
	{
		Name: "position-rounded", Permits: "document: positions are kept to three decimals",
		Change: property("position", `{type: object, required: [lat, lon], additionalProperties: false, description: "Kept to three decimals.", properties: {lat: {type: number, minimum: -90, maximum: 90}, lon: {type: number, minimum: -180, maximum: 180}}}`),
		Behaviour: keepValue("position", func(v any) any {
			position := v.(map[string]any)
			return map[string]any{"lat": rounded(position["lat"], 3), "lon": rounded(position["lon"], 3)}
		}),
	},
	{
		Name: "words-replaced", Permits: "document: the text is shown translated into the caller's language",
		Change: described("Text", "Shown as it is translated into the language of the caller."),
		Behaviour: Behaviour{Show: func(_ *call, values map[string]any) {
			if values["text"] != nil {
				values["text"] = "(übersetzt)"
			}
		}},
	},
}
