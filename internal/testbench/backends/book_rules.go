package backends

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
)

var (
	title = all(str("accepts-number-title"), minLength(1, "accepts-empty-title"), maxLength(200, "accepts-long-title"),
		only("counts-title-in-bytes", maxBytes(200)),
		only("counts-title-in-utf16", maxUnits(200)),
		only("refuses-title-of-200", maxLength(199, "")),
		only("refuses-title-of-1", minLength(2, "")),
		only("refuses-non-ascii-title", pattern(`^[\x00-\x7f]*$`, "")),
		only("refuses-right-to-left-title", pattern(`^[^\x{0590}-\x{06ff}]*$`, "")),
		crashes("fails-on-nul-in-title", contains("\x00")),
		crashes("fails-on-astral-title", containsFunc(func(r rune) bool { return r > 0xffff })),
		crashes("fails-on-quote-in-title", contains("'")),
		crashes("fails-on-combining-title", containsFunc(func(r rune) bool { return unicode.Is(unicode.Mn, r) })),
		changes("cuts-title-at-100", func(v any) any { return cutAt(v, 100) }),
		changes("trims-title", trimmed),
		changes("lowers-title", lowered),
		changes("cuts-title-at-nul", func(v any) any { s, _ := v.(string); s, _, _ = strings.Cut(s, "\x00"); return or(s, "-") }),
	)
	isbn = loosely("accepts-unanchored-isbn", `97[89][0-9]{10}`,
		all(str("accepts-number-isbn"), pattern(`^97[89][0-9]{10}$`, "accepts-any-isbn")))
	genre    = all(str(""), oneOfWords("accepts-unknown-genre", "accepts-genre-in-capitals", "fiction", "poetry", "science", "history"))
	language = all(str(""), pattern(`^[a-z]{2}$`, "accepts-any-language"))
	pages    = all(integer("accepts-text-pages", "accepts-fraction-of-pages"),
		minimum("1", "accepts-zero-pages"), maximum("20000", "accepts-too-many-pages"),
		only("refuses-pages-at-maximum", below("20000", "")),
		only("refuses-pages-at-minimum", above("1", "")))
	price = all(number("accepts-text-price"), above("0", "accepts-price-of-zero"), maximum("9999.99", "accepts-high-price"),
		multipleOf("0.01", "accepts-price-in-mills"),
		only("refuses-price-at-maximum", below("9999.99", "")),
		only("refuses-smallest-price", above("0.01", "")),
		changes("rounds-price", rounded))
	rating = nullable("refuses-null-rating", number(""), minimum("0", "accepts-negative-rating"), maximum("5", "accepts-high-rating"),
		multipleOf("0.5", "accepts-rating-in-tenths"),
		only("refuses-rating-of-zero", above("0", "")))
	published = all(str(""), format("date", "accepts-any-published"),
		only("refuses-leap-day", pattern(`^....-(..-[013].|..-2[0-8])$`, "")))
	website = all(str(""), maxLength(500, ""), format("uri", "accepts-any-website"))
	authors = all(list("",
		onlyFirst("checks-only-first-author", object(closed("accepts-unknown-author-property"),
			need("name", "accepts-author-without-name", "", "Anonymous", str("accepts-number-author-name"), minLength(1, "accepts-empty-author-name"), maxLength(80, "accepts-long-author-name")),
			may("born", nullable("refuses-null-born", integer("accepts-text-born", ""), minimum("-3000", "accepts-early-born"), maximum("2100", "accepts-late-born"))),
		))),
		minItems(1, "accepts-no-authors"), maxItems(5, "accepts-six-authors"), uniqueItems("accepts-same-author-twice"),
		only("refuses-five-authors", maxItems(4, "")),
		changes("drops-second-author", func(v any) any { items, _ := v.([]any); return items[:min(1, len(items))] }))
	tags = all(list("accepts-single-tag", str("accepts-number-tag"), onlyFirst("checks-only-first-tag", pattern(`^[a-z0-9-]{1,20}$`, "accepts-any-tag"))),
		maxItems(10, "accepts-eleven-tags"), uniqueItems("accepts-same-tag-twice"),
		only("refuses-no-tags", minItems(1, "")))
	accession = all(integer("", ""), minimum("1", ""), maximum("9223372036854775807", ""),
		changes("mangles-large-accession", throughFloat),
		crashes("fails-on-large-accession", func(v any) bool { n, ok := v.(json.Number); return ok && len(n) > 16 }))
	dimensions = object(closed("accepts-unknown-dimension"),
		need("width", "accepts-missing-width", "", json.Number("100"), integer("accepts-text-width", ""), above("0", "accepts-width-of-zero"), below("1000", "accepts-width-of-1000"),
			only("refuses-width-of-999", below("999", ""))),
		need("height", "", "", nil, integer("", ""), above("0", ""), below("1000", "")),
		need("unit", "accepts-missing-unit", "", "mm", str(""), among("accepts-other-unit", "mm")),
	)
	notes = object(others{rule: all(str("accepts-number-note"), maxLength(100, "accepts-long-note")), max: 5, maxless: "accepts-six-notes"})
)

