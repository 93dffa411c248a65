package fields

import (
	"strconv"
	"strings"
	"sync"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/locales"
	"github.com/coldframe/coldframe/internal/words"
)

// texts are what a row writes about a property of such words, of an object.
type texts interface {
	makers(words []string, of Thing) []Maker
}

func (write Maker) makers([]string, Thing) []Maker { return []Maker{write} }

// depending are texts that depend on the property's words and the object.
type depending func(words []string, of Thing) []Maker

func (make depending) makers(words []string, of Thing) []Maker { return make(words, of) }

// several are all that each writes; the first that conforms counts.
type several []texts

func (s several) makers(words []string, of Thing) (all []Maker) {
	for _, each := range s {
		all = append(all, each.makers(words, of)...)
	}
	return all
}

// writes are texts that depend on the value's key alone.
type writes func(*formats.Faker) string

func (write writes) makers([]string, Thing) []Maker { return []Maker{writing(write)} }

// patterns are texts of a form: see pattern.
type patterns string

func (form patterns) makers([]string, Thing) []Maker { return Patterns(string(form)) }

// list is one of some texts.
type list []string

func (l list) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string { return l[f.IntN(len(l))] })}
}

// maker is what a row of the data refers to by its name.
type maker struct {
	texts   texts
	formats string // that the texts fit, separated by spaces
	listed  bool   // an enum's value that a text equals comes before others
	around  bool   // the texts depend on Place.Around
}

// madeTexts are the rows of texts.tsv.
var madeTexts = sync.OnceValue(func() map[string]maker {
	all := make(map[string]maker, words.Texts.Lines())
	for c := range words.Texts.Rows() {
		m := maker{formats: c[2]}
		switch c[1] {
		case "list":
			m.texts = list(strings.Split(c[3], "|"))
		case "pattern":
			m.texts = patterns(c[3])
		case "phrase":
			m.texts = phrase(c[3])
		}
		all[c[0]] = m
	}
	return all
})

// written returns the texts of a list of texts.tsv; nil if none.
func written(name string) []string {
	texts, _ := madeTexts()[name].texts.(list)
	return texts
}

// pickFrom returns one of the texts of a list of texts.tsv.
func pickFrom(f *formats.Faker, name string) string { return pick(f, written(name)...) }

// phrase is a pattern in which "{name}" stands for one of the list of that name.
type phrase string

func (p phrase) makers([]string, Thing) []Maker {
	return []Maker{writing(func(f *formats.Faker) string {
		var b strings.Builder
		for rest := string(p); rest != ""; {
			before, after, _ := strings.Cut(rest, "{")
			b.WriteString(pattern(before)(f))
			name, then, isName := strings.Cut(after, "}")
			if isName {
				b.WriteString(pickFrom(f, name))
			}
			rest = then
		}
		return b.String()
	})}
}

// made returns what a name of the data stands for: a row of texts.tsv, a kind of things as "kind:team", or a function
// of this package. Its texts are nil if none.
func made(name string) maker {
	if m, ok := madeTexts()[name]; ok {
		return m
	}
	if kind, ok := strings.CutPrefix(name, "kind:"); ok && kinds()[kind] != nil {
		return maker{texts: depending(func([]string, Thing) []Maker { return kinds()[kind].called() })}
	}
	return function(name)
}

