// Package locales has what generated values take from a language and a country: names of people and companies, days,
// sentences. Its data is locales.tsv of package words.
package locales

import (
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/words"
)

// Locale is what values take from one language and country.
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
}

// Default is the default locale: English words, and towns of many countries.
const Default = "en"

// table is all locales, the default first, and the names that are not written in Latin letters, with these.
type table struct {
	tags  []string
	byTag map[string]*Locale
	latin map[string]string
}

var all = sync.OnceValue(func() *table {
	t := &table{tags: []string{Default}, byTag: map[string]*Locale{}, latin: map[string]string{}}
	for c := range words.Locales.Rows() {
		tag := c[0]
		if tag == Default {
			continue
		}
		l := t.byTag[tag]
		if l == nil {
			l = &Locale{Tag: tag}
			t.tags, t.byTag[tag] = append(t.tags, tag), l
		}
		values := strings.Split(c[2], "|")
		switch c[1] {
		case "country":
			l.Country = c[2]
		case "country-name":
			l.Name = c[2]
		case "first":
			l.First = t.names(values)
		case "last":
			l.Last = t.names(values)
		case "order":
			l.LastFirst = c[2] == "last first"
		case "titles":
			l.Titles = values
		case "companies":
			l.Companies = values
		case "days":
			l.Days = values
		case "sentences":
			l.Sentences = values
		}
	}
	return t
})

// names reads names; "健/Ken" is a name and how it is written in Latin letters.
func (t *table) names(values []string) []string {
	for i, name := range values {
		if own, letters, ok := strings.Cut(name, "/"); ok {
			t.latin[own], values[i] = letters, own
		}
	}
	return values
}

// Tags returns the tags of all locales, the default first.
func Tags() []string { return all().tags }

// Find returns the locale of a tag; nil for the default and for unknown tags.
func Find(tag string) *Locale { return all().byTag[tag] }

// Honorifics returns Titles, Weekdays Days and Described Sentences.
func (l *Locale) Honorifics() []string { return l.Titles }
func (l *Locale) Weekdays() []string   { return l.Days }
func (l *Locale) Described() []string  { return l.Sentences }

// Latin returns the letters in which a name that is not written in Latin ones stands in addresses; "" for others.
func Latin(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return r > 0x2000 }) < 0 {
		return ""
	}
	return all().latin[name]
}
