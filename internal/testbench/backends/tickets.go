package backends

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"
)

// textTo reads the text of a boolean before the rules that follow.
func textTo(rules ...rule) rule {
	return all(append([]rule{textBoolean("accepts-any-newsletter")}, rules...)...)
}

var newTicket = object(closed("accepts-unknown-field"),
	need("name", "accepts-missing-name", "", "Nobody", str(""), pattern(`^[A-Za-z .-]{1,30}$`, "accepts-any-name"),
		only("refuses-dash-in-name", pattern(`^[^-]*$`, ""))),
	need("age", "accepts-missing-age", "", json.Number("30"), numeral(integer("", "accepts-half-age"),
		minimum("0", "accepts-negative-age"), maximum("120", "accepts-high-age"),
		only("refuses-age-of-zero", above("0", "")), only("refuses-age-of-120", below("120", "")))),
	need("seats", "accepts-missing-seats", "", []any{"A1"}, repeated(list("",
		onlyFirst("checks-only-first-seat", pattern(`^[A-Z][0-9]{1,2}$`, "accepts-any-seat"))),
		minItems(1, ""), maxItems(4, "accepts-five-seats"), uniqueItems("accepts-same-seat-twice"),
		changes("keeps-last-seat-only", func(v any) any { items, _ := v.([]any); return items[max(0, len(items)-1):] }))),
	filled("class", "adult", "forgets-default-class", oneOfWords("accepts-unknown-class", "accepts-class-in-capitals",
		"child", "adult", "senior")),
	filled("newsletter", false, "forgets-default-newsletter", textTo()),
	may("discount", numeral(number(""), above("0", "accepts-discount-of-zero"), below("100", "accepts-discount-of-100"),
		multipleOf("2.5", "accepts-odd-discount"))),
)

func ticketRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/x-www-form-urlencoded"}, rule: newTicket}
	kinds := []string{"application/json", "application/xml"}
	return []operation{
		{name: "list-tickets", place: "tickets", method: "GET", path: "/tickets", handle: listTickets},
		{name: "sell-ticket", place: "tickets", method: "POST", path: "/tickets", guard: cookied, body: body,
			handle: sellTicket},
		{name: "options-tickets", place: "tickets", method: "OPTIONS", path: "/tickets", handle: func(c *call) {
			c.answer.status = http.StatusNoContent
			switch {
			case c.has("without-allow"):
			case c.has("lacks-post"):
				c.set("Allow", "GET, OPTIONS")
			default:
				c.set("Allow", "GET, POST, OPTIONS")
			}
		}},
		{name: "read-ticket", place: "ticket", method: "GET", path: "/tickets/{code}", produces: kinds, handle: readTicket},
		{name: "head-ticket", place: "ticket", method: "HEAD", path: "/tickets/{code}", produces: kinds, handle: readTicket},
		{name: "void-ticket", place: "ticket", method: "DELETE", path: "/tickets/{code}", guard: cookied, handle: voidTicket},
		{name: "read-stats", place: "stats", method: "GET", path: "/stats", guard: keyQuery, handle: func(c *call) {
			n := len(c.s.collection("tickets").items)
			if c.s.has("stats-never-change") {
				n = 2
			}
			c.reply(http.StatusOK, map[string]any{"tickets": n})
		}},
	}
}

func (s *Server) keepTicket(values map[string]any) *item {
	code := fmt.Sprintf("T%04d", s.next("ticket")%10000)
	values = maps.Clone(values)
	values["code"], values["issued"] = code, s.now().Format(time.RFC3339)
	s.collection("tickets").remove(code)
	return s.collection("tickets").add(code, values)
}

func sellTicket(c *call) {
	ticket := c.s.keepTicket(c.value.(map[string]any))
	shown := ticket.values
	if c.has("loses-seats") {
		shown = without(shown, "seats")
	}
	if c.has("writes-age-as-text") {
		shown = changed(shown, "age", plainText(shown["age"]))
	}
	c.reply(http.StatusCreated, shown)
	c.set("Location", "/tickets/"+ticket.id)
	switch {
	case c.s.has("ticket-loses-discount"):
		ticket.values = without(ticket.values, "discount")
	case c.s.has("ticket-grows-older"):
		ticket.values = changed(ticket.values, "age", json.Number("99"))
	case c.s.has("ticket-is-not-kept"):
		c.s.collection("tickets").remove(ticket.id)
	}
}

// ticketOf finds the ticket of the path, or answers 400 or 404.
func ticketOf(c *call) *item {
	code := c.path[0]
	if k := (&check{s: c.s}); pattern(`^T[0-9]{4}$`, "accepts-any-code")(k, "code", code) != code ||
		!c.accept(k, http.StatusBadRequest) {
		return nil
	}
	ticket := c.s.collection("tickets").byID[code]
	if ticket == nil {
		c.refuse(http.StatusNotFound, "there is no such ticket")
	}
	return ticket
}

