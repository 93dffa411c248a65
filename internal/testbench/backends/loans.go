package backends

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

var newLoan = object(closed("accepts-unknown-loan-property"),
	need("bookId", "accepts-missing-book-id", "", "00000000-0000-0000-0000-000000000000", str(""), format("uuid", "")),
	need("memberId", "accepts-missing-member-id", "", json.Number("1"), integer("accepts-text-member-id", ""),
		minimum("1", "")),
	filled("days", json.Number("14"), "forgets-default-days", integer("accepts-text-days", ""),
		minimum("7", "accepts-few-days"), maximum("28", "accepts-many-days"), multipleOf("7", "accepts-broken-weeks"),
		only("refuses-28-days", below("28", ""))),
)

func loanRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/json"}, rule: newLoan}
	return []operation{
		{name: "list-loans", place: "loans", method: "GET", path: "/loans", guard: either, handle: listLoans},
		{name: "create-loan", place: "loans", method: "POST", path: "/loans", guard: both, body: body, handle: createLoan},
		{name: "read-loan", place: "loan", method: "GET", path: "/loans/{loanId}", guard: either, handle: readLoan},
		{name: "return-loan", place: "return", method: "POST", path: "/loans/{loanId}/return", guard: both,
			handle: returnLoan},
	}
}

// due is the day on which a book must be back.
func (s *Server) due(days int) string {
	day := s.now().AddDate(0, 0, days)
	if s.has("loan-writes-due-as-time") {
		return day.Format(time.RFC3339)
	}
	return day.Format(time.DateOnly)
}

func createLoan(c *call) {
	values := c.value.(map[string]any)
	bookID, _ := values["bookId"].(string)
	book := c.s.collection("books").byID[strings.ToLower(bookID)]
	member := c.s.collection("members").byID[strconv.Itoa(count(values["memberId"]))]
	switch {
	case book == nil && !c.s.has("lends-missing-book"):
		c.refuse(http.StatusUnprocessableEntity, "there is no such book", problem{"/bookId", "is no book"})
		return
	case member == nil && !c.s.has("lends-to-missing-member"):
		c.refuse(http.StatusUnprocessableEntity, "there is no such member", problem{"/memberId", "is no member"})
		return
	}
	for _, loan := range c.s.collection("loans").items {
		if loan.values["bookId"] == strings.ToLower(bookID) && loan.values["status"] == "open" &&
			!c.s.has("lends-lent-book") {
			c.refuse(http.StatusConflict, "the book is lent")
			return
		}
	}
	id := c.s.next("loan")
	loan := c.s.collection("loans").add(strconv.Itoa(id), map[string]any{
		"id": id, "bookId": strings.ToLower(bookID), "memberId": values["memberId"],
		"days": values["days"], "status": "open", "dueOn": c.s.due(count(values["days"])),
	})
	if loan.values["days"] == nil {
		loan.values = without(loan.values, "days")
	}
	c.reply(http.StatusCreated, showLoan(c, loan))
	c.set("Location", "/loans/"+loan.id)
	if c.s.has("loan-keeps-other-days") {
		loan.values = changed(loan.values, "days", 7)
	}
}

func showLoan(c *call, loan *item) map[string]any {
	switch {
	case c.has("loses-status"):
		return without(loan.values, "status")
	case c.has("writes-unknown-status"):
		return changed(loan.values, "status", "OPEN")
	case c.has("writes-member-as-text"):
		return changed(loan.values, "memberId", "one")
	case c.has("writes-null-due"):
		return changed(loan.values, "dueOn", nil)
	}
	return loan.values
}

func loanOf(c *call) *item {
	id, ok := c.number(0, "loanId")
	if !ok {
		return nil
	}
	loan := c.s.collection("loans").byID[id]
	if loan == nil {
		c.refuse(http.StatusNotFound, "there is no such loan")
	}
	return loan
}

func readLoan(c *call) {
	if loan := loanOf(c); loan != nil {
		c.reply(http.StatusOK, showLoan(c, loan))
	}
}

func returnLoan(c *call) {
	loan := loanOf(c)
	switch {
	case loan == nil:
		return
	case loan.values["status"] == "returned" && !c.s.has("returns-twice"):
		c.refuse(http.StatusConflict, "the book is back already")
		return
	}
	values := changed(loan.values, "status", "returned")
	if !c.s.has("return-is-not-kept") {
		loan.values = values
	}
	c.reply(http.StatusOK, showLoan(c, &item{id: loan.id, values: values}))
}

func listLoans(c *call) {
	q, ok := c.queries(
		query("memberId", integer("", ""), minimum("1", "accepts-member-filter-of-zero")).numeric(),
		query("bookId", format("uuid", "accepts-any-book-filter")),
		query("status", oneOfWords("accepts-unknown-status-filter", "", "open", "returned")),
		query("limit", integer("", ""), minimum("1", "accepts-loan-limit-of-zero"),
			maximum("100", "accepts-loan-limit-of-101")).numeric().or(json.Number("20"), ""),
		query("offset", integer("", ""), minimum("0", "")).numeric().or(json.Number("0"), ""),
	)
	if !ok {
		return
	}
	items := c.s.collection("loans").items
	if c.s.has("loans-newest-first") {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	for _, name := range []string{"memberId", "bookId", "status"} {
		want, has := q[name]
		if !has || c.s.has("loan-"+name+"-filter-ignored") {
			continue
		}
		if id, isText := want.(string); isText {
			want = strings.ToLower(id)
		}
		items = kept(items, func(i *item) bool { return same(i.values[name], want) })
	}
	limit := count(q["limit"])
	if c.s.has("loan-limit-ignored") {
		limit = 100
	}
	shown := page(items, count(q["offset"]), limit)
	if c.s.has("loans-newest-missing") && len(shown) > 0 {
		shown = shown[:len(shown)-1]
	}
	c.reply(http.StatusOK, map[string]any{
		"items": bodies(shown, func(loan *item) map[string]any { return showLoan(c, loan) }), "total": len(items),
		"limit": count(q["limit"]), "offset": count(q["offset"]),
	})
	c.set("X-Total-Count", strconv.Itoa(len(items)))
}
