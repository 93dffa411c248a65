package fields

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
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

// sentence describes a thing.
func sentence(t Thing) Maker {
	any := said(strings.Split(otherThings().said, "|"), (*locales.Locale).Described, t)
	if t.kind == nil {
		return any
	}
	about := said(strings.Split(t.kind.said, "|"), inEnglish, t)
	return func(f *formats.Faker, at Context, format string) string {
		if f.Locale != nil && f.Locale.Sentences != nil {
			return any(f, at, format)
		}
		return about(f, at, format)
	}
}

// Tell turns a text without a hint into a sentence about a thing.
func (h *Hint) Tell(about Thing) {
	if h.Open {
		h.Texts = []Maker{sentence(about)}
	}
}

// saying is one of the sentences of a row of texts.tsv, about the object.
type saying string

func (name saying) makers(_ []string, t Thing) []Maker {
	if t.is("error") || t.is("warning") {
		t = Thing{} // it is about something else
	}
	return []Maker{said(written(string(name)), inEnglish, t)}
}

func describe(words []string, t Thing) []Maker {
	if n := len(words) - 1; n > 0 {
		if own := Named(strings.Join(words[:n], "_")); own.IsKnown() {
			return []Maker{sentence(own)} // course_description
		}
	}
	return []Maker{sentence(t)}
}

// nameOf names a thing: as its kind is named, else by its words.
func nameOf(_ []string, t Thing) []Maker {
	switch {
	case t.kind != nil:
		return t.kind.called()
	case len(t.words) == 0:
		return made("any-name").texts.makers(nil, Thing{})
	}
	var titled []string
	for _, w := range t.words {
		titled = append(titled, formats.Title(w))
	}
	return qualified(strings.Join(titled, " "))
}

// qualified puts different qualifiers before the names of things of unknown kinds.
func qualified(thing string) []Maker {
	first, _, _ := strings.Cut(thing, " ")
	fitting := slices.DeleteFunc(slices.Clone(written("qualifiers")), func(q string) bool { return q == first })
	qualifier := func(f *formats.Faker) string { return fitting[f.IntN(len(fitting))] }
	return []Maker{writing(func(f *formats.Faker) string { return qualifier(f) + " " + thing }), writing(qualifier)}
}

// nameOfWords names what a property such as planName is about: its own words.
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

// comment comments on a thing: what is delivered has comments of its own.
func comment(_ []string, t Thing) []Maker {
	if t.is("order product") {
		return []Maker{said(written("said-comments"), (*locales.Locale).Said, t)}
	}
	return []Maker{said(written("said-remarks"), (*locales.Locale).Said, t)}
}
