package fields

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/naming"
)

// readings returns other words for a property whose name no rule knows, the likeliest first: its name without a number
// at the end or with glued words apart, and what its description calls it.
func (field *Field) readings(words []string, description string) [][]string {
	n := len(words) - 1
	if n < 0 {
		return nil
	}
	all := turned(words)
	if plain := strings.TrimRight(words[n], formats.Digits); plain != words[n] {
		rest := slices.Clone(words[:n])
		if plain != "" {
			rest = append(rest, plain)
		}
		all = append(all, rest)
	}
	if first, last := unglue(words[n]); last != "" {
		all = append(all, append(slices.Clone(words[:n]), first, last))
	}
	if endingOf(words) == nil {
		all = append(all, calledIn(description))
	}
	return all
}

// turned returns the words of a name with what it is at their end: datePublished, urlThumb, countries_in.
func turned(words []string) (all [][]string) {
	n := len(words) - 1
	if n < 1 {
		return nil
	}
	behind := append(slices.Clone(words[1:]), words[0])
	switch words[0] {
	case "date", "url", "uri":
		all = append(all, behind)
	case "time":
		if strings.HasSuffix(words[n], "ed") {
			all = append(all, behind)
		}
	}
	if at := slices.Index(words, "of"); at > 0 { // country_of_issuance
		if words[at-1] == "number" { // of items
			return append(all, []string{"count"})
		}
		all = append(all, words[:at])
	}
	switch {
	case suffixes.Has(words[n]):
		all = append(all, words[:n])
	case words[n] == "address", words[n] == "addresses", words[n] == "location": // delivery_address
		all = append(all, words[n:])
	}
	return all
}

// suffixes end names that say the same without them.
var suffixes = naming.LazySet(`in of for list array alt raw https iana iso kana kanji html before after preference preferences override original
	formatted localized`)

// words are those of the name, or of the object that has nothing but a value: {"email": {"value": …}}.
func (field *Field) words() []string {
	words := Words(field.Name)
	if len(words) == 1 && wrapped.Has(words[0]) || len(words) > 1 && words[0] == "formatted" {
		for _, counts := range []func(*rule) bool{(*rule).writes, (*rule).counts} {
			if own, _ := ruleOf(field.Of.words, Thing{}, counts); own != nil {
				return field.Of.words
			}
		}
	}
	return words
}

// countSaid is how descriptions of how many things there are begin.
var countSaid = lazyregexp.New(`^(?:the )?(?:(?:total|maximum|minimum|current|max|min) )*(?:number|count) of (?:[a-z]+ ){0,3}?[a-z]+s\b`)

// asked returns the texts of what a description, in lower case, asks of a name whose values are of no form of their
// own: yes or no, or how many things there are. It is nil for others.
func (h *Hint) asked(words []string, description string, written *rule) []Maker {
	n := len(words) - 1
	isFormal := n >= 0 && (formal.Has(words[n]) || codes.Has(words[n]) || names.Has(words[n]))
	switch {
	case isFormal || isMoment(words) || written != nil && written.formats != "":
		return nil
	case yesOrNo.Get().MatchString(description):
		return oneOf("true|false").makers(nil, Thing{})
	case !countSaid.Get().MatchString(description):
		return nil
	case h.Numbers != nil:
		return figures(h.Numbers)
	}
	return figures(between(1, 40).window)
}

// isQuestion reports whether a name's words ask what is true or false: is_virtual_school.
func isQuestion(words []string) bool {
	return len(words) > 1 && (questions.Has(words[0]) || granted.Has(words[len(words)-1]))
}

// kindCalled returns the kind of the things that a name stands for by its last word: what things of it are called is a
// value too. It is nil if there is none, and where such a text is the thing's number rather.
func kindCalled(words []string) *kind {
	if len(words) == 0 || endingOf(words) != nil {
		return nil
	}
	if k := kinds()[naming.Singular(words[len(words)-1])]; k != nil && k.name != "order" && k.name != "person" {
		return k
	}
	return nil
}

// granted end the names of what is so or is not: advertising_allowed.
var granted = naming.LazySet("allowed enabled required supported permitted eligible applicable mandatory")

// saidBetter returns the words by which a description calls a value where these say more than the name: that it is an
// address of a page, or what a thing of no known kind is the name of.
func (field *Field) saidBetter(words []string, description string) []string {
	called := calledIn(description)
	n := len(called) - 1
	switch {
	case len(words) > 1 && (words[0] == "url" || words[0] == "uri"): // urlAfterExpiration
		return append(slices.Clone(words[1:]), words[0])
	case n < 0:
	case called[n] == "url" || called[n] == "uri":
		return called
	case isIDOf(called, words):
		return called
	case completes(called, words):
		return called
	case n > 0 && called[n] == "name" && len(words) == 1 && names.Has(words[0]) && field.Of.kind == nil:
		return called
	}
	return nil
}

// completes reports whether what a description calls a value completes its name: "access" is "Your access token".
func completes(called, words []string) bool {
	if len(called) <= len(words) || len(words) == 0 {
		return false
	}
	own, last := words[len(words)-1], called[len(called)-1]
	return formal.Has(last) && !formal.Has(own) && !codes.Has(own) && naming.Singular(own) != last &&
		(last != "number" || !naming.IsPlural(own)) && // the number of hours
		strings.HasPrefix(strings.Join(called, " ")+" ", strings.Join(words, " ")+" ")
}

// isIDOf reports whether a description calls the identifier of something what the name calls by the thing: invoice.
func isIDOf(called, words []string) bool {
	n := len(called) - 1
	if called[n] != "id" && called[n] != "identifier" || n > 0 && formal.Has(called[n-1]) || len(words) == 0 {
		return false
	}
	own := naming.Singular(words[len(words)-1])
	return !formal.Has(own) && !codes.Has(own) && !names.Has(own)
}

