// Package locales has what generated values take from a language and a country: names of people and companies, towns,
// days, sentences. Each locale is a row of one table.
package locales

import "strings"

// Locale is a row of the table.
type Locale struct {
	Tag       string // BCP 47
	Country   string // ISO 3166-1 alpha-2; "" is any
	Name      string // of the country, in the language; "" is as in English
	First     []string
	Last      []string // of people; nil, as First: as gofakeit has them
	LastFirst bool     // the family's name stands first
	Titles    []string // that stand before names; nil is as in English
	Companies []string // what follows a last name in the name of a company; nil is as in English
	Days      []string // from Monday to Friday; nil is as in English
	Sentences []string // about any thing; nil is as in English
	Comments  []string // that people leave; nil is as in English
	Towns     string   // as the gazetteer of package fields has them; "" are those of the country there
}

// Default is the locale of values where none is asked for: English words, and towns of many countries.
const Default = "en"

// Tags are the tags of all locales, the default first.
func Tags() []string {
	tags := make([]string, len(all))
	for i := range all {
		tags[i] = all[i].Tag
	}
	return tags
}

// Find returns the locale of a tag; nil if that is the default or there is none.
func Find(tag string) *Locale {
	for i := range all {
		if all[i].Tag == tag && tag != Default {
			return &all[i]
		}
	}
	return nil
}

// Honorifics are Titles, Weekdays Days, Said Comments and Described Sentences.
func (l *Locale) Honorifics() []string { return l.Titles }
func (l *Locale) Weekdays() []string   { return l.Days }
func (l *Locale) Said() []string       { return l.Comments }
func (l *Locale) Described() []string  { return l.Sentences }

// Latin returns the letters in which a name that is not written in Latin ones stands in addresses; "" for others.
func Latin(name string) string { return latin[name] }

var latin = map[string]string{}

// names splits names; "健/Ken" is a name and how it is written in Latin letters.
func names(text string) []string {
	all := strings.Fields(text)
	for i, name := range all {
		if own, letters, ok := strings.Cut(name, "/"); ok {
			latin[own], all[i] = letters, own
		}
	}
	return all
}

func split(text string) []string { return strings.Split(text, "|") }