var newBook = object(closed("accepts-unknown-book-property"),
	need("title", "accepts-missing-title", "accepts-null-title", "Untitled", title),
	need("isbn", "accepts-missing-isbn", "accepts-null-isbn", "9780000000000", isbn),
	need("genre", "accepts-missing-genre", "accepts-null-genre", "fiction", genre),
	need("authors", "accepts-missing-authors", "accepts-null-authors", []any{map[string]any{"name": "Anonymous"}}, authors),
	may("pages", pages).orDemanded("demands-pages").orNull("accepts-null-pages", nil),
	filled("language", "en", "forgets-default-language", language),
	filled("available", true, "forgets-default-available", boolean("accepts-text-available")),
	filled("tags", []any{}, "", tags),
	may("price", price).orDemanded("demands-price"),
	may("rating", rating),
	may("published", published).orNull("accepts-null-published", nil),
	may("website", website),
	may("acquiredAt", str(""), format("date-time", "accepts-any-acquired-at"), changes("drops-fraction-of-second", withoutFraction)),
	may("accession", accession),
	may("dimensions", dimensions),
	may("notes", notes),
)

// bookPatch is checked on its own before it is merged: it may hold less than a
// book does.
var bookPatch = all(func(k *check, at string, value any) any {
	if object, ok := value.(map[string]any); ok && len(object) == 0 {
		k.report("accepts-empty-patch", at, "has no property")
	}
	return value
}, object(closed("accepts-unknown-patch-property"),
	may("title", title), may("genre", genre), may("pages", nullable("", pages)), may("available", boolean("")),
	may("tags", tags), may("rating", rating), may("price", nullable("", price)),
))

func contains(part string) func(any) bool {
	return func(v any) bool { s, _ := v.(string); return strings.Contains(s, part) }
}

func containsFunc(is func(rune) bool) func(any) bool {
	return func(v any) bool { s, _ := v.(string); return strings.ContainsFunc(s, is) }
}

func cutAt(v any, n int) any {
	s, _ := v.(string)
	if runes := []rune(s); len(runes) > n {
		return string(runes[:n])
	}
	return v
}

func trimmed(v any) any { s, _ := v.(string); return or(strings.TrimSpace(s), "-") }
func lowered(v any) any { s, _ := v.(string); return strings.ToLower(s) }

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// rounded drops the cents.
func rounded(v any) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	f, _ := rational(n).Float64()
	return json.Number(strconv.Itoa(max(1, int(f))))
}

// throughFloat is what programs do that have only floating-point numbers.
func throughFloat(v any) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	f, _ := rational(n).Float64()
	if f > 9.2e18 {
		return json.Number("9223372036854774784")
	}
	return json.Number(strconv.FormatInt(int64(f), 10))
}

func withoutFraction(v any) any {
	s, _ := v.(string)
	if dot := strings.IndexByte(s, '.'); dot > 0 {
		end := dot + 1
		for end < len(s) && s[end] >= '0' && s[end] <= '9' {
			end++
		}
		return s[:dot] + s[end:]
	}
	return v
}
