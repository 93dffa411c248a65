// Package fields suggests values by the names of properties. The names, and what they suggest, are the
// data of package words; this package reads names word by word, and has the makers of values to which the data refer.
//
// A suggested text depends on the keys of its place only. It counts only if the value conforms to the schema.
package fields

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/naming"
)

// Context decides which value a Maker writes: equal contexts lead to equal values.
type Context struct {
	Key    uint64 // of the value
	Object uint64 // of the object around it, shared by its members
	Town   uint64 // of the object whose town this is in, such as the address inside of it; 0: Object
	Around *Thing // what is around that object, nil if that is unknown; only hints with Around set read it
}

// decision returns the seed of the n-th of several decisions about the surrounding object.
func (p Context) decision(n uint64) uint64 { return formats.Mix(p.Object + formats.Increment*(n+1)) }

// Maker writes a text. The format is the schema's, "" if none.
type Maker func(f *formats.Faker, at Context, format string) string

// Window is a range of numbers that look right, in units of 1/Scale. Default scale: 1, whole numbers.
type Window struct {
	Lo, Hi, Scale int64
}

// Hint is what a property's name suggests.
type Hint struct {
	Texts   []Maker                                   // the best first
	Listed  bool                                      // an enum's value that a text equals comes before others
	Formats []string                                  // that the texts fit, besides strings without a format
	Numbers func(f *formats.Faker, at Context) Window // nil: no suggestion
	Around  bool                                      // the texts depend on Place.Around
	Flag    int                                       // < 0: it is hardly ever true, > 0: nearly always
	Local   bool                                      // what the property has is in the town of the object around it
	Open    bool                                      // the name says nothing of the text
}

// Property is what is known of a property.
type Property struct {
	Name        string
	Of          Thing  // the object that has it
	Description string // only marked lists, marked examples and stated units are read; see stated.go
	Format      string // "" if none
}

// Of returns what a property suggests; there is always a text. A format that the texts do not fit has texts of its own.
func Of(p Property) *Hint {
	h := of(p)
	if p.Format == "" || slices.Contains(h.Formats, p.Format) {
		return h
	}
	switch words := Words(p.Name); {
	case h.Numbers != nil && slices.Contains(numerical, p.Format):
		h.Texts, h.Formats = figures(h.Numbers), numerical
	case len(words) == 0:
	case slices.Contains(timeFormats, p.Format):
		h.Texts, h.Formats = []Maker{eventText(eventOf(words))}, timeFormats
	case strings.HasSuffix(p.Format, "-reference"):
		h.Texts, h.Formats = reference(words), uriFormats
	case slices.Contains(uriFormats, p.Format):
		h.Texts, h.Formats = page(nil, Named(p.Name)), uriFormats
	}
	return h
}

// numerical are formats of texts that are numbers.
var numerical = []string{"decimal", "double", "float", "number"}

// of reads a name in this order: a list or an example that the description marks, some digits of a code (last_digits),
// a row of names.tsv, the shape of the name (a question, a time, who did something), a row for its last word, a kind of
// things, its own words.
func of(p Property) *Hint {
	words := p.words()
	unit := statedUnit(p.Description)
	numbers, isKnown := numbersOf(words, unit, p.Of)
	h := &Hint{Numbers: numbers, Flag: flagOf(words)}
	h.Local = len(words) > 0 && is(words[len(words)-1], "local")
	row, matched := rowOf(words, p.Of, row.writes)
	isWhole := row != nil && matched == len(words)
	switch listed := p.listed(isWhole); {
	case listed != nil && !isMoment(words):
		h.Texts = list(listed).makers(nil, Thing{})
	case row != nil && !isWhole && isQuestion(words):
		h.Texts = list{"true", "false"}.makers(nil, Thing{})
	case len(words) > 1 && anyIs(words, "share"):
		h.Texts = figures(numbers)
	case anyIs(words, "fragment"):
		h.Texts = several{patterns("####"), patterns("######")}.makers(nil, Thing{})
	case row != nil:
		h.use(row.text, words, p.Of)
	case isQuestion(words):
		h.Texts = list{"true", "false"}.makers(nil, Thing{})
	case isMoment(words):
		h.Texts, h.Formats = []Maker{eventText(eventOf(words))}, timeFormats
	case isDoer(words):
		h.Texts = writes(someone).makers(nil, Thing{})
	default:
		h.useLast(words, p.Of, isKnown)
	}
	h.layOut(words, unit)
	return h
}

// use takes the texts that a row refers to.
func (h *Hint) use(text string, words []string, of Thing) {
	m := made(text)
	h.Texts, h.Formats = m.texts.makers(words, of), strings.Fields(m.formats)
	h.Listed, h.Around = m.listed, m.around || of.isLabel()
}

// useLast takes the texts of a name's last word, its numbers if they are known, or its own words.
func (h *Hint) useLast(words []string, of Thing, isKnown bool) {
	if len(words) == 0 {
		h.Texts = nameOf(nil, of)
		return
	}
	last := words[len(words)-1]
	switch k := kindOfThing(naming.Singular(last)); {
	case of.joined == links.joined:
		h.Texts, h.Formats, h.Open = page(nil, Named(strings.Join(words, "_"))), uriFormats, true
	case lastRow(last) != nil:
		h.use(lastRow(last).text, words, of)
	case k != nil && k.name != "order" && k.name != "person" && k.name != "tag":
		h.Texts = k.called()
	case isKnown:
		h.Texts = figures(h.Numbers)
	default:
		h.Texts, h.Open = ownWords(words), true
	}
}

// words returns the words of the name, or of the object if it has nothing but a value: {"email": {"value": …}}.
func (p *Property) words() []string {
	words := Words(p.Name)
	if len(words) == 1 && is(words[0], "wrapped") {
		for _, counts := range []func(row) bool{row.writes, row.counts} {
			if own, _ := rowOf(p.Of.words, Thing{}, counts); own != nil {
				return p.Of.words
			}
		}
	}
	return words
}

// isQuestion reports whether a name's words ask what is true or false: is_virtual_school, advertising_allowed.
func isQuestion(words []string) bool {
	return len(words) > 1 && (is(words[0], "question") || is(words[len(words)-1], "granted"))
}

// isDoer reports whether a name's words say who did something: signed_by.
func isDoer(words []string) bool {
	n := len(words) - 1
	return n > 0 && words[n] == "by" && (strings.HasSuffix(words[n-1], "ed") || is(words[n-1], "doing"))
}
