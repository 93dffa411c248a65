package fields

import (
	"cmp"
	"html"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/lazyregexp"
)

var (
	// anchors are links in Markdown.
	anchors = lazyregexp.New(`\[([^\]\n]+)\]\([^)\s]*\)`)
	// elements are those of HTML and of comments in code that only lay out a text.
	elements = lazyregexp.New(`</?(?:p|para|summary|remarks|br|b|i|em|strong|ul|ol|li|code|c|a|span|div)(?: [^>]*)?/?>`)
	// trail is the way to a field of a form: "Orders tab > Number* > The number of the order".
	trail = lazyregexp.New(`^(?:[^>\n]{1,80} > )+([A-Z])`)
)

// plain returns a description without what only lays it out.
func plain(description string) string {
	const enough = 2 * maxListed // bytes
	text := description[:min(len(description), enough)]
	if strings.Contains(text, "](") {
		text = anchors.Get().ReplaceAllString(text, "$1")
	}
	if strings.ContainsAny(text, "<&") {
		text = html.UnescapeString(elements.Get().ReplaceAllString(text, " "))
	}
	if strings.Contains(text, " > ") {
		text = trail.Get().ReplaceAllString(text, "$1")
	}
	return strings.TrimSpace(strings.ReplaceAll(text, "**", ""))
}

// lengths is how descriptions say of how many characters a value is: "8-digit code", "a 6 character string".
var lengths = lazyregexp.New(`(up to |max(?:imum)?(?: of)? |than |least |most |min(?:imum)?(?: of)? |limit of |exceed |first |last )?\b(\d{1,2}|two|three|four|five|six|eight|ten)[- ](digit|character|char|letter)s?\b`)

var figuresSpelt = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "eight": 8, "ten": 10}

// sizeSaid returns texts of the length that a description, in lower case, says; nil if it does not.
func sizeSaid(description string) []Maker {
	found := lengths.Get().FindStringSubmatch(description)
	if found == nil || found[1] != "" {
		return nil
	}
	n, _ := strconv.Atoi(found[2])
	n = cmp.Or(n, figuresSpelt[found[2]])
	form := map[string]string{"digit": "#", "letter": "@"}[found[3]]
	if n == 0 {
		return nil
	}
	return Patterns(strings.Repeat(cmp.Or(form, "*"), n))
}