// function returns the functions of this package to which the data refer by name; the zero maker for other names.
func function(name string) maker {
	uri, times := URIFormats, strings.Join(timeFormats, " ")
	switch name {
	case "amount":
		return maker{texts: writes(amount), formats: "decimal"}
	case "any-file":
		return maker{texts: depending(anyFile)}
	case "base64":
		return maker{texts: writes(formats.Lookup("base64").Generate)}
	case "bic":
		return maker{texts: inPlace(func(t *town) string { return "EXBK" + t.code + "FF" })}
	case "birth-date":
		return maker{texts: Maker(birthDate), formats: times}
	case "calling-code":
		return maker{texts: inPlaces{callingCode, func(t *town) string { return callingCode(t)[1:] }}}
	case "card-number":
		return maker{texts: writes(cardNumber)}
	case "categories":
		return maker{texts: depending(categories), around: true}
	case "changed":
		return maker{texts: moment(2), formats: times}
	case "code":
		return maker{texts: depending(codeOf)}
	case "color":
		return maker{texts: writes((*formats.Faker).HexColor), formats: "color"}
	case "company":
		return maker{texts: writes(companyName)}
	case "coordinates":
		return maker{texts: inPlace(coordinates)}
	case "country":
		return maker{texts: inPlaces{country, alpha2, alpha3}, listed: true}
	case "country-code":
		return maker{texts: inPlaces{alpha2, alpha3}, listed: true}
	case "created":
		return maker{texts: moment(1), formats: times}
	case "currency":
		return maker{texts: inPlace(func(t *town) string { return t.currency }), listed: true}
	case "currency-name":
		return maker{texts: inPlace(func(t *town) string { return t.currencyName })}
	case "cursor":
		return maker{texts: writes(cursor)}
	case "description":
		return maker{texts: depending(describe), formats: "markdown"}
	case "digest":
		return maker{texts: several{digest(64), digest(40), digest(32)}}
	case "digest-40":
		return maker{texts: digest(40)}
	case "email":
		return maker{texts: person(emailAddress), formats: "email idn-email"}
	case "ended":
		return maker{texts: moment(3), formats: times}
	case "failure":
		return maker{texts: saying("said-failures")}
	case "figure":
		return maker{texts: writes(figure)}
	case "file-name":
		return maker{texts: depending(fileNameOf)}
	case "first-name":
		return maker{texts: person(func(_ *formats.Faker, first, _ string) string { return first })}
	case "full-name":
		return maker{texts: person(fullName)}
	case "honorific":
		return maker{texts: depending(honorific)}
	case "house-number":
		return maker{texts: writes(houseNumber)}
	case "iban":
		return maker{texts: Maker(iban)}
	case "ipv4":
		return maker{texts: writes(ipv4), formats: "ipv4 ip"}
	case "job-title":
		return maker{texts: writes((*formats.Faker).JobTitle)}
	case "language":
		return maker{texts: inPlace(func(t *town) string { return t.language }), formats: "language", listed: true}
	case "last-name":
		return maker{texts: person(func(_ *formats.Faker, _, last string) string { return last })}
	case "latitude":
		return maker{texts: near(latitude)}
	case "locale":
		tags := inPlaces{localeOf("-"), localeOf("_"), func(t *town) string { return t.language }}
		return maker{texts: tags, formats: "language", listed: true}
	case "longitude":
		return maker{texts: near(longitude)}
	case "message":
		return maker{texts: depending(message)}
	case "middle-name":
		return maker{texts: writes((*formats.Faker).FirstName)}
	case "name":
		return maker{texts: depending(nameOfWords)}
	case "numbered":
		return maker{texts: depending(numbered)}
	case "opaque":
		return maker{texts: writes(opaque)}
	case "page":
		return maker{texts: depending(page), formats: uri}
	case "phone":
		return maker{texts: depending(phones), formats: "phone phonenumber"}
	case "plain-text":
		return maker{texts: depending(plainText), formats: "markdown"}
	case "postal-code":
		return maker{texts: several{Maker(postalCode), patterns("#####")}}
	case "public-key":
		return maker{texts: several{Maker(publicKey), digest(64), digest(32)}}
	case "readable-name":
		return maker{texts: depending(readableName)}
	case "region":
		return maker{texts: inPlaces{region, func(t *town) string { return t.regionCode }}, listed: true}
	case "secret":
		return maker{texts: writes(secret), formats: "password"}
	case "small-number":
		return maker{texts: writes(smallNumber), formats: "decimal"}
	case "someone":
		return maker{texts: writes(someone)}
	case "span":
		return maker{texts: several{writes(isoSpan), patterns("3#m")}, formats: "duration"}
	case "ssh-key":
		return maker{texts: writes(sshKey)}
	case "street":
		return maker{texts: Maker(street)}
	case "tags":
		return maker{texts: depending(tags), around: true}
	case "tax-number":
		return maker{texts: Maker(taxNumber)}
	case "time":
		return maker{texts: several{moment(1), writes(clock)}, formats: times}
	case "time-zone":
		return maker{texts: inPlace(func(t *town) string { return t.zone })}
	case "title":
		return maker{texts: depending(titleOf)}
	case "town":
		return maker{texts: inPlace(func(t *town) string { return t.city })}
	case "town-country":
		return maker{texts: inPlace(func(t *town) string { return t.city + ", " + t.country })}
	case "unit-of-building":
		return maker{texts: writes(unitOfBuilding)}
	case "user-name":
		return maker{texts: person(userName)}
	case "uuid":
		return maker{texts: writes(formats.Lookup("uuid").Generate), formats: "uuid guid"}
	case "version":
		tag := writes(func(f *formats.Faker) string { return "v" + version(f) })
		return maker{texts: several{writes(version), tag}, formats: "semver"}
	case "weekday":
		return maker{texts: depending(weekday)}
	}
	return maker{}
}

