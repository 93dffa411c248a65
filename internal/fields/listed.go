package fields

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/naming"
)

// choices end the names of properties whose values are few: what a description lists counts more than a rule.
var choices = naming.LazySet(`type kind mode category class level status state format role reason event action method scope object
	operation unit source theme priority severity visibility strategy policy style option variant code value key parse algorithm
	position effect direction outcome result condition stage phase provider engine frequency interval period cadence model trigger platform`)

// listings are words behind which descriptions list the values of a property.
var listings = lazyregexp.New(`(?i)\b(one of|either|(?:must|can|may|will|should) (?:always )?be|always|(?:possible|valid|allowed|supported|` +
	`accepted|available|permitted) (?:values?|options?|types?)(?: (?:for|of) (?:this|the) [\w ]{1,30}?(?: are|:))?|values are|options are|values:|values? is|(?:value: )?(?:the )?fixed string|^the (?:[\w ]+ )?type(?: of [\w ]+)?:)`)

// sample are words behind which they have an example.
var sample = lazyregexp.New(`(?i)(\be\.g\.|\bfor example|\bsuch as|\bexamples?:|\beg:)`)

// fillers may stand between these words and a value, and between two values.
var fillers = naming.LazySet("one of either the following value values are is a an and or be currently set always include includes only to can may")

// conditions are words of sentences about other properties.
var conditions = naming.LazySet("if when where unless")

// quotes are the marks around a value, and what closes them.
var quotes = map[rune]string{'`': "`", '“': "”", '"': `"`, '*': "*", '\'': "'", '‘': "’"}

const marks = "`“\"*'‘"

// maxListed is how much of a description is read for values, in bytes, and maxValue how long a value is.
const (
	maxListed = 600
	maxValue  = 40
)

// listedIn returns the values of a property that its description lists: "Can be `open` or `closed`"; nil for none. It
// reports whether they stand in marks.
func listedIn(description string) (values []string, isMarked bool) {
	text := description[:min(len(description), maxListed)]
	for _, at := range listings.Get().FindAllStringIndex(text, -1) {
		if isConditional(text[:at[0]]) || rivals.Get().MatchString(text[at[0]:]) {
			continue
		}
		values := valuesAfter(text[at[1]:])
		isMarked := values != nil
		if values == nil {
			values = bareValues(text[at[1]:])
		}
		if values == nil {
			values = bulletValues(text[at[1]:])
		}
		if fine := slices.DeleteFunc(slices.Clone(values), troubled.Get().MatchString); len(fine) > 0 {
			return fine, isMarked // things are well where nothing says otherwise
		}
		if values != nil {
			return values, isMarked
		}
	}
	if found := piped.Get().FindString(text); found != "" {
		return strings.Split(found, "|"), false
	}
	if found := afterColon.Get().FindStringSubmatch(text); found != nil {
		return joints.Get().Split(found[1], -1), false
	}
	if at := strings.Index(text, " is "); at >= 0 && !isConditional(text[:at]) {
		if values := bareValues(text[at+len(" is "):]); len(values) > 2 {
			return values, false
		}
	}
	return explainedIn(text), false
}

// explained is a short value and what it stands for: "S - simple, M - multiple".
var explained = lazyregexp.New(`(?:^|[\s,;:(])([A-Z][A-Z0-9]{0,3}|\d{1,2}) ?[-–=] ?[A-Za-z][a-z]`)

// explainedIn returns the short values that a description explains; nil if there are not two.
func explainedIn(text string) (values []string) {
	for _, found := range explained.Get().FindAllStringSubmatch(text, -1) {
		if !slices.Contains(values, found[1]) {
			values = append(values, found[1])
		}
	}
	if len(values) < 2 {
		return nil
	}
	return values
}

// rivals are sentences about properties of which one is to be there: "Either `a` or `b` should be set."
var rivals = lazyregexp.New(`^(?i:either|one of) [^.]*\b(?:should|must|may|can|has to|needs to) be (?:set|provided|given|present|specified|used|sent)\b`)

// troubled are values that tell of what went wrong.
var troubled = lazyregexp.New(`(?i)fail|error|invalid|denied|reject|unknown|expired|cancel`)

// bare is a list of words of which each begins with a capital, as constants do: "One of Always, OnFailure or Never."
var bare = lazyregexp.New(`^:? ?((?:[A-Z]\w+(?:, |,? or |,? and ))+[A-Z]\w+)(?:[.\n]|$| depending| based)`)

