package backends

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func bookRoutes(*Server) []operation {
	created := &bodyRule{kinds: []string{"application/json"}, rule: newBook}
	patch := &bodyRule{kinds: []string{"application/merge-patch+json"}, rule: bookPatch}
	return []operation{
		{name: "list-books", place: "books", method: "GET", path: "/books", handle: listBooks},
		{name: "create-book", place: "books", method: "POST", path: "/books", guard: both, body: created, handle: createBook},
		{name: "read-book", place: "book", method: "GET", path: "/books/{bookId}", handle: readBook},
		{name: "head-book", place: "book", method: "HEAD", path: "/books/{bookId}", handle: readBook},
		{name: "replace-book", place: "book", method: "PUT", path: "/books/{bookId}", guard: both, body: created,
			handle: replaceBook},
		{name: "patch-book", place: "book", method: "PATCH", path: "/books/{bookId}", guard: staff, body: patch,
			handle: patchBook},
		{name: "delete-book", place: "book", method: "DELETE", path: "/books/{bookId}", guard: both, handle: deleteBook},
	}
}

// keepBook adds a book with what only the service sets.
func (s *Server) keepBook(books *collection, values map[string]any) *item {
	at := s.now().Format(time.RFC3339)
	values = maps.Clone(values)
	if _, taken := values["id"].(string); !taken {
		values["id"] = s.uuid("book")
	}
	values["createdAt"], values["updatedAt"], values["revision"] = at, at, json.Number("1")
	return books.add(values["id"].(string), values)
}

// showBook is what a book looks like in an answer.
func showBook(c *call, i *item) map[string]any {
	shown := i.values
	switch {
	case c.has("loses-genre"):
		shown = without(shown, "genre")
	case c.has("loses-dimensions"):
		shown = without(shown, "dimensions")
	case c.has("loses-id"):
		shown = without(shown, "id")
	case c.has("adds-shelf"):
		shown = changed(shown, "shelf", "A1")
	case c.has("writes-pages-as-text"):
		if n, has := shown["pages"].(json.Number); has {
			shown = changed(shown, "pages", string(n))
		}
	case c.has("writes-null-language"):
		shown = changed(shown, "language", nil)
	case c.has("writes-revision-as-text"):
		shown = changed(shown, "revision", "one")
	case c.has("writes-date-as-created"):
		shown = changed(shown, "createdAt", "1 March 2026")
	case c.has("writes-short-id"):
		shown = changed(shown, "id", i.id[:35])
	case c.has("writes-unknown-genre"):
		shown = changed(shown, "genre", "novel")
	case c.has("writes-revision-zero"):
		shown = changed(shown, "revision", 0)
	case c.has("writes-authors-as-names"):
		var names []any
		for _, a := range shown["authors"].([]any) {
			if author, ok := a.(map[string]any); ok {
				names = append(names, author["name"])
			}
		}
		shown = changed(shown, "authors", names)
	}
	return shown
}

// bookOf finds the book of the path, or answers 400 or 404.
func bookOf(c *call) *item {
	id := c.path[0]
	if !uuidText.MatchString(id) {
		if c.has("fails-on-odd-id") {
			c.refuse(http.StatusInternalServerError, "invalid input syntax for type uuid")
			return nil
		}
		c.refuse(http.StatusBadRequest, "the identity is no UUID", problem{"bookId", "is no uuid"})
		return nil
	}
	if found := c.s.collection("books").byID[strings.ToLower(id)]; found != nil {
		return found
	}
	if gone := c.s.collection("deleted-books").byID[strings.ToLower(id)]; gone != nil && c.has("shows-deleted") {
		return gone
	}
	if c.has("404-invents-book") {
		return c.s.collection("books").items[0]
	}
	c.refuse(http.StatusNotFound, "there is no such book")
	return nil
}

func readBook(c *call) {
	book := bookOf(c)
	if book == nil {
		return
	}
	if c.s.has("cannot-read-science") && book.values["genre"] == "science" {
		c.refuse(http.StatusNotFound, "there is no such book")
		return
	}
	c.reply(http.StatusOK, showBook(c, book))
	c.revision(book)
}

// revision sets the header that answers with a book have.
func (c *call) revision(book *item) {
	switch value := string(book.values["revision"].(json.Number)); {
	case c.has("without-revision"):
	case c.has("with-odd-revision"):
		c.set("X-Revision", "r"+value)
	default:
		c.set("X-Revision", value)
	}
}

