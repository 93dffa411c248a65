package backends

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

var newCopy = object(closed("accepts-unknown-copy-property"),
	need("shelf", "accepts-missing-shelf", "", "A-1", str(""), pattern(`^[A-Z]-[0-9]{1,3}$`, "accepts-any-shelf")),
	filled("condition", "good", "forgets-default-condition", str(""),
		oneOfWords("accepts-unknown-condition", "accepts-condition-in-capitals", "new", "good", "worn")),
)

func copyRoutes(*Server) []operation {
	body := &bodyRule{kinds: []string{"application/json"}, rule: newCopy}
	return []operation{
		{name: "list-copies", place: "copies", method: "GET", path: "/books/{bookId}/copies", guard: either,
			handle: listCopies},
		{name: "create-copy", place: "copies", method: "POST", path: "/books/{bookId}/copies", guard: keyed, body: body,
			handle: createCopy},
		{name: "read-copy", place: "copy", method: "GET", path: "/books/{bookId}/copies/{copyId}", guard: either,
			handle: readCopy},
		{name: "replace-copy", place: "copy", method: "PUT", path: "/books/{bookId}/copies/{copyId}", guard: keyed,
			body: body, handle: replaceCopy},
		{name: "delete-copy", place: "copy", method: "DELETE", path: "/books/{bookId}/copies/{copyId}", guard: keyed,
			handle: deleteCopy},
	}
}

// copiesOf are the copies of one book.
func (s *Server) copiesOf(book *item) *collection {
	if s.has("copies-of-all-books-mix") {
		return s.collection("copies")
	}
	return s.collection("copies of " + book.id)
}

// number reads the path's value as an identity, or answers 400.
func (c *call) number(at int, name string) (string, bool) {
	text := c.path[at]
	if c.has("takes-number-with-letters") {
		text = strings.TrimRight(text, "abcdefghijklmnopqrstuvwxyz")
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || text[0] == '+' {
		if c.has("fails-on-odd-id") {
			c.refuse(http.StatusInternalServerError, "cannot convert")
			return "", false
		}
		c.refuse(http.StatusBadRequest, "the identity is no positive integer", problem{name, "must be >= 1"})
		return "", false
	}
	return strconv.FormatInt(n, 10), true
}

// copyOf finds the book and the copy of the path, or answers 400 or 404.
func copyOf(c *call) (*collection, *item) {
	book := bookOf(c)
	if book == nil && c.s.has("copies-outlive-book") {
		if book = c.s.collection("deleted-books").byID[c.path[0]]; book != nil {
			c.answer = answer{}
		}
	}
	if book == nil {
		return nil, nil
	}
	id, ok := c.number(1, "copyId")
	if !ok {
		return nil, nil
	}
	copies := c.s.copiesOf(book)
	if found := copies.byID[id]; found != nil {
		return copies, found
	}
	if c.s.has("copy-under-wrong-book") {
		for _, other := range c.s.collection("books").items {
			if found := c.s.copiesOf(other).byID[id]; found != nil {
				return c.s.copiesOf(other), found
			}
		}
	}
	c.refuse(http.StatusNotFound, "the book has no such copy")
	return nil, nil
}

func listCopies(c *call) {
	book := bookOf(c)
	if book == nil && c.s.has("lists-copies-of-deleted-book") {
		if book = c.s.collection("deleted-books").byID[c.path[0]]; book != nil {
			c.answer = answer{}
		}
	}
	if book == nil {
		if c.answer.status == http.StatusNotFound && c.s.has("lists-copies-of-missing-book") {
			c.reply(http.StatusOK, []any{})
		}
		return
	}
	list := bodies(c.s.copiesOf(book).items, func(i *item) map[string]any { return i.values })
	if c.s.has("copies-listed-without-shelf") {
		for i := range list {
			list[i] = without(list[i].(map[string]any), "shelf")
		}
	}
	if c.s.has("no-copies-is-null") && len(list) == 0 {
		list = nil
	}
	c.reply(http.StatusOK, list)
}

func createCopy(c *call) {
	book := bookOf(c)
	if book == nil {
		if c.answer.status != http.StatusNotFound || !c.s.has("creates-copy-of-missing-book") {
			return
		}
		c.answer = answer{}
		book = &item{id: c.path[0]}
	}
	number := c.s.next("copy")
	values := changed(c.value.(map[string]any), "id", number)
	values["bookId"] = book.id
	if c.s.has("copy-names-wrong-book") {
		values["bookId"] = c.s.collection("books").items[0].id
	}
	c.s.copiesOf(book).add(strconv.Itoa(number), values)
	c.reply(http.StatusCreated, values)
	c.set("Location", "/books/"+book.id+"/copies/"+strconv.Itoa(number))
}

func readCopy(c *call) {
	if _, found := copyOf(c); found != nil {
		shown := found.values
		if c.has("writes-id-as-text") {
			shown = changed(shown, "id", found.id)
		}
		c.reply(http.StatusOK, shown)
	}
}

func replaceCopy(c *call) {
	_, found := copyOf(c)
	if found == nil {
		return
	}
	values := changed(c.value.(map[string]any), "id", found.values["id"])
	values["bookId"] = found.values["bookId"]
	if c.s.has("put-gives-copy-new-id") {
		values["id"] = json.Number(strconv.Itoa(c.s.next("copy")))
	}
	if !c.s.has("put-copy-keeps-condition") {
		found.values = values
	} else {
		found.values = changed(values, "condition", found.values["condition"])
	}
	c.reply(http.StatusOK, values)
}

func deleteCopy(c *call) {
	copies, found := copyOf(c)
	if found == nil {
		return
	}
	if c.s.has("deletes-all-copies") {
		for len(copies.items) > 0 {
			copies.remove(copies.items[0].id)
		}
	}
	copies.remove(found.id)
	if c.s.has("deletes-copy-softly") {
		copies.add(found.id, changed(found.values, "condition", "worn"))
	}
	c.answer.status = http.StatusNoContent
}