// afterColon is a list of words that ends a description: "Action done: add, update or delete".
var afterColon = lazyregexp.New(`^[^:\n]*[a-z]: ?((?:[A-Za-z][\w-]+, )*[A-Za-z][\w-]+,? or [\w-]+|(?:[A-Za-z][\w-]+, ){2,}[\w-]+)\.?\s*$`)

// piped is a list of words in capitals: "Can be EMAIL|IBAN".
var piped = lazyregexp.New(`\b[A-Z][A-Z0-9_]+(?:\|[A-Z][A-Z0-9_]+)+\b`)

// bullet is the next line of a list of words: "* cookie", "- query (for parameters)".
var bullet = lazyregexp.New(`^[^\n]*\n\s*[*-] +([\w.-]+)(?: *[(:=–\n-]| *$)`)

// bulletValues returns the words that the bullets of a list begin with; nil if there are not two.
func bulletValues(text string) (values []string) {
	find := bullet.Get().FindStringSubmatchIndex
	for found := find(text); found != nil; found = find(text) {
		values = append(values, text[found[2]:found[3]])
		text = text[found[3]:]
	}
	if len(values) < 2 {
		return nil
	}
	return values
}

// joints are what stands between the values of such a list.
var joints = lazyregexp.New(`,? or |,? and |, (?:or |and )?`)

func bareValues(text string) []string {
	if found := bare.Get().FindStringSubmatch(text); found != nil {
		return joints.Get().Split(found[1], -1)
	}
	return nil
}

// sampleIn returns the example that a description has for a property: "for example `eu-1`"; "" for none.
func sampleIn(description string) string {
	text := description[:min(len(description), maxListed)]
	if !strings.ContainsAny(text, marks) {
		return ""
	}
	if at := sample.Get().FindStringIndex(text); at != nil {
		if values := valuesAfter(strings.TrimLeft(text[at[1]:], " ,:(")); len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

// isConditional reports whether the clause that ends a text speaks of a condition, and so of another property.
func isConditional(text string) bool {
	sentence := strings.ToLower(text[strings.LastIndexAny(text, ".;,\n")+1:])
	words := strings.Fields(sentence)
	return slices.ContainsFunc(words, func(w string) bool { return conditions.Has(w) })
}

// valuesAfter returns the values in marks that a text begins with, whatever joins them, and what brackets say of them.
func valuesAfter(text string) (values []string) {
	for text != "" {
		first, size := utf8.DecodeRuneInString(text)
		if value, rest, closed := strings.Cut(text[size:], quotes[first]); quotes[first] != "" && closed && isValue(value) {
			value = strings.Trim(strings.TrimSuffix(value, ","), `"`)
			if !unnamed.Has(value) && !slices.Contains(values, value) {
				values = append(values, value)
			}
			text = rest
			continue
		}
		rest, ok := joint(text, len(values) > 0)
		if !ok {
			break
		}
		text = rest
	}
	return values
}

// unnamed are values that have keywords of their own.
var unnamed = naming.LazySet("null true false undefined")

// joint skips what a text begins with where it may stand before a value: separators, fillers, bullets, and behind a
// value what is said of that.
func joint(text string, behind bool) (rest string, ok bool) {
	line := strings.IndexByte(text, '\n')
	switch first := text[0]; {
	case first == '(':
		_, rest, ok = strings.Cut(text, ")")
		return rest, ok
	case first == '=' && behind: // `C` = the copyright, `P` = …
		next, end := strings.IndexByte(text, '`'), strings.IndexByte(text, '.')
		return text[max(next, 0):], next >= 0 && (end < 0 || next < end)
	case first == '\n' && behind:
		rest = strings.TrimLeft(text, " \n\r\t")
		return rest, isBullet(rest) || strings.HasPrefix(rest, "`")
	case strings.IndexByte(" ,:;|/[\n\r\t-", first) >= 0, first == '*' && isBullet(text):
		return text[1:], true
	}
	isOther := func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }
	word := text[:strings.IndexFunc(text+" ", isOther)]
	switch {
	case fillers.Has(strings.ToLower(word)):
		return text[len(word):], true
	case line >= 0 && behind && isBullet(text[line+1:]):
		return text[line:], true
	}
	return "", false
}

func isBullet(text string) bool {
	text = strings.TrimLeft(text, " \n\r\t")
	return strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ")
}

// isValue reports whether a text in marks is a value rather than a name of something or a sentence.
func isValue(text string) bool {
	return text != "" && len(text) <= maxValue && strings.TrimSpace(text) == text &&
		!strings.ContainsAny(text, "{}<>\n`*|\\") && strings.Count(text, " ") < 3 && !strings.HasSuffix(text, ".")
}