func createBook(c *call) {
	books := c.s.collection("books")
	values := c.value.(map[string]any)
	if books.find("isbn", values["isbn"]) != nil && !c.s.has("accepts-same-isbn") {
		if c.s.has("duplicate-isbn-overwrites") {
			old := books.find("isbn", values["isbn"])
			old.values = changed(old.values, "title", values["title"])
		}
		c.refuse(http.StatusConflict, "there is a book with this ISBN")
		return
	}
	book := c.s.keepBook(books, values)
	switch {
	case c.s.has("creates-nothing"):
		books.remove(book.id)
	case c.s.has("creates-twice"):
		c.s.keepBook(books, without(book.values, "id"))
	case c.s.has("stores-first-tag-only"):
		if tags := book.values["tags"].([]any); len(tags) > 1 {
			book.values = changed(book.values, "tags", tags[:1])
		}
	case c.s.has("stores-no-notes"):
		book.values = without(book.values, "notes")
	case c.s.has("stores-genre-fiction"):
		defer func() { book.values = changed(book.values, "genre", "fiction") }()
	}
	c.reply(http.StatusCreated, showBook(c, book))
	c.set("Location", "/books/"+book.id)
	c.revision(book)
}

// renewed returns the book's values after a change.
func (c *call) renewed(book *item, values map[string]any) map[string]any {
	values = maps.Clone(values)
	values["id"], values["createdAt"] = book.id, book.values["createdAt"]
	values["updatedAt"] = c.s.now().Format(time.RFC3339)
	if c.has("forgets-created-at") {
		values["createdAt"] = values["updatedAt"]
	}
	revision := count(book.values["revision"])
	if !c.has("keeps-revision") {
		revision++
	}
	values["revision"] = json.Number(strconv.Itoa(revision))
	return values
}

func replaceBook(c *call) {
	book := bookOf(c)
	if book == nil {
		return
	}
	sent := c.value.(map[string]any)
	if other := c.s.collection("books").find("isbn", sent["isbn"]); other != nil && other != book &&
		!c.s.has("replace-accepts-same-isbn") {
		c.refuse(http.StatusConflict, "there is another book with this ISBN")
		return
	}
	if c.s.has("put-merges") {
		all := maps.Clone(book.values)
		maps.Copy(all, sent)
		sent = all
	}
	if c.s.has("put-adds-tags") {
		sent = changed(sent, "tags", append(slices.Clone(book.values["tags"].([]any)), sent["tags"].([]any)...))
	}
	values := c.renewed(book, sent)
	if !c.s.has("put-changes-nothing") {
		book.values = values
	}
	c.reply(http.StatusOK, showBook(c, &item{id: book.id, values: values}))
	c.revision(book)
}

func patchBook(c *call) {
	book := bookOf(c)
	if book == nil {
		return
	}
	patch := c.value.(map[string]any)
	all, _ := merged(book.values, patch).(map[string]any)
	if c.s.has("patch-keeps-null") {
		for name, value := range patch {
			if value == nil {
				all[name] = book.values[name]
				if book.values[name] == nil {
					delete(all, name)
				}
			}
		}
	}
	if c.s.has("patch-replaces") {
		for _, name := range []string{"pages", "price", "rating", "website", "published", "dimensions", "notes"} {
			if _, sent := patch[name]; !sent {
				delete(all, name)
			}
		}
	}
	if c.s.has("patch-appends-tags") {
		if tags, sent := patch["tags"].([]any); sent {
			all["tags"] = append(slices.Clone(book.values["tags"].([]any)), tags...)
		}
	}
	if c.s.has("patch-ignores-available") {
		all["available"] = book.values["available"]
	}
	values := c.renewed(book, all)
	if !c.s.has("patch-is-not-kept") {
		book.values = values
	}
	c.reply(http.StatusOK, showBook(c, &item{id: book.id, values: values}))
	c.revision(book)
}

func deleteBook(c *call) {
	book := bookOf(c)
	if book == nil {
		if c.answer.status == http.StatusNotFound && c.s.has("delete-book-twice-answers-204") {
			c.answer = answer{status: http.StatusNoContent}
		}
		return
	}
	for _, loan := range c.s.collection("loans").items {
		if loan.values["bookId"] == book.id && loan.values["status"] == "open" && !c.s.has("deletes-lent-book") {
			c.refuse(http.StatusConflict, "the book is lent")
			return
		}
	}
	if !c.s.has("delete-book-does-nothing") {
		c.s.collection("books").remove(book.id)
		gone := c.s.collection("deleted-books").add(book.id, book.values)
		gone.blob = book.blob
	}
	if c.s.has("delete-book-deletes-neighbour") {
		if items := c.s.collection("books").items; len(items) > 0 {
			c.s.collection("books").remove(items[len(items)-1].id)
		}
	}
	c.answer.status = http.StatusNoContent
}
