package backends

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

var bookQuery = []parameter{
	query("limit", integer("", ""), minimum("1", "accepts-limit-of-zero"), maximum("100", "accepts-limit-of-101"),
		only("refuses-limit-of-100", below("100", "")), only("refuses-limit-of-1", above("1", ""))).numeric().or(json.Number("20"), ""),
	query("offset", integer("", ""), minimum("0", "accepts-negative-offset"), maximum("100000", "accepts-high-offset")).numeric().or(json.Number("0"), ""),
	query("genre", list("", oneOfWords("accepts-unknown-genre-filter", "accepts-genre-filter-in-capitals", "fiction", "poetry", "science", "history")),
		minItems(1, ""), maxItems(3, "accepts-four-genre-filters"), uniqueItems("accepts-same-genre-filter-twice")).in(commas),
	query("tag", list("", pattern(`^[a-z0-9-]{1,20}$`, "accepts-any-tag-filter")), maxItems(4, "accepts-five-tag-filters"), uniqueItems("accepts-same-tag-filter-twice")).in(exploded),
	query("available", textBoolean("accepts-any-available-filter")),
	query("publishedAfter", format("date", "accepts-any-published-after")),
	query("minPages", integer("", "accepts-fraction-of-min-pages"), minimum("1", "accepts-min-pages-of-zero")).numeric(),
	query("sort", oneOfWords("accepts-unknown-sort", "accepts-sort-in-capitals", "title", "-title", "pages", "-pages", "published", "-published")),
}

func listBooks(c *call) {
	q, ok := c.queries(bookQuery...)
	if !ok {
		return
	}
	s := c.s
	items := s.collection("books").items
	if s.has("lists-deleted-books") {
		items = slices.Concat(items, s.collection("deleted-books").items)
	}
	if _, sorted := q["sort"]; s.has("books-newest-first") && !sorted {
		items = slices.Clone(items)
		slices.Reverse(items)
	}
	if s.has("list-misses-newest") && len(items) > 3 {
		items = items[:len(items)-1]
	}
	everything := len(items)
	items = filterBooks(s, items, q)
	if key, sort := q["sort"].(string); sort {
		items = sortBooks(s, items, strings.ToLower(key))
	}
	total := len(items)
	if s.has("total-ignores-filters") {
		total = everything
	}
	if s.has("total-counts-deleted") {
		total += len(s.collection("deleted-books").items)
	}
	limit, offset, shownLimit := bookPage(c, count(q["limit"]), count(q["offset"]))
	shown := page(items, offset, limit)
	if s.has("last-page-missing") && len(shown) < limit && offset > 0 {
		shown = nil
	}
	if s.has("total-of-page") {
		total = len(shown)
	}
	list := bodies(shown, func(i *item) map[string]any { return showBook(c, i) })
	replyBooks(c, list, map[string]any{"items": list, "total": total, "limit": shownLimit, "offset": count(q["offset"])},
		total)
}

// bookPage returns the page that is cut out, and the limit that the answer names.
func bookPage(c *call, limit, offset int) (cutLimit, cutOffset, shownLimit int) {
	s := c.s
	shownLimit = limit
	_, sent := c.r.URL.Query()["limit"]
	switch {
	case s.has("limit-ignored"):
		limit = 1000
	case s.has("limit-one-more"):
		limit++
	case s.has("limit-one-less") && limit > 1:
		limit--
	case s.has("default-limit-of-2") && !sent:
		limit, shownLimit = 2, 2
	case s.has("offset-ignored"):
		offset = 0
	case s.has("offset-one-more"):
		offset++
	case s.has("pages-overlap") && offset > 0:
		offset--
	case s.has("offset-counts-pages"):
		offset *= limit
	}
	return limit, offset, shownLimit
}

// replyBooks answers with a page of books.
func replyBooks(c *call, list []any, body map[string]any, total int) {
	s := c.s
	switch {
	case s.has("list-lacks-total"):
		delete(body, "total")
	case s.has("list-writes-total-as-text"):
		body["total"] = strconv.Itoa(total)
	case s.has("list-null-for-empty") && len(list) == 0:
		body["items"] = nil
	case s.has("list-adds-property"):
		body["took"] = 3
	case s.has("list-echoes-wrong-limit"):
		body["limit"] = 20
	case s.has("list-of-none-is-404") && len(list) == 0:
		c.refuse(http.StatusNotFound, "no books")
		return
	}
	c.reply(http.StatusOK, body)
	if s.has("list-as-bare-array") {
		c.reply(http.StatusOK, list)
	}
	switch {
	case s.has("list-without-total-count"):
	case s.has("list-with-odd-total-count"):
		c.set("X-Total-Count", "many")
	case s.has("list-with-wrong-total-count"):
		c.set("X-Total-Count", strconv.Itoa(total+1))
	default:
		c.set("X-Total-Count", strconv.Itoa(total))
	}
}

func filterBooks(s *Server, items []*item, q map[string]any) []*item {
	if genres, has := q["genre"].([]any); has && !s.has("genre-filter-ignored") {
		items = kept(items, func(i *item) bool {
			if s.has("genre-filter-takes-first") {
				return i.values["genre"] == genres[0]
			}
			return slices.Contains(genres, i.values["genre"]) != s.has("genre-filter-inverted")
		})
	}
	if tags, has := q["tag"].([]any); has && !s.has("tag-filter-ignored") {
		items = kept(items, func(i *item) bool { return hasTags(s, i, tags) })
	}
	if available, has := q["available"].(bool); has && !s.has("available-filter-ignored") {
		if s.has("available-false-means-all") && !available {
			return items
		}
		items = kept(items, func(i *item) bool {
			return (i.values["available"] == available) != s.has("available-filter-inverted")
		})
	}
	if after, has := q["publishedAfter"].(string); has && !s.has("published-filter-ignored") {
		items = kept(items, func(i *item) bool {
			on, _ := i.values["published"].(string)
			return on > after || on == after && s.has("published-filter-inclusive")
		})
	}
	if least, has := q["minPages"].(json.Number); has && !s.has("pages-filter-ignored") {
		items = kept(items, func(i *item) bool { return hasPages(s, i, least) })
	}
	return items
}

func hasTags(s *Server, i *item, tags []any) bool {
	of, _ := i.values["tags"].([]any)
	hits := 0
	for _, tag := range tags {
		if slices.Contains(of, tag) {
			hits++
		}
	}
	return hits == len(tags) || hits > 0 && s.has("tag-filter-takes-any")
}

func hasPages(s *Server, i *item, least json.Number) bool {
	n, has := i.values["pages"].(json.Number)
	switch {
	case !has:
		return false
	case s.has("pages-filter-as-text"):
		return n >= least
	case s.has("pages-filter-exclusive"):
		return rational(n).Cmp(rational(least)) > 0
	}
	return rational(n).Cmp(rational(least)) >= 0
}

func sortBooks(s *Server, items []*item, key string) []*item {
	name, down := strings.CutPrefix(key, "-")
	switch {
	case s.has("sort-ignored"),
		s.has("sort-by-pages-ignored") && name == "pages",
		s.has("sort-by-published-ignored") && name == "published":
		return items
	case s.has("sort-never-descends"):
		down = false
	case s.has("sort-by-title-descends") && name == "title":
		down = !down
	}
	ordered := sorted(items, name, down)
	if s.has("sort-pages-as-text") && name == "pages" {
		slices.SortStableFunc(ordered, func(a, b *item) int {
			x, _ := a.values[name].(json.Number)
			y, _ := b.values[name].(json.Number)
			return strings.Compare(string(x), string(y))
		})
	}
	return ordered
}
