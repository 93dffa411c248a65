package fields

import (
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/naming"
)

// said writes one of some sentences about a thing, "{t}" in them, or what the locale has instead.
func said(texts []string, own func(*locales.Locale) []string, t Thing) Maker {
	article := "a "
	if strings.ContainsRune("aeiou", rune(t.text()[0])) {
		article = "an "
	}
	fill := strings.NewReplacer("a {t}", article+t.text(), "A {t}", formats.Title(article)+t.text(), "{t}", t.text())
	filled := make([]string, len(texts))
	for i, text := range texts {
		filled[i] = fill.Replace(text)
	}
	return inLocale(own, filled)[0]
}

// inEnglish are texts that no locale has.
func inEnglish(*locales.Locale) []string { return nil }

// sentence describes a thing as things of its kind are described. Otherwise it is plain.
func sentence(words []string, t Thing) Maker {
	if t.kind == nil || t.kind.said == "" {
		return plain(words, t)
	}
	return said(strings.Split(t.kind.said, "|"), (*locales.Locale).Described, t)
}

// plain says which text of which thing it is, with a number so that texts differ: "Content of translation 4." A name
// says no more of a text, and a sentence about something else would be wrong.
func plain(words []string, t Thing) Maker {
	const most = 3 // words
	text := formats.Title(strings.Join(words[max(0, len(words)-most):], " ")) + " "
	if len(t.words) > 0 && t.Name() != naming.Singular(words[len(words)-1]) {
		text += "of " + t.text() + " "
	}
	return writing(func(f *formats.Faker) string {
		if f.Locale != nil && f.Locale.Sentences != nil {
			return pick(f, f.Locale.Sentences...)
		}
		return text + ordinal(f) + "."
	})
}

// ordinal is a number that distinguishes things of one kind.
func ordinal(f *formats.Faker) string { return strconv.Itoa(1 + f.IntN(99)) }

func plainText(words []string, t Thing) []Maker { return []Maker{plain(words, t)} }

// Tell turns a text without a hint into a plain one about a thing. If the text is a whole body, its hint does not count
// either: the path names what the body is about, not the body.
func (h *Hint) Tell(about Thing, isBody bool) {
	if h.Open || isBody && about.IsKnown() {
		h.Texts = []Maker{plain([]string{"text"}, about)}
	}
}

// message is what a server says of a request, in an object without a name. A message of a thing is a plain text.
func message(words []string, t Thing) []Maker {
	if len(t.words) > 0 {
		return plainText(words, t)
	}
	return saying("said-messages").makers(words, t)
}

// saying is one of the sentences of a row of texts.tsv, about the object.
type saying string

func (name saying) makers(_ []string, t Thing) []Maker {
	if t.is("error") || t.is("warning") {
		t = Thing{} // it describes something else
	}
	return []Maker{said(written(string(name)), inEnglish, t)}
}

func describe(words []string, t Thing) []Maker {
	if n := len(words) - 1; n > 0 {
		if own := Named(strings.Join(words[:n], "_")); own.IsKnown() {
			return []Maker{sentence(words[n:], own)} // course_description
		}
	}
	return []Maker{sentence(words, t)}
}

// nameOf names a thing: as its kind is named, else by its words.
func nameOf(_ []string, t Thing) []Maker {
	switch {
	case t.kind != nil:
		return t.kind.called()
	case len(t.words) == 0:
		return numberedNames([]string{"item"})
	}
	return numberedNames(t.words)
}

// numberedNames names things of unknown kinds: "Recipe tag 7", or less of it if that is too long.
func numberedNames(words []string) []Maker {
	var all []Maker
	for i := range words {
		text := formats.Title(strings.Join(words[i:], " ")) + " "
		all = append(all, writing(func(f *formats.Faker) string { return text + ordinal(f) }))
	}
	initial := strings.ToUpper(words[len(words)-1][:1])
	return append(all, writing(func(f *formats.Faker) string { return initial + ordinal(f) }))
}

// nameOfWords names what a property such as planName describes: its own words.
func nameOfWords(words []string, t Thing) []Maker {
	if len(words) > 1 {
		if own := Named(strings.Join(words[:len(words)-1], "_")); len(own.words) > 0 {
			return nameOf(nil, own)
		}
	}
	return nameOf(nil, t)
}

// readableName is nameOf as people read it: "Billing email" for billing_email.
func readableName(words []string, t Thing) []Maker {
	all := nameOf(words, t)
	if t.kind == nil || t.kind.name != "field" {
		return all
	}
	return []Maker{func(f *formats.Faker, at Context, format string) string {
		return formats.Title(strings.ReplaceAll(all[0](f, at, format), "_", " "))
	}}
}

// titleOf is nameOfWords with a capital.
func titleOf(words []string, t Thing) []Maker {
	write := nameOfWords(words, t)[0]
	return []Maker{func(f *formats.Faker, at Context, format string) string {
		return formats.Title(write(f, at, format))
	}}
}
