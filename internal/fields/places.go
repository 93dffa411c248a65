package fields

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/words"
)

// town is a row of the gazetteer: all fields of one address come from one row.
type town struct {
	city, region, regionCode, postal string // postal: as for pattern
	country, code, code3, number     string // ISO 3166-1
	currency, currencyName, symbol   string // ISO 4217
	calling                          string // of the country, with "+"
	phone                            string // as for pattern, behind the calling code
	lat, lng                         float64
	zone, language, streets          string
	tax, account                     string // as for pattern; account: behind the check digits of an IBAN, "" for no IBANs
}

// townOf returns the town that an object is in.
func townOf(f *formats.Faker, at Context) *town {
	towns := gazetteer()
	if f.Locale != nil {
		towns = townsOf()[f.Locale.Tag]
	}
	if at.Town != 0 {
		at.Object = at.Town
	}
	return &towns[f.Seed(at.decision(3)).IntN(len(towns))]
}

// streetsOf returns the streets of the town, and seeds the choice so that several addresses in it differ.
func streetsOf(f *formats.Faker, at Context) []string {
	names := strings.Split(townOf(f, at).streets, ";")
	if at.Town != 0 && at.Town != at.Object {
		f.Seed(at.decision(7))
	}
	return names
}

// inPlace reads something of the town.
type inPlace func(*town) string

func (read inPlace) makers([]string, Thing) []Maker { return inPlaces{read}.makers(nil, Thing{}) }

// inPlaces read several things, the first that conforms counts.
type inPlaces []func(*town) string

func (reads inPlaces) makers([]string, Thing) []Maker {
	var all []Maker
	for _, read := range reads {
		all = append(all, func(f *formats.Faker, at Context, _ string) string { return read(townOf(f, at)) })
	}
	return all
}

// street writes a street of the town with a number.
func street(f *formats.Faker, at Context, _ string) string {
	names := streetsOf(f, at)
	name := names[f.IntN(len(names))]
	number := strconv.Itoa(1 + f.IntN(180))
	if before, isBefore := strings.CutPrefix(name, "# "); isBefore {
		return number + " " + before
	}
	return name + " " + number
}

// phones writes the numbers by which somebody is reached: a mobile number is none of an office.
func phones(words []string, _ Thing) []Maker {
	n := uint64(4)
	for i, line := range []string{"mobile", "fax", "work", "home"} {
		if anyIs(words, line) {
			n = 20 + uint64(i)
		}
	}
	own := func(f *formats.Faker, at Context, _ string) string {
		t := townOf(f, at)
		return t.calling + pattern(t.phone)(f.Seed(at.decision(n)))
	}
	return []Maker{own, func(f *formats.Faker, at Context, format string) string { return own(f, at, format)[1:] },
		writing(pattern("202555####")), func(f *formats.Faker, at Context, _ string) string { // +44-2079460958
			t := townOf(f, at)
			return strings.TrimSpace(t.calling) + "-" + strings.ReplaceAll(pattern(t.phone)(f.Seed(at.decision(n))), " ", "")
		}}
}

// near is a coordinate within some kilometres of the town, with five decimals.
type near func(*town) float64

func (read near) window(f *formats.Faker, at Context) Window {
	middle := int64(read(townOf(f, at)) * 100_000)
	return Window{middle - 4000, middle + 4000, 100_000}
}

func (read near) makers([]string, Thing) []Maker {
	return []Maker{func(f *formats.Faker, at Context, _ string) string {
		middle := read(townOf(f, at))
		return strconv.FormatFloat(middle+float64(f.Seed(at.Key).IntN(8000)-4000)/100_000, 'f', 5, 64)
	}}
}

func country(t *town) string    { return t.country }
func alpha2(t *town) string     { return t.code }
func alpha3(t *town) string     { return t.code3 }
func region(t *town) string     { return t.region }
func latitude(t *town) float64  { return t.lat }
func longitude(t *town) float64 { return t.lng }

func callingCode(t *town) string { return t.calling }
func coordinates(t *town) string {
	return strconv.FormatFloat(t.lat, 'f', 4, 64) + ", " + strconv.FormatFloat(t.lng, 'f', 4, 64)
}

func localeOf(joint string) func(*town) string {
	return func(t *town) string { return t.language + joint + t.code }
}

func houseNumber(f *formats.Faker) string { return strconv.Itoa(1 + f.IntN(180)) }

func unitOfBuilding(f *formats.Faker) string {
	return pickFrom(f, "building-part") + " " + strconv.Itoa(2+f.IntN(18))
}

func postalCode(f *formats.Faker, at Context, _ string) string {
	t := townOf(f, at)
	return pattern(t.postal)(f.Seed(at.decision(5)))
}

// gazetteer has the towns in English.
func gazetteer() []town { return townsOf()["-"] }

// countries are towns without all that is not of their country, by the code of this.
var countries = sync.OnceValue(func() map[string]town {
	all := make(map[string]town, words.Countries.Lines())
	for c := range words.Countries.Rows() {
		all[c[0]] = town{country: c[1], code: c[0], code3: c[2], number: c[3], currency: c[4], currencyName: c[5],
			symbol: c[6], calling: c[7], tax: c[8], account: c[9]}
	}
	return all
})

// townsOf returns the towns of locales by their tags. A locale without towns of its own has the towns of its country.
var townsOf = sync.OnceValue(func() map[string][]town {
	all := map[string][]town{}
	for c := range words.Towns.Rows() {
		t := countries()[c[5]]
		t.city, t.region, t.regionCode, t.postal = c[1], c[2], c[3], c[4]
		t.phone, t.zone, t.language, t.streets = c[6], c[7], c[8], c[9]
		t.lat, _ = strconv.ParseFloat(c[10], 64)
		t.lng, _ = strconv.ParseFloat(c[11], 64)
		if l := locales.Find(c[0]); l != nil {
			t.country = cmp.Or(l.Name, t.country)
		}
		all[c[0]] = append(all[c[0]], t)
	}
	for _, tag := range locales.Tags() {
		if l := locales.Find(tag); l != nil && all[tag] == nil {
			all[tag] = slices.DeleteFunc(slices.Clone(all["-"]), func(t town) bool { return t.code != l.Country })
		}
	}
	return all
})

// Currency returns the ISO 4217 code of the currency of a country, named by its ISO 3166-1 code of two letters; "" for
// unknown countries.
func Currency(country string) string { return words.Currencies.Second(strings.ToUpper(country)) }
