package checks

import (
	"cmp"
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/words"
)

// Bounds of what is read of an answer.
const (
	maxRead  = 16 << 10 // bytes of its body
	maxParts = 12       // texts
	maxText  = 160      // bytes of each
	maxSent  = 500      // values of the request that are looked for
	maxNamed = 500      // names
)

// answerText returns what an answer says, without what differs from request to request: numbers, keys, what stands in
// quotes, values that were sent, pointers, and the names of the request's own places are "…". It is "" for an answer
// that says no more than its status.
func (in *input) answerText() string {
	if in.Response == nil || len(in.Response.Body) == 0 {
		return ""
	}
	body := in.body
	if body == nil {
		body = in.Response.Body
	}
	return generalAnswer(body[:min(len(body), maxRead)], in.sentTexts(), in.ownNames())
}

// Said returns the longest text of an error answer, in its own words; "" for one that says no more than its status.
func Said(r *exchange.Response) string {
	if r == nil || r.Status < 400 || len(r.Body) == 0 {
		return ""
	}
	said := ""
	for _, text := range textsOf(r.Body[:min(len(r.Body), maxRead)]) {
		text = strings.TrimSpace(firstLine(text))
		if len(text) > len(said) && utf8.ValidString(text) && !strings.HasPrefix(text, "code #") &&
			saysMore(text) {
			said = text
		}
	}
	return said
}

func generalAnswer(body []byte, sent []string, own map[string]bool) string {
	var parts []string
	says := false
	texts := textsOf(body)
	if i := slices.IndexFunc(texts, isDataState); i >= 0 {
		texts = []string{"SQLSTATE " + letters(cmp.Or(sameState[texts[i]], texts[i]))}
	}
	for _, text := range texts {
		for part := range strings.SplitSeq(generalText(text, sent), ";") {
			part = generalWords(part, own)
			if part == "" || slices.Contains(parts, part) || len(parts) == maxParts {
				continue
			}
			parts = append(parts, part)
			says = says || saysMore(part)
		}
	}
	if !says {
		return ""
	}
	return strings.Join(parts, "; ")
}

// varies reports whether the name of a member of an error body says when, where and to whom rather than what.
func varies(name string) bool {
	if words.Errors.Has(strings.ToLower(name), "varies-alone") {
		return true
	}
	return hasPart(name, "varies", "time", "place", "parameter", "pointer", "location", "path")
}

// hasPart reports whether a word in the name of a member has one of some roles in error bodies.
func hasPart(name string, roles ...string) bool {
	return slices.ContainsFunc(naming.Words(name), func(word string) bool {
		return slices.ContainsFunc(words.Errors.Of(naming.Singular(word)), func(role string) bool {
			return slices.Contains(roles, role)
		})
	})
}

// dataState is a code of SQL that says what is wrong with data (ISO 9075-2, classes 22 and 23): what does not look at
// data before a database does lacks it for all columns. A class alone, 22000 or 23000, does not distinguish causes.
var dataState = lazyregexp.New(`^2[23][0-9A-Z]{3}$`)

// sameState are the codes of texts that are not of a column's type, which depend on the type.
var sameState = map[string]string{"22007": "22P02", "22018": "22P02"}

func isDataState(text string) bool {
	return dataState.Get().MatchString(text) && !strings.HasSuffix(text, "000")
}

// textsOf returns the texts of a body: the strings of JSON, the title and the first text of a page, or the first line.
func textsOf(body []byte) []string {
	text := string(body)
	value, err := jsontext.DecodeLoosely(text)
	if err != nil {
		if isPage.Get().MatchString(text[:min(len(text), 500)]) {
			return pageTexts(text)
		}
		return []string{text}
	}
	var all []string
	for tokens, leaf := range jsonvalue.Walk(value) {
		name := lastName("/" + strings.Join(tokens, "/"))
		switch leaf := leaf.(type) {
		case string:
			if leaf != "about:blank" && !varies(name) ||
				strings.Contains(leaf, " ") && !hasPart(name, "trace") {
				all = append(all, leaf)
			}
		case json.Number:
			if n, _ := strconv.Atoi(leaf.String()); hasPart(name, "code") && http.StatusText(n) == "" {
				all = append(all, "code #"+letters(leaf.String()))
			}
		}
	}
	return all
}

