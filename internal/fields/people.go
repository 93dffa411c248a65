package fields

import (
	"time"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
)

// person is writes for texts about the person whom the surrounding object describes.
type person func(f *formats.Faker, first, last string) string

func (write person) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Context, _ string) string {
		f.Seed(at.decision(1))
		first := f.FirstName()
		return write(f, first, f.LastName())
	}}
}

func fullName(f *formats.Faker, first, last string) string { return f.FullName(first, last) }

// someone writes the name of a person other than the one whom the object describes.
func someone(f *formats.Faker) string { return f.FullName(f.FirstName(), f.LastName()) }

func emailAddress(_ *formats.Faker, first, last string) string {
	return formats.LocalPart(first) + "." + formats.LocalPart(last) + "@example.com"
}

func userName(f *formats.Faker, first, last string) string {
	return formats.LocalPart(first) + formats.LocalPart(last)[:1] + formats.Letters(f, 2, formats.Digits)
}

func honorific([]string, Thing) []Maker {
	return inLocale((*locales.Locale).Honorifics, written("honorifics"))
}

func birthDate(f *formats.Faker, at Context, format string) string {
	years := 20 + f.Seed(at.Key).IntN(50)
	return f.Epoch().AddDate(-years, 0, f.IntN(365)).Format(layout(format, time.DateOnly))
}

// Role returns whom a property such as patient_name or doctorEmail describes, "" if none.
func Role(name string) string {
	if words := Words(name); len(words) > 1 && isKind(kindOfThing(words[0]), "person") {
		return words[0]
	}
	return ""
}