func readTicket(c *call) {
	kind := c.answer.kind
	ticket := ticketOf(c)
	if ticket == nil {
		return
	}
	shown := ticket.values
	if c.has("loses-name") {
		shown = without(shown, "name")
	}
	c.reply(http.StatusOK, shown)
	if kind == "application/xml" && !c.s.has("xml-is-json") {
		c.answer.body = element("ticket", changed(shown, "seat", shown["seats"]), "@code", "name", "age", "seat", "class",
			"newsletter", "discount", "issued")
		if c.s.has("xml-has-other-root") {
			c.answer.body = element("Ticket", shown, "@code", "name", "age", "class", "newsletter", "discount", "issued")
		}
		if c.s.has("xml-lacks-age") {
			c.answer.body = element("ticket", changed(shown, "seat", shown["seats"]), "@code", "name", "seat", "class",
				"newsletter", "discount", "issued")
		}
		if c.s.has("xml-is-cut") {
			c.answer.body = c.answer.body[:len(c.answer.body)-3]
		}
	}
	c.answer.kind = kind
	if !c.has("without-language") {
		c.set("Content-Language", "en")
	}
}

func voidTicket(c *call) {
	ticket := ticketOf(c)
	if ticket == nil {
		return
	}
	if !c.s.has("void-ticket-stays") {
		c.s.collection("tickets").remove(ticket.id)
	}
	c.answer.status = http.StatusNoContent
}

// headers reads the header and cookie parameters of the list, or answers 400.
func (c *call) headers() (id, language, theme string, ok bool) {
	k := &check{s: c.s}
	values := map[string]any{}
	for _, name := range []string{"X-Request-Id", "X-Language"} {
		if value := c.r.Header.Values(name); len(value) > 0 {
			values[name] = value[0]
		}
	}
	if cookie, err := c.r.Cookie("theme"); err == nil {
		values["theme"] = cookie.Value
	}
	kept := map[string]any{}
	for _, f := range []field{
		need("X-Request-Id", "accepts-missing-request-id", "", "", format("uuid", "accepts-any-request-id")),
		filled("X-Language", "en", "", oneOfWords("accepts-unknown-language", "", "en", "fr")),
		filled("theme", "light", "", oneOfWords("accepts-unknown-theme", "", "light", "dark")),
	} {
		f.take(k, f.name, values, kept)
	}
	id, _ = kept["X-Request-Id"].(string)
	language, _ = kept["X-Language"].(string)
	theme, _ = kept["theme"].(string)
	return id, language, theme, c.accept(k, http.StatusBadRequest)
}

func listTickets(c *call) {
	id, language, theme, ok := c.headers()
	if !ok {
		return
	}
	q, ok := c.queries(
		query("codes", list("", pattern(`^T[0-9]{4}$`, "accepts-any-code-filter")),
			maxItems(3, "accepts-four-code-filters"), uniqueItems("accepts-same-code-filter-twice")).in(pipes),
		query("seats", list("", pattern(`^[A-Z][0-9]{1,2}$`, "accepts-any-seat-filter")),
			minItems(2, "accepts-one-seat-filter")).in(spaces),
		query("filter", object(closed("accepts-unknown-filter"),
			may("class", oneOfWords("accepts-unknown-class-filter", "", "child", "adult", "senior")),
			may("minAge", numeral(integer("", ""), minimum("0", "accepts-negative-age-filter"),
				maximum("120", "accepts-high-age-filter"))),
		)).in(deep),
	)
	if !ok {
		return
	}
	items := c.s.collection("tickets").items
	if codes, has := q["codes"].([]any); has && len(codes) > 0 && !c.s.has("code-filter-ignored") {
		if c.s.has("code-filter-takes-first") {
			codes = codes[:1]
		}
		items = kept(items, func(i *item) bool { return slices.Contains(codes, any(i.id)) })
	}
	if seats, has := q["seats"].([]any); has && !c.s.has("seat-filter-ignored") {
		items = kept(items, func(i *item) bool {
			return slices.ContainsFunc(i.values["seats"].([]any), func(s any) bool { return slices.Contains(seats, s) })
		})
	}
	if filter, has := q["filter"].(map[string]any); has {
		if class, has := filter["class"]; has && !c.s.has("class-filter-ignored") {
			items = kept(items, func(i *item) bool { return i.values["class"] == class })
		}
		if least, has := filter["minAge"].(json.Number); has && !c.s.has("age-filter-ignored") {
			items = kept(items, func(i *item) bool {
				age, _ := i.values["age"].(json.Number)
				return rational(age).Cmp(rational(least)) >= 0
			})
		}
	}
	items = items[max(0, len(items)-100):]
	if c.s.has("theme-ignored") {
		theme = "light"
	}
	c.reply(http.StatusOK, map[string]any{"theme": theme, "tickets": bodies(items,
		func(i *item) map[string]any { return i.values })})
	if c.s.has("request-id-changes") {
		id = "00000000-0000-4000-8000-000000000000"
	}
	if !c.s.has("request-id-not-answered") {
		c.set("X-Request-Id", id)
	}
	if c.s.has("language-ignored") {
		language = "en"
	}
	c.set("Content-Language", language)
}