// codes are words for values that identify something and have a form of their own.
var codes = naming.LazySet("currency country language locale timezone username login sku slug vin isbn issn isin isrc lei guid doi orcid arn urn gln ean gtin mac ip host hostname domain port type")

// formal are words for values of a form of their own.
var formal = naming.LazySet("token id identifier number key code url uri email date timestamp hash uuid iban bic path secret password")

// ordinals are numbered: the words "number" and "index" behind them stand for which of them it is.
var ordinals = naming.LazySet("page week line row column episode season chapter track round version part seat floor lap position day month sequence step level section")

// ordinal returns the words of a name that says which of several things it is: page_number is a page.
func ordinal(words []string) []string {
	n := len(words) - 1
	if n > 0 && ordinals.Has(words[n-1]) {
		switch words[n] {
		case "number", "no", "nr", "num", "index":
			return words[:n]
		}
	}
	return words
}

// wrapped are names of what an object has that stands for one value.
var wrapped = naming.LazySet("value raw formatted display")

// tails are words that names end in without a separator.
var tails = strings.Fields("number address status version price count title phone email image name code date type list text path time url uri id")

// whole are words that end in one of tails and are no two words.
var whole = naming.LazySet(`candidate mandate validate consolidate update conversion inversion context pretext account discount viscount archetype
	prototype overtime sometime lifetime entitle rename encode decode barcode geocode checklist`)

// unglue separates the last of two words that a name glues together: pubdate, wsurl. What stands before "id" is to be
// known, since many words end so.
func unglue(word string) (first, last string) {
	const least = 2 // letters of the first
	for _, tail := range tails {
		rest, ok := strings.CutSuffix(word, tail)
		if !ok || len(rest) < least || whole.Has(word) || len(tail) == len("id") && kinds()[rest] == nil {
			continue
		}
		return rest, tail
	}
	return "", ""
}

var (
	// yesOrNo begins descriptions of what is true or false.
	yesOrNo = lazyregexp.New(`^(?:[a-z]+ )?(?:whether|(?:if|when|set to) (?:set to )?true|true if|a boolean|boolean (?:value|flag|indicat)|` +
		`boolean[.,:]?$)|^(?:indicates|specifies|determines|tells|controls|checks|flag indicating) if\b`)
	// asides are what descriptions begin with that says nothing of the value.
	asides = lazyregexp.New(`^(?:(?:optional|required|not required|read[- ]only|output only|deprecated|immutable|input only)[.:;,]? |[\[(][^\])]*[\])] ?` +
		`|(?:gets or sets|it is|indicates|specifies|represents|describes|contains|defines|denotes|shows|returns|sets|is|identifies|provides|gives|holds|this is) ` +
		`|(?:the|an?|its|their|your|this|unique|current|optional|specific|corresponding|associated|human[- ]readable) ` +
		`|(?:comma|space)[- ]?\w* list of |list of |array of )`)
	// called is how they call what follows: nouns, and of what they are.
	called = lazyregexp.New(`^([a-z0-9'_-]+(?: [a-z0-9'_-]+){0,4}?)(?: (of|for) ([a-z0-9'_-]+(?: [a-z0-9'_-]+){0,3}?))?` +
		`(?:[.,;:()\n]|$| (?:of|for|to|that|which|who|whose|in|on|from|with|when|where|if|as|at|by|is|are|was|used|associated|affiliated|including|containing|[a-z]+ed by|` +
		`representing|identifying|describing|specifying|indicating|referring|belonging|matching|attached|generated|related|and|or|the|an?|your|e\.g|such|assigned|given|returned|specified|this|has|will|can)(?:[ .,]|$))`)
	// articles may stand before what something is of.
	articles = naming.LazySet("the a an this that each your its their one")
	// vagueHeads are nouns that say nothing of the value themselves: the value of the weight.
	vagueHeads = naming.LazySet("value text string field data content representation part encoded")
	// forms stand before "version of" where that is what follows, in another form.
	forms = naming.LazySet("static markdown html short long plain text rendered full formatted localized translated shortened abbreviated sanitized raw readable")
	// particular are heads that what they are of tells more of: the name of the dealership.
	particular = naming.LazySet("name number id identifier type code date time url title status list address")
)

// calledIn returns the words by which a description, in lower case, calls the value: "websocket url", "dealership
// name".
func calledIn(description string) []string {
	if strings.HasPrefix(description, "(id of ") {
		description = description[1:]
	}
	for range 6 { // articles and asides
		at := asides.Get().FindStringIndex(description)
		if at == nil {
			break
		}
		description = description[at[1]:]
	}
	found := called.Get().FindStringSubmatch(description)
	if found == nil {
		return nil
	}
	head := Words(strings.ReplaceAll(found[1], "'s", ""))
	of := slices.DeleteFunc(Words(strings.ReplaceAll(found[3], "'s", "")), func(w string) bool { return articles.Has(w) })
	switch last := len(head) - 1; {
	case last < 0:
		return nil
	case len(of) > 0 && (vagueHeads.Has(head[last]) || last > 0 && head[last] == "version" && forms.Has(head[last-1])):
		return of
	case len(of) > 0 && head[last] == "number" && naming.IsPlural(of[len(of)-1]):
		return []string{"count"}
	case vagueHeads.Has(head[last]): // the digest string
		for last >= 0 && vagueHeads.Has(head[last]) {
			last--
		}
		return head[:last+1]
	case len(of) > 0 && particular.Has(head[last]):
		return append(of, head...)
	}
	return head
}
