package fields

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/words"
)

// What descriptions state literally: lists and examples in marks, and units. Nothing else of a description decides a
// value.

// marks matches a phrase of each role in words.Marks, and joint what may stand before a value and between two values.
var marks = sync.OnceValue(func() (m struct{ list, rivals, example, condition, joint *regexp.Regexp }) {
	phrases := func(roles ...string) string {
		var all []string
		for _, phrase := range slices.Backward(words.Marks.With(roles...)) { // of two that begin alike the longer one
			all = append(all, regexp.QuoteMeta(phrase)+map[bool]string{true: `\b`}[unicode.IsLetter(rune(phrase[len(phrase)-1]))])
		}
		return `(?:` + strings.Join(all, "|") + `)`
	}
	m.list = regexp.MustCompile(`(?i)\b` + phrases("list", "choice"))
	m.rivals = regexp.MustCompile(`^(?i:` + phrases("choice") + `) [^.]*\b(?i:` + phrases("rival") + `)`)
	m.example = regexp.MustCompile(`(?i)\b` + phrases("example"))
	m.condition = regexp.MustCompile(`(?i)\b` + phrases("condition") + `[^.;,\n]*$`)
	m.joint = regexp.MustCompile("^(?i:[\\s,:;|/(\\[]|[*-] |" + phrases("joint") + "|\\([^)`]*\\))+")
	return m
})

// quotes are the marks around a value, and what closes them.
var quotes = map[rune]string{'`': "`", '“': "”", '"': `"`, '\'': "'", '‘': "’"}

// maxStated is how much of a description is read, in bytes, and maxValue how long a value is.
const (
	maxStated = 600
	maxValue  = 40
)

// listed returns the values of a list that the description marks, or the example that it marks if no row has the whole
// name; nil if none.
func (p *Property) listed(isKnown bool) []string {
	text := p.Description[:min(len(p.Description), maxStated)]
	if !strings.ContainsAny(text, "`“\"'‘") {
		return nil
	}
	for _, at := range marks().list.FindAllStringIndex(text, -1) {
		if marks().condition.MatchString(text[:at[0]]) || marks().rivals.MatchString(text[at[0]:]) {
			continue
		}
		if values := valuesAfter(text[at[1]:]); len(values) > 1 || len(values) == 1 && !isKnown {
			return values
		}
	}
	if at := marks().example.FindStringIndex(text); at != nil && !isKnown {
		if values := valuesAfter(text[at[1]:]); len(values) > 0 {
			return values[:1]
		}
	}
	return nil
}

// valuesAfter returns the values in marks that a text begins with.
func valuesAfter(text string) (values []string) {
	for text != "" {
		text = text[len(marks().joint.FindString(text)):]
		first, size := utf8.DecodeRuneInString(text)
		value, rest, closed := strings.Cut(text[size:], quotes[first])
		if quotes[first] == "" || !closed || !isValue(value) {
			break
		}
		if value = strings.Trim(strings.TrimSuffix(value, ","), `"`); !isKeyword(value) && !slices.Contains(values, value) {
			values = append(values, value)
		}
		text = rest
	}
	return values
}

// isKeyword reports whether a value is one that JSON Schema has other means for.
func isKeyword(value string) bool {
	return slices.Contains([]string{"null", "true", "false", "undefined"}, value)
}

// isValue reports whether a text in marks is a value rather than a sentence or a template.
func isValue(text string) bool {
	return text != "" && len(text) <= maxValue && strings.TrimSpace(text) == text &&
		!strings.ContainsAny(text, "{}<>\n`*|\\") && strings.Count(text, " ") < 3 && !strings.HasSuffix(text, ".")
}

// unit is a row of units.tsv.
type unit struct{ phrase, kind, value string }

var units = sync.OnceValue(func() []unit {
	var all []unit
	for c := range words.Units.Rows() {
		all = append(all, unit{c[0], c[1], c[2]})
	}
	// The longest phrase counts: "unix timestamp in milliseconds".
	slices.SortStableFunc(all, func(a, b unit) int { return len(b.phrase) - len(a.phrase) })
	return all
})

// statedUnit finds the unit or notation that a description states; nil if none.
func statedUnit(description string) *unit {
	if description == "" {
		return nil
	}
	text := strings.ToLower(description[:min(len(description), maxStated)])
	all := units()
	if i := slices.IndexFunc(all, func(u unit) bool { return strings.Contains(text, u.phrase) }); i >= 0 {
		return &all[i]
	}
	return nil
}
