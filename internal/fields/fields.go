// Package fields knows what the names that APIs give to properties suggest for their values: tables of rules by
// subject (people.go, places.go, commerce.go, …), and what the shape of a name says where no rule knows it (open.go).
//
// What a hint writes depends on the place's keys only. It counts only where the value conforms to the schema.
package fields

import (
	"slices"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// Place says which value is to be written.
type Place struct {
	Key    uint64 // of the value
	Object uint64 // of the object around it: what belongs together shares it
	Town   uint64 // of the object whose town this is in, as that of an address inside; 0: Object
	Around *Thing // what is around that object, nil where none is known; only hints that say so look
}

// decision returns the seed of the n-th of several decisions about the surrounding object.
func (p Place) decision(n uint64) uint64 { return formats.Mix(p.Object + formats.Increment*(n+1)) }

// Maker writes a text. The format is the schema's, "" for none.
type Maker func(f *formats.Faker, at Place, format string) string

// Window is a range of numbers that look right, in units of 1/Scale. Default scale: 1, whole numbers.
type Window struct {
	Lo, Hi, Scale int64
}

// Hint is what a property's name suggests.
type Hint struct {
	Texts   []Maker                                 // the best first
	Listed  bool                                    // an enum's value that a text is comes before others
	Formats []string                                // that the texts fit, besides strings without a format
	Numbers func(f *formats.Faker, at Place) Window // nil: no suggestion
	Around  bool                                    // the texts depend on Place.Around
	Flag    int                                     // < 0: it is hardly ever true, > 0: nearly always
	Local   bool                                    // what the property has is where the object around it is
	Open    bool                                    // the name says nothing of the text
}

// rule is one row of the tables.
type rule struct {
	// names are in lower case, without separators; "=" stands before those that suggest nothing at the end of longer ones.
	names   string
	under   string // the kinds or last words of the things whose properties it is about. Default: all
	phrases string // of descriptions, separated by "|", that stand for the name
	texts   texts
	formats string
	numbers numbers
	listed  bool  // an enum's value that the text is comes before others
	around  bool  // the texts depend on what is around the object
	units   bool  // the numbers' magnitude depends on a unit that the description may name
	sure    bool  // the phrases say more than "name" or "kind"
	unix    int64 // the numbers are times in so many units a second; which event it is, the property's words say
}

// Field is what is known of a property.
type Field struct {
	Name        string
	Of          Thing  // the object that has it
	Description string // at most its beginning counts
	Format      string // "" for none
}

// Of returns what a field suggests; there is always a text. A format that the texts do not fit has texts of its own.
func Of(field Field) *Hint {
	if field.Of.is("linkset") && field.Name != "" {
		return &Hint{Texts: page(nil, Named(field.Name)), Formats: strings.Fields(URIFormats)}
	}
	h := of(field)
	if field.Format == "" || slices.Contains(h.Formats, field.Format) {
		return h
	}
	switch words := Words(field.Name); {
	case h.Numbers != nil && slices.Contains(numerical, field.Format):
		h.Texts, h.Formats = figures(h.Numbers), numerical
	case len(words) == 0:
	case slices.Contains(timeFormats, field.Format):
		h.Texts, h.Formats = []Maker{eventText(eventOf(words))}, timeFormats
	case strings.HasSuffix(field.Format, "-reference"):
		h.Texts, h.Formats = reference(words), strings.Fields(URIFormats)
	case slices.Contains(strings.Fields(URIFormats), field.Format):
		h.Texts, h.Formats = page(nil, Named(field.Name)), strings.Fields(URIFormats)
	}
	return h
}

// numerical are formats of texts that are numbers.
var numerical = strings.Fields("decimal double float number")

func of(field Field) *Hint {
	words := field.words()
	field.Description = plain(field.Description)
	all := strings.ToLower(strings.ReplaceAll(field.Description, "`", ""))
	lower := all[:min(len(all), maxDescription)]
	lower = strings.TrimPrefix(lower, strings.ToLower(field.Name)+" is ")
	if better := field.saidBetter(words, lower); better != nil {
		words = better
	}
	h := &Hint{Numbers: numbersOf(words, lower, all, field.Of), Flag: flagOf(words)}
	h.Local = len(words) > 0 && local.Has(words[len(words)-1])
	written, matched := field.rule(words, lower)
	if values := field.listed(words, written); values != nil {
		h.Texts = oneOf(strings.Join(values, "|")).makers(nil, Thing{})
		return h
	}
	texts := h.asked(words, lower, written)
	if texts == nil && field.isVague(words, matched, written) {
		texts = formSaid(words, lower)
	}
	if texts == nil {
		texts = h.shaped(words, written, matched)
	}
	if texts != nil {
		h.Texts = texts
		return h
	}
	switch {
	case written != nil:
		h.Texts = written.texts.makers(words, field.Of)
		h.Formats, h.Listed = strings.Fields(written.formats), written.listed
		h.Around = written.around || field.Of.isLabel()
	case isMoment(words):
		h.Texts, h.Formats = []Maker{eventText(eventOf(words))}, timeFormats
	case isDoer(words):
		h.Texts = writes(someone).makers(nil, Thing{})
	case field.reread(h, words, lower):
		return h
	case kindCalled(words) != nil:
		h.Texts = kindCalled(words).called()
		return h
	case h.Numbers != nil && endingOf(words) == nil:
		h.Texts = figures(h.Numbers)
		return h
	default:
		h.open(words, field.Of)
		return h
	}
	h.layOut(words, lower)
	return h
}

// formSaid returns texts of the form that a description, in lower case, says; nil if it does not.
func formSaid(words []string, description string) []Maker {
	if spanSaid.Get().MatchString(description) {
		return spans()
	}
	if layout := layoutSaid(description); layout != "" {
		return []Maker{eventText(eventOf(words), layout)}
	}
	return sizeSaid(description)
}

// shaped returns the texts of questions, of numbers of things, and of spans of time, nil for other names.
func (h *Hint) shaped(words []string, written *rule, matched int) []Maker {
	isWhole := matched == len(words)
	switch isNumbered := written == nil && len(ordinal(words)) < len(words); {
	case !isWhole && isQuestion(words):
		return oneOf("true|false").makers(nil, Thing{})
	case h.Numbers != nil && (isNumbered || !isWhole && tallies.Has(words[0])):
		return figures(h.Numbers)
	case written == nil && isSpan(words):
		return spans()
	case matched <= 1:
		return unitOf(words)
	}
	return nil
}

// layOut has times be written as a description, in lower case, says.
func (h *Hint) layOut(words []string, description string) {
	if !slices.Contains(h.Formats, "date") {
		return
	}
	layout, said := layoutSaid(description), ruleSaid(description, (*rule).writes)
	switch {
	case said != nil && said.unix > 0:
		h.Texts, h.Formats = unixTexts(said.unix).makers(words, Thing{}), strings.Fields(said.formats)
	case layout != "":
		h.Texts = slices.Insert(slices.Clip(h.Texts), 0, laidOut(h.Texts[0], eventText(eventOf(words), layout), layout))
	case !strings.Contains(description, "time"):
		h.preferDate(words)
	}
}

// reread has another reading of a name that no rule knows suggest the texts; false if none does.
func (field *Field) reread(h *Hint, words []string, description string) bool {
	if n := len(words) - 1; n > 0 && (words[n] == "type" || words[n] == "kind") { // messageType: the type of a message
		if own := firstRule("type", true, Named(strings.Join(words[:n], "_")), (*rule).writes); own != nil {
			h.Texts = own.texts.makers(words, field.Of)
			return true
		}
	}
	for _, other := range field.readings(words, description) {
		written, _ := ruleOf(other, field.Of, (*rule).writes)
		switch {
		case written != nil:
			h.Texts = written.texts.makers(other, field.Of)
		case isMoment(other):
			h.Texts, h.Formats = []Maker{eventText(eventOf(other))}, timeFormats
			return true
		case isDoer(other):
			h.Texts = writes(someone).makers(nil, Thing{})
			return true
		case len(other) > 1 && endingOf(other) != nil:
			h.Texts = endingOf(other).makers(other, field.Of)
			return true
		default:
			continue
		}
		h.Formats, h.Listed, h.Around = strings.Fields(written.formats), written.listed, written.around
		return true
	}
	return false
}

// seldom and usually are flags of what hardly ever is so, and of what nearly always is.
var (
	seldom = naming.LazySet(`spam malwarefound suppressed outdated hidden deprecated disabled archived deleted trashed banned blocked locked suspended
		overdue breached slabreached prerelease failed haserror haserrors error expired abandoned stale tainted deceased bounced unsubscribed
		flagged muted paused maintenance recalled discontinued quarantined compromised test istest sandbox redacted truncated late isoverdue
		islocked isblocked isbanned issuspended isdeleted isarchived isdisabled isexpired ishidden isspam isdeprecated isflagged istrashed`)
	usually = naming.LazySet(`active enabled online verified available visible connected valid healthy isactive isenabled isonline isverified isavailable
		isvisible isvalid emailverified instock isinstock operational`)
)

func flagOf(words []string) int {
	switch joined := strings.Join(words, ""); {
	case seldom.Has(joined):
		return -1
	case usually.Has(joined):
		return 1
	}
	return 0
}

// rule finds the rule for a field's texts: by its name, and by a description in lower case where that says more.
func (field *Field) rule(words []string, description string) (written *rule, matched int) {
	written, matched = ruleOf(words, field.Of, (*rule).writes)
	if n := len(words) - 1; written == nil && n > 0 && textual.Has(words[n]) { // DateString
		written, matched = ruleOf(words[:n], field.Of, (*rule).writes)
	}
	if n := len(words) - 2; n >= 0 && matched == 1 && written.under != "" && names.Has(words[n+1]) {
		if k := kinds()[words[n]]; k != nil && k != field.Of.kind { // the name of another thing: beneficiary_name
			written, _ = ruleOf([]string{"name"}, Thing{}, (*rule).writes)
		}
	}
	isVague := field.isVague(words, matched, written)
	if isVague || field.Name == "name" || field.Name == "kind" || field.Name == "state" {
		if said := ruleSaid(description, (*rule).writes); said.tellsOf(words) && (isVague || said.sure) {
			return said, 0
		}
	}
	return written, matched
}

// tellsOf reports whether a rule that a description leads to is about a name: that of an identifier tells where to find
// it where it speaks of an address, or that anything may stand there, and that of a timestamp in which zone it is.
func (r *rule) tellsOf(words []string) bool {
	if r == nil || len(words) == 0 {
		return r != nil
	}
	switch words[len(words)-1] {
	case "id", "identifier":
		return r.formats != URIFormats && r.formats != "markdown"
	case "timestamp":
		return r.unix > 0 || strings.Contains(r.formats, "date")
	}
	return true
}

// isVague reports whether a description may say more than the rule for a name.
func (field *Field) isVague(words []string, matched int, written *rule) bool {
	return written == nil || matched == 1 && slices.Contains(vague, words[len(words)-1]) && written.under == ""
}

// names end the names of what things are called.
var names = naming.LazySet("name title label")

// preferDate has what is called a date have no hours where no format asks for them.
func (h *Hint) preferDate(words []string) {
	if last := len(words) - 1; last > 0 && (words[last] == "date" || words[last] == "on") &&
		slices.Contains(h.Formats, "date") {
		h.Texts = slices.Insert(slices.Clip(h.Texts), 0, onlyDate(h.Texts[0]))
	}
}

// listed returns the values that the description lists, where the name is one of a choice or says nothing.
func (field *Field) listed(words []string, written *rule) []string {
	if field.Description == "" {
		return nil
	}
	isChoice := len(words) > 0 && choices.Has(naming.Singular(words[len(words)-1]))
	if written == nil && isMoment(words) {
		return nil
	}
	values, isMarked := listedIn(field.Description)
	isFormal := len(words) > 0 && formal.Has(naming.Singular(words[len(words)-1]))
	isStrong := len(values) > 1 && (field.namesItself(words) || isMarked && !isFormal)
	if written != nil && !isChoice && !isStrong {
		return nil
	}
	if values == nil && (written == nil || isChoice && slices.Contains(vague, words[len(words)-1])) {
		if value := sampleIn(field.Description); value != "" {
			values = []string{value}
		}
	}
	return values
}

// namesItself reports whether a description says what the property's own word can be: "The brand can be `A` or `B`".
func (field *Field) namesItself(words []string) bool {
	before, _, found := strings.Cut(strings.ToLower(field.Description), " can be ")
	return found && len(words) > 0 && strings.HasSuffix(before, words[len(words)-1])
}

// ruleOf finds the first rule of some for a name: for the whole of it, else for its last words, as many as it says.
func ruleOf(words []string, of Thing, counts func(*rule) bool) (found *rule, matched int) {
	for i := range words {
		joined := strings.Join(words[i:], "")
		for _, name := range []string{joined, naming.Singular(joined)} {
			if found = firstRule(name, i == 0, of, counts); found != nil {
				if n := len(words); i > 0 && i == n-1 && words[0] == "date" && isMoment(words) {
					return nil, 0 // date_last_review
				}
				return found, len(words) - i
			}
		}
	}
	return nil, 0
}

// isDoer reports whether a name's words are those of who did something, or of a role of people: signed_by, adjuster.
func isDoer(words []string) bool {
	n := len(words) - 1
	if n >= 0 && (kinds()[words[n]] == kinds()["person"] || kinds()[naming.Singular(words[n])] == kinds()["person"]) {
		return true
	}
	return n > 0 && words[n] == "by" && (strings.HasSuffix(words[n-1], "ed") || doings.Has(words[n-1]))
}

// doings are participles that do not end in "ed".
var doings = naming.LazySet("sent written sold seen driven taken held led made paid given shown found built read run done")

// textual words end the names of what is written as a text.
var textual = naming.LazySet("string str text txt")

// vague names say less than a description.
var vague = strings.Fields("code value number key type id identifier timestamp text string field")

// firstRule returns the first rule for a name. Rules for the object come before others.
func firstRule(name string, whole bool, of Thing, counts func(*rule) bool) *rule {
	rules, _ := index()
	for r := range rules.All(name) {
		if counts(r) && r.under != "" && of.is(r.under) && (whole || !r.ambiguous(name)) {
			return r
		}
	}
	for r := range rules.All(name) {
		if counts(r) && r.under == "" && (whole || !r.ambiguous(name)) {
			return r
		}
	}
	return nil
}

func (r *rule) writes() bool { return r.texts != nil }
func (r *rule) counts() bool { return r.numbers != nil || r.unix > 0 }

func (r *rule) ambiguous(name string) bool {
	return slices.Contains(strings.Fields(r.names), "="+name)
}

func ruleSaid(description string, counts func(*rule) bool) *rule {
	_, phrases := index()
	for _, p := range phrases {
		if counts(p.rule) && strings.Contains(description, p.text) {
			return p.rule
		}
	}
	return nil
}

type phrase struct {
	text string
	rule *rule
}

// index gives all rules by the names that they have, and those that descriptions lead to. It is made when the first
// value is: a twentieth of the CPU time until the Plant Store is served.
var index = sync.OnceValues(func() (*naming.Index[*rule], []phrase) {
	byName := naming.NewIndex[*rule](4700, 6000)
	var said []phrase
	for _, subject := range [][]rule{
		protocols, inLanguages(), culture, nature, building, sport, lab, markets, network, entertainment, office, health, travel, work, homes, leisure, sums, schedule,
		people, places, commerce, finance, times, web, software, media, units, states, prose, technical, inFormats(),
	} {
		for i := range subject {
			r := &subject[i]
			for name := range strings.FieldsSeq(r.names) {
				name = strings.TrimPrefix(name, "=")
				byName.Add(name, r)
			}
			for text := range strings.SplitSeq(r.phrases, "|") {
				if text != "" {
					said = append(said, phrase{text, r})
				}
			}
		}
	}
	return byName, said
})

// inFormats returns a rule for each format that names suggest.
func inFormats() []rule {
	var all []rule
	for i := range formats.All {
		if f := &formats.All[i]; f.FieldNames != "" {
			all = append(all, rule{names: f.FieldNames, texts: writes(f.Generate), formats: f.Name})
		}
	}
	return all
}
