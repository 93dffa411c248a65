package backends

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// newOrder is <order quantity="2"><item>tea</item><extra>milk</extra></order>.
var newOrder = object(closed("accepts-unknown-element"),
	field{name: "", rule: among("", "order")},
	need("@quantity", "accepts-missing-quantity", "", json.Number("1"),
		numeral(integer("", "accepts-half-quantity"), minimum("1", "accepts-quantity-of-zero"),
			maximum("20", "accepts-high-quantity"))),
	need("item", "accepts-missing-item", "", "tea", lone(oneOfWords("accepts-unknown-item", "accepts-item-in-capitals",
		"tea", "coffee", "water"))),
	may("extra", list("", pattern(`^[a-z]{1,10}$`, "accepts-any-extra")), maxItems(3, "accepts-four-extras")),
)

func orderRoutes(*Server) []operation {
	return []operation{
		{name: "order", place: "orders", method: "POST", path: "/orders", guard: cookied,
			body: &bodyRule{kinds: []string{"application/xml"}, rule: newOrder}, handle: placeOrder},
		{name: "announce", place: "announcements", method: "POST", path: "/announcements", guard: cookied,
			body: &bodyRule{kinds: []string{"text/plain"}, rule: announcement}, handle: announce},
		{name: "read-announcement", place: "announcements", method: "GET", path: "/announcements", handle: func(c *call) {
			said, _ := c.s.single["announcement"].(string)
			c.answer = answer{status: http.StatusOK, kind: "text/plain; charset=utf-8", body: []byte(or(said, "Welcome"))}
		}},
	}
}

func placeOrder(c *call) {
	sent := c.value.(map[string]any)
	order := map[string]any{"id": c.s.next("order"), "item": sent["item"], "quantity": sent["@quantity"],
		"extra": sent["extra"]}
	switch {
	case c.s.has("order-loses-extras"):
		delete(order, "extra")
	case c.s.has("order-loses-id"):
		delete(order, "id")
	case c.s.has("order-writes-id-as-word"):
		order["id"] = "first"
	case c.s.has("order-doubles-quantity"):
		order["quantity"] = 2 * count(order["quantity"])
	}
	c.answer = answer{status: http.StatusCreated, kind: "application/xml",
		body: element("order", order, "@id", "@quantity", "item", "extra")}
	if c.s.has("order-answers-json") {
		c.answer.body = text(order)
	}
}

// announcement is a text of 1 to 200 characters.
var announcement = all(str(""), maxLength(200, "accepts-long-announcement"), pattern(`^[^<>]*$`, "accepts-any-announcement"),
	only("counts-announcement-in-bytes", maxBytes(200)),
	only("refuses-announcement-of-200", maxLength(199, "")),
	crashes("fails-on-astral-announcement", containsFunc(func(r rune) bool { return r > 0xffff })))

func announce(c *call) {
	said, _ := c.value.(string)
	if !c.s.has("announcement-is-not-kept") {
		c.s.single["announcement"] = said
	}
	if c.s.has("announcement-in-capitals") {
		c.s.single["announcement"] = strings.ToUpper(said)
	}
	c.answer.status = http.StatusNoContent
}

func rateRoutes(*Server) []operation {
	return []operation{
		{name: "read-rate", place: "rate", method: "GET", path: "/rates/{sizes}", handle: func(c *call) {
			sizes, ok := c.sizes()
			if !ok {
				return
			}
			sum := 0
			for _, s := range sizes {
				sum += count(s)
			}
			if c.s.has("rate-looks-at-first-size") {
				sum = count(sizes[0])
			}
			body := map[string]any{"sizes": sizes, "cents": 10 * sum}
			if c.s.has("rate-writes-cents-as-text") {
				body["cents"] = strconv.Itoa(10 * sum)
			}
			c.reply(http.StatusOK, body)
		}},
	}
}

// sizes reads ";sizes=2;sizes=3", the style matrix, or answers 400.
func (c *call) sizes() ([]any, bool) {
	k := &check{s: c.s}
	items := []any{}
	for _, part := range strings.Split(strings.TrimPrefix(c.path[0], ";"), ";") {
		name, value, _ := strings.Cut(part, "=")
		if name != "sizes" || !strings.HasPrefix(c.path[0], ";") {
			k.report("", "sizes", "is written ;sizes=1;sizes=2")
			break
		}
		if n, ok := jsonNumber(value); ok {
			items = append(items, n)
		} else {
			items = append(items, value)
		}
	}
	value := all(list("", integer("", "accepts-half-size"), minimum("1", "accepts-size-of-zero"),
		maximum("50", "accepts-high-size")),
		minItems(1, ""), maxItems(3, "accepts-four-sizes"), uniqueItems("accepts-same-size-twice"))(k, "sizes", items)
	if !c.accept(k, http.StatusBadRequest) {
		return nil, false
	}
	sizes, _ := value.([]any)
	return sizes, len(sizes) > 0
}