// numbersMade returns the numbers that a row of names.tsv refers to: a range as "0.5..2.0", or a function of this
// package; nil if none.
func numbersMade(name string) func(*formats.Faker, Context) Window {
	if w, ok := Range(name); ok {
		return w.window
	}
	switch name {
	case "created":
		return moment(1).window
	case "changed":
		return moment(2).window
	case "ended":
		return moment(3).window
	case "latitude":
		return near(latitude).window
	case "longitude":
		return near(longitude).window
	}
	return nil
}

// Range reads a range such as "0.5..2.0", whose ends have the decimals that the numbers have.
func Range(text string) (Window, bool) {
	low, high, ok := strings.Cut(text, "..")
	_, decimals, _ := strings.Cut(low, ".")
	w := Window{parseScaled(low), parseScaled(high), 1}
	for range len(decimals) {
		w.Scale *= 10
	}
	return w, ok
}

func parseScaled(number string) int64 {
	n, _ := strconv.ParseInt(strings.Replace(number, ".", "", 1), 10, 64)
	return n
}

func (w Window) window(*formats.Faker, Context) Window { return w }

// between are whole numbers.
func between(lo, hi int64) Window { return Window{lo, hi, 1} }

// writing is the maker of a text that depends on the value's key alone.
func writing(write func(*formats.Faker) string) Maker {
	return func(f *formats.Faker, at Context, _ string) string { return write(f.Seed(at.Key)) }
}

// inLocale takes one of the texts that the locale has, else one in English.
func inLocale(own func(*locales.Locale) []string, english []string) []Maker {
	return []Maker{writing(func(f *formats.Faker) string {
		if f.Locale != nil {
			if texts := own(f.Locale); texts != nil {
				return texts[f.IntN(len(texts))]
			}
		}
		return english[f.IntN(len(english))]
	})}
}

// pattern writes "#" as a digit, "@" as an upper-case letter, "~" as a lower-case one, "%" as a hexadecimal digit and
// "*" as a digit or lower-case letter.
func pattern(text string) func(*formats.Faker) string {
	return func(f *formats.Faker) string {
		b := []byte(text)
		for i, c := range b {
			switch c {
			case '#':
				b[i] = formats.Digits[f.IntN(10)]
			case '@':
				b[i] = upper[f.IntN(len(upper))]
			case '~':
				b[i] = formats.LowerAZ[f.IntN(26)]
			case '%':
				b[i] = formats.Hex[f.IntN(16)]
			case '*':
				b[i] = formats.Lower36[f.IntN(36)]
			}
		}
		return string(b)
	}
}

// upper has the letters that nobody takes for digits, or for the beginning of a duration.
const upper = "ABCDEFGHJKLMNQRSTUVWXYZ"

// Patterns writes texts of a form: see pattern.
func Patterns(text string) []Maker { return []Maker{writing(pattern(text))} }

func pick(f *formats.Faker, texts ...string) string { return texts[f.IntN(len(texts))] }

// figures writes numbers as texts.
func figures(suggest func(*formats.Faker, Context) Window) []Maker {
	return []Maker{func(f *formats.Faker, at Context, _ string) string {
		w := suggest(f, at)
		n := w.Lo + int64(f.Seed(at.Key).IntN(int(w.Hi-w.Lo)+1))
		digits := len(strconv.FormatInt(max(w.Scale, 1), 10)) - 1
		return strconv.FormatFloat(float64(n)/float64(max(w.Scale, 1)), 'f', digits, 64)
	}}
}
