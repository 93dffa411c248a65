package checks

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/schema"
)

// rules are words with which documents tell in prose what their schemas do not.
var rules = regexp.MustCompile(`(?i)\b(must|may not|shall|should|only|unless|except|unique|distinct|` +
	`duplicates?|already|taken|in use|no other|future|past|before|after|earlier|later|check ?digits?|checksum|at least|` +
	`enough|sufficient|in stock|balance|sum|total|match(es)?|same|different|differ|required|needs?|requires|` +
	`not allowed|forbidden|depends?|rules?|policy|reserved|conditions?|together|either|exactly one)\b`)

// hasRuleInProse reports whether the document tells a rule of a place, of the operation, of its body, or of its
// refusal that may explain why a conforming value is refused.
func (in *input) hasRuleInProse(where string) bool {
	o := in.operation
	texts := []string{o.Summary, o.Description, in.checker.contract.Description(in.placeOf(where))}
	if in.documented != nil {
		texts = append(texts, in.documented.Description)
	}
	if o.Body != nil && strings.HasPrefix(where, exchange.InBody) {
		texts = append(texts, in.checker.contract.Description(o.Body.Place))
		for _, media := range o.Body.Content {
			if media.Schema != nil {
				k := schema.Resolve(media.Schema.Keywords)
				texts = append(texts, in.checker.contract.Description(media.Schema.Node(k).Place()))
			}
		}
	}
	return slices.ContainsFunc(texts, rules.MatchString)
}

var (
	quotedText = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|“[^”]*”")
	variedText = regexp.MustCompile(`\S*\d\S*|\S*[^\x00-\x7f]\S*|\S{40,}|\*`)
)

const (
	maxRawText    = 1000 // bytes of an answer that is no JSON that are looked at
	maxAnswerText = 200  // bytes of an answer's text that tell it from another
	minSentText   = 3    // bytes of a value that is looked for within words
)

// answerText gives what an answer says, each part once and without what differs from request to request: the
// values that were sent, what stands in quotes, numbers, keys, and whatever is not of ASCII.
func (in *input) answerText() string {
	var said []string
	value, err := jsontext.Decode(string(in.body))
	if text, ok := value.(string); ok && err == nil {
		said = []string{text}
	} else if left := maxTexts; err == nil {
		eachText(value, false, &left, func(text string) { said = append(said, text) })
	} else {
		said = []string{string(in.body[:min(len(in.body), maxRawText)])}
	}
	sent := in.sentTexts()
	var parts []string
	for _, text := range said {
		for _, value := range sent {
			if len(value) >= minSentText {
				text = strings.ReplaceAll(text, value, "*")
			}
		}
		for part := range strings.SplitSeq(quotedText.ReplaceAllString(text, "*"), ";") {
			words := strings.Fields(variedText.ReplaceAllString(part, " "))
			words = slices.DeleteFunc(words, func(word string) bool { return slices.Contains(sent, word) })
			if part = strings.Join(words, " "); part != "" && !slices.Contains(parts, part) {
				parts = append(parts, part)
			}
		}
	}
	text := strings.Join(parts, "; ")
	return text[:min(len(text), maxAnswerText)]
}

// sentTexts gives the texts of a request's body and query, the longest first. Short ones may be words of any
// text, and are looked for among its words only.
func (in *input) sentTexts() []string {
	var all []string
	for _, value := range jsonvalue.Walk(in.requestValue()) {
		if text, ok := value.(string); ok && text != "" && len(all) < maxTexts {
			all = append(all, text)
		}
	}
	if query, err := url.ParseQuery(in.Request.Query); err == nil {
		for _, name := range slices.Sorted(maps.Keys(query)) {
			all = append(all, query[name]...)
		}
	}
	all = slices.DeleteFunc(all, func(text string) bool { return text == "" })
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	return all
}