var isPage = lazyregexp.New(`(?i)<html|<!doctype`)

// letters writes digits as letters, so that a code is kept where numbers are not.
func letters(digits string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return 'A' + r - '0'
		}
		return r
	}, digits)
}

var (
	hidden    = lazyregexp.New(`(?is)<(style|script)\b.*?</(style|script)>|<!--.*?-->|<!doctype[^>]*>`)
	tag       = lazyregexp.New(`(?s)<[^>]*>`)
	lineBreak = lazyregexp.New(`(?i)<br\s*/?>|</(title|h[1-6]|p|div|li|tr|pre)>`)
)

// pageTexts returns the first two texts of a page of HTML: most often its title and its message.
func pageTexts(page string) []string {
	page = lineBreak.Get().ReplaceAllString(hidden.Get().ReplaceAllString(page, ""), "\n")
	var all []string
	for line := range strings.SplitSeq(html.UnescapeString(tag.Get().ReplaceAllString(page, "")), "\n") {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(all, line) {
			if all = append(all, line); len(all) == 2 {
				break
			}
		}
	}
	return all
}

var quotedText = lazyregexp.New("(?s)\"(\\\\.|[^\"\\\\])*\"|`[^`]*`|“[^”]*”|«[^»]*»|" +
	// An apostrophe before more of a word is part of what is quoted; a quote that nothing ends was cut off.
	"\\B'(?:[^']|'[^\\s.,:;)\\]}>'])*'|\\B'[^']*$")

// typeName is a type of SQL (ISO 9075-2, and others of PostgreSQL's pg_type) or JSON that a value could not be read as:
// which one depends on the place.
var typeName = lazyregexp.New(`\btype (small|big)?(int(eger|[248])?|serial|real|float[48]?|double( precision)?|numeric|` +
	`decimal|number|bool(ean)?|text|string|uuid|date|time(stamp(tz)?)?|interval|jsonb?|inet)\b`)

// omitted stands for what differs from request to request.
const omitted = "…"

// generalText returns the first line of a text without values that were sent and what stands in quotes.
func generalText(text string, sent []string) string {
	for _, value := range sent {
		switch {
		case len(value) > 2 && !formats.IsWord(value) && saysMore(value): // words are looked for among the words
			text = replaceWhole(text, value)
		default:
			text = strings.TrimSuffix(text, " "+value)
			for _, pair := range [...]string{"()", "[]", "<>", "{}"} {
				text = strings.ReplaceAll(text, pair[:1]+value+pair[1:], pair[:1]+omitted+pair[1:])
			}
		}
	}
	return firstLine(typeName.Get().ReplaceAllString(quotedText.Get().ReplaceAllString(text, omitted), "type "+omitted))
}

// replaceWhole puts "…" in the place of a value, unless it is part of longer words.
func replaceWhole(text, value string) string {
	inWord := func(before, after rune) bool { return isWordRune(before) && isWordRune(after) }
	first, _ := utf8.DecodeRuneInString(value)
	last, _ := utf8.DecodeLastRuneInString(value)
	var b strings.Builder
	for {
		at := strings.Index(text, value)
		if at < 0 {
			return b.String() + text
		}
		end := at + len(value)
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[end:])
		b.WriteString(text[:at])
		if inWord(before, first) || inWord(last, after) {
			b.WriteString(value)
		} else {
			b.WriteString(omitted)
		}
		text = text[end:]
	}
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// generalWords returns the words of a text, with "…" in place of what differs from request to request.
func generalWords(text string, own map[string]bool) string {
	var words []string
	for word := range strings.FieldsSeq(text) {
		word = strings.Trim(word, `()[]{}<>,;:.!?"'`)
		last := len(words) - 1
		switch {
		case word == "":
		case isVaried(word, own):
			if last < 0 || words[last] != omitted {
				words = append(words, omitted)
			}
		default:
			words = append(words, word)
		}
	}
	if n := len(words); n > 0 && words[n-1] == omitted {
		words = words[:n-1]
	}
	text = strings.Join(words, " ")
	return strings.ToValidUTF8(text[:min(len(text), maxText)], "")
}

// firstLine returns the first line, of a trace of Python the last, which has the error.
func firstLine(text string) string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	lines = slices.DeleteFunc(lines, func(line string) bool { return strings.TrimSpace(line) == "" })
	switch {
	case len(lines) == 0:
		return ""
	case strings.HasPrefix(lines[0], "Traceback (most recent call last)"):
		return lines[len(lines)-1]
	}
	return lines[0]
}

var methods = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY", "CONNECT"}

// isVaried reports whether a word has digits or is not a word, is one of those that requests are made from, or names a
// place of the request.
func isVaried(word string, own map[string]bool) bool {
	if strings.ContainsAny(word, "0123456789/\\"+omitted) || len(word) > 60 || formats.IsWord(strings.ToLower(word)) ||
		slices.Contains(methods, word) {
		return true
	}
	named := func(r rune) bool { return strings.ContainsRune(".[]#=&", r) }
	return own[strings.ToLower(word)] || slices.ContainsFunc(strings.FieldsFunc(strings.ToLower(word), named),
		func(part string) bool { return part != strings.ToLower(word) && own[part] })
}

// saysMore reports whether a text has a word that is not common to all errors.
func saysMore(text string) bool {
	for word := range strings.FieldsSeq(text) {
		for _, part := range naming.Words(word) {
			if !ofAnyError(part) {
				return true
			}
		}
	}
	return false
}

// ofAnyError reports whether a word of an error says nothing of its cause, as the phrases of statuses do.
func ofAnyError(word string) bool {
	return phraseWords()[word] || words.Errors.Has(word, "empty")
}

var phraseWords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for status := 100; status < 600; status++ {
		for _, word := range naming.Words(http.StatusText(status)) {
			all[word] = true
		}
	}
	return all
})

// sentTexts returns the values of a request's body, query and path as texts, the longest first.
func (in *input) sentTexts() []string {
	var all []string
	add := func(value any) {
		for _, leaf := range jsonvalue.Walk(value) {
			if text, ok := jsonvalue.Text(leaf); ok && text != "" && len(all) < maxSent {
				all = append(all, text)
			}
		}
	}
	add(in.requestValue())
	query, _ := url.ParseQuery(in.Request.Query)
	for _, values := range query {
		for _, text := range values {
			add(text)
			if value, err := jsontext.Decode(text); err == nil {
				add(value)
			}
		}
	}
	for segment := range strings.SplitSeq(in.Request.Path, "/") {
		if text, err := url.PathUnescape(segment); err == nil && !strings.Contains(in.operation.Path, segment) {
			add(text)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	return slices.Compact(all)
}

// ownNames returns the names of the operation's parameters and properties, and of what its path concerns, in lower
// case.
func (in *input) ownNames() map[string]bool {
	o, all := in.operation, map[string]bool{}
	add := func(name string) {
		if name = strings.ToLower(name); len(all) < maxNamed && !ofAnyError(name) {
			all[name] = true
		}
	}
	seen := map[*schema.Keywords]bool{}
	var within func(k *schema.Keywords)
	within = func(k *schema.Keywords) {
		if k == nil || seen[k] || len(seen) > maxNamed {
			return
		}
		seen[k] = true
		for name := range k.Properties {
			add(name)
		}
		within(k.Ref)
		for _, part := range schema.Subschemas(k, nil) {
			within(part)
		}
	}
	for _, p := range o.Parameters {
		add(p.Name)
		if s := p.ValueSchema(); s != nil {
			within(s.Keywords)
		}
	}
	if o.Body != nil {
		for _, media := range o.Body.Content {
			if media.Schema != nil {
				within(media.Schema.Keywords)
			}
		}
	}
	for segment := range strings.SplitSeq(o.Path, "/") {
		for _, word := range naming.Words(segment) {
			add(word)
			add(naming.Singular(word))
		}
	}
	return all
}
